import { describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../../machines/definition.ts';
import type { EdgeMeta } from '../../../machines/graph.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { compile } from '../../../src/replay/compile.ts';
import { type ReplayOptions, startReplay } from '../../../src/replay/session.ts';
import { happening, smallMachine, to } from '../../support/small-machine.ts';

const LEGACY: EdgeMeta = { origin: ['legacy'], before: '2020-02' };
/** A year after the month in which the order ended: nodes are updated late. */
const NO_LONGER = Date.parse('2020-02-01T00:00:00Z') + 365 * 86_400_000;

const machine = () =>
  compile(
    smallMachine({
      events: ['Go', 'Old', 'Own', 'Both', 'Undated', 'Split', 'End'],
      states: {
        start: { on: { Go: to('going', 'Go', { origin: ['live'] }), Split: to('start', 'Split') } },
        going: {
          on: {
            Old: to('old', 'Old', LEGACY),
            Own: to('own', 'Own', { origin: ['engine'] }),
            Both: to('going', 'Both', { origin: ['legacy', 'live'], before: '2020-02' }),
            Undated: to('going', 'Undated', { origin: ['legacy'] }),
            Split: to('going', 'Split'),
          },
        },
        old: { on: { End: to('done', 'End'), Old: to('old', 'Old', { origin: ['live'] }) } },
        own: { on: { End: to('done', 'End') } },
        dead: {},
        done: { type: 'final' },
      },
    }),
  );

function replay(events: readonly MachineEvent[], options?: ReplayOptions) {
  const session = startReplay(machine(), options);
  for (const event of events) session.push(event);
  const { state, context, seq } = session.position();
  expect(seq).toBe(events.length);
  expect(session.types).toEqual(events.map(({ type }) => type));
  return { state, taken: context.taken, anomalies: session.anomalies };
}
const codes = (types: readonly string[], start = 0, options: ReplayOptions = {}) =>
  replay(happening(types, start), options).anomalies.map(({ seq, code }) => `${code} at ${seq}`);

describe('an event that its state cannot accept', () => {
  it('is reported, and the replay continues from where an event of that type leads', () => {
    const { state, taken, anomalies } = replay(happening(['Old', 'End']));
    expect({ state, taken }).toEqual({ state: 'done', taken: ['Old', 'End'] });
    expect(anomalies).toEqual([
      {
        seq: 0,
        code: 'ILLEGAL_EVENT',
        severity: 'fault',
        message: 'Old cannot follow the beginning; Go or Split may.',
        expected: ['Go', 'Split'],
        found: 'Old',
        repair: 'restore the missing Go before Old at 0',
      },
    ]);
  });

  it('is ignored if its type may lead to several states, or leads to the current one', () => {
    expect(replay(happening(['Go', 'Own', 'Split', 'End']))).toMatchObject({
      state: 'done',
      taken: ['Go', 'Own', 'End'],
      anomalies: [{ code: 'ENGINE_ORDER' }, { code: 'ILLEGAL_EVENT', seq: 2 }],
    });
    expect(replay(happening(['Go', 'Own', 'Go', 'Go']))).toMatchObject({ state: 'going', taken: ['Go', 'Own', 'Go'] });
  });

  it('may lead back to the start of the machine', () => {
    const states = {
      start: { on: { Go: to('going', 'Go') } },
      going: {},
      other: { on: { Back: to('start', 'Back') } },
    };
    const session = startReplay(compile(smallMachine({ events: ['Go', 'Back'], states })));
    for (const event of happening(['Go', 'Back', 'Go'])) session.push(event);
    expect(session.position()).toMatchObject({ state: 'going', context: { taken: ['Go', 'Back', 'Go'] } });
  });

  it('occurs twice in a row', () => {
    expect(replay(happening(['Go', 'Old', 'End'])).anomalies).toEqual([]);
    expect(replay(happening(['Go', 'Go'])).anomalies).toEqual([
      {
        seq: 1,
        code: 'DUPLICATE_EVENT',
        severity: 'fault',
        message: 'Go stands twice in a row; after it Old or Own or Both or Undated or Split may follow.',
        expected: ['Old', 'Own', 'Both', 'Undated', 'Split'],
        found: 'Go',
        repair: 'remove the Go at 1',
      },
    ]);
  });

  it('comes after the end, and then changes nothing', () => {
    const { state, taken, anomalies } = replay(happening(['Go', 'Old', 'End', 'Go', 'End']));
    expect({ state, taken }).toEqual({ state: 'done', taken: ['Go', 'Old', 'End'] });
    expect(anomalies[0]).toEqual({
      seq: 3,
      code: 'EVENT_AFTER_FINISHED',
      severity: 'fault',
      message: 'Go comes after the end of the swap; nothing may follow.',
      expected: [],
      found: 'Go',
      repair: 'remove Go at 3, or the earlier end',
    });
    expect(anomalies[1]?.code).toBe('EVENT_AFTER_FINISHED');
  });

  it('is of a type that nobody knows, and then changes nothing', () => {
    const { taken, anomalies } = replay(happening(['New', 'Go']));
    expect(taken).toEqual(['Go']);
    expect(anomalies).toEqual([
      {
        seq: 0,
        code: 'UNKNOWN_EVENT',
        severity: 'notice',
        message: 'New is not an event that this version knows; it was kept and changed nothing.',
        expected: ['Go', 'Split'],
        found: 'New',
      },
    ]);
  });

  it('may come where nothing may follow at all', () => {
    const dead = compile(
      smallMachine({ events: ['Go'], states: { dead: {}, other: { on: { Go: to('dead', 'Go') } } } }),
    );
    const session = startReplay(dead);
    for (const event of happening(['Go'])) session.push(event);
    expect(session.anomalies[0]?.message).toBe('Go cannot follow the beginning; nothing may.');
  });
});

describe('an order that only older releases stored', () => {
  it('is noted from a year after the month in which it ended', () => {
    expect(codes(['Go', 'Old'], NO_LONGER - 1001)).toEqual([]);
    expect(replay(happening(['Go', 'Old'], NO_LONGER - 1000)).anomalies).toEqual([
      {
        seq: 1,
        code: 'LEGACY_ORDER',
        severity: 'notice',
        message: 'Old at this place is legal only for a log older than 2020-02, but the event is younger.',
        found: 'Old',
      },
    ]);
  });

  it('is not noted if the real node still stores it, or nobody knows when it ended', () => {
    expect(codes(['Go', 'Both', 'Undated'], NO_LONGER)).toEqual([]);
    expect(codes(['Go', 'Old', 'Old'], NO_LONGER)).toEqual(['LEGACY_ORDER at 1']);
  });
});

describe('an order of this engine', () => {
  it('is noted until the log is known to be its own', () => {
    expect(codes(['Go', 'Own'])).toEqual(['ENGINE_ORDER at 1']);
    expect(codes(['Go', 'Own'], 0, { ownLog: true })).toEqual([]);
    const session = startReplay(machine());
    session.pushOwn({ type: 'DeadlineReached', at: 0 as Millis, data: { kind: 'fee', clock: 'host' } });
    for (const event of happening(['Go', 'Own'])) session.push(event);
    expect(session.anomalies).toEqual([]);
  });

  it('is not what an illegal event is taken for', () => {
    expect(codes(['Own'])).toEqual(['ILLEGAL_EVENT at 0']);
  });
});

describe('a timestamp', () => {
  it('may be that of the event before it, but not earlier than any', () => {
    const at = (type: string, time: number): MachineEvent => ({ type, at: time as Millis, data: null });
    expect(replay([at('Go', 5000), at('Old', 5000)]).anomalies).toEqual([]);
    expect(replay([at('Go', 5000), at('Old', 2000), at('End', 4999)]).anomalies).toEqual([
      {
        seq: 1,
        code: 'TIME_BACKWARDS',
        severity: 'notice',
        message: 'Old has a timestamp 3000 ms before an earlier event.',
        found: '2000',
        expected: ['at least 5000'],
      },
      expect.objectContaining({ seq: 2, expected: ['at least 5000'] }),
    ]);
  });
});
