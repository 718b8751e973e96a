import { initialJournalContext } from '../../../machines/journal/context.ts';
import type { WatcherContext } from '../../../machines/watcher/context.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { defaultWatchTiming, type Watch, type WatcherEvent, type WatchTiming } from '../../events/watcher.ts';
import type { PaymentTerms } from '../../ports/chain.ts';
import type { Millis } from '../../primitives/time.ts';
import { type CompiledMachine, compile } from '../../replay/compile.ts';
import { initialFacts } from '../facts.ts';
import type { Policy } from '../policy.ts';
import type { Follower, Observer } from '../runner.ts';
import type { Traits } from '../sides/common.ts';
import { makerPaymentTerms, refundPreimageProblem, takerPaymentTerms, utxoTransactionId } from './terms.ts';

/** What does not change during a watch, beside the log. */
export type WatcherInputs = {
  readonly traits: Traits;
  /** Timings of watches that are requested from now on; a watch that runs keeps those of its log. */
  readonly timing: WatchTiming;
  /** The id of a transaction of the taker chain, from its bytes in hex. */
  readonly idOf: (hex: string) => string;
};

/** A watch's swap for the looks at its payments. */
export type WatcherView = {
  readonly watch: Watch;
  readonly own: 'taker';
  readonly ownTerms: PaymentTerms;
  /** Null where the message does not tell them: then the maker payment is known by its spends alone. */
  readonly otherTerms: PaymentTerms | null;
  readonly otherPayment: null;
  /** Why the signed refund is not that of the payment; null when it is, or cannot be read. */
  readonly refundProblem: string | null;
};

/**
 * One watch, driven by its log as a swap is (R1 to R3 of the swap's runner): commands come from `decideWatcher`; records,
 * answers and messages go in by `applyRecords`, `absorb` and `receive`.
 */
export type WatcherRunner = Follower<WatcherContext, WatcherEvent> &
  Observer & {
    readonly stream: string;
    readonly kind: { readonly machine: CompiledMachine<WatcherContext, WatcherEvent> };
    readonly inputs: WatcherInputs;
    /** Made anew after each change of the log. */
    view: WatcherView | null;
  };

export type WatcherRunnerOptions = {
  /** Of the swap that is watched. */
  readonly uuid: string;
  /** Of both coins' chains. */
  readonly traits: Traits;
  readonly policy: Policy;
  /** @defaultValue the real node's */
  readonly timing?: WatchTiming;
  /** @defaultValue the rule of UTXO chains */
  readonly idOf?: (hex: string) => string;
};

const machine = compile(watcherDefinition);

/** Name of a watch's stream. */
export function watcherStream(uuid: string): string {
  return `${watcherDefinition.id}/${uuid}`;
}

/** A runner of an empty stream. The message that `receive` gives it becomes the first record. */
export function createWatcherRunner(options: WatcherRunnerOptions): WatcherRunner {
  const { uuid, traits, policy, timing = defaultWatchTiming, idOf = utxoTransactionId } = options;
  return {
    stream: watcherStream(uuid),
    kind: { machine },
    inputs: { traits, timing, idOf },
    policy,
    position: { state: machine.initial, context: machine.definition.initialContext() },
    journal: initialJournalContext(),
    facts: initialFacts(),
    length: 0,
    lastAt: 0 as Millis,
    view: null,
  };
}

/** State of the watch's machine. */
export function watcherStateOf({ kind, position }: WatcherRunner): string {
  return kind.machine.states[position.state] as string;
}

/** The watch with the terms of its payments; null before it was requested. */
export function watcherViewOf(runner: WatcherRunner): WatcherView | null {
  const { watch } = runner.position.context;
  if (watch === null || runner.view !== null) return runner.view;
  const { taker, maker } = runner.inputs.traits;
  runner.view = {
    watch,
    own: 'taker',
    ownTerms: takerPaymentTerms(watch, taker.contract),
    otherTerms: makerPaymentTerms(watch, maker.contract),
    otherPayment: null,
    refundProblem: refundPreimageProblem(watch),
  };
  return runner.view;
}
