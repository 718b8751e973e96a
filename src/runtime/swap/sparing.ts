import { isNear, type Race, raceBegins } from '../../../machines/deadlines/race.ts';
import { everAttempted, type JournalContext } from '../../../machines/journal/context.ts';
import { onLeg, type Pair } from '../../primitives/pair.ts';
import type { Millis, Seconds } from '../../primitives/time.ts';
import { type Command, NEVER } from '../command.ts';
import type { Facts } from '../facts.ts';
import { latestClock } from '../latest-clock.ts';
import type { Policy } from '../policy.ts';
import type { SwapFacts } from './swap-facts.ts';

/*
 * How a complete feed spares questions.
 *
 * - F1: it spares only waiting. What a runner writes, signs or broadcasts, and on which looks, is decided as if no chain had a feed: such a decision
 *   that rests on an older look is made again without the feed.
 * - F2: while the other side's refund is near, and while a claim races it, nothing is spared.
 * - F3: a lost notification costs at most the time until a safety look.
 */

/** Looks that may be older than requested, by chain. */
export type Sparing = {
  readonly legs: Pair<boolean>;
  /** How old such a look may be, in milliseconds. */
  readonly within: number;
  /** Whether the decision rests on one. */
  used: boolean;
};

/** The part of a turn for which a feed can spare something. */
type Sparable = {
  readonly now: Millis;
  readonly facts: Facts;
  spare?: Sparing | null;
  wakeAt: Millis;
};

/** What the looks are for. */
export type Spared = {
  readonly policy: Pick<Policy, 'safetyLook'>;
  readonly journal: JournalContext;
  readonly role: SwapFacts['role'];
  /** For the payment to be claimed; null before it was agreed. */
  readonly race: Race | null;
  /** The published margin of the swap. */
  readonly margin: Seconds;
  /** Whether the log holds a claim. */
  readonly claimed: boolean;
  readonly traits: Pair<{ readonly blockTime?: Seconds }>;
};

/** The fraction of the margin that a lost notification may cost: as much as an absence may, by the engine's guarantees. */
const PART_OF_MARGIN = 4;

/** Decides with what the feeds spare, and again without it unless the decision is to wait (F1). */
export function decideSparing(turn: Sparable, spared: Spared, decide: () => Command): Command {
  const spare = sparingOf(turn, spared);
  if (spare !== null) {
    turn.spare = spare;
    const command = decide();
    if (!spare.used || isIdle(command)) return command;
    turn.spare = null;
  }
  turn.wakeAt = NEVER;
  return decide();
}

/** Whether the feed of either chain spares anything. */
export function isTold({ told }: Facts): boolean {
  return told.maker || told.taker;
}

/** What the feeds spare a swap now; null for nothing. The turn wakes when that ends. */
function sparingOf(turn: Sparable, subject: Spared): Sparing | null {
  const { told } = turn.facts;
  const { policy, margin } = subject;
  const within = 1000 * Math.min(policy.safetyLook, Math.floor(margin / PART_OF_MARGIN));
  if (!(within > 0) || isContested(turn, subject)) return null;
  return { legs: told, within, used: false };
}

/** Whether the other side can refund what is claimed, or soon can; the turn wakes when it soon can. */
function isContested(turn: Sparable, { role, race, claimed, journal, traits }: Spared): boolean {
  if (race === null) return false;
  const other = role === 'maker' ? 'taker' : 'maker';
  const clock = latestClock(turn);
  const view = onLeg(turn.facts.payments, other)?.value ?? null;
  if (!isNear(race, { clock, view, blockTime: onLeg(traits, other).blockTime })) {
    turn.wakeAt = Math.min(turn.wakeAt, turn.now + (raceBegins(race) - clock)) as Millis;
    return false;
  }
  // A maker whose time to claim is over, and that has shown the secret to nobody, waits only for its own refund.
  const isOver = clock > race.lock * 1000 && role === 'maker';
  return !(isOver && !claimed && !everAttempted(journal, 'claim'));
}

/** Whether a command only gathers knowledge: then it may rest on an older look. */
function isIdle(command: Command): boolean {
  if (command.kind === 'wait' || command.kind === 'send') return true;
  if (command.kind !== 'ask') return false;
  const { op } = command.question;
  return op === 'payment' || op === 'transaction' || op === 'quote';
}

/** Whether a look from this moment is recent enough, by its age or because the chain would have reported a change. */
export function isRecent(
  turn: Sparable,
  { leg, at, maxAge }: { readonly leg: 'maker' | 'taker'; readonly at: Millis; readonly maxAge: Seconds },
): boolean {
  const age = turn.now - at;
  if (age <= maxAge * 1000) return true;
  const { spare } = turn;
  if (spare == null || !onLeg(spare.legs, leg) || age > spare.within) return false;
  spare.used = true;
  return true;
}

/** The last whole millisecond in which such a look is recent enough. */
export function recentUntil(
  { spare }: Sparable,
  { leg, at, maxAge }: { readonly leg: 'maker' | 'taker'; readonly at: Millis; readonly maxAge: Seconds },
): Millis {
  const spared = spare != null && onLeg(spare.legs, leg) ? spare.within : 0;
  return (at + Math.floor(Math.max(maxAge * 1000, spared))) as Millis;
}
