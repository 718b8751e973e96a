import { watcherInvariants } from '../../../../machines/watcher/invariants.ts';
import { isJournalType } from '../../../../src/events/journal.ts';
import { type Watch, type WatcherEventType, watcherPayloads } from '../../../../src/events/watcher.ts';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import { type Millis, millisOf } from '../../../../src/primitives/time.ts';
import { type Command, type Leg, NEVER } from '../../../../src/runtime/command.ts';
import { DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { absorb, applyRecords, receive, recordsOf, sent } from '../../../../src/runtime/swap/runner.ts';
import type { Traits } from '../../../../src/runtime/swap/side-inputs.ts';
import { decideWatcher } from '../../../../src/runtime/watcher/decide.ts';
import { createWatcherRunner, type WatcherRunner, watcherStateOf } from '../../../../src/runtime/watcher/runner.ts';
import { type Script, scriptedWorld, type World } from './script.ts';

export const FINALITY = 3;

const trait = (coin: string) => ({
  coin,
  decimals: 8,
  minTxAmount: 1000n,
  refund: 'transaction' as const,
  watchers: true,
  finality: FINALITY,
  contract: null,
  secretHashBytes: 20 as const,
});

export const TRAITS: Traits = { maker: trait('DOC'), taker: trait('MARTY') };

export type Act = { readonly at: number; readonly leg: Leg; readonly op: string };

export type Drive = {
  readonly records: readonly NewRecord[];
  /** Types of the public events, in order. */
  readonly events: readonly string[];
  readonly reason: string | null;
  readonly error: string | null;
  /** Questions that were asked, with seconds after the swap's start. */
  readonly asked: readonly Act[];
  readonly commands: number;
  /** Seconds after the swap's start. */
  readonly end: number;
};

export type DriveOptions = {
  /** The process dies after this many commands, the last of which had its effect; or after this many appended batches. */
  readonly crashAfter?: { readonly commands: number } | { readonly appends: number };
  /** Seconds after the swap's start at which the message comes in. */
  readonly from?: number;
};

const STEP = 40;
const MOST_COMMANDS = 20_000;

/** Runs a watch against a script until it stops, and holds every act against the rules of a watcher. */
export function drive(watch: Watch, script: Script, { crashAfter, from = 400 }: DriveOptions = {}): Drive {
  const world = scriptedWorld(script, watch);
  const start = watch.swap_started_at;
  const records: NewRecord[] = [];
  const asked: Act[] = [];
  const looks: Record<Leg, number> = { maker: 0, taker: 0 };
  let now = millisOf((start + from) * 1000);
  let runner = fresh(watch, records);
  receive(runner, { kind: 'watcher', watch });
  let appends = 0;
  for (let commands = 1; commands <= MOST_COMMANDS; commands += 1) {
    const command = decideWatcher(runner, now);
    const dies = crashAfter !== undefined && 'commands' in crashAfter && crashAfter.commands === commands;
    if (command.kind === 'done') return summary({ records, asked, commands, end: (now - start * 1000) / 1000 });
    if (command.kind === 'wait') {
      if (command.until === NEVER) throw new Error('the watcher waits for ever');
      if (command.until <= now) throw new Error('the watcher waits for the past');
      now = command.until;
    } else if (command.kind === 'append') {
      const batch = recordsOf(runner, command.events, now);
      records.push(...batch);
      applyRecords(runner, batch);
      checkInvariants(runner);
      appends += 1;
    } else if (command.kind === 'send') {
      sent(runner as never, { message: command.message, now });
    } else {
      checkAct(command, { watch, records, world, looks, now });
      asked.push({ at: (now - start * 1000) / 1000, leg: command.leg, op: command.question.op });
      const result = world.answer(command, now);
      if (command.question.op === 'payment' || command.question.op === 'transaction') looks[command.leg] = now;
      if (!dies) absorb(runner, command, { result, now });
    }
    const reached = crashAfter !== undefined && 'appends' in crashAfter && crashAfter.appends === appends;
    if (dies || (reached && command.kind === 'append')) runner = fresh(watch, records);
    now = (now + STEP) as Millis;
  }
  throw new Error('the watcher does not come to an end');
}

function fresh(watch: Watch, records: readonly NewRecord[]): WatcherRunner {
  const runner = createWatcherRunner({ uuid: watch.uuid, traits: TRAITS, policy: DEFAULT_POLICY });
  applyRecords(runner, stored(records));
  // A taker repeats its message; whatever comes again while a watch goes on changes nothing.
  receive(runner, { kind: 'watcher', watch });
  return runner;
}

/** As a log gives records back: through their payload schemas. */
function stored(records: readonly NewRecord[]): readonly NewRecord[] {
  return records.map((record) => {
    if (isJournalType(record.type)) return structuredClone(record);
    return { ...record, data: watcherPayloads[record.type as WatcherEventType].parse(structuredClone(record.data)) };
  });
}

function checkInvariants(runner: WatcherRunner): void {
  const state = watcherStateOf(runner);
  const broken = watcherInvariants.filter(({ holds }) => !holds(state, runner.position.context)).map(({ id }) => id);
  if (broken.length > 0) throw new Error(`${broken.join(', ')} broken in ${state}`);
}

type Place = {
  readonly watch: Watch;
  readonly records: readonly NewRecord[];
  readonly world: World;
  readonly looks: Readonly<Record<Leg, number>>;
  readonly now: number;
};

/** Append before act; look before act; never a claim before the taker's time is over; never a refund beside the secret. */
function checkAct({ leg, question }: Extract<Command, { kind: 'ask' }>, place: Place): void {
  if (question.op !== 'broadcast') return;
  const { watch, records, world, looks, now } = place;
  const seconds = now / 1000 - watch.swap_started_at;
  const noted = (type: string) =>
    records.some(({ type: seen, data }) => {
      if (seen !== type) return false;
      const { tx, tx_hash } = data as { readonly tx?: { readonly tx_hash: string }; readonly tx_hash?: string };
      return (tx?.tx_hash ?? tx_hash) === question.transaction.tx_hash;
    });
  if (!noted('TransactionPrepared') || !noted('BroadcastAttempted')) throw new Error('acts before the log knows of it');
  if (now - looks[leg] > 10_000) throw new Error('acts on an old look');
  const spendKnown = records.some(({ type }) => type === 'TakerPaymentSpendFound');
  if (leg === 'taker' && (spendKnown || world.spendOf('taker')?.how === 'secret')) {
    throw new Error('refunds what the maker has taken');
  }
  if (leg === 'taker' && seconds <= watch.lock_duration * 1.5) throw new Error('refunds before its time');
  if (leg === 'taker' && !world.isRefundable('taker', now)) throw new Error('refunds before the chain permits it');
  if (leg === 'maker' && !spendKnown) throw new Error('claims without the secret');
  if (leg === 'maker' && seconds < watch.lock_duration) throw new Error('claims in the time of the taker');
}

function summary({ records, ...rest }: Pick<Drive, 'records' | 'asked' | 'commands' | 'end'>): Drive {
  const events = records.filter(({ type }) => !isJournalType(type)).map(({ type }) => type);
  const last = records.at(-1);
  const { reason = null, error = null } = (last?.type === 'Stopped' ? last.data : {}) as Partial<
    Record<string, string>
  >;
  return { records, events, reason, error, ...rest };
}
