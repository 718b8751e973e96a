import type { LegFunds } from '../../../machines/swap-verdict.ts';
import type { Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { auditSwap } from '../audit/audit-swap.ts';
import { auditedSwap } from '../audit/swap-view.ts';
import { amountOf } from '../explain/amounts.ts';
import { foreignSentence, foreignSpend } from '../explain/foreign-spend.ts';
import { replaySwap } from '../swaps.ts';
import { type ClockBounds, clockBounds, clockSentence, clockShift } from './side-clocks.ts';
import { isName, type SideFact, type Sides, sideFacts } from './side-facts.ts';
import { isClosed, type JoinedLeg, joinedLeg } from './side-legs.ts';

/** What the logs of both sides of a swap say together. */
export type SideComparison = {
  readonly kind: 'sides';
  readonly facts: readonly SideFact[];
  readonly clocks: ClockBounds;
  readonly legs: { readonly makerPayment: JoinedLeg; readonly takerPayment: JoinedLeg };
  /** Whether every payment has ended by both logs together, and with confirmations; `open` where one has not, or the logs tell two ends. */
  readonly settled: 'confirmed' | 'broadcast' | 'open';
  /** One sentence each: where both coins are by both logs. */
  readonly together: readonly string[];
  /** What one log shows and the other does not. */
  readonly shownByOne: readonly string[];
  /** Where the logs cannot both be right, and which is, if their transactions show it. */
  readonly contradictions: readonly string[];
  /** What differs and contradicts nothing: names of coins, clocks. */
  readonly differences: readonly string[];
  /** Events of both logs in one order of time, positions from 0 in their own logs. */
  readonly story: readonly StoryEvent[];
};

export type StoryEvent = {
  readonly role: Role;
  readonly seq: number;
  readonly type: string;
  /** Milliseconds of the log's own clock. */
  readonly at: number;
};

/** Compares the logs of both sides of one swap. Never throws for what they say. */
export function compareSides(logs: Readonly<Record<Role, SwapLog>>): SideComparison {
  const side = (log: SwapLog) => ({ view: auditedSwap(log), audit: auditSwap(log) });
  const sides = { maker: side(logs.maker), taker: side(logs.taker) };
  const facts = sideFacts(sides);
  const [maker, taker] = [fundsOf(logs.maker, sides.maker), fundsOf(logs.taker, sides.taker)];
  const legs = {
    makerPayment: joinedLeg('maker', { maker: maker.makerPayment, taker: taker.makerPayment, logs }),
    takerPayment: joinedLeg('taker', { maker: maker.takerPayment, taker: taker.takerPayment, logs }),
  };
  const clocks = clockBounds(logs);
  const clock = clockSentence(clocks);
  const both = [legs.makerPayment, legs.takerPayment];
  return {
    kind: 'sides',
    facts,
    clocks,
    legs,
    settled: settledBy(both),
    together: [...both.map((leg) => legSentence(leg, sides)), outcomeSentence(legs, sides)],
    shownByOne: told([both.map(shownSentence), facts.map(oneSidedSentence)]),
    contradictions: told([
      [...maker.foreign, ...taker.foreign],
      facts.map(contradictionSentence),
      both.map(legContradiction),
    ]),
    differences: told([facts.map(nameSentence), [clock]]),
    story: storyOf(logs, clockShift(clocks)),
  };
}

/** Where a log's own coins are; what it calls an end counts as none where its transaction does not spend the payment. */
function fundsOf(log: SwapLog, { view }: Sides[Role]) {
  const { funds } = replaySwap(log);
  const foreign: string[] = [];
  const checked = (owner: Role, leg: LegFunds): LegFunds => {
    const found = foreignSpend({ owner, status: leg.status }, { view });
    if (found === null) return leg;
    foreign.push(`In the log of the ${log.role}: ${foreignSentence(found, owner)}`);
    return { ...leg, status: 'locked', tx: view.payments[owner].transaction?.hash ?? null, by: null };
  };
  const [makerPayment, takerPayment] = [checked('maker', funds.makerPayment), checked('taker', funds.takerPayment)];
  return { makerPayment, takerPayment, foreign };
}

function settledBy(legs: readonly JoinedLeg[]): SideComparison['settled'] {
  if (!legs.every(isClosed) || legs.some(({ contradicts }) => contradicts)) return 'open';
  return legs.every(({ confirmed, joined }) => confirmed || joined.status === 'none') ? 'confirmed' : 'broadcast';
}

function told(lists: readonly (readonly (string | null)[])[]): readonly string[] {
  return lists.flat().filter((sentence) => sentence !== null);
}

function storyOf(logs: Readonly<Record<Role, SwapLog>>, shift: number): readonly StoryEvent[] {
  const events = (['maker', 'taker'] as const).flatMap((role) =>
    logs[role].events.map(({ type, at }, seq) => ({ role, seq, type, at, order: role === 'taker' ? at - shift : at })),
  );
  // A log's own order outranks its times.
  const latest = { maker: Number.NEGATIVE_INFINITY, taker: Number.NEGATIVE_INFINITY };
  for (const event of events) {
    event.order = Math.max(event.order, latest[event.role]);
    latest[event.role] = event.order;
  }
  return events
    .toSorted((left, right) => left.order - right.order)
    .map(({ role, seq, type, at }) => ({ role, seq, type, at }));
}

function coinsOf({ payer, joined, maker, taker }: JoinedLeg, sides: Sides): string {
  const coin = joined.coin ?? maker.coin ?? taker.coin;
  const written = joined.amount ?? maker.amount ?? taker.amount;
  if (coin === null) return 'an unknown amount';
  if (written === null) return `an unknown amount of ${coin}`;
  return `${amountOf(written, sides[payer].view.payments[payer])} ${coin}`;
}

function otherOf(role: Role): Role {
  return role === 'maker' ? 'taker' : 'maker';
}

function legSentence(leg: JoinedLeg, sides: Sides): string {
  const { payer, joined, confirmed, contradicts } = leg;
  const coins = coinsOf(leg, sides);
  const text = `The ${payer} payment of ${coins}`;
  const transaction = joined.tx === null ? '' : ` (${joined.tx})`;
  if (contradicts) return `The two logs disagree about where the ${payer} payment of ${coins} went.`;
  const end = confirmed ? ', with confirmations.' : '; neither log shows a confirmation of that.';
  if (joined.status === 'none') return `Neither log knows of a payment of the ${payer} (${coins}).`;
  if (joined.status === 'spent') return `${text} was spent to the ${otherOf(payer)}${transaction}${end}`;
  if (joined.status === 'refunded') return `${text} was refunded to the ${payer}${transaction}${end}`;
  if (joined.status === 'uncertain')
    return `Neither log shows whether a payment of the ${payer} (${coins}) is on its chain.`;
  return `${text} was sent${transaction}; neither log shows a spend of it.`;
}

/** Who has what in the end. */
function outcomeSentence({ makerPayment, takerPayment }: SideComparison['legs'], sides: Sides): string {
  const legs = [makerPayment, takerPayment];
  if (legs.some(({ contradicts }) => contradicts)) {
    return 'Only the chains show who has what: one of the logs tells an end that cannot be true.';
  }
  if (!legs.every(isClosed)) {
    return 'The two logs together do not settle everything: look at each open payment on its chain.';
  }
  const [maker, taker] = [makerPayment.joined.status, takerPayment.joined.status];
  if (maker === 'spent' && taker === 'spent') return 'Each side has the coin of the other: the swap is completed.';
  const lost = maker === 'spent' ? makerPayment : taker === 'spent' ? takerPayment : null;
  if (lost !== null) {
    const { payer } = lost;
    const [winner, own] = [otherOf(payer), maker === 'spent' ? taker : maker];
    const kept = own === 'refunded' ? 'and its own back' : 'and neither log shows that it paid';
    return `The ${winner} has the coin of the ${payer}, ${kept}: the ${payer} lost ${coinsOf(lost, sides)}.`;
  }
  return maker === 'none' && taker === 'none'
    ? 'Nobody has locked anything, as far as the logs show.'
    : 'Each side has its own coin back, as far as the logs show.';
}

type Status = JoinedLeg['joined']['status'];

/** What the log says that knows more. */
const SHOWN: Readonly<Record<Status, string>> = {
  none: 'does not exist',
  uncertain: 'may be on its chain',
  locked: 'was sent',
  spent: 'was claimed',
  refunded: 'was refunded',
};

/** What the other log says, which knows less. */
const KNOWN_LESS: Readonly<Record<Status, string>> = {
  none: 'shows no such payment',
  uncertain: 'shows only that it may be on its chain',
  locked: 'shows no spend of it',
  spent: 'shows that it was claimed',
  refunded: 'shows that it was refunded',
};

function shownSentence({ payer, shownBy, maker, taker }: JoinedLeg): string | null {
  if (shownBy === null) return null;
  const [knows, other] = shownBy === 'maker' ? [maker, taker] : [taker, maker];
  return `The log of the ${shownBy} shows that the ${payer} payment ${SHOWN[knows.status]}; the log of the ${otherOf(shownBy)} ${KNOWN_LESS[other.status]}.`;
}

/** A transaction that one log alone holds. */
function oneSidedSentence({ fact, maker, taker, verdict }: SideFact): string | null {
  if (verdict !== 'oneSided' || !/^(?:taker fee|\w+ payment|claim of the taker payment)$/.test(fact)) return null;
  const [role, id] = maker === null ? (['taker', taker] as const) : (['maker', maker] as const);
  return `The ${fact} (${id}) is only in the log of the ${role}.`;
}

function contradictionSentence(stated: SideFact): string | null {
  const { fact, maker, taker, verdict, bornOut } = stated;
  if (verdict !== 'differs' || isName(stated)) return null;
  const right =
    bornOut === null ? 'The logs do not show which is right.' : `The transaction in the logs bears out the ${bornOut}.`;
  return `The ${fact} is ${maker} in the log of the maker and ${taker} in the log of the taker. ${right}`;
}

function nameSentence(stated: SideFact): string | null {
  const { fact, maker, taker, verdict } = stated;
  if (verdict !== 'differs' || !isName(stated)) return null;
  return `The ${fact} is called ${maker} by the maker and ${taker} by the taker.`;
}

function legContradiction({ payer, maker, taker, contradicts }: JoinedLeg): string | null {
  if (!contradicts) return null;
  const end = ({ status, tx }: typeof maker) => `${status}${tx === null ? '' : ` by ${tx}`}`;
  return `The ${payer} payment is ${end(maker)} in the log of the maker and ${end(taker)} in the log of the taker; one payment has one end.`;
}
