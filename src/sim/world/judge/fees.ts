import { onLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import type { SeenPurpose, SeenTransaction } from '../../chains/types.ts';
import { type ChainName, EPOCH } from '../scenario.ts';
import type { Report } from './rules.ts';
import { otherLeg, type Scene, secondsOf } from './truth.ts';

/** How many times the price of the day a party may offer at its first attempt. */
export const MOST_TIMES_THE_DAY = 150;

/** How often a fee may rise by half, besides once for each pause between two bumps: refusals reveal prices. */
const STEP = 1.5;

/** How many different transactions for one purpose a swap may send; beyond that, one for each order of its operator to try again. */
export const MOST_VARIANTS = 20;

/** The share of its amount that the fee of a claim or refund may take: one part in this many, or the price of the day if that is more. */
export const LEAST_SHARE = 1n;

/** After the first transaction without effect, the pauses before the next ones start at this and double. */
const FIRST_PAUSE: Seconds = 60;

/** How many more of them than doubling pauses allow, as if the operator had ordered one more attempt: a reorganization may undo one. */
const MORE_WITHOUT_EFFECT = 2;

type Purposes = {
  readonly hashes: Set<string>;
  readonly since: Seconds;
  highest: bigint;
  /** Orders to try again given before the last attempt that needs none. */
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
 * Rule R12: a fee is bounded by the price of the day and the time for which it was raised, by the count of tries, and by what it brings. A
 * transaction that no node accepted costs nobody a fee; it counts as an attempt.
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

/** How often the operator has ordered another attempt. */
function retriesOf({ world, node }: Scene): number {
  return node.plan.orders.filter((order) => order.action === 'retry' && world.fired.has(order)).length;
}

type Repeat = Pick<Offered, 'leg' | 'purpose'> & { readonly reverted: readonly SeenTransaction[] };

/**
 * What blocks included without effect is tried again after pauses that double, because each attempt costs a fee. The pauses start again when the
 * party's own clock has passed its lock; what races the other side may be tried more often as time runs out.
 */
function checkRepeat(scene: Scene, { leg, purpose, reverted }: Repeat, report: Report): void {
  const { world, node, agreement } = scene;
  if (reverted.length <= MORE_WITHOUT_EFFECT || node.plan.jumps.length > 0) return;
  const now = secondsOf(world);
  const lock = onLeg(agreement, node.name).terms.lock - EPOCH - node.skew;
  const since = leg === node.name && now > lock ? lock : 0;
  const seen = reverted.map(({ firstSeen }) => firstSeen - EPOCH).filter((at) => at > since);
  const tried = now - Math.min(now, ...seen);
  // Each order of an operator is one immediate attempt.
  const ordered = Math.max(0, retriesOf(scene) - 1);
  const most = MORE_WITHOUT_EFFECT + ordered + Math.log2(1 + tried / FIRST_PAUSE);
  const left = onLeg(agreement, otherLeg(node.name)).terms.lock - EPOCH - now;
  const races = purpose === 'claim' || node.name === 'taker';
  const isPressed = races && left < 4 * FIRST_PAUSE * 2 ** seen.length;
  if (seen.length <= most || isPressed) return;
  report('R12', `another ${purpose} after ${seen.length} that had no effect within ${tried} s`);
}
