import type { SwapFunds } from '../../machines/swap-verdict.ts';
import type { DecimalText } from '../primitives/decimal.ts';
import { withAmounts } from '../replay/explain/with-amounts.ts';
import type { PaymentEnd } from '../replay/payment-ends.ts';

/** What the transactions of a swap show besides its status; plain data, which can be stored. */
export type Looked = {
  /** How far the log supports the end that decides the outcome; null if there is none. */
  readonly end: PaymentEnd | null;
  /** Both amounts with the digits that their chains have; null where the log says none. */
  readonly amounts: { readonly maker: DecimalText | null; readonly taker: DecimalText | null };
  /** One sentence for each amount that no chain can hold. */
  readonly impossible: readonly string[];
};

/** A sentence about a swap with these amounts. */
export function exactText(sentence: string, funds: SwapFunds | null, { amounts }: Looked): string {
  if (funds === null) return sentence;
  const { makerPayment, takerPayment } = funds;
  return withAmounts([
    { written: makerPayment, told: { coin: makerPayment.coin, amount: amounts.maker } },
    { written: takerPayment, told: { coin: takerPayment.coin, amount: amounts.taker } },
  ])(sentence);
}
