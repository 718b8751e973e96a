import { describe, expect, it } from 'vitest';
import type { SwapStanding } from '../../../../src/runtime/host/metrics.ts';
import {
  about,
  type Engine,
  noteStanding,
  noteUndriven,
  setMode,
  setModeUntil,
} from '../../../../src/runtime/loop/engine.ts';
import { createSlot, type Mode, type Slot, statusOf } from '../../../../src/runtime/loop/slot.ts';

const STREAM = 'taker-swap/1';

function setUp() {
  const moved: [SwapStanding | null, SwapStanding | null][] = [];
  const runners: unknown[] = [];
  const turns: unknown[] = [];
  const engine = {
    metrics: {
      moved: (...call: [SwapStanding | null, SwapStanding | null]) => void moved.push(call),
      runnerMoved: (...call: unknown[]) => void runners.push(call),
    },
    scheduler: {
      soon: (id: number) => void turns.push(['soon', id]),
      at: (id: number, at: number) => void turns.push(['at', id, at]),
      never: (id: number) => void turns.push(['never', id]),
    },
    slots: new Map<string, Slot>(),
    atRisk: new Map<string, SwapStanding>(),
  } as unknown as Engine;
  const slot = createSlot(4, STREAM, { machine: 'taker-swap' } as never);
  const stands = (state: string, outcome: string) => {
    slot.driven = { look: () => ({ state, outcome }) } as never;
  };
  return { engine, slot, moved, runners, turns, stands };
}
const standing = (state: string, outcome: string): SwapStanding => ({ machine: 'taker-swap', state, outcome });

describe('a slot that moves to another mode', () => {
  it('is counted by what its runner is doing, and only where that changes', () => {
    const { engine, slot, runners } = setUp();
    for (const mode of [
      'loading',
      'ready',
      'queued',
      'asking',
      'appending',
      'sending',
      'waiting',
      'dormant',
    ] as const) {
      setMode(engine, slot, mode);
    }
    for (const mode of ['reloading', 'loading', 'failed', 'gone'] as const) setMode(engine, slot, mode);
    expect(runners).toEqual([
      [null, 'waitingForLog'],
      ['waitingForLog', 'running'],
      ['running', 'waiting'],
      ['waiting', 'waitingForCoin'],
      ['waitingForCoin', 'waitingForLog'],
      ['waitingForLog', 'failed'],
      ['failed', null],
    ]);
    expect(slot).toMatchObject({ mode: 'gone', status: null });
  });

  it('is given its turn when it is ready, and in no other mode', () => {
    const { engine, slot, turns } = setUp();
    const modes: readonly Mode[] = ['loading', 'dormant', 'waiting', 'failed', 'gone', 'asking', 'appending'];
    for (const mode of modes) setMode(engine, slot, mode);
    expect(turns).toEqual([]);
    setMode(engine, slot, 'ready');
    expect(turns).toEqual([['soon', 4]]);
  });

  it('has a moment for which it is woken, or none', () => {
    const { engine, slot, turns } = setUp();
    setModeUntil(engine, slot, { mode: 'waiting', until: 900 });
    expect(slot).toMatchObject({ mode: 'waiting', until: 900 });
    setMode(engine, slot, 'asking');
    expect(slot.until).toBe(Number.POSITIVE_INFINITY);
    setModeUntil(engine, slot, { mode: 'waiting', until: Number.MAX_SAFE_INTEGER });
    setModeUntil(engine, slot, { mode: 'failed', until: Number.MAX_SAFE_INTEGER - 1 });
    expect(turns).toEqual([
      ['at', 4, 900],
      ['never', 4],
      ['at', 4, Number.MAX_SAFE_INTEGER - 1],
    ]);
  });

  it('has a status in every mode but the last', () => {
    expect(statusOf('gone')).toBeNull();
    expect(statusOf('ready')).toBe('running');
  });
});

describe('where a stream stands', () => {
  it('is told when its state or its outcome changes, and not otherwise', () => {
    const { engine, slot, moved, stands } = setUp();
    noteStanding(engine, slot);
    expect(moved).toEqual([]);
    stands('negotiating', 'in-progress');
    noteStanding(engine, slot);
    noteStanding(engine, slot);
    stands('refunding', 'in-progress');
    noteStanding(engine, slot);
    stands('refunding', 'refund-pending');
    noteStanding(engine, slot);
    expect(moved).toEqual([
      [null, standing('negotiating', 'in-progress')],
      [standing('negotiating', 'in-progress'), standing('refunding', 'in-progress')],
      [standing('refunding', 'in-progress'), standing('refunding', 'refund-pending')],
    ]);
    expect(slot.standing).toEqual(standing('refunding', 'refund-pending'));
  });

  it('is nowhere once it is gone, except that coins at risk count on', () => {
    for (const outcome of ['completed', 'funds-at-risk']) {
      const { engine, slot, moved, stands } = setUp();
      stands('finished', outcome);
      noteStanding(engine, slot);
      slot.mode = 'gone';
      noteStanding(engine, slot);
      const isRisky = outcome === 'funds-at-risk';
      expect(moved.slice(1)).toEqual(isRisky ? [] : [[standing('finished', outcome), null]]);
      expect([...engine.atRisk]).toEqual(isRisky ? [[STREAM, standing('finished', outcome)]] : []);
    }
  });

  it('is not counted twice when a stream at risk is driven again', () => {
    const { engine, slot, moved, stands } = setUp();
    engine.atRisk.set(STREAM, standing('finished', 'funds-at-risk'));
    engine.atRisk.set('taker-swap/2', standing('finished', 'funds-at-risk'));
    stands('finished', 'funds-at-risk');
    noteStanding(engine, slot);
    expect(moved).toEqual([]);
    expect([...engine.atRisk.keys()]).toEqual(['taker-swap/2']);
    stands('finished', 'completed');
    noteStanding(engine, slot);
    expect(moved).toEqual([[standing('finished', 'funds-at-risk'), standing('finished', 'completed')]]);
  });

  it('is forgotten with a runner that has none, and counts again from what the index said', () => {
    const { engine, slot, moved } = setUp();
    engine.atRisk.set(STREAM, standing('finished', 'funds-at-risk'));
    noteStanding(engine, slot);
    expect(moved).toEqual([[standing('finished', 'funds-at-risk'), null]]);
    slot.mode = 'gone';
    noteStanding(engine, slot);
    expect(moved).toHaveLength(1);
    expect(engine.atRisk.size).toBe(0);
  });
});

describe('a stream that nobody drives', () => {
  it('is counted once where its coins are at risk, by what the index says', () => {
    const { engine, moved } = setUp();
    noteUndriven(engine, STREAM, { outcome: 'funds-at-risk', state: 'refundFailed' });
    noteUndriven(engine, STREAM, { outcome: 'funds-at-risk', state: 'refundFailed' });
    noteUndriven(engine, 'maker-swap/2', { outcome: 'funds-at-risk' });
    expect(moved).toEqual([
      [null, standing('refundFailed', 'funds-at-risk')],
      [null, { ...standing('finished', 'funds-at-risk'), machine: 'maker-swap' }],
    ]);
    expect([...engine.atRisk.keys()]).toEqual([STREAM, 'maker-swap/2']);
  });

  it('is not counted where they are not, or where it is driven after all', () => {
    const { engine, slot, moved } = setUp();
    noteUndriven(engine, STREAM, { outcome: 'completed' });
    noteUndriven(engine, STREAM, {});
    engine.slots.set(STREAM, slot);
    noteUndriven(engine, STREAM, { outcome: 'funds-at-risk' });
    expect(moved).toEqual([]);
    expect(engine.atRisk.size).toBe(0);
  });
});

it('a line about a stream names it first', () => {
  const { slot } = setUp();
  expect(about(slot)).toEqual({ stream: STREAM });
  expect(about(slot, { coin: 'DOC' })).toEqual({ stream: STREAM, coin: 'DOC' });
});
