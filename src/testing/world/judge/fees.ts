import { onLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import type { SeenPurpose } from '../../chains/types.ts';
import type { ChainName } from '../scenario.ts';
import type { Report } from './rules.ts';
import { type Scene, secondsOf } from './truth.ts';

/** How many times the price of the day a party may offer at its first try. */
export const MOST_TIMES_THE_DAY = 150;

/** How often a fee may rise by half, beside once for each pause between two bumps: prices are found out by refusals. */
const STEP = 1.5;

/** Different transactions for one purpose that a swap may hand out. */
export const MOST_VARIANTS = 20;

/** Share of what a claim or a refund brings that its fee may be: one part in so many, or the price of the day where that is more. */
export const LEAST_SHARE = 1n;

type Purposes = { readonly hashes: Set<string>; readonly since: Seconds; highest: bigint };

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
 * brings. What no node took has no fee that anybody could pay; it counts as a try.
 */
export function checkFee(scene: Scene, { leg, purpose, hash, book }: Offered, report: Report): void {
  const { world, node } = scene;
  const { ledger } = onLeg(world.chains, leg);
  let offered = book.get(purpose);
  if (offered === undefined) {
    offered = { hashes: new Set(), since: secondsOf(world), highest: 0n };
    book.set(purpose, offered);
  }
  if (offered.hashes.has(hash)) return;
  offered.hashes.add(hash);
  const tries = offered.hashes.size;
  if (tries > MOST_VARIANTS) report('R12', `${tries} different transactions for one ${purpose}`);
  const seen = ledger.transaction(hash);
  if (seen === null) return;
  const day = ledger.dayFee(hash);
  if (day > offered.highest) offered.highest = day;
  const pauses = Math.floor((secondsOf(world) - offered.since) / node.policy.bumpAfter);
  const reverted = ledger
    .transactions(node.name)
    .filter((one) => one.purpose === purpose && one.status === 'reverted').length;
  const most = Number(offered.highest) * MOST_TIMES_THE_DAY * STEP ** (pauses + reverted);
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
