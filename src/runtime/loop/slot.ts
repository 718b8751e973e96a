import type { Account } from '../../peers/allowance.ts';
import type { SignedTransaction } from '../../ports/chain.ts';
import type { SwapMessageKind } from '../../ports/peers.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import type { Millis } from '../../primitives/time.ts';
import type { Command, NewEvent } from '../command.ts';
import type { RunnerStatus, SwapStanding } from '../host/metrics.ts';
import type { Told } from '../host/steady-clock.ts';
import type { Ask, Drivable, DrivableKind } from './drivable.ts';
import type { ChainGate } from './gate.ts';

/**
 * What a slot is about: it reads its log, waits for a coin, is due for a decision, waits for a place at a chain's gate or
 * for an answer, for the log or the network, for a moment, for the log to come back, has failed, or is gone.
 */
export type Mode =
  | 'loading'
  | 'dormant'
  | 'ready'
  | 'queued'
  | 'asking'
  | 'appending'
  | 'sending'
  | 'waiting'
  | 'reloading'
  | 'failed'
  | 'gone';

export type Send = Extract<Command, { kind: 'send' }>;

/** Events that somebody else wants in the stream, and whom to tell. */
export type Letter = {
  readonly events: readonly NewEvent[];
  readonly resolve: () => void;
  readonly reject: (error: SwapfoldError) => void;
  tries: number;
};

/** A transaction that was signed for nothing, with the coin of its wallet. */
export type Loose = { readonly coin: string; readonly tx: SignedTransaction };

/** The place of one driven stream: all that the runtime holds of it beside the drivable. */
export type Slot = {
  readonly id: number;
  readonly stream: string;
  readonly kind: DrivableKind;
  driven: Drivable | null;
  mode: Mode;
  /** Moment at which the mode ends by itself; Infinity for never. */
  until: number;
  /** Raised whenever what is under way no longer counts. */
  token: number;
  /** The question that is asked or waits for its place. */
  asked: Ask | null;
  /** When it first wanted to ask that, in milliseconds. */
  since: number;
  /** Where it is queued or asks. */
  gate: ChainGate<Slot> | null;
  /** A place that it was given and has not used. */
  permit: ChainGate<Slot> | null;
  /** Commands since it last waited. */
  burst: number;
  /** Times in a row that it was made to rest. */
  restless: number;
  /** Chains that changed while it was busy: 1 for the maker's, 2 for the taker's. */
  stale: number;
  /** An append of its stream is under way. */
  writing: boolean;
  letters: Letter[] | null;
  /** Errors of the log in a row. */
  logErrors: number;
  /** Faults since its last append. */
  failures: number;
  /** Appends in a row that found another count of records than expected. */
  conflicts: number;
  /** The message that is being handed over. */
  outgoing: Send | null;
  /** The log is to be read again as soon as the append has ended. */
  again: boolean;
  /** Messages that could not be handed over, and when to try again. */
  unsent: { readonly kinds: readonly SwapMessageKind[]; readonly at: Millis } | null;
  sendErrors: number;
  /** The moment that its runner was last told; null before that, and where the host tells nothing of time that has passed. */
  told: Told | null;
  /** What it was sent that is no message, or was too much. */
  rejected: number;
  /** What the other side may still send; null before its first message. */
  account: Account | null;
  topic: string | null;
  from: string | null;
  /** Which kinds of messages it hears; null for all. */
  kinds: ReadonlySet<SwapMessageKind> | null;
  /** Signed, of no use, and not yet given back. */
  loose: readonly Loose[] | null;
  /** The last append ended with an error: from this place of the stream on, what it was to hold may be in the log. Else null. */
  uncertain: number | null;
  error: SwapfoldError | null;
  standing: SwapStanding | null;
  status: RunnerStatus | null;
};

export function createSlot(id: number, stream: string, kind: DrivableKind): Slot {
  return {
    id,
    stream,
    kind,
    driven: null,
    mode: 'loading',
    until: Number.POSITIVE_INFINITY,
    token: 0,
    asked: null,
    since: 0,
    gate: null,
    permit: null,
    burst: 0,
    restless: 0,
    stale: 0,
    writing: false,
    letters: null,
    logErrors: 0,
    failures: 0,
    conflicts: 0,
    outgoing: null,
    again: false,
    unsent: null,
    sendErrors: 0,
    told: null,
    rejected: 0,
    account: null,
    topic: null,
    from: null,
    kinds: null,
    loose: null,
    uncertain: null,
    error: null,
    standing: null,
    status: null,
  };
}

const STATUS: Readonly<Record<Mode, RunnerStatus | null>> = {
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

export function statusOf(mode: Mode): RunnerStatus | null {
  return STATUS[mode];
}

/** Id of the swap that a slot is about: that of its stream, or the one that it watches. */
export function swapOf({ stream, driven }: Pick<Slot, 'stream' | 'driven'>): string {
  return driven?.watched?.uuid ?? stream.slice(stream.indexOf('/') + 1);
}

export const LEG_BITS = { maker: 1, taker: 2 } as const;
