import { describe, expect, it } from 'vitest';
import { atOnce, inTurns, inTurnsAfterOthers, type Steps } from '../../../src/smartchain/turns.ts';

function* counted(steps: number, step: () => void): Steps<string> {
  for (let count = 0; count < steps; count++) {
    step();
    yield;
  }
  return `after ${steps}`;
}

/** Holds the process for so many milliseconds. */
function hold(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

describe('work in steps', () => {
  it('is done to its end', async () => {
    const done: string[] = [];
    expect(atOnce(counted(3, () => done.push('at once')))).toBe('after 3');
    expect(await inTurns(counted(2, () => done.push('in turns')))).toBe('after 2');
    expect(done).toEqual(['at once', 'at once', 'at once', 'in turns', 'in turns']);
  });

  it('lets others have their turn while it lasts', async () => {
    let isDone = false;
    let turns = 0;
    const other = (): void => {
      turns++;
      if (!isDone) setImmediate(other);
    };
    setImmediate(other);
    await inTurns(counted(8, () => hold(25)));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(7);
  });

  it('lets others have their turn before it begins, if asked to', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('another'));
    await inTurnsAfterOthers(counted(1, () => order.push('a step')));
    expect(order).toEqual(['another', 'a step']);
    setImmediate(() => order.push('one more'));
    await inTurns(counted(1, () => order.push('at once')));
    expect(order).toEqual(['another', 'a step', 'at once']);
  });

  it('throws what a step throws', async () => {
    const fault = new Error('a step');
    const failing = () =>
      counted(1, () => {
        throw fault;
      });
    await expect(inTurns(failing())).rejects.toBe(fault);
    expect(() => atOnce(failing())).toThrow(fault);
  });
});
