import { onLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import type { SeenPurpose, SeenTransaction } from '../../chains/types.ts';
import { type ChainName, EPOCH } from '../scenario.ts';
import type { Report } from './rules.ts';
import { otherLeg, type Scene, secondsOf } from './truth.ts';

/** How many times the price of the day a party may offer at its first try. */
export const MOST_TIMES_THE_DAY = 150;

/** How often a fee may rise by half, beside once for each pause between two bumps: prices are found out by refusals. */
const STEP = 1.5;

/** Different transactions for one purpose that a swap may hand out; beyond them, one for each order of its operator to try again. */
export const MOST_VARIANTS = 20;

/** Share of what a claim or a refund brings that its fee may be: one part in so many, or the price of the day where that is more. */
export const LEAST_SHARE = 1n;

/** After the first transaction that blocks took without effect, pauses before the next ones double from this on. */
const FIRST_PAUSE: Seconds = 60;

/** So many more of them than doubling pauses leave room for, as if its operator had ordered one more try: a reorg may undo one. */
const MORE_WITHOUT_EFFECT = 2;

type Purposes = {
  readonly hashes: Set<string>;
  readonly since: Seconds;
  highest: bigint;
  /** Orders to try again that were given before the last one that needs none. */
  retries: number;
};

/** What a party has offered in fees so far, by purpose. */
export type FeeBook = Map<SeenPurpose, Purposes>;

export function feeBook(): FeeBook {
  return new Map();
}

export type Offered = {
  readonly leg: ChainName;
  readonly purpose: SeenPurpose;
  readonly hash: string;
  readonly book: FeeBook;
};

/**
 * Rule R12: a fee is bounded by the price of the day and the time for which it was raised, by the count of tries, and by what it
 * brings. What no node took has no fee that anyone could pay; it counts as a try.
 */
export function checkFee(scene: Scene, { leg, purpose, hash, book }: Offered, report: Report): void {
  const { world, node } = scene;
  const { ledger } = onLeg(world.chains, leg);
  let offered = book.get(purpose);
  if (offered === undefined) {
    offered = { hashes: new Set(), since: secondsOf(world), highest: 0n, retries: 0 };
    book.set(purpose, offered);
  }
  if (offered.hashes.has(hash)) return;
  offered.hashes.add(hash);
  const tries = offered.hashes.size;
  if (tries <= MOST_VARIANTS) offered.retries = retriesOf(scene);
  const mayBe = MOST_VARIANTS + retriesOf(scene) - offered.retries;
  if (tries > mayBe) report('R12', `${tries} different transactions for one ${purpose}`);
  const seen = ledger.transaction(hash);
  if (seen === null) return;
  const day = ledger.dayFee(hash);
  if (day > offered.highest) offered.highest = day;
  const pauses = Math.floor((secondsOf(world) - offered.since) / node.policy.bumpAfter);
  const reverted = ledger.transactions(node.name).filter((one) => one.purpose === purpose && one.status === 'reverted');
  checkRepeat(scene, { leg, purpose, reverted }, report);
  const most = Number(offered.highest) * MOST_TIMES_THE_DAY * STEP ** (pauses + reverted.length);
  if (Number(seen.fee) > most) {
    report('R12', `a ${purpose} offers ${seen.fee} where the day asks for ${day}, after ${pauses} pauses`);
  }
  if (purpose !== 'claim' && purpose !== 'refund') return;
  const { units } = onLeg(scene.agreement, leg);
  const share = units / LEAST_SHARE;
  if (seen.fee > share && seen.fee > offered.highest) {
    report('R12', `a ${purpose} of ${units} offers ${seen.fee} for its fee`);
  }
}

/** How often the operator has ordered to try again. */
function retriesOf({ world, node }: Scene): number {
  return node.plan.orders.filter((order) => order.action === 'retry' && world.fired.has(order)).length;
}

type Repeat = Pick<Offered, 'leg' | 'purpose'> & { readonly reverted: readonly SeenTransaction[] };

/**
 * What blocks took without effect is tried again after pauses that double, for each time costs a fee. They begin anew when the party's own
 * clock has passed its lock; what races the other side may be tried more often as time runs out.
 */
function checkRepeat(scene: Scene, { leg, purpose, reverted }: Repeat, report: Report): void {
  const { world, node, agreement } = scene;
  if (reverted.length <= MORE_WITHOUT_EFFECT || node.plan.jumps.length > 0) return;
  const now = secondsOf(world);
  const lock = onLeg(agreement, node.name).terms.lock - EPOCH - node.skew;
  const since = leg === node.name && now > lock ? lock : 0;
  const seen = reverted.map(({ firstSeen }) => firstSeen - EPOCH).filter((at) => at > since);
  const tried = now - Math.min(now, ...seen);
  // Each order of an operator is one try at once.
  const ordered = Math.max(0, retriesOf(scene) - 1);
  const most = MORE_WITHOUT_EFFECT + ordered + Math.log2(1 + tried / FIRST_PAUSE);
  const left = onLeg(agreement, otherLeg(node.name)).terms.lock - EPOCH - now;
  const races = purpose === 'claim' || node.name === 'taker';
  const isPressed = races && left < 4 * FIRST_PAUSE * 2 ** seen.length;
  if (seen.length <= most || isPressed) return;
  report('R12', `another ${purpose} after ${seen.length} that had no effect within ${tried} s`);
}
