import type { DecimalText } from '../../primitives/decimal.ts';
import { onLeg, setOnLeg } from '../../primitives/pair.ts';
import { amountOf, unitsOf } from './depths.ts';
import type { ChainName, ChainPlan, FinalityPlan, PartyPlan, Scenario } from './scenario.ts';

// The amounts of scripts have 64 bits with a sign, on this chain as on real ones.

/** The most that an output holds, in base units. */
export const MOST_UNITS = 2n ** 63n - 1n;
/** With more decimals, a wallet of a hundred coins would hold more than that. */
export const MOST_DECIMALS = 16;

/** Decimals of a chain that had too many for scripts, and of amounts written with them. */
const USUAL_DECIMALS = 8;

/** The scenario with scripts on one chain: amounts with too many digits for that keep the first ones. */
export function withScripts(scenario: Scenario, leg: ChainName): Scenario {
  const plan = onLeg(scenario.chains, leg);
  const { rewards: _, ...unpaid } = plan;
  const { decimals, feeRate } = unpaid;
  if (decimals <= MOST_DECIMALS) return withChain(scenario, leg, { ...unpaid, kind: 'utxo' });
  const amount = leg === 'maker' ? scenario.makerAmount : scenario.takerAmount;
  const cutUnits = (text: DecimalText): bigint =>
    unitsOf(text, USUAL_DECIMALS) || (unitsOf(text, decimals) > 0n ? 1n : 0n);
  const cut = (text: DecimalText): DecimalText => amountOf(cutUnits(text), USUAL_DECIMALS);
  // What is drawn close to the amount stays close to it.
  const step = (from: DecimalText): DecimalText => {
    const beside = unitsOf(from, decimals) - unitsOf(amount, decimals);
    const isNear = beside >= -1n && beside <= 1n;
    return isNear ? amountOf(cutUnits(amount) + beside, USUAL_DECIMALS) : cut(from);
  };
  const finality = (given: FinalityPlan): FinalityPlan =>
    given === null || typeof given === 'number' ? given : given.map(({ from, depth }) => ({ from: step(from), depth }));
  const party = (given: PartyPlan): PartyPlan => {
    const funds = { ...given.funds };
    const held = onLeg(funds, leg);
    setOnLeg(funds, leg, held === null ? null : cut(held));
    const depths = { ...given.finality };
    setOnLeg(depths, leg, finality(onLeg(depths, leg)));
    return { ...given, funds, finality: depths };
  };
  const rate = feeRate === null ? null : 1 + (Math.floor(feeRate / 1e9) % 8);
  const changed = withChain(scenario, leg, { ...unpaid, kind: 'utxo', decimals: USUAL_DECIMALS, feeRate: rate });
  const { maker, taker } = scenario.parties;
  const amounts = leg === 'maker' ? { makerAmount: cut(amount) } : { takerAmount: cut(amount) };
  return { ...changed, ...amounts, parties: { maker: party(maker), taker: party(taker) } };
}

function withChain(scenario: Scenario, leg: ChainName, plan: ChainPlan): Scenario {
  const { maker, taker } = scenario.chains;
  return { ...scenario, chains: leg === 'maker' ? { maker: plan, taker } : { maker, taker: plan } };
}
