import type { DecimalText } from '../../src/primitives/decimal.ts';
import { formatUtc, type UnixSeconds } from '../../src/primitives/time.ts';
import { confirmationsText } from '../confirmations-text.ts';
import type { Party } from '../swap-verdict.ts';
import { toldAmount } from '../told-amount.ts';
import { toldReason } from '../told-reason.ts';
import { otherParty } from './side.ts';

/*
 * Plain sentences about what happens in the logs of both sides. `payer` makes the payment that the sentence is about.
 */

type Failed = { readonly data: { readonly error: string } };
type Sent = { readonly data: { readonly tx_hash: string } };

/** Amount and coin of both payments, or the coins alone while the terms are not known. */
export type Amounts = Readonly<Record<Party, string>>;

type Terms = {
  readonly maker_amount: DecimalText;
  readonly maker_coin: string;
  readonly taker_amount: DecimalText;
  readonly taker_coin: string;
};

export function amountsOf(started: Terms | null): Amounts {
  if (started === null) return { maker: 'the maker coin', taker: 'the taker coin' };
  const { maker_amount, maker_coin, taker_amount, taker_coin } = started;
  return { maker: `${toldAmount(maker_amount)} ${maker_coin}`, taker: `${toldAmount(taker_amount)} ${taker_coin}` };
}

export const startFailed = ({ data }: Failed) =>
  `A check before the start failed${toldReason(data)}; nothing was sent.`;

export const negotiateFailed = ({ data }: Failed) => `The negotiation failed${toldReason(data)}; nothing was sent.`;

export const finished = () => 'The swap is closed.';

export const refundFinished = () => 'The refund is complete.';

export function startedText(payer: Party, amounts: Amounts, lock: UnixSeconds): string {
  const gets = amounts[otherParty(payer)];
  return `The swap started: the ${payer} gives ${amounts[payer]} and gets ${gets}. The ${payer} payment will be locked until ${formatUtc(lock)}.`;
}

export function negotiatedText(payer: Party, lock: UnixSeconds): string {
  return `Both sides agreed on keys, secret hash and locks; the ${payer} payment will be locked until ${formatUtc(lock)}.`;
}

/** What a log says about the payment of its own side. */
export function ownSentences(payer: Party) {
  const other = otherParty(payer);
  return {
    instructions: () => `The ${other} sent the instructions for the ${payer} payment, of which most coins need none.`,
    sent: ({ data }: Sent, amounts: Amounts) => `The ${payer} payment of ${amounts[payer]} was sent (${data.tx_hash}).`,
    sendDoubtful: ({ data }: Failed) =>
      `Sending the ${payer} payment was reported as failed${toldReason(data)}. The answer of a node is no proof: the transaction may be on the chain.`,
    notTold: ({ data }: Failed) => `The ${other} could not be told of the ${payer} payment${toldReason(data)}.`,
    unconfirmed: unconfirmed(payer),
    refundAwaited: ({ data }: { readonly data: { readonly wait_until: UnixSeconds | null } }) =>
      `The ${payer} waits for the lock of its payment to end${data.wait_until === null ? '' : ` (the node noted ${formatUtc(data.wait_until)})`}.`,
    refundStarted: () => `The refund of the ${payer} payment began.`,
    refunded: ({ data }: { readonly data: { readonly tx_hash: string } | null }) =>
      data === null
        ? `The ${payer} payment refunds by itself.`
        : `The ${payer} payment was refunded (${data.tx_hash}).`,
    refundFailed: ({ data }: Failed) => `The refund of the ${payer} payment failed${toldReason(data)}.`,
  };
}

/** What a log says about the payment of the other side. */
export function otherSentences(payer: Party) {
  const claimant = otherParty(payer);
  return {
    received: ({ data }: Sent, amounts: Amounts) =>
      `The ${payer} announced the payment of ${amounts[payer]} (${data.tx_hash}).`,
    awaited: (confirmations: number | undefined) =>
      `The ${claimant} waits for ${confirmationsText(confirmations)} of the ${payer} payment.`,
    validated: () => `The ${payer} payment is valid and confirmed.`,
    invalid: ({ data }: Failed) => `The ${payer} payment did not come or is not valid${toldReason(data)}.`,
    unconfirmed: unconfirmed(payer),
    claimConfirmed: () => `The spend of the ${payer} payment is confirmed.`,
    claimUnconfirmed: ({ data }: Failed) =>
      `The spend of the ${payer} payment was not confirmed in time${toldReason(data)}.`,
  };
}

function unconfirmed(payer: Party) {
  return ({ data }: Failed) => `The ${payer} payment was not confirmed in time${toldReason(data)}.`;
}
