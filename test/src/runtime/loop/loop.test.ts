import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../../../src/ports/logger.ts';
import type { SwapMessage } from '../../../../src/ports/peers.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { SwapStanding } from '../../../../src/runtime/host/metrics.ts';
import { about, type Loop, move, noteStanding, noteUndriven } from '../../../../src/runtime/loop/loop.ts';
import { createSlot, type Slot } from '../../../../src/runtime/loop/slot.ts';
import type { SlotEvent } from '../../../../src/runtime/loop/slot-state.ts';

const STREAM = 'taker-swap/1';

function setUp() {
  const moved: [SwapStanding | null, SwapStanding | null][] = [];
  const runners: unknown[] = [];
  const turns: unknown[] = [];
  const lines: [string, LogFields][] = [];
  const loop = {
    metrics: {
      moved: (...call: [SwapStanding | null, SwapStanding | null]) => void moved.push(call),
      runnerMoved: (...call: unknown[]) => void runners.push(call),
    },
    scheduler: {
      soon: (id: number) => void turns.push(['soon', id]),
      at: (id: number, at: number) => void turns.push(['at', id, at]),
      never: (id: number) => void turns.push(['never', id]),
    },
    logger: { error: (text: string, fields: LogFields) => void lines.push([text, fields]) },
    underWay: 0,
    onIdle: null,
    slots: new Map<string, Slot>(),
    atRisk: new Map<string, SwapStanding>(),
  } as unknown as Loop;
  const slot = createSlot(4, STREAM, { machine: 'taker-swap' } as never);
  const stands = (state: string, outcome: string) => {
    Object.assign(slot, { driven: { look: () => ({ state, outcome }) } });
  };
  const leave = () => Object.assign(slot, { state: { ...slot.state, doing: { mode: 'gone' } } });
  return { loop, slot, moved, runners, turns, lines, stands, leave };
}
const standing = (state: string, outcome: string): SwapStanding => ({ machine: 'taker-swap', state, outcome });

const error = new SwapfoldError('stopped', { code: 'RUNNER_FAILED' });
const message = { kind: 'negotiated' } as SwapMessage;

describe('a slot that moves to another mode', () => {
  it('is counted by what its runner does, and only when that changes', () => {
    const { loop, slot, runners } = setUp();
    const events: readonly SlotEvent[] = [
      { type: 'load' },
      { type: 'loaded', dormant: false },
      { type: 'send', message, until: 900 },
      { type: 'handedOver', unsent: null },
      { type: 'append' },
      { type: 'decideAgain' },
      { type: 'rest', until: 900 },
      { type: 'wake' },
      { type: 'rest', until: 900 },
      { type: 'load' },
      { type: 'loaded', dormant: true },
      { type: 'reload' },
      { type: 'logFailed', until: 900 },
      { type: 'load' },
      { type: 'fail', error, until: null },
      { type: 'load' },
      { type: 'loaded', dormant: false },
      { type: 'retire' },
    ];
    for (const event of events) expect(move(loop, slot, event)).toBe(true);
    expect(runners).toEqual([
      [null, 'waitingForLog'],
      ['waitingForLog', 'running'],
      ['running', 'waiting'],
      ['waiting', 'running'],
      ['running', 'waiting'],
      ['waiting', 'waitingForLog'],
      ['waitingForLog', 'waitingForCoin'],
      ['waitingForCoin', 'waitingForLog'],
      ['waitingForLog', 'failed'],
      ['failed', 'waitingForLog'],
      ['waitingForLog', 'running'],
      ['running', null],
    ]);
  });

  it('is given its turn when it is ready, at the moment that ends its mode, or not at all', () => {
    const { loop, slot, turns } = setUp();
    const events: readonly SlotEvent[] = [
      { type: 'load' },
      { type: 'loaded', dormant: false },
      { type: 'rest', until: 900 },
      { type: 'news', legs: 1 },
      { type: 'wake' },
      { type: 'forceRest', until: Number.MAX_SAFE_INTEGER },
      { type: 'fail', error, until: Number.MAX_SAFE_INTEGER - 1 },
      { type: 'fail', error, until: null },
    ];
    for (const event of events) move(loop, slot, event);
    expect(turns).toEqual([
      ['never', 4],
      ['soon', 4],
      ['at', 4, 900],
      ['soon', 4],
      ['never', 4],
      ['at', 4, Number.MAX_SAFE_INTEGER - 1],
      ['never', 4],
    ]);
  });

  it('counts the open calls of the outside world, and is idle when there are none', () => {
    const { loop, slot } = setUp();
    let idle = 0;
    loop.onIdle = () => {
      idle += 1;
    };
    move(loop, slot, { type: 'loaded', dormant: false });
    move(loop, slot, { type: 'send', message, until: 900 });
    expect([loop.underWay, idle]).toEqual([1, 0]);
    move(loop, slot, { type: 'fail', error, until: null });
    expect([loop.underWay, idle]).toEqual([0, 1]);
  });

  it('stays as it is if something cannot happen to it, and reports that as a fault', () => {
    const { loop, slot, turns, lines } = setUp();
    const { state } = slot;
    expect(move(loop, slot, { type: 'answered' })).toBe(false);
    expect(slot.state).toBe(state);
    expect([turns, loop.underWay]).toEqual([[], 0]);
    const fields = { stream: STREAM, mode: 'new', event: 'answered' };
    expect(lines).toEqual([['a slot was told what cannot happen to it', fields]]);
  });
});

describe('where a stream is counted', () => {
  it('is reported when its state or its outcome changes, and not otherwise', () => {
    const { loop, slot, moved, stands } = setUp();
    noteStanding(loop, slot);
    expect(moved).toEqual([]);
    stands('negotiating', 'in-progress');
    noteStanding(loop, slot);
    noteStanding(loop, slot);
    stands('refunding', 'in-progress');
    noteStanding(loop, slot);
    stands('refunding', 'refund-pending');
    noteStanding(loop, slot);
    expect(moved).toEqual([
      [null, standing('negotiating', 'in-progress')],
      [standing('negotiating', 'in-progress'), standing('refunding', 'in-progress')],
      [standing('refunding', 'in-progress'), standing('refunding', 'refund-pending')],
    ]);
    expect(slot.told.standing).toEqual(standing('refunding', 'refund-pending'));
  });

  it('is nowhere once it is gone, except that coins at risk or lost still count', () => {
    for (const outcome of ['completed', 'funds-at-risk', 'lost']) {
      const { loop, slot, moved, stands, leave } = setUp();
      stands('finished', outcome);
      noteStanding(loop, slot);
      leave();
      noteStanding(loop, slot);
      const isRisky = outcome !== 'completed';
      expect(moved.slice(1)).toEqual(isRisky ? [] : [[standing('finished', outcome), null]]);
      expect([...loop.atRisk]).toEqual(isRisky ? [[STREAM, standing('finished', outcome)]] : []);
    }
  });

  it('is not counted twice when a stream at risk is driven again', () => {
    const { loop, slot, moved, stands } = setUp();
    loop.atRisk.set(STREAM, standing('finished', 'funds-at-risk'));
    loop.atRisk.set('taker-swap/2', standing('finished', 'funds-at-risk'));
    stands('finished', 'funds-at-risk');
    noteStanding(loop, slot);
    expect(moved).toEqual([]);
    expect([...loop.atRisk.keys()]).toEqual(['taker-swap/2']);
    stands('finished', 'completed');
    noteStanding(loop, slot);
    expect(moved).toEqual([[standing('finished', 'funds-at-risk'), standing('finished', 'completed')]]);
  });

  it('is forgotten with a runner that has none, and counts again from what the index said', () => {
    const { loop, slot, moved, leave } = setUp();
    loop.atRisk.set(STREAM, standing('finished', 'funds-at-risk'));
    noteStanding(loop, slot);
    expect(moved).toEqual([[standing('finished', 'funds-at-risk'), null]]);
    leave();
    noteStanding(loop, slot);
    expect(moved).toHaveLength(1);
    expect(loop.atRisk.size).toBe(0);
  });
});

describe('a stream that is not driven', () => {
  it('is counted once if its coins are at risk, by what the index says', () => {
    const { loop, moved } = setUp();
    noteUndriven(loop, STREAM, { outcome: 'funds-at-risk', state: 'refundFailed' });
    noteUndriven(loop, STREAM, { outcome: 'funds-at-risk', state: 'refundFailed' });
    noteUndriven(loop, 'maker-swap/2', { outcome: 'funds-at-risk' });
    expect(moved).toEqual([
      [null, standing('refundFailed', 'funds-at-risk')],
      [null, { ...standing('finished', 'funds-at-risk'), machine: 'maker-swap' }],
    ]);
    expect([...loop.atRisk.keys()]).toEqual([STREAM, 'maker-swap/2']);
  });

  it('is not counted if they are not, or if it is driven after all', () => {
    const { loop, slot, moved } = setUp();
    noteUndriven(loop, STREAM, { outcome: 'completed' });
    noteUndriven(loop, STREAM, {});
    loop.slots.set(STREAM, slot);
    noteUndriven(loop, STREAM, { outcome: 'funds-at-risk' });
    expect(moved).toEqual([]);
    expect(loop.atRisk.size).toBe(0);
  });
});

it('a line about a stream names it first', () => {
  const { slot } = setUp();
  expect(about(slot)).toEqual({ stream: STREAM });
  expect(about(slot, { coin: 'DOC' })).toEqual({ stream: STREAM, coin: 'DOC' });
});
