import type { WatcherContext } from '../../../machines/watcher/context.ts';
import { watcherDefinition } from '../../../machines/watcher/definition.ts';
import { isOnOtherChain } from '../../events/journal.ts';
import { defaultWatchTiming, type Watch, type WatcherEvent, type WatchTiming } from '../../events/watcher.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import { absentTraits } from '../absent-traits.ts';
import type { Leg } from '../command.ts';
import type { Drivable, DrivableInputs, DrivableKind } from '../loop/drivable.ts';
import { drivableOf, type Standing } from '../loop/drivable-of.ts';
import { applyRecords } from '../swap/runner.ts';
import { decideWatcher } from './decide.ts';
import { promisedBy } from './promised.ts';
import { createWatcherRunner, watcherStateOf } from './runner.ts';

export type WatcherKindOptions = {
  /** Timings of watches that are requested from now on. @defaultValue the real node's */
  readonly timing?: WatchTiming;
  /** The id of a transaction of the taker chain, from its bytes in hex. @defaultValue the rule of UTXO chains */
  readonly idOf?: (hex: string) => string;
  /** The most watches that are open at the same time; others serve further takers. @defaultValue 1000 */
  readonly most?: number;
  /** Whether it also acts if the reward that a payment promises does not pay for the gas of its call. @defaultValue false */
  readonly unpaid?: boolean;
};

const MOST_WATCHES = 1000;

/**
 * How the streams of watches are driven. A runtime with this kind hears the takers of its active coins (`swpwtchr/<taker coin>`). A watch begins with
 * the event `WatchRequested`, once its message was found acceptable by `acceptWatch`; it listens to nobody afterwards.
 *
 * @example
 * ```ts
 * import { watcherKind } from 'swapfold/runtime';
 *
 * const { machine, watches } = watcherKind({ most: 20 });
 * machine; // → 'watcher'
 * watches?.most; // → 20
 * watches?.timing.refund_start_factor; // → 1.5
 * ```
 */
export function watcherKind({ most = MOST_WATCHES, ...options }: WatcherKindOptions = {}): DrivableKind {
  return {
    machine: watcherDefinition.id,
    create: (stream, records, inputs) => watcherDrivable({ stream, records, options }, inputs),
    watches: { timing: options.timing ?? defaultWatchTiming, most },
  };
}

type Given = {
  readonly stream: string;
  readonly records: readonly NewRecord[];
  readonly options: Omit<WatcherKindOptions, 'most'>;
};

function watcherDrivable({ stream, records, options }: Given, inputs: DrivableInputs): Drivable {
  const watch = watchIn(records);
  const coins = { maker: watch?.maker_coin ?? null, taker: watch?.taker_coin ?? null };
  const chain = (leg: Leg) => (coins[leg] === null ? undefined : inputs.chain(coins[leg]));
  const traits = (leg: Leg) => chain(leg)?.traits ?? absentTraits(coins[leg]);
  const runner = createWatcherRunner({
    uuid: stream.slice(stream.indexOf('/') + 1),
    traits: { maker: traits('maker'), taker: traits('taker') },
    policy: inputs.policy,
    promised: promisedBy({ maker: chain('maker'), taker: chain('taker') }),
    ...options,
  });
  applyRecords(runner, records);
  return drivableOf<WatcherContext, WatcherEvent>(runner, {
    coins,
    ...(watch === undefined ? {} : { watched: watchedOf(watch) }),
    // A watcher holds nobody's money, so it waits until it can see both chains.
    missing: (['maker', 'taker'] as const).flatMap((leg) =>
      coins[leg] !== null && chain(leg) === undefined ? [coins[leg]] : [],
    ),
    decide: (now) => decideWatcher(runner, now),
    listens: () => null,
    labels: ({ state, context }: Standing<WatcherContext>) => ({
      outcome: watcherDefinition.outcome(context),
      state,
      finished: context.stopped !== null,
      ...(coins.maker === null ? {} : { makerCoin: coins.maker }),
      ...(coins.taker === null ? {} : { takerCoin: coins.taker }),
    }),
    look: () => ({
      role: 'watcher',
      state: watcherStateOf(runner),
      outcome: watcherDefinition.outcome(runner.position.context),
      funds: null,
      next: null,
      journal: runner.journal,
      tries: runner.facts.tries,
      answering: runner.facts.answering,
      legOf: (purpose) => (isOnOtherChain(purpose) ? 'maker' : 'taker'),
    }),
  });
}

function watchIn(records: readonly NewRecord[]): Watch | undefined {
  const requested = records.find(({ type }) => type === 'WatchRequested');
  return (requested?.data as { readonly watch?: Watch } | undefined)?.watch;
}

function watchedOf({ uuid, taker_pub, taker_fee_hash }: Watch): NonNullable<Drivable['watched']> {
  return { uuid, taker: taker_pub, fee: taker_fee_hash };
}
