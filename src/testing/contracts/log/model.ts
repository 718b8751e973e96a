import type { Awaitable, EventLog, LogEntry, NewRecord } from '../../../ports/event-log.ts';
import { type Envelope, GENESIS_HASH, sealStream } from '../../../primitives/envelope.ts';
import type { Millis } from '../../../primitives/time.ts';
import { type Arbitrary, fc, withFastCheck } from '../../drawn/fast-check.ts';
import { collect, refuses, same, until } from './expect.ts';
import type { LogUnderTest } from './subject.ts';

type Operation =
  | { readonly kind: 'append'; readonly turn: readonly PlannedAppend[] }
  | { readonly kind: 'read'; readonly stream: number; readonly from: number }
  | { readonly kind: 'subscribe'; readonly share: number; readonly stream: number | null }
  | { readonly kind: 'reopen' };

/** `off` is what the writer's count is wrong by. */
type PlannedAppend = { readonly stream: number; readonly off: number; readonly values: readonly string[] };

const STREAMS = ['taker-swap/a', 'maker-swap/b', 'taker-swap/c'] as const;

const stream = withFastCheck(() => fc.nat(STREAMS.length - 1));
const plannedAppend: Arbitrary<PlannedAppend> = withFastCheck(() =>
  fc.record({
    stream,
    off: fc.constantFrom(0, 0, 0, 0, 1, -1, 7),
    values: fc.array(fc.string({ unit: 'grapheme', maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  }),
);
const operation: Arbitrary<Operation> = withFastCheck(() =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('append' as const),
        turn: fc.array(plannedAppend, { minLength: 1, maxLength: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), stream, from: fc.nat(6) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('subscribe' as const), share: fc.nat(100), stream: fc.option(stream) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  ),
);

/** A subscription, which is taken up again when the log is; each time adds a list of what it gets. */
type Watched = { readonly stream: number | null; readonly after: number; readonly seen: LogEntry[][] };

/** Everything that has been acknowledged. */
type Model = { readonly streams: readonly Envelope[][]; readonly watched: Watched[] };

/** Runs random operations against a log and a model of it, and compares all that can be seen of both. */
export async function logModel(open: () => Awaitable<LogUnderTest>, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 20 }), async (operations) => {
      const subject = await open();
      try {
        await runAll(subject, operations);
      } finally {
        await subject.dispose?.();
      }
    }),
    { numRuns: runs },
  );
}

async function runAll(subject: LogUnderTest, operations: readonly Operation[]): Promise<void> {
  const model: Model = { streams: STREAMS.map(() => []), watched: [] };
  let { log } = subject;
  for (const step of operations) {
    if (step.kind === 'append') await appendTurn(log, model, step.turn);
    else if (step.kind === 'read') await compareRead(log, model, step);
    else if (step.kind === 'subscribe') watch(log, model, step);
    else if (subject.reopen !== undefined) {
      log = await subject.reopen();
      resume(log, model);
    }
  }
  await compareAll(log, model);
}

/** Appends without waiting in between, as many callers do. */
async function appendTurn(log: EventLog, model: Model, turn: readonly PlannedAppend[]): Promise<void> {
  const running = turn.map(({ stream: index, off, values }) => {
    const held = model.streams[index] as Envelope[];
    const expected = Math.max(0, held.length + off);
    const records = values.map(
      (value, at): NewRecord => ({ at: at as Millis, type: 'Said', version: 1, data: { value } }),
    );
    const answer = (async () => log.append({ stream: STREAMS[index] as string, expected, records }))();
    if (expected !== held.length) return refuses('LOG_CONFLICT', () => answer);
    const named = records.map((given, at) => ({ stream: STREAMS[index] as string, seq: expected + at, ...given }));
    const sealed = sealStream(named, held.at(-1)?.hash ?? GENESIS_HASH);
    held.push(...sealed);
    return answer.then((given) => same(given, sealed, 'the answer to an append'));
  });
  await Promise.all(running);
}

async function compareRead(
  log: EventLog,
  { streams }: Model,
  step: { readonly stream: number; readonly from: number },
) {
  const expected = (streams[step.stream] as Envelope[]).slice(step.from);
  same(await log.read(STREAMS[step.stream] as string, step.from), expected, 'what is read');
}

/** Subscribes after an entry whose position someone has seen. */
function watch(log: EventLog, model: Model, step: { readonly share: number; readonly stream: number | null }): void {
  const known = model.watched.flatMap(({ seen }) => seen.flat().map(({ position }) => position));
  const after = known.length === 0 ? 0 : (known[Math.floor((step.share / 101) * known.length)] as number);
  model.watched.push({ stream: step.stream, after, seen: [collectFrom(log, step.stream, after)] });
}

/** Takes up every subscription where it stood when the log was closed. */
function resume(log: EventLog, { watched }: Model): void {
  for (const { stream: index, after, seen } of watched) {
    seen.push(collectFrom(log, index, seen.flat().at(-1)?.position ?? after));
  }
}

function collectFrom(log: EventLog, index: number | null, after: number): LogEntry[] {
  return collect(log, index === null ? { after } : { after, stream: STREAMS[index] as string }).seen;
}

async function compareAll(log: EventLog, { streams, watched }: Model): Promise<void> {
  const total = streams.flat().length;
  const { seen: all } = collect(log, { after: 0 });
  await until(() => all.length >= total, 'all entries');
  same(all.length, total, 'the number of entries');
  for (const [index, name] of STREAMS.entries()) {
    const ofOne = all.map(({ envelope }) => envelope).filter((envelope) => envelope.stream === name);
    same(ofOne, streams[index], `the entries of ${name}`);
  }
  for (const { stream: index, after, seen } of watched) {
    const name = index === null ? undefined : STREAMS[index];
    const due = all.filter(
      ({ position, envelope }) => position > after && (name ?? envelope.stream) === envelope.stream,
    );
    await until(() => seen.flat().length >= due.length, 'the entries of a subscriber');
    same(seen.flat(), due, 'the entries of a subscriber');
  }
  const found = (await log.find({})).map(({ stream: name, length }) => [name, length]);
  const held = STREAMS.map((name, index) => [name, (streams[index] as Envelope[]).length] as const);
  same(found.toSorted(), held.filter(([, length]) => length > 0).toSorted(), 'the streams');
}
