import { amountText, type LegFunds } from '../../../machines/swap-verdict.ts';

type Amount = Pick<LegFunds, 'coin' | 'amount'>;

/** Gives each amount of a sentence the digits with which it is told. */
export function withAmounts(
  legs: readonly { readonly written: Amount; readonly told: Amount }[],
): (sentence: string) => string {
  const changes = legs.flatMap(({ written, told }) => {
    const [from, to] = [amountText(written), amountText(told)];
    return written.amount === null || from === to ? [] : [{ from, to }];
  });
  return (sentence) => changes.reduce((text, { from, to }) => text.replaceAll(from, to), sentence);
}
