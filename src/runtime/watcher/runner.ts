import { initialJournalContext } from '../../../machines/journal/context.ts';
import type { WatcherContext } from '../../../machines/watcher/context.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { defaultWatchTiming, type Watch, type WatcherEvent, type WatchTiming } from '../../events/watcher.ts';
import type { PaymentTerms } from '../../ports/chain.ts';
import type { DecimalText } from '../../primitives/decimal.ts';
import type { Millis } from '../../primitives/time.ts';
import { type CompiledMachine, compile } from '../../replay/compile.ts';
import type { Leg } from '../command.ts';
import { initialFacts } from '../facts.ts';
import type { Policy } from '../policy.ts';
import type { Follower, Observer } from '../swap/runner.ts';
import type { Traits } from '../swap/side-inputs.ts';
import { type PromisedBy, promisedPayments } from './promised.ts';
import { makerPaymentTerms, paidAmount, refundPreimageProblem, takerPaymentTerms, utxoTransactionId } from './terms.ts';

/** What does not change during a watch, besides the log. */
export type WatcherInputs = {
  readonly traits: Traits;
  /** Timings of watches that are requested from now on; a running watch keeps those in its log. */
  readonly timing: WatchTiming;
  /** The id of a transaction of the taker chain, from its bytes in hex. */
  readonly idOf: (hex: string) => string;
  /** Whether what is broadcast is handed to other nodes of the coin too. */
  readonly helpers: boolean;
  /** Reads what the bytes of a payment promise, for chains that pay rewards. @defaultValue none does */
  readonly promised?: PromisedBy;
  /** Whether it also acts if the reward does not pay for the gas. @defaultValue false */
  readonly unpaid?: boolean;
};

/** A watch's swap, for the looks at its payments. */
export type WatcherView = {
  readonly watch: Watch;
  readonly own: 'taker';
  /** Null while the amount is not known. */
  readonly ownTerms: PaymentTerms | null;
  /** Null if the message does not give them: then only its spends identify the maker payment. */
  readonly otherTerms: PaymentTerms | null;
  readonly otherPayment: null;
  /** Heights of both chains when the taker's swap began, as it says: its payments are searched for from there. */
  readonly startBlocks: Readonly<Record<Leg, number>>;
  /** The amount of each payment, in coin units; null while neither the message nor the chain has given it. */
  readonly amounts: Readonly<Record<Leg, DecimalText | null>>;
  /** Why the signed refund is not that of the payment; null if it is, or cannot be read. */
  readonly refundProblem: string | null;
};

/**
 * One watch, driven by its log as a swap is (N1 to N3 of the swap's runner): commands come from `decideWatcher`; records, answers and messages go in
 * by `applyRecords`, `absorb` and `receive`.
 */
export type WatcherRunner = Follower<WatcherContext, WatcherEvent> &
  Observer & {
    readonly stream: string;
    readonly kind: { readonly machine: CompiledMachine<WatcherContext, WatcherEvent> };
    readonly inputs: WatcherInputs;
    /** The amounts read from the payments themselves. A restart reads them again. */
    learned: Readonly<Record<Leg, DecimalText | null>>;
    /** Computed again after each change of the log. */
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
  /** Whether what is broadcast is handed to other nodes of the coin too. @defaultValue true */
  readonly helpers?: boolean;
} & Pick<WatcherInputs, 'promised' | 'unpaid'>;

const machine = compile(watcherDefinition);

/** Name of a watch's stream. */
export function watcherStream(uuid: string): string {
  return `${watcherDefinition.id}/${uuid}`;
}

/** A runner of an empty stream. The message that `receive` gives it becomes the first record. */
export function createWatcherRunner(options: WatcherRunnerOptions): WatcherRunner {
  const { uuid, traits, policy, timing = defaultWatchTiming, idOf = utxoTransactionId, helpers = true } = options;
  const { promised = {}, unpaid = false } = options;
  return {
    stream: watcherStream(uuid),
    kind: { machine },
    inputs: { traits, timing, idOf, helpers, promised, unpaid },
    policy,
    position: { state: machine.initial, context: machine.definition.initialContext() },
    journal: initialJournalContext(),
    facts: initialFacts(),
    length: 0,
    lastAt: 0 as Millis,
    learned: { maker: null, taker: null },
    view: null,
  };
}

/** The runner as a watcher's; null for one of a swap. */
export function asWatcherRunner(runner: { readonly kind: { readonly machine: object } }): WatcherRunner | null {
  return runner.kind.machine === machine ? (runner as WatcherRunner) : null;
}

/** State of the watch's machine. */
export function watcherStateOf({ kind, position }: WatcherRunner): string {
  return kind.machine.states[position.state] as string;
}

/** The watch with the terms of its payments; null before it was requested. */
export function watcherViewOf(runner: WatcherRunner): WatcherView | null {
  const { watch } = runner.position.context;
  if (watch === null) return null;
  if (learnAmounts(runner, watch)) runner.view = null;
  if (runner.view !== null) return runner.view;
  const { taker, maker } = runner.inputs.traits;
  const promised = promisedPayments(watch, runner.inputs);
  const amounts = {
    maker: promised.maker?.terms?.amount ?? watch.maker_amount ?? runner.learned.maker,
    taker: promised.taker?.terms?.amount ?? watch.taker_amount ?? runner.learned.taker,
  };
  const byScript = {
    taker: () => takerPaymentTerms(watch, { amount: amounts.taker, contract: taker.contract }),
    maker: () => makerPaymentTerms(watch, { amount: amounts.maker, contract: maker.contract }),
  };
  runner.view = {
    watch,
    own: 'taker',
    ownTerms: promised.taker === null ? byScript.taker() : promised.taker.terms,
    otherTerms: promised.maker === null ? byScript.maker() : promised.maker.terms,
    otherPayment: null,
    startBlocks: { maker: watch.maker_coin_start_block, taker: watch.taker_coin_start_block },
    amounts,
    refundProblem: promised.taker === null ? refundPreimageProblem(watch) : promised.taker.problem,
  };
  return runner.view;
}

/** Takes amounts that the message does not give from observed payments. True if it found one. */
function learnAmounts(runner: WatcherRunner, watch: Watch): boolean {
  const { inputs, facts, learned } = runner;
  const told = { maker: watch.maker_amount, taker: watch.taker_amount };
  const hashes = { maker: watch.maker_payment_hash, taker: watch.taker_payment_hash };
  let found = false;
  for (const leg of ['maker', 'taker'] as const) {
    const tx_hash = hashes[leg];
    const tx_hex = facts.transactions.get(tx_hash)?.value.tx_hex;
    if (told[leg] !== null || learned[leg] !== null || tx_hex === undefined) continue;
    const { idOf, traits } = inputs;
    const amount = paidAmount({ tx_hex, tx_hash }, { idOf, decimals: traits[leg].decimals });
    if (amount === null) continue;
    runner.learned = { ...runner.learned, [leg]: amount };
    found = true;
  }
  return found;
}
