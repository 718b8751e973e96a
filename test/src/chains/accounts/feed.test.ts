import { expect, it } from 'vitest';
import { newsOfAll, watchForNews } from '../../../../src/chains/accounts/feed.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

/** Something to be seen, and whoever calls for a look. */
function scene() {
  const calls = new Set<() => void>();
  const scene = {
    seen: 'first' as string | null,
    looks: 0,
    calls,
    told: [] as (string | undefined)[],
    clock: virtualClock(),
    news: (onNews: () => void) => {
      calls.add(onNews);
      return { close: () => void calls.delete(onNews) };
    },
  };
  return scene;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('reports what changed at each look, and looks at once when a node calls', async () => {
  const its = scene();
  const seen = async () => {
    its.looks += 1;
    return its.seen;
  };
  const { clock, news } = its;
  const watching = watchForNews({ seen, clock, poll: 5, news }, (what) => its.told.push(what));
  await settled();
  expect([its.looks, its.told.splice(0)]).toEqual([1, ['changed']]);
  its.seen = 'second';
  await clock.advance(1000);
  for (const call of its.calls) call();
  await settled();
  expect([its.looks, its.told.splice(0)]).toEqual([2, ['changed']]);
  await clock.advance(4999);
  expect(its.looks).toBe(2);
  await clock.advance(1);
  expect([its.looks, its.told.splice(0)]).toEqual([3, []]);
  its.seen = null;
  await clock.advance(5000);
  expect(its.told.splice(0)).toEqual(['broken']);
  watching.close();
  await clock.advance(20_000);
  expect([its.looks, its.calls.size]).toEqual([4, 0]);
});

it('makes one look of all calls during a look, after it', async () => {
  const its = scene();
  const open: (() => void)[] = [];
  const seen = () => {
    its.looks += 1;
    return new Promise<string>((resolve) => open.push(() => resolve('same')));
  };
  const { clock, news } = its;
  const watching = watchForNews({ seen, clock, poll: 5, news }, () => undefined);
  for (const _ of [1, 2, 3]) for (const call of its.calls) call();
  expect(its.looks).toBe(1);
  await clock.advance(1000);
  open.shift()?.();
  await settled();
  expect(its.looks).toBe(2);
  open.shift()?.();
  await settled();
  expect(its.looks).toBe(2);
  watching.close();
});

it('looks once a second at most, however often nodes call', async () => {
  const its = scene();
  const seen = async () => {
    its.looks += 1;
    return 'same';
  };
  const { clock, news } = its;
  const watching = watchForNews({ seen, clock, poll: 30, news }, () => undefined);
  for (let tenths = 0; tenths < 100; tenths++) {
    for (let left = 100; left > 0; left--) for (const call of its.calls) call();
    await clock.advance(100);
  }
  expect(its.looks).toBeGreaterThanOrEqual(9);
  expect(its.looks).toBeLessThanOrEqual(11);
  watching.close();
});

it('listens to every one of several sources that reports anything', () => {
  const its = [scene(), scene()];
  expect(newsOfAll([undefined, undefined])).toBeUndefined();
  const heard: number[] = [];
  const all = newsOfAll([its[0]?.news, undefined, its[1]?.news]);
  const open = all?.(() => heard.push(1));
  for (const { calls } of its) for (const call of calls) call();
  expect(heard).toEqual([1, 1]);
  open?.close();
  expect(its.map(({ calls }) => calls.size)).toEqual([0, 0]);
});
