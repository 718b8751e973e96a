import { describe, expect, it } from 'vitest';
import { LogConflictError } from '../../../../src/log/memory/index.ts';
import type { Answer } from '../../../../src/ports/chain.ts';
import type { AppendBatch } from '../../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { RuntimeError } from '../../../../src/runtime/index.ts';
import { appendOf, deferred, GOOD, QUOTE, type Script, type Seen, WAIT } from '../../../support/scripted.ts';
import { type Append, begunWith as setUp } from '../../../support/scripted-runtime.ts';
import { UUID } from '../../../support/swap-pair.ts';

const STREAM = `taker-swap/${UUID}`;
const NO_SPACE = Object.assign(new Error('/home/user/swaps.db'), { code: 'ENOSPC' });

const holds = (seen: Seen, type: string) => seen.records.some((record) => record.type === type);
const paysOnce: Script = { decide: (seen) => (holds(seen, 'Paid') ? WAIT : appendOf('Paid')) };
const plainly: Append = (batch, memory) => memory.append(batch);
const conflict = (batch: AppendBatch): never => {
  throw new LogConflictError({ stream: batch.stream, expected: batch.expected, actual: 7 });
};
const refusalOf = (action: Promise<unknown>): Promise<RuntimeError> =>
  action.then(
    () => expect.unreachable('it was not refused'),
    (error: RuntimeError) => error,
  );

describe('events that a runner decides', () => {
  it('are written after what it has read, with the labels that they lead to', async () => {
    const batches: AppendBatch[] = [];
    const { clock } = await setUp(
      (batch, memory) => {
        batches.push(batch);
        return memory.append(batch);
      },
      { script: paysOnce, driven: () => ({ preview: (records) => ({ state: `${records.length} more` }) }) },
    );
    await clock.advance(0);
    expect(batches).toEqual([
      {
        stream: STREAM,
        expected: 1,
        records: [{ at: clock.now(), type: 'Paid', version: 1, data: null }],
        labels: { state: '1 more' },
      },
    ]);
  });

  it('are reported once durable: which, how many there are now, and how long it took', async () => {
    const gate = deferred<void>();
    const { clock, lines, told, runtime, standing } = await setUp(
      async (batch, memory) => {
        await gate.promise;
        return memory.append(batch);
      },
      {
        script: {
          decide: (seen) =>
            holds(seen, 'Paid')
              ? WAIT
              : { kind: 'append', events: ['Paid', 'Told'].map((type) => ({ type, data: null })) },
        },
      },
    );
    await clock.advance(2500);
    expect(lines).toEqual([]);
    expect(runtime.sizes().underWay).toBe(1);
    expect(await standing()).toMatchObject({ runner: 'running', waiting: { for: 'log' } });
    gate.resolve();
    await clock.advance(0);
    expect(lines).toEqual([
      { level: 'info', message: 'appended', fields: { stream: STREAM, types: 'Paid Told', length: 3 } },
    ]);
    expect(told.appended.slice(1)).toEqual([[{ seconds: 2.5, records: 2, ok: true }]]);
    expect(told.moved.slice(1)).toMatchObject([[{ state: 'Begun' }, { state: 'Told' }]]);
    expect(runtime.sizes().underWay).toBe(0);
    expect(await standing()).toMatchObject({ runner: 'waiting', state: 'Told' });
  });
});

describe('events that are durable', () => {
  it('that cannot be applied after all stop the runner, and are in the log', async () => {
    const { clock, stored, standing, runtime, lines } = await setUp(plainly, {
      script: {
        ...paysOnce,
        apply: ({ type }) => {
          if (type === 'Paid') throw new TypeError('a fault');
        },
      },
    });
    await clock.advance(0);
    expect(stored()).toEqual(['Begun', 'Paid']);
    expect(await standing()).toMatchObject({ runner: 'failed', error: { code: 'RUNNER_FAILED' } });
    expect(lines.map(({ message }) => message)).toEqual(['runner stopped']);
    expect(runtime.sizes().underWay).toBe(0);
  });
});

it('events that the fold would refuse are not written, and stop the runner', async () => {
  const { clock, stored, standing, lines, runtime } = await setUp((batch, memory) => memory.append(batch), {
    script: {
      ...paysOnce,
      preview: ([record]) => {
        if (record?.type === 'Paid') throw new RangeError('no such edge');
      },
    },
  });
  await clock.advance(0);
  expect(stored()).toEqual(['Begun']);
  expect(await standing()).toMatchObject({ runner: 'failed', error: { code: 'RUNNER_FAILED' } });
  expect(lines.map(({ message }) => message)).toEqual(['runner stopped']);
  expect(runtime.sizes().underWay).toBe(0);
});

const amounts = (value: string) => ({ amounts: new Map([['DOC', value as DecimalText]]), fees: new Map() });
const holding = (type: string) => {
  const gate = deferred<void>();
  const previews: (number | undefined)[] = [];
  const made = setUp(
    async (batch, memory) => {
      await gate.promise;
      return memory.append(batch);
    },
    {
      script: { decide: (seen) => (holds(seen, type) ? WAIT : appendOf(type)) },
      driven: () => ({
        holds: (coming) => {
          previews.push(coming?.length);
          return amounts(coming === undefined ? '1' : '5');
        },
      }),
    },
  );
  return { made, gate, previews };
};

describe('H1: what a swap holds of the wallets', () => {
  it('is counted before its start is written, and again once it is', async () => {
    const { made, gate, previews } = holding('Started');
    const { clock, runtime } = await made;
    await clock.advance(0);
    expect(previews).toEqual([undefined, 1]);
    expect(runtime.locked().get('DOC')).toBe('5');
    gate.resolve();
    await clock.advance(0);
    expect(previews).toEqual([undefined, 1, undefined]);
    expect(runtime.locked().get('DOC')).toBe('1');
  });

  it('is counted if the start is among other events, and not for a swap that holds nothing', async () => {
    const holding = (seen: Seen) => holds(seen, 'Started');
    const script: Script = {
      decide: (seen) =>
        holding(seen) ? WAIT : { kind: 'append', events: ['Asked', 'Started'].map((type) => ({ type, data: null })) },
    };
    const asked: (number | undefined)[] = [];
    const driven = () => ({
      holds: (coming?: readonly unknown[]) => {
        asked.push(coming?.length);
        return amounts('1');
      },
    });
    const one = await setUp(plainly, { script, driven });
    await one.clock.advance(0);
    expect(asked).toEqual([undefined, 2, undefined]);
    const none = await setUp(plainly, { script });
    await none.clock.advance(0);
    expect(await none.standing()).toMatchObject({ runner: 'waiting', state: 'Started' });
    expect(none.runtime.locked().size).toBe(0);
  });

  it('is not counted ahead of any other event', async () => {
    const { made, gate, previews } = holding('Paid');
    const { clock } = await made;
    await clock.advance(0);
    expect(previews).toEqual([undefined]);
    gate.resolve();
    await clock.advance(0);
    expect(previews).toEqual([undefined, undefined]);
  });
});

describe('D3: an append that ends in an error', () => {
  it('is reported, and the stream is read again after a growing pause', async () => {
    const tries: number[] = [];
    const { clock, told, troubles, made, standing, runtime } = await setUp(
      (batch, memory) => {
        tries.push(0);
        return tries.length <= 3 ? Promise.reject(NO_SPACE) : memory.append(batch);
      },
      { script: paysOnce },
    );
    await clock.advance(0);
    expect(told.appended.slice(1)).toEqual([[{ seconds: 0, records: 1, ok: false }]]);
    expect(troubles()).toEqual([
      { level: 'warn', message: 'log unavailable', fields: { stream: STREAM, reason: 'Error ENOSPC', tries: 1 } },
    ]);
    expect(runtime.sizes().underWay).toBe(0);
    expect(await standing()).toMatchObject({ runner: 'waitingForLog', waiting: { until: clock.now() + 1000 } });
    await clock.advance(999);
    expect(made.count).toBe(1);
    await clock.advance(1);
    expect(made.count).toBe(2);
    // Reading it worked, so the next pause is the first one again.
    expect(troubles().map(({ fields }) => fields['tries'])).toEqual([1, 1]);
    await clock.advance(2000);
    expect(tries).toHaveLength(4);
    expect(await standing()).toMatchObject({ runner: 'waiting', state: 'Paid' });
  });

  it('is counted with the time that it took', async () => {
    const gate = deferred<never>();
    const { clock, told } = await setUp(() => gate.promise, { script: paysOnce });
    await clock.advance(2500);
    gate.reject(NO_SPACE);
    await clock.advance(0);
    expect(told.appended.slice(1)).toEqual([[{ seconds: 2.5, records: 1, ok: false }]]);
  });

  it('leaves the runner no question that was open beside it', async () => {
    const answer = deferred<Answer<unknown>>();
    const { clock, runtime, seen, chains } = await setUp(() => Promise.reject(NO_SPACE), {
      script: { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
      answer: () => answer.promise,
    });
    await clock.advance(0);
    const refusal = await refusalOf(runtime.pause(UUID));
    expect(refusal).toMatchObject({ code: 'LOG_UNAVAILABLE', facts: { stream: STREAM, reason: 'Error ENOSPC' } });
    expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { asking: 0, abandoned: 1 } } });
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(seen(STREAM).answers).toEqual([]);
    await clock.advance(1000);
    expect(chains.DOC.asked).toHaveLength(2);
  });
});

describe('an append after another one', () => {
  it('is reported, and decided again at once from what the log holds', async () => {
    let first = true;
    const { clock, troubles, told, made, stored } = await setUp(
      (batch, memory) => {
        if (!first) return memory.append(batch);
        first = false;
        return conflict(batch);
      },
      { script: paysOnce },
    );
    await clock.advance(0);
    expect(troubles()).toEqual([
      {
        level: 'warn',
        message: 'somebody else wrote to the stream',
        fields: { stream: STREAM, reason: 'LOG_CONFLICT' },
      },
    ]);
    expect(told.appended.slice(1)).toMatchObject([[{ ok: false }], [{ ok: true }]]);
    expect(made.count).toBe(2);
    expect(stored()).toEqual(['Begun', 'Paid']);
  });

  it('is built again at once five times in a row, then after a pause like any error of the log', async () => {
    let appends = 0;
    const { clock, troubles, standing } = await setUp(
      (batch) => {
        appends += 1;
        return conflict(batch);
      },
      { script: paysOnce },
    );
    await clock.advance(0);
    expect(appends).toBe(6);
    expect(troubles().map(({ message }) => message)).toEqual([
      ...Array(5).fill('somebody else wrote to the stream'),
      'log unavailable',
    ]);
    expect(await standing()).toMatchObject({ runner: 'waitingForLog' });
    await clock.advance(1000);
    expect(appends).toBe(7);
    expect(troubles().at(-1)).toMatchObject({ message: 'log unavailable', fields: { reason: 'LOG_CONFLICT' } });
  });
});

describe('a row of such appends', () => {
  it('is counted apart from other errors of the log', async () => {
    let appends = 0;
    const { clock, troubles } = await setUp(
      (batch) => {
        appends += 1;
        return appends === 1 ? Promise.reject(NO_SPACE) : conflict(batch);
      },
      { script: paysOnce },
    );
    await clock.advance(1000);
    expect(appends).toBe(7);
    expect(troubles().map(({ message }) => message)).toEqual([
      'log unavailable',
      ...Array(5).fill('somebody else wrote to the stream'),
      'log unavailable',
    ]);
  });

  it('counts from the beginning after one that succeeded', async () => {
    let appends = 0;
    const { clock, troubles, stored } = await setUp(
      (batch, memory) => {
        appends += 1;
        return appends % 5 === 0 ? memory.append(batch) : conflict(batch);
      },
      { script: { decide: ({ records }) => (records.length < 4 ? appendOf(`Step${records.length}`) : WAIT) } },
    );
    await clock.advance(0);
    expect(stored()).toEqual(['Begun', 'Step1', 'Step2', 'Step3']);
    expect(troubles()).toHaveLength(12);
    expect(troubles().every(({ message }) => message === 'somebody else wrote to the stream')).toBe(true);
  });
});

describe('a chain that is replaced while the stream is being written', () => {
  it('makes the loop rebuild the runner once, after the append, with what it wrote', async () => {
    const gate = deferred<void>();
    const { clock, runtime, chains, made, seen, stored } = await setUp(
      async (batch, memory) => {
        await gate.promise;
        return memory.append(batch);
      },
      { script: paysOnce },
    );
    await clock.advance(0);
    runtime.addChain(chains.DOC);
    runtime.addChain(chains.MARTY);
    const paused = runtime.pause(UUID);
    await clock.advance(1000);
    expect(made.count).toBe(1);
    gate.resolve();
    await clock.advance(1000);
    await paused;
    expect(made.count).toBe(2);
    expect(seen(STREAM).records.map(({ type }) => type)).toEqual(['Begun', 'Paid', 'OperatorActed']);
    await runtime.resume(UUID);
    expect(made.count).toBe(2);
    expect(stored()).toEqual(['Begun', 'Paid', 'OperatorActed', 'OperatorActed']);
  });

  it('does not cause a second read of the stream if the append failed', async () => {
    const gate = deferred<void>();
    const { clock, runtime, chains, made } = await setUp(
      async (batch, memory) => {
        await gate.promise;
        return batch.records.length > 0 && made.count === 1 ? Promise.reject(NO_SPACE) : memory.append(batch);
      },
      { script: paysOnce },
    );
    await clock.advance(0);
    runtime.addChain(chains.DOC);
    gate.resolve();
    await clock.advance(999);
    expect(made.count).toBe(1);
    await clock.advance(10_000);
    expect(made.count).toBe(2);
  });
});
