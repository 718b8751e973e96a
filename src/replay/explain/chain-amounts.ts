import { amountText } from '../../../machines/swap-verdict.ts';
import { type ExplainFacts, legsOf } from './facts.ts';

/**
 * What a machine writes of an amount, with the digits that its chain has: a machine sees no transaction, so its sentences have all the digits that the
 * log writes.
 */
export function chainAmounts(facts: ExplainFacts): (sentence: string) => string {
  const { makerPayment, takerPayment } = facts.replayed.funds;
  const written = legsOf(facts).flatMap(({ owner, coin, amount }) => {
    const funds = owner === 'maker' ? makerPayment : takerPayment;
    const [from, to] = [amountText(funds), amountText({ coin, amount })];
    return funds.amount === null || from === to ? [] : [{ from, to }];
  });
  return (sentence) => written.reduce((text, { from, to }) => text.replaceAll(from, to), sentence);
}
