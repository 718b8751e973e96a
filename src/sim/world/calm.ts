import type { Seconds } from '../../primitives/time.ts';
import type { Ending, Violation } from './judge.ts';
import { EPOCH, type PartyPlan, type Scenario } from './scenario.ts';
import type { World } from './world.ts';

// Guards against a suite that passes because nothing happened.

/** Every drawn wait for a block is shorter than this many times the mean. */
const SLACK = 2;
/** The fractions of the lock within which the taker pays and the maker shows the secret. */
const PAYS_WITHIN = 2 / 5;
const SHOWS_WITHIN = 4 / 5;
/** Messages and looks on the way to the taker's payment, in seconds: the pauses of the simulated engine. */
const TALK: Seconds = 600;
const CLOCKS: Seconds = 30;

function isHonest({ skew, crashes, storage, conduct, nodes, ...plan }: PartyPlan): boolean {
  const quiet = crashes.length + storage.length + nodes.maker.length + nodes.taker.length === 0;
  const { jumps, orders, funds, pushes } = plan;
  const usual = jumps.length + orders.length === 0 && funds.maker === null && funds.taker === null;
  return quiet && usual && pushes.maker && pushes.taker && conduct.kind === 'honest' && Math.abs(skew) <= CLOCKS;
}

/** How much faster or slower than nominal blocks may come, as far as takers allow for it. */
const UNEVEN = 1.25;
/** The fraction of the lock between the last claim of a payment and the refund of the other. */
const MARGIN = 1 / 5;
/** The most blocks, and the largest fraction of the lock, until a block holds a payment whose lock counts from there. */
const INCLUDED_WITHIN = { blocks: 100, part: 1 / 10 } as const;

type Lasting = { readonly lockDuration: Seconds; readonly paid: Seconds };

/**
 * Whether the lock of the maker's payment, twice the duration, outlasts the taker's if that counts blocks from the one that holds it and the blocks
 * of both chains are counted: for any allowed pace, a claim must have time. A taker refuses swaps that leave it none.
 */
function outlasts({ maker, taker }: Scenario['chains'], { lockDuration, paid }: Lasting): boolean {
  if (maker.kind !== 'autoRefund' || taker.kind !== 'autoRefund') return true;
  const { blocks, part } = INCLUDED_WITHIN;
  const waits = Math.min(blocks * taker.blockTime, lockDuration * part + taker.blockTime);
  const least = (2 * lockDuration - paid) / UNEVEN;
  return least >= (lockDuration + waits) * UNEVEN + lockDuration * MARGIN;
}

/**
 * Whether nothing goes wrong in a scenario, both parties follow the protocol, and its terms leave enough time: such a swap must succeed.
 *
 * @example
 * ```ts
 * import { calmScenario, clockAhead, isCalm, scenario } from 'swapfold/testing';
 *
 * isCalm(calmScenario()); // → true
 * isCalm(scenario(clockAhead('taker', 30))); // → true
 * isCalm(scenario(clockAhead('taker', 31))); // → false
 * isCalm(calmScenario({ horizon: 15_000 })); // → false
 * ```
 */
export function isCalm({ parties, chains, network, chainEvents, confirmations, ...scenario }: Scenario): boolean {
  const quiet = chains.maker.faults.length + chains.taker.faults.length + chainEvents.length === 0;
  const heard = network.lossPerMille === 0 && network.partitions.length === 0 && network.latency[1] <= CLOCKS;
  if (!quiet || !heard || !isHonest(parties.maker) || !isHonest(parties.taker)) return false;
  const { lockDuration, horizon, requiresNota } = scenario;
  const waits = (leg: 'maker' | 'taker') => {
    const { blockTime, pace, notariseEvery } = chains[leg];
    if (requiresNota[leg] && notariseEvery === null) return Number.POSITIVE_INFINITY;
    const blocks = confirmations[leg] + 1 + (requiresNota[leg] ? (notariseEvery ?? 0) : 0);
    return (blocks * blockTime * SLACK * pace) / 1000;
  };
  const paid = waits('maker') + TALK;
  const shown = paid + waits('taker');
  if (!outlasts(chains, { lockDuration, paid })) return false;
  return paid < lockDuration * PAYS_WITHIN && shown < lockDuration * SHOWS_WITHIN && horizon >= 2 * lockDuration;
}

/** Broken if a calm and honest pair did not swap. */
export function calmViolations({ scenario, now }: World, endings: readonly Ending[]): readonly Violation[] {
  if (!isCalm(scenario)) return [];
  return endings.flatMap(({ party, money, state }) => {
    if (money === 'swapped') return [];
    const text = `nothing went wrong and both parties are honest, and the money is ${money}, in state ${state}`;
    return [{ rule: 'R13' as const, party, at: Math.floor(now / 1000) - EPOCH, text }];
  });
}

/** What a reader of many results should know: a series of runs in which nobody swaps says little about swaps. */
export function reportNotices({ runs, calm, swapped }: Record<'runs' | 'calm' | 'swapped', number>): readonly string[] {
  if (runs === 0) return ['nothing was run'];
  const notices: string[] = [];
  if (swapped === 0) notices.push('no honest party swapped: no rule about a claim was put to the test');
  if (calm === 0)
    notices.push('something went wrong in every run: none shows that honest parties swap when nothing does');
  return notices;
}

/** What a reader of one result should know before trusting it. */
export function noticesOf(endings: readonly Ending[], unfired: readonly string[]): readonly string[] {
  const notices: string[] = [];
  const nobody = endings.every(({ money }) => money === 'untouched');
  if (nobody) {
    const given = endings.flatMap(({ party, broken }) => broken.map((assumption) => `${assumption} (${party})`));
    const because = given.length === 0 ? '' : `; given up: ${given.join(', ')}`;
    notices.push(`nobody paid anything: no rule about money was put to the test${because}`);
  }
  if (unfired.length > 0) notices.push(`${unfired.length} of what was planned had no effect: see \`unfired\``);
  return notices;
}

/** Programs that were given to a run in which no party uses any. If a run uses some of several, the omission is deliberate. */
export function idleConducts({ parties }: Scenario, conducts: object): readonly string[] {
  const [first, ...others] = Object.keys(conducts);
  if (first === undefined || Object.values(parties).some(({ conduct }) => conduct.kind === 'custom')) return [];
  const names = [first, ...others].join(', ');
  const how = `conductOf(party, { kind: 'custom', name: '${first}' })`;
  return [`no party plays a conduct of one's own: ${names} was given for nothing; ${how} names it`];
}
