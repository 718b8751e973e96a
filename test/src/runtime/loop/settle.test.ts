import { describe, expect, it } from 'vitest';
import type { Awaitable } from '../../../../src/ports/event-log.ts';
import { settle } from '../../../../src/runtime/loop/settle.ts';
import { settled } from '../../../support/virtual-clock.ts';

/** What came of a call: at once, and later. */
async function outcomeOf(call: () => Awaitable<unknown>) {
  const came: unknown[] = [];
  settle(call, { done: (value) => came.push(['done', value]), failed: (error) => came.push(['failed', error]) });
  const atOnce = [...came];
  await settled();
  return { atOnce, later: came.slice(atOnce.length) };
}
const error = new TypeError('a fault');
/** What stands for a promise of a foreign library. */
const withThen = (then: unknown): object => Object.fromEntries([['then', then]]);

describe('a call whose answer is there', () => {
  it('is passed on at once, whatever it is', async () => {
    for (const value of [7, null, undefined, 'text', [], withThen('no function'), { other: 1 }, () => 1]) {
      expect(await outcomeOf(() => value)).toEqual({ atOnce: [['done', value]], later: [] });
    }
  });

  it('that throws has failed at once', async () => {
    const outcome = await outcomeOf(() => {
      throw error;
    });
    expect(outcome).toEqual({ atOnce: [['failed', error]], later: [] });
  });
});

describe('a call whose answer comes later', () => {
  it('is handed on when it is there', async () => {
    expect(await outcomeOf(() => Promise.resolve(7))).toEqual({ atOnce: [], later: [['done', 7]] });
    expect(await outcomeOf(() => Promise.reject(error))).toEqual({ atOnce: [], later: [['failed', error]] });
  });

  it('counts once, even if it is no real promise and calls back twice', async () => {
    const twice = withThen((onValue: (value: number) => void, onError: (error: unknown) => void) => {
      onValue(1);
      onValue(2);
      onError(error);
    });
    expect(await outcomeOf(() => twice as never)).toEqual({ atOnce: [], later: [['done', 1]] });
  });

  it('has failed if it throws instead of rejecting, or throws when it is read', async () => {
    const throwing = withThen(() => {
      throw error;
    });
    expect(await outcomeOf(() => throwing as never)).toEqual({ atOnce: [], later: [['failed', error]] });
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw error;
        },
      },
    );
    expect(await outcomeOf(() => trap)).toEqual({ atOnce: [['failed', error]], later: [] });
  });
});

it('an error of a handler is its own, and does not reach the other handler', () => {
  const failed: unknown[] = [];
  const done = () => {
    throw error;
  };
  expect(() => settle(() => 7, { done, failed: (given) => failed.push(given) })).toThrow(error);
  expect(failed).toEqual([]);
});
