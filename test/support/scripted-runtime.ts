import { createMemoryLog } from '../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { Answer } from '../../src/ports/chain.ts';
import type { AppendBatch, Awaitable, EventLog, NewRecord } from '../../src/ports/event-log.ts';
import type { LogFields } from '../../src/ports/logger.ts';
import type { Envelope } from '../../src/primitives/envelope.ts';
import type { Metrics } from '../../src/runtime/host/metrics.ts';
import { createRuntime, type RuntimeOptions } from '../../src/runtime/index.ts';
import type { Drivable, DrivableInputs, DrivableKind } from '../../src/runtime/loop/drivable.ts';
import { GOOD, type Script, type Seen, scriptedChain, scriptedKind } from './scripted.ts';
import { UUID } from './swap-pair.ts';
import { virtualClock } from './virtual-clock.ts';

/** One line of the process's log. */
export type Line = { readonly level: 'info' | 'warn' | 'error'; readonly message: string; readonly fields: LogFields };

export type ScriptedRuntimeOptions = {
  readonly script: Script;
  readonly answer?: (op: string, coin: string) => Awaitable<Answer<unknown>>;
  /** What differs from the log in memory. */
  readonly log?: (memory: EventLog) => Partial<EventLog>;
  /** What differs in each runner. */
  readonly driven?: (driven: Drivable, inputs: DrivableInputs) => Partial<Drivable>;
  readonly machine?: string;
  /** Whether coins are active from the beginning. @defaultValue both */
  readonly active?: readonly ('DOC' | 'MARTY')[];
  readonly options?: Partial<RuntimeOptions>;
};

/** A runtime of scripted runners, with all that it told: the lines of its log and the calls of its metrics. */
export function scriptedRuntime(given: ScriptedRuntimeOptions) {
  const { script, answer = () => GOOD, machine, active = ['DOC', 'MARTY'] } = given;
  const clock = virtualClock();
  const memory = createMemoryLog();
  const log: EventLog = { ...memory, ...given.log?.(memory) };
  const chains = {
    DOC: scriptedChain('DOC', (op) => answer(op, 'DOC')),
    MARTY: scriptedChain('MARTY', (op) => answer(op, 'MARTY')),
  };
  const scripted = scriptedKind(script, machine);
  const kind: DrivableKind = {
    ...scripted.kind,
    create(stream, records, inputs) {
      const driven = scripted.kind.create(stream, records, inputs);
      return { ...driven, ...given.driven?.(driven, inputs) };
    },
  };
  const lines: Line[] = [];
  const line = (level: Line['level']) => (message: string, fields: LogFields) =>
    void lines.push({ level, message, fields });
  const told: { readonly [K in keyof Metrics]-?: Parameters<Required<Metrics>[K]>[] } = {
    asked: [],
    late: [],
    appended: [],
    decided: [],
    moved: [],
    runnerMoved: [],
    dropped: [],
  };
  const network = createInProcessNetwork();
  const runtime = createRuntime({
    log,
    clock,
    chains: active.map((coin) => chains[coin]),
    peers: network.peer('a1'.repeat(32)),
    kinds: [kind],
    logger: { info: line('info'), warn: line('warn'), error: line('error') },
    metrics: {
      asked: (...call) => void told.asked.push(call),
      late: (...call) => void told.late.push(call),
      appended: (...call) => void told.appended.push(call),
      decided: (...call) => void told.decided.push(call),
      moved: (...call) => void told.moved.push(call),
      runnerMoved: (...call) => void told.runnerMoved.push(call),
      dropped: (...call) => void told.dropped.push(call),
    },
    ...given.options,
  });
  const begin = (...streams: string[]) =>
    Promise.all(streams.map((stream) => runtime.startStream({ stream, events: [{ type: 'Begun', data: null }] })));
  const seen = (stream: string) => scripted.seen.get(stream) as Seen;
  const { made } = scripted;
  return {
    ...{ clock, memory, chains, runtime, network, lines, told, begin, seen, made },
    /** Lines other than those of good appends. */
    troubles: () => lines.filter(({ message }) => message !== 'appended'),
    /** Types of the records that the log holds of a stream. */
    stored: (stream: string) => (memory.read(stream) as readonly NewRecord[]).map(({ type }) => type),
    /** Status of the only stream. */
    standing: async () => (await runtime.list({}))[0],
  };
}

/** What an append of a log does. */
export type Append = (batch: AppendBatch, memory: EventLog) => Awaitable<readonly Envelope[]>;

/** A log that does this with each append but the first of a stream. */
export function appendingAs(append: Append): (memory: EventLog) => Partial<EventLog> {
  return (memory) => ({ append: (batch) => (batch.expected === 0 ? memory.append(batch) : append(batch, memory)) });
}

const STREAM = `taker-swap/${UUID}`;

/** A runtime of one swap whose log does what the test says with each append after the first. */
export async function begunWith(append: Append, given: ScriptedRuntimeOptions) {
  const made = scriptedRuntime({ machine: 'taker-swap', log: appendingAs(append), ...given });
  await made.begin(STREAM);
  return { ...made, stored: () => made.stored(STREAM) };
}
