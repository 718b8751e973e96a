import { type ExplainFacts, legsOf } from './facts.ts';
import { withAmounts } from './with-amounts.ts';

/**
 * What a machine writes of an amount, with the digits that its chain has: a machine sees no transaction, so its sentences have all the digits that the
 * log writes.
 */
export function chainAmounts(facts: ExplainFacts): (sentence: string) => string {
  const { makerPayment, takerPayment } = facts.replayed.funds;
  const legs = legsOf(facts).map((leg) => ({
    told: leg,
    written: leg.owner === 'maker' ? makerPayment : takerPayment,
  }));
  return withAmounts(legs);
}
