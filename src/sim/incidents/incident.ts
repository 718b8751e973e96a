import type { Purpose } from '../../events/journal.ts';
import type { FaultKind } from '../../ports/chain.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import type { Seconds } from '../../primitives/time.ts';
import type { Ending } from '../world/judge.ts';
import type { Behaviour } from '../world/node.ts';
import type { Scenario } from '../world/scenario.ts';
import type { RunResult } from '../world/simulate.ts';
import type { Observer, World } from '../world/world.ts';

export type IncidentParty = 'maker' | 'taker';

/**
 * How a party must end. Names of records are types, with the purpose of their transaction after a colon where that matters: `BroadcastRefused:claim`.
 */
export type PartyEnding = {
  /** What happened to its money, by the chains; several if the moment decides. */
  readonly money: Ending['money'] | readonly Ending['money'][];
  /** State in which its machine rests. @defaultValue 'finished' */
  readonly state?: string;
  /** Records that its log holds, in this order, with others between them. @defaultValue none */
  readonly log?: readonly string[];
  /** Records that its log does not hold. @defaultValue none */
  readonly never?: readonly string[];
};

/** One broadcast by an engine, with its answer. */
export type SeenBroadcast = {
  readonly party: IncidentParty;
  readonly purpose: Purpose;
  readonly hash: string;
  readonly answer: 'sent' | 'known' | 'confirmed' | FaultKind;
  /** Seconds from the start of the world. */
  readonly at: Seconds;
};

/** The result of one play, for checks. */
export type IncidentRun = {
  readonly scenario: Scenario;
  readonly result: RunResult;
  /** The durable records of each party. */
  readonly logs: Readonly<Record<IncidentParty, readonly NewRecord[]>>;
  /** In order. */
  readonly broadcasts: readonly SeenBroadcast[];
  /** The world at its end: ask its chains for the truth. */
  readonly world: World;
};

/** One run in the simulated world. */
export type IncidentPlay = {
  /** What is played, as a noun. */
  readonly name: string;
  /** Plain data for a seed. To place a trouble at a certain moment, the same world first runs up to it. */
  readonly scenario: (seed: number) => Scenario;
  /** What others do meanwhile that a scenario cannot express: other processes of the same wallet, rules of a network. */
  readonly meddle?: () => Observer;
  /** Null if the trouble took effect, else why this run shows nothing. */
  readonly cause: (run: IncidentRun) => string | null;
  /** In addition to the money rules, which always hold. */
  readonly ending: Readonly<Record<IncidentParty, PartyEnding>>;
  /** What else must hold; null if it does. */
  readonly check?: (run: IncidentRun) => string | null;
};

/** What can be shown without a swap; null if it holds, else what does not. */
export type IncidentRule = { readonly name: string; readonly rule: () => string | null };

export type IncidentPart = IncidentPlay | IncidentRule;

/** A public incident of a swap system, in a form that can be played again. */
export type Incident = {
  /** System and number, such as `kdf-491`. */
  readonly id: string;
  readonly system: string;
  /** What went wrong there, in a few words. */
  readonly title: string;
  /** The public thread. */
  readonly source: string;
  /** What happened there, in one sentence. */
  readonly what: string;
  /** How it is played here. */
  readonly shape: string;
  /** How it ends here, in one sentence. */
  readonly outcome: string;
  /** The named seed; any other must end the same way. */
  readonly seed: number;
  readonly parts: readonly IncidentPart[];
};

export type IncidentOptions = {
  /** @defaultValue the incident's own */
  readonly seed?: number;
  /** Engines in place of the sound ones, to see whether the incident notices a mistake. */
  readonly behaviours?: Partial<Record<IncidentParty, Behaviour>>;
};

export type IncidentResult = {
  readonly id: string;
  readonly seed: number;
  /** True if every part ended as it must. */
  readonly ok: boolean;
  /** What did not end as it must, each with the name of its part. */
  readonly problems: readonly string[];
  /** One for each play, in order. */
  readonly runs: readonly IncidentRun[];
};
