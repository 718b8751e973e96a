import { onLeg } from '../../../primitives/pair.ts';
import type { PaymentState } from '../../chains/types.ts';
import { unitsOf } from '../depths.ts';
import type { SimNode } from '../node.ts';
import type { ChainName } from '../scenario.ts';
import type { World } from '../world.ts';
import type { Agreement } from './agreement.ts';
import { rewardsOf } from './rewards.ts';
import { deepest } from './truth.ts';

/**
 * Why a party's confirmed balance on a chain is not its initial funds, less its fees, and less or more what the payments of the swap moved; null if
 * it adds up to the last digit.
 */
export function imbalanceOf(
  world: World,
  node: SimNode,
  { leg, agreement }: { readonly leg: ChainName; readonly agreement: Agreement | null },
): string | null {
  const { ledger } = onLeg(world.chains, leg);
  const { name } = node;
  const rewards = onLeg(world.scenario.chains, leg).rewards === true ? rewardsOf(name, ledger) : 0n;
  const due = ledger.funded(name) - ledger.feesPaid(name) + rewards + movedBy(world, { name, leg, agreement });
  const { confirmed } = ledger.balance(name);
  return confirmed === due ? null : `the wallet holds ${confirmed} of the ${leg} coin where ${due} are due`;
}

/** Why a watcher's balance does not match exactly what its calls cost and what rewards pay; null if it does. */
export function watcherImbalance(world: World, name: string, leg: ChainName): string | null {
  const { ledger } = onLeg(world.chains, leg);
  const due = ledger.funded(name) - ledger.feesPaid(name) + rewardsOf(name, ledger);
  const { confirmed } = ledger.balance(name);
  return confirmed === due ? null : `the ${name} has ${confirmed} of the ${leg} coin where ${due} are due`;
}

function movedBy(
  world: World,
  {
    name,
    leg,
    agreement,
  }: { readonly name: 'maker' | 'taker'; readonly leg: ChainName; readonly agreement: Agreement | null },
): bigint {
  const fee = name === 'taker' && leg === 'taker' ? tradingFees(world) : 0n;
  if (agreement === null) return -fee;
  const { terms, units } = onLeg(agreement, leg);
  const state = onLeg(world.chains, leg).ledger.payment(terms);
  if (deepest(state) === 0) return -fee;
  if (leg === name) return (isSettled(state, 'refund') ? 0n : -units) - fee;
  return isSettled(state, 'secret') ? units : 0n;
}

function isSettled({ spend }: PaymentState, how: 'secret' | 'refund'): boolean {
  return spend?.how === how && spend.confirmations > 0;
}

/** What the confirmed fee transactions of the taker must have paid. */
function tradingFees(world: World): bigint {
  let count = 0n;
  for (const { purpose, status } of world.chains.taker.ledger.transactions('taker')) {
    if (purpose === 'fee' && status === 'confirmed') count += 1n;
  }
  return count === 0n ? 0n : count * tradingFeeOf(world);
}

/**
 * What a taker pays for the trade, in base units: one part in 777 of its amount, or nine in 7770 where a coin is KMD, of which a KMD taker burns a
 * quarter; at least what the chain can send.
 */
export function tradingFeeOf({ scenario, nodes }: Pick<World, 'scenario' | 'nodes'>): bigint {
  const { decimals, minTxAmount } = nodes.taker.wallets.taker.traits;
  const units = unitsOf(scenario.takerAmount, decimals);
  const coins = [scenario.chains.maker.coin, scenario.chains.taker.coin];
  const [over, under] = coins.includes('KMD') ? [units * 9n, 7770n] : [units, 777n];
  if (over <= minTxAmount * under) return minTxAmount;
  if (scenario.chains.taker.coin !== 'KMD') return over / under;
  const kept = (over * 3n) / (under * 4n);
  return kept >= minTxAmount ? kept + over / (under * 4n) : minTxAmount + (over - minTxAmount * under) / under;
}

/** Payments of a party that do not stand under the terms that were agreed on, as texts. */
export function strayPayments(world: World, name: 'maker' | 'taker', agreement: Agreement | null): readonly string[] {
  const { ledger } = onLeg(world.chains, name);
  const found: string[] = [];
  let state: PaymentState | null = null;
  for (const { purpose, hash, lock, status } of ledger.transactions(name)) {
    if (purpose !== 'payment') continue;
    if (agreement !== null) state ??= ledger.payment(onLeg(agreement, name).terms);
    const isThere = status === 'confirmed' || status === 'mempool';
    const right =
      state !== null && lock === state.lock && (!isThere || state.fundings.some((one) => one.hash === hash));
    if (!right) found.push(`the ${name} paid what nobody agreed on, by ${hash.slice(0, 12)}`);
  }
  return found;
}
