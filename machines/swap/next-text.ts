import type { SwapEffect } from '../swap-effects.ts';
import type { Party, SwapFunds } from '../swap-verdict.ts';
import { amountText } from '../swap-verdict.ts';
import { otherParty } from './side.ts';

/** For a sentence: who reads it, and both amounts. */
type Told = { readonly other: Party; readonly maker: string; readonly taker: string };
type Telling = (told: Told) => string;

const send = (payer: Party) => (told: Told) => `Send the ${payer} payment (${told[payer]})`;
const pays = (payer: Party) => (told: Told) => `Wait for the ${payer} to pay ${told[payer]}`;
const validate = (payer: Party) => (told: Told) =>
  `Validate the ${payer} payment (${told[payer]}) and wait for its confirmations`;
const spend = (payer: Party) => (told: Told) => `Spend the ${payer} payment (${told[payer]}) with the secret`;
const confirm = (payer: Party) => (told: Told) =>
  `Wait for the spend of the ${payer} payment (${told[payer]}) to be confirmed`;
const refund = (payer: Party) => (told: Told) =>
  `Refund the ${payer} payment (${told[payer]}) unless the ${otherParty(payer)} spends it first`;
const find = (payer: Party) => (told: Told) =>
  `Check on the chain whether the ${payer} payment (${told[payer]}) was broadcast nevertheless`;

const TEXTS: Readonly<Partial<Record<SwapEffect, Telling>>> = {
  start: () => 'Run the checks before the start',
  negotiate: ({ other }) => `Negotiate with the ${other}`,
  sendTakerFee: () => 'Send the taker fee',
  waitForTakerFee: () => 'Wait for the taker fee and validate it',
  waitForMakerPayment: pays('maker'),
  waitForTakerPayment: pays('taker'),
  validateMakerPayment: validate('maker'),
  validateTakerPayment: validate('taker'),
  sendMakerPayment: send('maker'),
  sendTakerPayment: send('taker'),
  findMakerPayment: find('maker'),
  findTakerPayment: find('taker'),
  waitForTakerPaymentSpend: ({ taker }) =>
    `Wait for the maker to spend the taker payment (${taker}), which reveals the secret`,
  spendMakerPayment: spend('maker'),
  spendTakerPayment: spend('taker'),
  confirmMakerPaymentSpend: confirm('maker'),
  confirmTakerPaymentSpend: confirm('taker'),
  refundMakerPayment: refund('maker'),
  refundTakerPayment: refund('taker'),
  finishRefund: () => 'Close the refund',
  finish: () => 'Close the swap',
  closeLost: () => 'Close the swap, whose coins are lost',
};

/** What an effect does, for a reader who does not know its name. */
export function nextText(effect: SwapEffect, funds: SwapFunds, role: Party): string {
  const told = {
    other: otherParty(role),
    maker: amountText(funds.makerPayment),
    taker: amountText(funds.takerPayment),
  };
  return TEXTS[effect]?.(told) ?? effect;
}
