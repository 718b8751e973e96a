import type { Millis } from '../src/primitives/time.ts';
import type { MessageWait } from './deadlines/message-wait.ts';
import type { Race } from './deadlines/race.ts';
import type { EventGraph } from './graph.ts';
import type { JournalContext } from './journal/context.ts';

/** What every machine folds: a type, when it happened (milliseconds UTC) and its payload. */
export type MachineEvent = { readonly type: string; readonly at: Millis; readonly data: unknown };

type EventOf<E extends MachineEvent, T extends E['type']> = Extract<E, { readonly type: T }>;

/** One pure, total recipe per event type: it changes the draft that it is given and returns nothing. */
export type Reducers<C, E extends MachineEvent> = {
  readonly [T in E['type']]: (draft: C, event: EventOf<E, T>) => void;
};

/** Conditions of edges. They read only the context, so it is known which events a state accepts before one arrives. */
export type Guards<C> = Readonly<Record<string, (context: C) => boolean>>;

/** Something that the machine wants done in a state. Data only; a runtime performs it through its ports. */
export type Want<Effect extends string = string> = {
  /** Name of the effect, a verb: `spendMakerPayment`. */
  readonly effect: Effect;
  /** Not before this moment of the clock that the want names. */
  readonly notBefore?: Millis;
  /** Useless after this moment. */
  readonly until?: Millis;
  /** From this time on, someone else can undo it or act first; the effect is still wanted. */
  readonly contestedFrom?: Millis;
  /** The awaited message of the other side, and how long to wait. */
  readonly wait?: MessageWait;
  /**
   * The last time on the host's clock at which the effect may show a secret for the first time; it may repeat it later.
   */
  readonly revealBy?: Millis;
  /** The other side's refund. Irreversible steps keep a margin before it, in the unit of the chain that decides. */
  readonly race?: Race;
  /** Whose clock decides: the host's, or the median time past of a chain. @defaultValue 'host' */
  readonly clock?: 'host' | 'makerChain' | 'takerChain';
  /** What the effect needs beyond the context. */
  readonly params?: Readonly<Record<string, string | number | boolean | null>>;
};

/** An absolute time at which the machine must learn that time has passed. */
export type Deadline = {
  readonly kind: string;
  readonly at: Millis;
  readonly clock: 'host' | 'makerChain' | 'takerChain';
};

/** A sentence about all that a log folds to, which must hold after every event. A log that no engine keeps has no journal. */
export type Invariant<C> = {
  /** `I1`, `I2`, …: cited by tests. */
  readonly id: string;
  readonly text: string;
  readonly holds: (state: string, context: C, journal?: Readonly<JournalContext>) => boolean;
};

/**
 * A machine of this package: the graph of its events and the pure functions beside it.
 * Live run, restart, replay, simulation and model check all use this one value.
 */
export type MachineDefinition<C, E extends MachineEvent> = {
  /** Also the first part of the machine's stream names. */
  readonly id: string;
  /** Version of the fold, from 1; raised when the same log folds to another context. */
  readonly version: number;
  readonly graph: EventGraph;
  readonly eventTypes: readonly E['type'][];
  readonly initialContext: () => C;
  readonly reducers: Reducers<C, E>;
  readonly guards?: Guards<C>;
  readonly wants: (state: string, context: C) => readonly Want[];
  readonly deadlines: (state: string, context: C) => readonly Deadline[];
};
