import type { StopReason, WatcherEvent, WatcherEventType } from '../../src/events/watcher.ts';
import { formatUtc } from '../../src/primitives/time.ts';
import type { WatcherContext } from './context.ts';
import { watchTimes } from './deadlines.ts';

type Told = { readonly maker: string; readonly taker: string; readonly claimFrom: string; readonly refundFrom: string };

type Sentences = {
  readonly [T in WatcherEventType]: (event: Extract<WatcherEvent, { readonly type: T }>, told: Told) => string;
};

const reasons: Readonly<Record<StopReason, string>> = {
  InvalidTakerFee: 'the taker fee is not valid',
  InvalidTakerPayment: 'the taker payment is not what the message says',
  TakerPaymentNotConfirmed: 'the taker payment was not confirmed in time',
  TakerPaymentRefundedByTaker: 'the taker refunded its payment itself',
  UnableToExtractSecret: "the maker's spend of the taker payment shows no secret",
  MakerPaymentCouldNotBeFound: 'the maker payment could not be found',
  MakerPaymentSpentByTaker: 'the taker took the maker payment itself',
  MakerPaymentSpent: 'the maker payment went to the taker for good',
  MakerPaymentSpendFailed: 'the maker payment could not be taken for the taker',
  TakerPaymentRefunded: 'the taker payment went back to the taker for good',
  TakerPaymentRefundFailed: 'the taker payment could not be refunded',
  Expired: 'its time is over',
};

const sentences: Sentences = {
  WatchRequested: (_, { maker, taker, claimFrom, refundFrom }) =>
    `The taker of a swap, who gives ${taker} and gets ${maker}, asked to be watched: claim from ${claimFrom} on, refund after ${refundFrom}.`,
  TakerFeeValidated: () => 'The taker fee was paid.',
  TakerPaymentValidated: (_, { taker }) => `The taker payment of ${taker} is valid.`,
  TakerPaymentSpendFound: ({ data }) =>
    `The maker took the taker payment (${data.transaction.tx_hash}), which revealed the secret.`,
  MakerPaymentSpentByTaker: ({ data }) => `The taker took the maker payment itself${named(data)}.`,
  MakerPaymentSpent: ({ data }, { maker }) =>
    `This watcher took the maker payment of ${maker} for the taker${named(data)}.`,
  TakerPaymentRefundedByTaker: ({ data }) => `The taker refunded its payment itself${named(data)}.`,
  TakerPaymentRefunded: ({ data }, { taker }) => `This watcher sent the taker payment of ${taker} back${named(data)}.`,
  Stopped: ({ data }) => `The watch ended: ${reasons[data.reason]}${data.error === null ? '' : ` (${data.error})`}.`,
};

function named(tx: { readonly tx_hash: string } | null): string {
  return tx === null ? '' : ` (${tx.tx_hash})`;
}

/** A taker of the real node does not tell the amounts. */
function money(amount: string | null, coin: string): string {
  return amount === null ? coin : `${amount} ${coin}`;
}

/** One plain sentence about an event, for a reader who does not know the protocol. */
export function watcherSentence(event: WatcherEvent, { watch, timing }: WatcherContext): string {
  const times = watch === null || timing === null ? null : watchTimes(watch, timing);
  const sentence = sentences[event.type] as (event: WatcherEvent, told: Told) => string;
  return sentence(event, {
    maker: watch === null ? 'the maker coin' : money(watch.maker_amount, watch.maker_coin),
    taker: watch === null ? 'the taker coin' : money(watch.taker_amount, watch.taker_coin),
    claimFrom: times === null ? 'an unknown time' : formatUtc(times.claimFrom),
    refundFrom: times === null ? 'an unknown time' : formatUtc(times.refundAfter),
  });
}
