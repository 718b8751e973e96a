import { sealStream } from '../../primitives/envelope.ts';
import { LosslessNumber } from '../../primitives/json.ts';
import type { Millis } from '../../primitives/time.ts';
import { called, numberOf, objectOf, textOf } from '../../sim/shape-check.ts';
import type { ContractCase } from './contract-case.ts';
import { append, collect, record, refuses, same, until } from './log/expect.ts';
import { logModel } from './log/model.ts';
import { queryCases } from './log/queries.ts';
import type { LogContractOptions, LogUnderTest } from './log/subject.ts';
import { subscriptionCases } from './log/subscriptions.ts';

type Body = (subject: LogUnderTest) => Promise<void>;

/**
 * What every event log must do: the rules L1 to L5 of the port. Run each case under any test runner:
 * `for (const { title, run } of eventLogContract({ name, open })) it(title, run)`.
 *
 * @throws MemberTypeError, MemberValueError for an option that there is not, or that cannot be meant.
 *
 * @example
 * ```ts
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { eventLogContract } from 'swapfold/testing';
 *
 * const broken: string[] = [];
 * const open = () => ({ log: createMemoryLog() });
 * const cases = eventLogContract({ name: 'memory', open, runs: 3 });
 * for (const { title, run } of cases) await run().catch(() => broken.push(title));
 * broken; // → []
 * eventLogContract({ name: 'memory', open, runs: 0 }); // throws MemberValueError
 * ```
 */
export function eventLogContract(options: LogContractOptions): readonly ContractCase[] {
  optionsCheck(options, 'options');
  const { name, open, runs = 40 } = options;
  const bodies: Readonly<Record<string, Body>> = {
    ...appendCases,
    ...streamCases,
    ...subscriptionCases,
    ...survivalCases,
    ...queryCases,
  };
  const cases = Object.entries(bodies).map(([title, body]) => ({
    title: `${name}: ${title}`,
    run: async () => {
      const subject = await open();
      try {
        await body(subject);
      } finally {
        await subject.dispose?.();
      }
    },
  }));
  const model = { title: `${name}: any order of operations does what the model does`, run: () => logModel(open, runs) };
  return [...cases, model];
}

const optionsCheck = objectOf(
  { name: textOf('a text', () => true), open: called },
  { runs: numberOf({ from: 1, whole: true }) },
);

const A = 'taker-swap/a';
const B = 'maker-swap/b';

const appendCases: Readonly<Record<string, Body>> = {
  'L1: append assigns the records their positions and seals': async ({ log }) => {
    const records = [record('Started', { b: 1, a: [null, 'ü'] }), { ...record('Negotiated', null), extra: { raw: 1 } }];
    const first = await log.append({ stream: A, expected: 0, records });
    const second = await log.append({ stream: A, expected: 2, records: [record('Finished')] });
    const placed = [...records, record('Finished')].map((given, seq) => ({ stream: A, seq, ...given }));
    same([...first, ...second], sealStream(placed), 'the envelopes');
    same(await log.read(A), sealStream(placed), 'what is read');
  },
  'L1: a batch with one invalid record writes nothing': async ({ log }) => {
    const bad = { ...record('Finished'), at: -1 as Millis };
    await refuses('LOG_RECORD_INVALID', () =>
      log.append({ stream: A, expected: 0, records: [record('Started'), bad] }),
    );
    await refuses('LOG_RECORD_INVALID', () => log.append({ stream: A, expected: 0, records: [] }));
    await refuses('LOG_RECORD_INVALID', () => append(log, ['no slash', 0], 'Started'));
    await refuses('LOG_RECORD_INVALID', () => append(log, [A, 0], 'line\nfeed'));
    await refuses('LOG_RECORD_INVALID', () => append(log, [A, 0.5], 'Started'));
    same(await log.read(A), [], 'the stream');
    same(await log.find({}), [], 'the streams');
  },
  'L2: a wrong expected length changes nothing': async ({ log }) => {
    await append(log, [A, 0], 'Started', 'Negotiated');
    const before = await log.read(A);
    for (const expected of [0, 1, 3]) {
      const error = await refuses('LOG_CONFLICT', () => append(log, [A, expected], 'Finished'));
      same((error as { actual?: unknown }).actual, 2, 'the length that the error names');
    }
    await refuses('LOG_CONFLICT', () => append(log, [B, 1], 'Started'));
    same(await log.read(A), before, 'the stream');
    same(await log.read(B), [], 'the other stream');
  },
  'L2: of many appends that expect the same length, one is written': async ({ log }) => {
    const tries = Array.from({ length: 20 }, async (_, index) => append(log, [A, 0], `Try${index}`));
    const settled = await Promise.allSettled(tries);
    same(settled.filter(({ status }) => status === 'fulfilled').length, 1, 'the number of winners');
    same((await log.read(A)).length, 1, 'the length of the stream');
  },
  'L1: all appends of one turn to many streams arrive': async ({ log }) => {
    const streams = Array.from({ length: 50 }, (_, index) => `taker-swap/${index}`);
    await Promise.all(
      streams.flatMap((stream) =>
        ['Started', 'Negotiated', 'Finished'].map((type, seq) => append(log, [stream, seq], type)),
      ),
    );
    for (const stream of streams) {
      same(
        (await log.read(stream)).map(({ type }) => type),
        ['Started', 'Negotiated', 'Finished'],
        stream,
      );
    }
  },
};

const streamCases: Readonly<Record<string, Body>> = {
  'L3: reading can start anywhere': async ({ log }) => {
    await append(log, [A, 0], 'One', 'Two', 'Three');
    await append(log, [B, 0], 'Other');
    const all = await log.read(A);
    for (const from of [0, 1, 2, 3, 9]) same(await log.read(A, from), all.slice(from), `from ${from}`);
    same(await log.read('taker-swap/unknown'), [], 'an unknown stream');
  },
  'L3: values are read back unchanged': async ({ log }) => {
    const values = [
      null,
      false,
      0,
      -1.5e-7,
      '',
      '\u0000\n"\\\u2028 ü 😀 \ud800',
      [],
      {},
      { '': [{ deep: [1, [2, [3]]] }] },
      new LosslessNumber('123456789012345678901234567890'),
      new LosslessNumber('1.10'),
      'x'.repeat(100_000),
    ];
    await log.append({ stream: A, expected: 0, records: values.map((value, index) => record(`T${index}`, value)) });
    same(
      (await log.read(A)).map(({ data }) => data),
      values,
      'the data',
    );
  },
  'L3: members beside an event are distinguished from none at all': async ({ log }) => {
    const records = [{ ...record('None') }, { ...record('Null'), extra: null }, { ...record('Some'), extra: { a: 1 } }];
    await log.append({ stream: A, expected: 0, records });
    same(
      (await log.read(A)).map((envelope) => ['extra' in envelope, envelope.extra ?? null]),
      [
        [false, null],
        [true, null],
        [true, { a: 1 }],
      ],
      'extra',
    );
  },
};

const survivalCases: Readonly<Record<string, Body>> = {
  'L1: what was appended is there after the log is reopened': async ({ log, reopen }) => {
    if (reopen === undefined) return;
    await append(log, [A, 0], 'One', 'Two');
    await log.append({
      stream: B,
      expected: 0,
      records: [record('Three')],
      labels: { outcome: 'completed', finished: true },
    });
    const before = [await log.read(A), await log.read(B), await log.find({})];
    const seen = collect(log, { after: 0 });
    await until(() => seen.seen.length === 3, 'three entries');
    const again = await reopen();
    same([await again.read(A), await again.read(B), await again.find({})], before, 'the log');
    const anew = collect(again, { after: 1 });
    await append(again, [A, 2], 'Four');
    await until(() => anew.seen.length >= 3, 'the entries after the first');
    same(anew.seen.slice(0, 2), seen.seen.slice(1), 'the entries and their positions');
  },
  'refuses everything after it was closed, and can be closed twice': async ({ log }) => {
    await append(log, [A, 0], 'One');
    const { seen } = collect(log, { after: Number.POSITIVE_INFINITY });
    await log.close();
    await log.close();
    await refuses('LOG_CLOSED', () => append(log, [A, 1], 'Two'));
    await refuses('LOG_CLOSED', () => log.read(A));
    await refuses('LOG_CLOSED', () => log.find({}));
    await refuses('LOG_CLOSED', () => collect(log, { after: 0 }));
    same(seen, [], 'what a subscriber received after the end');
  },
  'L5: a damaged stream is named and quarantined, and the others load': async ({ log, reopen, damage }) => {
    if (reopen === undefined || damage === undefined) return;
    await append(log, [A, 0], 'One', 'Two', 'Three');
    await append(log, [B, 0], 'Four', 'Five');
    const whole = await log.read(B);
    same(log.quarantined(), [], 'nothing is quarantined yet');
    await log.close();
    await damage(A, 1);
    const again = await reopen();
    same(
      again.quarantined().map(({ stream, seq }) => [stream, seq]),
      [[A, 1]],
      'the quarantined streams',
    );
    await refuses('LOG_DAMAGED', () => again.read(A));
    await refuses('LOG_DAMAGED', () => append(again, [A, 3], 'Six'));
    same(await again.read(B), whole, 'the other stream');
    same(
      (await again.find({})).map(({ stream }) => stream),
      [B],
      'the streams that are found',
    );
    const { seen } = collect(again, { after: 0 });
    await append(again, [B, 2], 'Seven');
    await until(() => seen.length >= 3, 'the entries of the other stream');
    same(
      seen.map(({ envelope }) => envelope.type),
      ['Four', 'Five', 'Seven'],
      'the entries',
    );
  },
};
