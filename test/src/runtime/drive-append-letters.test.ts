import { describe, expect, it } from 'vitest';
import { LogConflictError, LogDamagedError } from '../../../src/log/memory/index.ts';
import type { AppendBatch } from '../../../src/ports/event-log.ts';
import { SwapfoldError } from '../../../src/primitives/error.ts';
import type { RuntimeError } from '../../../src/runtime/index.ts';
import { appendOf, deferred, type Script, WAIT } from '../../support/scripted.ts';
import { type Append, scriptedRuntime, begunWith as setUp } from '../../support/scripted-runtime.ts';
import { UUID } from '../../support/swap-pair.ts';

const STREAM = `taker-swap/${UUID}`;
const NO_SPACE = Object.assign(new Error('/home/user/swaps.db'), { code: 'ENOSPC' });

const rests: Script = { decide: () => WAIT };
const plainly: Append = (batch, memory) => memory.append(batch);
const conflict = (batch: AppendBatch): never => {
  throw new LogConflictError({ stream: batch.stream, expected: batch.expected, actual: 7 });
};
const refusalOf = (action: Promise<unknown>): Promise<RuntimeError> =>
  action.then(
    () => expect.unreachable('it was not refused'),
    (error: RuntimeError) => error,
  );

describe('what somebody else wants in a stream', () => {
  it('is written again five times after others, then refused as for a log that cannot be relied on', async () => {
    let appends = 0;
    const { clock, runtime, stored, standing, troubles } = await setUp(
      (batch, memory) => {
        appends += 1;
        return appends <= 5 ? conflict(batch) : memory.append(batch);
      },
      { script: rests },
    );
    await clock.advance(0);
    await runtime.pause(UUID, 'why');
    await clock.advance(0);
    expect(appends).toBe(6);
    expect(stored()).toEqual(['Begun', 'OperatorActed']);
    expect(troubles()).toHaveLength(5);
    expect(await standing()).toMatchObject({ runner: 'waiting' });
    const always = await setUp(conflict, { script: rests });
    await always.clock.advance(0);
    const refusal = await refusalOf(always.runtime.pause(UUID));
    expect(refusal).toMatchObject({ code: 'LOG_UNAVAILABLE', facts: { stream: STREAM, reason: 'LOG_CONFLICT' } });
    expect(always.told.appended).toHaveLength(7);
  });

  it('makes a runner that rests, or that was woken meanwhile, decide again', async () => {
    const { clock, runtime, seen } = await setUp(plainly, { script: rests });
    await clock.advance(0);
    await runtime.pause(UUID);
    await clock.advance(0);
    expect(seen(STREAM).decisions).toHaveLength(2);
    const gate = deferred<void>();
    const slow = await setUp(
      async (batch, memory) => {
        await gate.promise;
        return memory.append(batch);
      },
      { script: rests },
    );
    await slow.clock.advance(0);
    const paused = slow.runtime.pause(UUID);
    await slow.clock.advance(0);
    slow.network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, { kind: 'negotiated', accepted: true });
    await slow.clock.advance(0);
    expect(slow.seen(STREAM).decisions).toHaveLength(1);
    gate.resolve();
    await paused;
    await slow.clock.advance(0);
    expect(slow.seen(STREAM).decisions).toHaveLength(2);
  });
});

describe('a request for a stream that the log refuses', () => {
  it('keeps its place before later requests', async () => {
    let first = true;
    const reasons: unknown[] = [];
    const { clock, runtime } = await setUp(
      (batch, memory) => {
        if (first) {
          first = false;
          return conflict(batch);
        }
        reasons.push(batch.records.map(({ data }) => data));
        return memory.append(batch);
      },
      { script: rests },
    );
    await clock.advance(0);
    await Promise.all(['one', 'two', 'three'].map((reason) => runtime.pause(UUID, reason)));
    expect(reasons).toEqual(['one', 'two', 'three'].map((reason) => [{ action: 'pause', reason }]));
  });

  it('is refused with the error of the log itself if that error has a meaning of its own', async () => {
    const damage = new LogDamagedError('The seal is wrong.', { stream: STREAM, next: 'Look at it.' });
    const tooLong = new SwapfoldError('too long', { code: 'LOG_RECORD_INVALID' });
    for (const [error, runner] of [
      [damage, 'waitingForLog'],
      [tooLong, 'failed'],
    ] as const) {
      const { clock, runtime, standing } = await setUp(() => Promise.reject(error), { script: rests });
      await clock.advance(0);
      expect(await refusalOf(runtime.pause(UUID))).toBe(error);
      // Writing the same again would be refused again.
      expect(await standing()).toMatchObject({ runner });
    }
  });
});

describe('a request for a stream that must be read again', () => {
  it('has it read at once, and is written after what it holds', async () => {
    for (const stores of [true, false]) {
      const steps: string[] = [];
      let failed = false;
      const made = scriptedRuntime({
        machine: 'taker-swap',
        script: { decide: ({ records }) => (records.length === 1 && !failed ? appendOf('Paid') : WAIT) },
        log: (memory) => ({
          append(batch) {
            if (batch.expected === 0) return memory.append(batch);
            const types = batch.records.map(({ type }) => type).join(' ');
            steps.push(`${types} at ${batch.expected}`);
            if (failed) return memory.append(batch);
            failed = true;
            if (stores) memory.append(batch);
            throw NO_SPACE;
          },
          read(stream) {
            steps.push('read');
            return memory.read(stream);
          },
        }),
      });
      await made.begin(STREAM);
      await made.clock.advance(0);
      expect(await made.standing()).toMatchObject({ runner: 'waitingForLog' });
      steps.length = 0;
      await made.runtime.pause(UUID);
      expect(steps).toEqual(['read', `OperatorActed at ${stores ? 2 : 1}`]);
      expect(made.stored(STREAM)).toEqual(['Begun', ...(stores ? ['Paid'] : []), 'OperatorActed']);
      expect(made.seen(STREAM).records).toHaveLength(stores ? 3 : 2);
    }
  });
});

describe('a request for a stream on which the runner fails', () => {
  it('that the fold would refuse is not written, stops the runner, and is refused with the same error', async () => {
    const { clock, runtime, stored, standing } = await setUp(plainly, {
      script: {
        ...rests,
        preview: ([record]) => {
          if (record?.type === 'OperatorActed') throw new RangeError('no such edge');
        },
      },
    });
    await clock.advance(0);
    const refusal = await refusalOf(runtime.pause(UUID));
    expect(refusal.code).toBe('RUNNER_FAILED');
    expect((await standing())?.error).toBe(refusal);
    expect(stored()).toEqual(['Begun']);
    expect(runtime.sizes().underWay).toBe(0);
  });

  it('counts as done once it is in the log, even if it is the last thing that the runner does', async () => {
    const { clock, runtime, stored, standing } = await setUp(plainly, {
      script: {
        ...rests,
        apply: ({ type }) => {
          if (type === 'OperatorActed') throw new TypeError('a fault');
        },
      },
    });
    await clock.advance(0);
    await runtime.pause(UUID);
    expect(stored()).toEqual(['Begun', 'OperatorActed']);
    expect(await standing()).toMatchObject({ runner: 'failed' });
  });
});

describe('a runner that stops while its stream is being written', () => {
  const stopped = async (end: (gate: ReturnType<typeof deferred<void>>) => void) => {
    const gate = deferred<void>();
    const made = await setUp(
      async (batch, memory) => {
        await gate.promise;
        return memory.append(batch);
      },
      {
        script: {
          ...rests,
          receive: () => {
            throw new TypeError('a fault');
          },
        },
      },
    );
    await made.clock.advance(0);
    const results = [runtime(made).pause(UUID, 'one'), runtime(made).pause(UUID, 'two')].map((result) =>
      result.then(
        () => 'written',
        ({ code }: RuntimeError) => code,
      ),
    );
    await made.clock.advance(0);
    made.network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, { kind: 'negotiated', accepted: true });
    await made.clock.advance(0);
    expect(await made.standing()).toMatchObject({ runner: 'failed' });
    end(gate);
    await made.clock.advance(0);
    return { ...made, results: await Promise.all(results) };
  };
  const runtime = ({ runtime: made }: { runtime: ReturnType<typeof scriptedRuntime>['runtime'] }) => made;

  it('refuses what waits behind it, and continues from its result', async () => {
    const { results, standing, clock, runtime: made } = await stopped((gate) => gate.resolve());
    expect(results).toEqual(['written', 'RUNNER_FAILED']);
    await clock.advance(60_000);
    expect(await standing()).toMatchObject({ runner: 'waiting', state: 'OperatorActed', error: null });
    expect(made.sizes().underWay).toBe(0);
  });

  it('stays stopped if that was an error, until its pause is over', async () => {
    const { results, standing, clock, runtime: made } = await stopped((gate) => gate.reject(NO_SPACE));
    expect(results).toEqual(['LOG_UNAVAILABLE', 'RUNNER_FAILED']);
    expect(made.sizes().underWay).toBe(0);
    await clock.advance(59_999);
    expect(await standing()).toMatchObject({ runner: 'failed' });
    await clock.advance(1);
    expect(await standing()).toMatchObject({ runner: 'waiting', state: 'Begun', error: null });
  });
});
