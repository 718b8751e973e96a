import { describe, expect, it } from 'vitest';
import type { EventLog, StreamLabels, StreamQuery } from '../../../src/ports/event-log.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { deferred, WAIT } from '../../support/scripted.ts';
import { scriptedRuntime } from '../../support/scripted-runtime.ts';

const DAY = 86_400_000;
const LONGEST = 31 * DAY;

type Stored = { readonly stream: string; readonly at: readonly number[]; readonly labels: StreamLabels };

/** A runtime at rest whose log holds streams, with their records so many milliseconds before now. */
function setUp(
  stored: readonly Stored[],
  given: { log?: (memory: EventLog) => Partial<EventLog>; loading?: number } = {},
) {
  const queries: StreamQuery[] = [];
  const { loading = 32 } = given;
  const made = scriptedRuntime({
    script: { decide: () => WAIT },
    log: (memory) => ({
      find: (query) => {
        queries.push(query);
        return memory.find(query);
      },
      ...given.log?.(memory),
    }),
    options: { policy: { loading } },
  });
  const now = made.clock.now();
  for (const { stream, at, labels } of stored) {
    const records = at.map((ago) => ({ at: (now - ago) as Millis, type: 'Begun', version: 1, data: null }));
    made.memory.append({ stream, expected: 0, records, labels });
  }
  return { ...made, queries, now };
}
const over = (stream: string, at: readonly number[], labels: StreamLabels = {}): Stored => ({
  stream,
  at,
  labels: { finished: true, ...labels },
});

describe('the streams driven after a restart', () => {
  const drivenOf = async (stored: readonly Stored[]) => {
    const made = setUp(stored);
    const { resumed } = await made.runtime.resumeAll();
    const names = (await made.runtime.list({ limit: 100 })).filter(({ runner }) => runner !== 'none');
    return { ...made, resumed, driven: names.map(({ stream }) => stream) };
  };

  it('are all unfinished ones, and those that ended within the time for which ends are watched', async () => {
    const { driven, resumed } = await drivenOf([
      { stream: 'scripted/open', at: [400 * DAY], labels: { finished: false } },
      over('scripted/now', [0]),
      over('scripted/day', [5 * DAY, DAY]),
      over('scripted/gone', [5 * DAY, DAY + 1]),
      over('scripted/long', [LONGEST + DAY, DAY]),
      over('scripted/longer', [LONGEST + DAY + 1, DAY]),
      { stream: 'other/open', at: [DAY], labels: { finished: false } },
    ]);
    expect(driven.toSorted()).toEqual(['scripted/day', 'scripted/long', 'scripted/now', 'scripted/open']);
    expect(resumed).toBe(4);
  });

  it('is searched for by its machine, and never before the beginning of time', async () => {
    const made = setUp([]);
    await made.runtime.resumeAll();
    expect(made.queries).toEqual([
      { machine: 'scripted', finished: false },
      { machine: 'scripted', finished: true, from: made.now - DAY - LONGEST },
      { machine: 'scripted', finished: true, outcome: 'funds-at-risk' },
      { machine: 'scripted', finished: true, outcome: 'lost' },
    ]);
    const early = scriptedRuntime({
      script: { decide: () => WAIT },
      log: (memory) => ({
        find: (query) => {
          if (query.from !== undefined) expect(query.from).toBe(0);
          return memory.find(query);
        },
      }),
      options: { policy: { guardFor: 10 ** 12 } },
    });
    expect(await early.runtime.resumeAll()).toEqual({ resumed: 0, failed: [], quarantined: [] });
  });

  it('counts coins at risk or lost that are no longer driven', async () => {
    const risky = { outcome: 'funds-at-risk', state: 'refundFailed' };
    const { told, driven } = await drivenOf([
      over('scripted/old', [5 * DAY, DAY + 1], risky),
      over('scripted/new', [DAY], risky),
      over('scripted/lost', [9 * DAY, 3 * DAY], { outcome: 'lost', state: 'finished' }),
      over('scripted/done', [5 * DAY], { outcome: 'completed' }),
    ]);
    expect(driven).toEqual(['scripted/new']);
    expect(told.moved.filter(([from]) => from === null)).toMatchObject([
      [null, { machine: 'scripted', state: 'refundFailed', outcome: 'funds-at-risk' }],
      [null, { machine: 'scripted', state: 'finished', outcome: 'lost' }],
      [null, { machine: 'scripted', state: 'Begun' }],
    ]);
  });
});

describe('streams that are loaded', () => {
  const open = (count: number): readonly Stored[] =>
    Array.from({ length: count }, (_, index) => ({
      stream: `scripted/${index}`,
      at: [0],
      labels: { finished: false },
    }));

  it('are a few at a time, and all in the end', async () => {
    const gates = Array.from({ length: 5 }, () => deferred<void>());
    const reading: string[] = [];
    const made = setUp(open(5), {
      loading: 2,
      log: (memory) => ({
        read: async (stream) => {
          reading.push(stream);
          await gates[reading.length - 1]?.promise;
          return memory.read(stream);
        },
      }),
    });
    const resumed = made.runtime.resumeAll();
    const counts: number[] = [];
    for (const gate of gates) {
      await made.clock.advance(0);
      counts.push(reading.length);
      gate.resolve();
    }
    expect(await resumed).toMatchObject({ resumed: 5 });
    expect(counts).toEqual([2, 3, 4, 5, 5]);
    expect(new Set(reading).size).toBe(5);
  });

  it('are not those that the log reports as damaged', async () => {
    const made = setUp(open(2), {
      log: () => ({ quarantined: () => [{ stream: 'scripted/1', seq: 0, why: 'seal' } as never] }),
    });
    expect(await made.runtime.resumeAll()).toEqual({ resumed: 1, failed: [], quarantined: ['scripted/1'] });
  });

  it('are left aside by a node that shuts down meanwhile', async () => {
    const gate = deferred<void>();
    const made = setUp(open(1), {
      log: (memory) => ({
        read: async (stream) => {
          await gate.promise;
          return memory.read(stream);
        },
      }),
    });
    const resumed = made.runtime.resumeAll();
    await made.clock.advance(0);
    const drained = made.runtime.drain();
    gate.resolve();
    await resumed;
    await made.clock.advance(1000);
    expect(await drained).toEqual({ clean: true, abandoned: 0 });
    expect(made.seen('scripted/0').decisions).toEqual([]);
  });
});
