import type { DecimalText } from '../../primitives/decimal.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { ChainName, FinalityPlan, PartyPlan, Scenario } from './scenario.ts';

type Payment = Pick<Scenario, 'chains' | 'makerAmount' | 'takerAmount'>;

/** Confirmations after which the end of a payment of the scenario is final for a party. */
export function finalDepthOf(scenario: Payment, { finality }: Pick<PartyPlan, 'finality'>, leg: ChainName): number {
  const plan = onLeg(finality, leg);
  if (typeof plan === 'number') return plan;
  const { finality: usual, decimals } = onLeg(scenario.chains, leg);
  if (plan === null) return usual;
  return stepDepth(plan, unitsOf(leg === 'maker' ? scenario.makerAmount : scenario.takerAmount, decimals), {
    usual,
    decimals,
  });
}

type Steps = Exclude<FinalityPlan, number | null>;

/** The highest step that an amount in base units reaches decides; below every step, the chain does. */
function stepDepth(
  steps: Steps,
  units: bigint,
  { usual, decimals }: { readonly usual: number; readonly decimals: number },
): number {
  let reached = -1n;
  let depth = usual;
  for (const step of steps) {
    const from = unitsOf(step.from, decimals);
    if (from > units || from <= reached) continue;
    reached = from;
    depth = step.depth;
  }
  return depth;
}

/** A plain decimal in base units, digit by digit. */
export function unitsOf(amount: DecimalText, decimals: number): bigint {
  const [whole = '', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(decimals, '0').slice(0, decimals));
}

/** The reverse: a decimal with all the digits of its chain. */
export function amountOf(units: bigint, decimals: number): DecimalText {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` as DecimalText;
}
