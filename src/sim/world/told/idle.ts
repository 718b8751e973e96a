import { onLeg, setOnLeg } from '../../../primitives/pair.ts';
import type { Seconds } from '../../../primitives/time.ts';
import { completeFeedOf } from '../complete-feeds.ts';
import { agreementOf } from '../judge/agreement.ts';
import { otherLeg } from '../judge/truth.ts';
import type { SimNode } from '../node.ts';
import type { ChainName } from '../scenario.ts';
import { localNow, type World } from '../world.ts';
import { TELLING } from './story.ts';

// Rule R16, for a feed that promises to report everything and does: a party that only waits asks nothing between two
// notifications, except for a safety look.

/** How old a look may get between two notifications: this long, and no longer than a quarter of the published margin. */
const SAFETY_LOOK: Seconds = 600;
const PARTS_OF_MARGIN = 4;

type Look = { readonly at: number; readonly heard: number };

/** What one life of a party's process asked chains that would have told it anyway. */
export type Idle = {
  readonly looks: { maker: Look | null; taker: Look | null };
  /** Repeated looks without news, and without any action since. */
  again: { readonly leg: ChainName; readonly after: Seconds } | null;
};

export function newIdle(): Idle {
  return { looks: { maker: null, taker: null }, again: null };
}

/** Whatever it writes, signs or sends explains its looks; from then on it waits for something else. */
export function acted(idle: Idle): void {
  idle.looks.maker = null;
  idle.looks.taker = null;
  idle.again = null;
}

/** A look at a payment. */
export function looked(
  idle: Idle,
  { world, node }: { readonly world: World; readonly node: SimNode },
  leg: ChainName,
): void {
  const feed = completeFeedOf(node.plan, leg);
  if (feed === null) return;
  const before = onLeg(idle.looks, leg);
  const look = { at: localNow(world, node), heard: onLeg(node.news, leg) + node.letters };
  setOnLeg(idle.looks, leg, look);
  if (feed.losesPerMille > 0) return;
  const after = before === null || before.heard !== look.heard ? null : (look.at - before.at) / 1000;
  if (after !== null && after < safetyLook(world)) idle.again = { leg, after };
}

type Waiting = { readonly world: World; readonly node: SimNode; readonly until: number };

/** What is wrong with its looks, when it waits again until a moment of its own clock. */
export function idleProblems(idle: Idle, waiting: Waiting): readonly string[] {
  return [againProblem(idle, waiting), longProblem(idle, waiting)].filter((text) => text !== null);
}

function againProblem(idle: Idle, { world, node }: Waiting): string | null {
  const { again } = idle;
  if (again === null) return null;
  idle.again = null;
  if (isContested(world, node)) return null;
  return `the ${again.leg} chain is asked again after ${again.after} s, though it would have told of anything new`;
}

/** A feed may have lost a notification, so the party looks again at everything since its last action, even without news. */
function longProblem(idle: Idle, { world, node, until }: Waiting): string | null {
  const { confirmationPoll, spendPoll, refundPoll } = node.policy;
  const within = Math.max(safetyLook(world), confirmationPoll, spendPoll, refundPoll) * 1000;
  for (const leg of ['maker', 'taker'] as const) {
    const look = onLeg(idle.looks, leg);
    if (leg !== node.name && (takesBack(node) || isAboutToPay(node))) continue;
    if (look === null || until <= look.at + within + LATE) continue;
    return `it waits for ${(until - look.at) / 1000} s after its last look at the ${leg} chain, which may have lost a word`;
  }
  return null;
}

/** A party that waits only for its own refund needs no look at the payment that it can no longer claim. */
function takesBack({ name, published }: SimNode): boolean {
  const { refundWait, ownTaken, claim } = onLeg(TELLING, name);
  return published.includes(refundWait) && ![...ownTaken, ...claim].some((type) => published.includes(type));
}

/** A party that has validated the other payment waits for its own chain alone. It looks at the other one again before it pays (R1). */
function isAboutToPay({ name, published }: SimNode): boolean {
  const { validated, own } = onLeg(TELLING, name);
  return published.includes(validated) && !own.some((type) => published.includes(type));
}

/** How long the longest pause after a fault, a timer and an answer may delay a look, in milliseconds. */
const LATE = 360_000;

function marginOf({ scenario }: World): Seconds {
  return Math.floor(scenario.lockDuration / 5);
}

function safetyLook(world: World): Seconds {
  return Math.min(SAFETY_LOOK, Math.floor(marginOf(world) / PARTS_OF_MARGIN));
}

/** Near the moment from which the other side can refund, the engine relies on no feed; if blocks count, that may be any time. */
function isContested(world: World, node: SimNode): boolean {
  const other = otherLeg(node.name);
  const { maker, taker } = world.chains;
  const agreement = agreementOf(world);
  if (agreement === null) return false;
  if (onLeg(world.chains, other).kind === 'autoRefund') return true;
  const clock = Math.max(localNow(world, node) / 1000, maker.clock(), taker.clock());
  return clock >= onLeg(agreement, other).terms.lock - marginOf(world);
}
