import type { SwapMessageKind } from '../../ports/peers.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import type { Command } from '../command.ts';
import type { RunnerStatus } from '../host/metrics.ts';
import type { Ask } from './drivable.ts';
import type { ChainGate } from './gate.ts';

/*
 * What a slot is about, and what each event makes of it. Nothing here acts: `move` carries out a change, and is the
 * only writer.
 *
 * - SM1: one command at a time. A slot asks, queues, appends or sends only while it decides, and while nothing is being written for it.
 * - SM2: one append at a time. The loop awaits its end, whatever happens to the slot meanwhile.
 * - SM3: a slot without a runner that counts starts nothing but the reading of its log, and one that is gone takes nothing.
 * - SM4: a place at a gate is given back exactly once, however the slot leaves it.
 * - SM5: nothing that comes while the slot is busy is lost: news of its chains is looked at before it rests, and a runner that is to be made
 *   anew while its log is written is made anew afterwards.
 */

/** What a slot has of a chain's gate. */
export type Gate = Pick<ChainGate<never>, 'coin' | 'leave' | 'withdraw' | 'abandon'>;
export type Send = Extract<Command, { kind: 'send' }>;

/** A place at a gate, and when the slot first wanted to ask there, in milliseconds. */
type Place = { readonly gate: Gate; readonly since: number };
type Question = Place & { readonly asked: Ask; readonly until: number };

/** What a slot is about. `until` is the moment at which that ends by itself, or is given up. */
export type Doing =
  /** It has been created, and nothing more. */
  | { readonly mode: 'new' }
  /** Its log is being read. The error is the one for which it stopped before. */
  | { readonly mode: 'loading'; readonly error: SwapfoldError | null }
  /** One of its coins is not active. */
  | { readonly mode: 'dormant' }
  /** It is due for a decision, perhaps with a place at a gate that it queued for. */
  | { readonly mode: 'ready'; readonly place: Place | null }
  /** It waits for a place at a gate. */
  | ({ readonly mode: 'queued' } & Question)
  /** A chain has been asked. */
  | ({ readonly mode: 'asking' } & Question)
  /** What its runner decided is being written, or is about to be. */
  | { readonly mode: 'appending' }
  /** The network has been given a message. */
  | { readonly mode: 'sending'; readonly message: Send['message']; readonly until: number }
  /** Nothing is due. */
  | { readonly mode: 'waiting'; readonly until: number }
  /** The log returned an error, and will be read again later. */
  | { readonly mode: 'reloading'; readonly until: number; readonly error: SwapfoldError | null }
  /** It stopped because of an error; null if only an operator can restart it. */
  | { readonly mode: 'failed'; readonly until: number | null; readonly error: SwapfoldError }
  /** Nothing is left to do, and its id is free for another. */
  | { readonly mode: 'gone' };

export type Mode = Doing['mode'];
type In<M extends Mode> = Extract<Doing, { readonly mode: M }>;

/** Messages that were not handed over, and when to try again. */
type Unsent = { readonly kinds: readonly SwapMessageKind[]; readonly at: number };

export type Counts = {
  /** Commands since it last rested. */
  readonly burst: number;
  /** How many times in a row it was made to rest. */
  readonly restless: number;
  /** Errors of the log in a row. */
  readonly logErrors: number;
  /** Faults since its last append. */
  readonly failures: number;
  /** Consecutive appends that found a different number of records than expected. */
  readonly conflicts: number;
  /** Consecutive messages that were not handed over. */
  readonly sendErrors: number;
};

/** Whether an append of the stream is under way, and whether the log is to be read again after it. */
export type Append = 'none' | 'underWay' | 'thenReload';

export type SlotState = {
  readonly doing: Doing;
  readonly append: Append;
  /** Chains that changed while it was busy: 1 for the maker's, 2 for the taker's. */
  readonly news: number;
  readonly unsent: Unsent | null;
  readonly counts: Counts;
};

type Payloads = {
  /** Its log is being read, for the first time or again. Whatever is under way no longer counts, except an append. */
  readonly load: unknown;
  readonly loaded: { readonly dormant: boolean };
  readonly logFailed: { readonly until: number };
  readonly fail: { readonly error: SwapfoldError; readonly until: number | null };
  readonly retire: unknown;
  readonly ask: Question;
  readonly queue: Question;
  readonly granted: unknown;
  readonly answered: unknown;
  /** No answer in time, or no place to ask from. */
  readonly gaveUp: unknown;
  readonly send: { readonly message: Send['message']; readonly until: number };
  readonly handedOver: { readonly unsent: Unsent | null };
  /** What was not handed over is due again. */
  readonly resend: unknown;
  readonly append: unknown;
  readonly rest: { readonly until: number };
  /** It never rests, so it is made to. */
  readonly forceRest: { readonly until: number };
  /** It wanted to ask a chain that is absent; that is its answer. */
  readonly unasked: unknown;
  /** What it wanted to append is to be decided again. */
  readonly decideAgain: unknown;
  /** Something came that ends a rest: a message, news that its runner has taken, or a feed that broke. */
  readonly wake: unknown;
  readonly news: { readonly legs: number };
  /** Records of the stream are given to the log. */
  readonly write: unknown;
  readonly written: { readonly conflict: boolean };
  /** The runner has taken what was written. */
  readonly applied: unknown;
  /** The stream is free for the next append. */
  readonly goOn: unknown;
  /** Its chains are others than before: its runner is made anew, once nothing is being written. */
  readonly reload: unknown;
};

export type SlotEventType = keyof Payloads;
export type SlotEvent<T extends SlotEventType = SlotEventType> = {
  readonly [K in T]: { readonly type: K } & Payloads[K];
}[T];

type Row<T extends SlotEventType> = {
  /** The modes in which it has a meaning. In others it changes nothing, or is refused. */
  readonly from: readonly Mode[];
  readonly elsewhere: 'stays' | 'refused';
  /** Whether it must not come while the stream is being written. */
  readonly alone?: true;
  readonly to: (doing: Doing, event: SlotEvent<T>, state: SlotState) => Doing;
};

const ready = (place: Place | null): In<'ready'> => ({ mode: 'ready', place });
const decideAnew = (): Doing => ready(null);
const stay = (doing: Doing): Doing => doing;

const DECIDING = ['ready', 'waiting'] as const;
const DRIVEN = [...DECIDING, 'queued', 'asking', 'appending', 'sending'] as const;
const UNDRIVEN = ['loading', 'dormant', 'reloading', 'failed'] as const;
const ALIVE = ['new', ...UNDRIVEN, ...DRIVEN] as const;

const TRANSITIONS: { readonly [T in SlotEventType]: Row<T> } = {
  load: { from: ALIVE, elsewhere: 'refused', to: (doing) => ({ mode: 'loading', error: errorOf(doing) }) },
  loaded: {
    from: ['new', 'loading'],
    elsewhere: 'refused',
    to: (_, { dormant }) => (dormant ? { mode: 'dormant' } : ready(null)),
  },
  logFailed: {
    from: [...UNDRIVEN, ...DRIVEN],
    elsewhere: 'refused',
    to: (doing, { until }) => ({ mode: 'reloading', until, error: errorOf(doing) }),
  },
  fail: { from: ALIVE, elsewhere: 'refused', to: (_, { error, until }) => ({ mode: 'failed', until, error }) },
  retire: { from: DECIDING, elsewhere: 'refused', alone: true, to: () => ({ mode: 'gone' }) },
  ask: {
    from: DECIDING,
    elsewhere: 'refused',
    alone: true,
    to: (_, { gate, since, asked, until }) => ({ mode: 'asking', gate, since, asked, until }),
  },
  queue: {
    from: DECIDING,
    elsewhere: 'refused',
    alone: true,
    to: (_, { gate, since, asked, until }) => ({ mode: 'queued', gate, since, asked, until }),
  },
  granted: { from: ['queued'], elsewhere: 'refused', to: (doing) => ready(placeOf(doing)) },
  answered: { from: ['asking'], elsewhere: 'refused', to: decideAnew },
  gaveUp: { from: ['asking', 'queued'], elsewhere: 'refused', to: decideAnew },
  send: {
    from: DECIDING,
    elsewhere: 'refused',
    alone: true,
    to: (_, { message, until }) => ({ mode: 'sending', message, until }),
  },
  handedOver: { from: ['sending'], elsewhere: 'refused', to: decideAnew },
  resend: { from: DECIDING, elsewhere: 'refused', alone: true, to: stay },
  append: { from: DECIDING, elsewhere: 'refused', alone: true, to: () => ({ mode: 'appending' }) },
  rest: {
    from: DECIDING,
    elsewhere: 'refused',
    alone: true,
    to: (_, { until }, { news }) => (news === 0 ? { mode: 'waiting', until } : ready(null)),
  },
  forceRest: {
    from: DECIDING,
    elsewhere: 'refused',
    alone: true,
    to: (_, { until }) => ({ mode: 'waiting', until }),
  },
  unasked: { from: DECIDING, elsewhere: 'refused', alone: true, to: decideAnew },
  decideAgain: { from: ['appending'], elsewhere: 'refused', alone: true, to: decideAnew },
  wake: { from: ['waiting'], elsewhere: 'stays', to: decideAnew },
  news: { from: DRIVEN, elsewhere: 'stays', to: stay },
  write: { from: ['dormant', ...DRIVEN], elsewhere: 'refused', alone: true, to: stay },
  written: { from: [...UNDRIVEN, ...DRIVEN], elsewhere: 'refused', to: stay },
  applied: { from: [...UNDRIVEN, ...DRIVEN], elsewhere: 'refused', to: stay },
  goOn: {
    from: [...DECIDING, 'appending'],
    elsewhere: 'stays',
    to: (doing) => ready(doing.mode === 'ready' ? doing.place : null),
  },
  reload: {
    from: ['dormant', 'reloading', ...DRIVEN],
    elsewhere: 'stays',
    to: (doing, _, { append }) => (append === 'none' ? { mode: 'loading', error: errorOf(doing) } : doing),
  },
};

/** The state after an event; null if the event cannot come: then its sender has a bug. */
export function nextState(state: SlotState, event: SlotEvent): SlotState | null {
  const doing = doingAfter(state, event);
  const append = appendAfter(state, event);
  if (doing === null || append === null) return null;
  return {
    doing,
    append,
    news: newsAfter(state, event),
    unsent: unsentAfter(state, event),
    counts: countsAfter(state.counts, event),
  };
}

function doingAfter<T extends SlotEventType>(state: SlotState, event: SlotEvent<T>): Doing | null {
  const row: Row<T> = TRANSITIONS[event.type];
  if (row.alone === true && state.append !== 'none') return null;
  if (row.from.includes(state.doing.mode)) return row.to(state.doing, event, state);
  return row.elsewhere === 'stays' ? state.doing : null;
}

/** The slot must ask its chains again, or gets a new runner: then what it heard of them before no longer counts. */
function newsAfter({ doing, news }: SlotState, event: SlotEvent): number {
  if (event.type === 'loaded' || event.type === 'rest') return 0;
  return event.type === 'news' && isDriven(doing) ? news | event.legs : news;
}

function appendAfter({ append, doing }: SlotState, { type }: SlotEvent): Append | null {
  switch (type) {
    case 'write':
      return 'underWay';
    case 'written':
      return append === 'none' ? null : 'none';
    case 'reload':
      return append === 'underWay' && TRANSITIONS.reload.from.includes(doing.mode) ? 'thenReload' : append;
    default:
      return append;
  }
}

function unsentAfter({ unsent }: SlotState, event: SlotEvent): Unsent | null {
  if (event.type === 'loaded' || event.type === 'resend') return null;
  if (event.type !== 'handedOver' || event.unsent === null) return unsent;
  return { kinds: [...(unsent?.kinds ?? []), ...event.unsent.kinds], at: event.unsent.at };
}

function countsAfter(counts: Counts, event: SlotEvent): Counts {
  const { burst, restless, logErrors, failures, conflicts, sendErrors } = counts;
  switch (event.type) {
    case 'ask':
    case 'queue':
    case 'send':
    case 'append':
    case 'unasked':
      return { burst: burst + 1, restless, logErrors, failures, conflicts, sendErrors };
    case 'rest':
      return { burst: 0, restless: 0, logErrors, failures, conflicts, sendErrors };
    case 'forceRest':
      return { burst: 0, restless: restless + 1, logErrors, failures, conflicts, sendErrors };
    case 'loaded':
      return { burst: 0, restless, logErrors: 0, failures, conflicts, sendErrors };
    case 'logFailed':
      return { burst, restless, logErrors: logErrors + 1, failures, conflicts, sendErrors };
    case 'fail':
      return { burst, restless, logErrors, failures: failures + 1, conflicts, sendErrors };
    case 'written':
      return event.conflict ? { burst, restless, logErrors, failures, conflicts: conflicts + 1, sendErrors } : counts;
    case 'applied':
      return { burst, restless, logErrors, failures: 0, conflicts: 0, sendErrors };
    case 'handedOver':
      return {
        burst,
        restless,
        logErrors,
        failures,
        conflicts,
        sendErrors: event.unsent === null ? 0 : sendErrors + 1,
      };
    default:
      return counts;
  }
}

/** How a slot leaves its place at a gate, or the queue for one; null if it keeps it, or has none. */
export function leavingOf(
  before: Doing,
  after: Doing,
  event: SlotEventType,
): { readonly gate: Gate; readonly how: 'leave' | 'withdraw' | 'abandon' } | null {
  if (before === after) return null;
  switch (before.mode) {
    case 'queued':
      return after.mode === 'ready' && after.place !== null ? null : { gate: before.gate, how: 'withdraw' };
    case 'asking':
      return { gate: before.gate, how: event === 'answered' ? 'leave' : 'abandon' };
    case 'ready':
      return before.place === null || keeps(after, before.place) ? null : { gate: before.place.gate, how: 'leave' };
    default:
      return null;
  }
}

function keeps(after: Doing, place: Place): boolean {
  return (after.mode === 'ready' && after.place === place) || (after.mode === 'asking' && after.gate === place.gate);
}

function placeOf(doing: Doing): Place | null {
  return doing.mode === 'queued' ? { gate: doing.gate, since: doing.since } : null;
}

function isDriven({ mode }: Doing): boolean {
  return (DRIVEN as readonly Mode[]).includes(mode);
}

/** Whether its runner accepts no message now; important ones are repeated. */
export const isDeaf = (doing: Doing): boolean => !isDriven(doing);

/** Whether a call of the outside world is open. */
export const isCall = ({ mode }: Doing): boolean => mode === 'asking' || mode === 'sending';

/** Why it stopped, until it has a new runner. */
export function errorOf(doing: Doing): SwapfoldError | null {
  return doing.mode === 'failed' || doing.mode === 'loading' || doing.mode === 'reloading' ? doing.error : null;
}

/** The moment at which it gets a turn in any case; null for none. */
export function untilOf(doing: Doing): number | null {
  switch (doing.mode) {
    case 'queued':
    case 'asking':
    case 'sending':
    case 'waiting':
    case 'reloading':
    case 'failed':
      return doing.until !== null && doing.until < Number.MAX_SAFE_INTEGER ? doing.until : null;
    default:
      return null;
  }
}

const STATUS: Readonly<Record<Mode, RunnerStatus | null>> = {
  new: null,
  loading: 'waitingForLog',
  dormant: 'waitingForCoin',
  ready: 'running',
  queued: 'running',
  asking: 'running',
  appending: 'running',
  sending: 'running',
  waiting: 'waiting',
  reloading: 'waitingForLog',
  failed: 'failed',
  gone: null,
};

export const statusOf = ({ mode }: Doing): RunnerStatus | null => STATUS[mode];

const NO_COUNTS: Counts = { burst: 0, restless: 0, logErrors: 0, failures: 0, conflicts: 0, sendErrors: 0 };

export const NEW_SLOT: SlotState = { doing: { mode: 'new' }, append: 'none', news: 0, unsent: null, counts: NO_COUNTS };
