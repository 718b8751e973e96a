import {
  balanceCheckFailed,
  currentBlockUnknown,
  dexFeeCostUnknown,
  receiverFeeUnknown,
  senderFeeUnknown,
  transportError,
} from '../../../htlc/error-texts.ts';
import type { QuotePart } from '../../../ports/chain.ts';
import type { Leg } from '../../command.ts';
import { append, lastFault, lookQuote, type Proposal, type Turn, wakeAt } from '../turn.ts';
import { promisedAtStart, type Quotes, shortageAtStart } from './funds.ts';

/** The checks before the start: both chains answer, and the wallets can pay for the payment, its fees and the claim. */
export function start(turn: Turn): Proposal {
  const { swap, journal, policy, events } = turn;
  if (journal.request === null) return null;
  const giveUpAt = swap.lastEventAt + policy.startWithin * 1000;
  const own = lookQuote(turn, swap.own);
  const other = lookQuote(turn, swap.other);
  const ownQuote = 'value' in own ? own.value : null;
  const otherQuote = 'value' in other ? other.value : null;
  const quotes: Quotes =
    swap.own === 'maker' ? { maker: ownQuote, taker: otherQuote } : { maker: otherQuote, taker: ownQuote };
  const short = shortageAtStart(turn, quotes);
  if (short !== null) return mayBeFree(turn, quotes) ? lookForCoins(turn) : startFailed(short);
  const { maker, taker } = quotes;
  if (maker !== null && taker !== null) {
    return append(events.started({ maker: maker.value, taker: taker.value }, turn.now));
  }
  if (turn.now > giveUpAt) return startFailed(unanswered(turn, quotes));
  wakeAt(turn, giveUpAt + 1);
  return 'pending' in own && own.pending !== null ? own.pending : 'pending' in other ? other.pending : null;
}

/** The fraction of the time for a start after which coins held for others count as missing, and how often to ask until then. */
const PROMISED_PART = 0.5;
const LOOKS_IN_START = 12;

/**
 * Whether a short wait may bring what is missing: it is held for other swaps of the wallets. The engine asks for half of the time for a start,
 * because both sides must begin within a minute of each other.
 */
function mayBeFree(turn: Turn, quotes: Quotes): boolean {
  const { swap, policy, now } = turn;
  const until = swap.lastEventAt + policy.startWithin * 1000 * PROMISED_PART;
  if (now > until || promisedAtStart(turn, quotes).length === 0) return false;
  wakeAt(turn, until + 1);
  return true;
}

function lookForCoins(turn: Turn): Proposal {
  const { swap, policy } = turn;
  const every = policy.startWithin / LOOKS_IN_START;
  for (const leg of [swap.own, swap.other]) {
    const look = lookQuote(turn, leg, every);
    if ('value' in look) wakeAt(turn, look.value.at + every * 1000 + 1);
    else if (look.pending !== null) return look.pending;
  }
  return null;
}

function startFailed(error: string): Proposal {
  return append({ type: 'StartFailed', data: { error } });
}

type Step = readonly [own: 'own' | 'other' | Leg, part: QuotePart, text: (turn: Turn, e: string) => string];

const OWN_FEE: Step = ['own', 'paymentFee', ({ swap }, e) => senderFeeUnknown(swap.role, e)];

/** What the real node asks before a start, in order, and how it reports a missing answer. */
const STEPS: Readonly<Record<Leg, readonly Step[]>> = {
  taker: [['own', 'dexFeeFee', (_, e) => dexFeeCostUnknown(e)], OWN_FEE, ...commonSteps()],
  maker: [OWN_FEE, ...commonSteps()],
};

function commonSteps(): readonly Step[] {
  return [
    ['other', 'spendFee', ({ swap }, e) => receiverFeeUnknown(swap.role, e)],
    ['own', 'spendable', ({ swap }, e) => balanceCheckFailed(swap.role, e)],
    ['other', 'spendable', ({ swap }, e) => balanceCheckFailed(swap.role, e)],
    ['maker', 'height', (_, e) => currentBlockUnknown('maker', e)],
    ['taker', 'height', (_, e) => currentBlockUnknown('taker', e)],
  ];
}

/**
 * Which question was not answered. An adapter that does not name the missing part of its quote had no answer at all, so the first question to its
 * chain failed.
 */
function unanswered(turn: Turn, quotes: Quotes): string {
  const { swap } = turn;
  for (const [whose, part, text] of STEPS[swap.role]) {
    const leg = whose === 'own' || whose === 'other' ? swap[whose] : whose;
    if (quotes[leg] !== null) continue;
    const fault = lastFault(turn, leg, 'quote');
    const asked = fault?.part;
    const first = leg === swap.own ? STEPS[swap.role][0]?.[1] : 'spendFee';
    if ((asked ?? first) === part) return text(turn, transportError(fault?.message ?? 'no answer'));
  }
  const leg = quotes[swap.own] === null ? swap.own : swap.other;
  return currentBlockUnknown(leg, transportError(lastFault(turn, leg, 'quote')?.message ?? 'no answer'));
}
