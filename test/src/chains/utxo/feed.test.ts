import { expect, it } from 'vitest';
import { watchForNews } from '../../../../src/chains/utxo/feed.ts';
import type { Tip } from '../../../../src/chains/utxo/reader.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

function scene({ complete = false } = {}) {
  const clock = virtualClock();
  const told: string[] = [];
  const calls = new Set<() => void>();
  const its = { looks: 0, hash: 'a', version: 1, silent: false, until: Promise.resolve() };
  const sync = async (): Promise<Tip> => {
    its.looks += 1;
    await its.until;
    if (its.silent) throw new BackendSilent('nobody answers');
    return { hash: its.hash, height: 7, clock: unixSecondsOf(1_700_000_000) };
  };
  const onNews = (call: () => void) => {
    calls.add(call);
    return { close: () => void calls.delete(call) };
  };
  const reader = { sync, onNews, index: { version: () => its.version } };
  const watching = watchForNews({ reader, clock, poll: 10, complete }, (news = 'changed') => void told.push(news));
  const call = (times = 1) => {
    for (let left = times; left > 0; left--) for (const one of calls) one();
  };
  return { clock, told, calls, its, watching, call };
}

it('reports what changed at each look, that nothing did if it is complete, and that nobody answers', async () => {
  const { clock, told, its, watching } = scene({ complete: true });
  await clock.advance(0);
  expect(told.splice(0)).toEqual(['changed']);
  await clock.advance(10_000);
  its.version = 2;
  await clock.advance(10_000);
  its.silent = true;
  await clock.advance(10_000);
  expect(told.splice(0)).toEqual(['alive', 'changed', 'broken']);
  watching.close();
  await clock.advance(60_000);
  expect([its.looks, told]).toEqual([4, []]);
});

it('looks at once when a server calls', async () => {
  const { clock, told, its, watching, call, calls } = scene();
  await clock.advance(3000);
  its.hash = 'b';
  call();
  await clock.advance(0);
  expect([its.looks, told]).toEqual([2, ['changed', 'changed']]);
  await clock.advance(9999);
  expect(its.looks).toBe(2);
  await clock.advance(1);
  expect(its.looks).toBe(3);
  watching.close();
  expect(calls.size).toBe(0);
});

it('looks once a second at most, however often servers call: the others would treat more as an attack', async () => {
  const { clock, its, watching, call } = scene();
  for (let tenths = 0; tenths < 100; tenths++) {
    call(100);
    await clock.advance(100);
  }
  expect(its.looks).toBeGreaterThanOrEqual(9);
  expect(its.looks).toBeLessThanOrEqual(11);
  expect(clock.mostArmed()).toBeLessThanOrEqual(2);
  watching.close();
});

it('looks once more after a look during which servers called', async () => {
  const { clock, its, watching, call } = scene();
  let go = (): void => {};
  await clock.advance(5000);
  its.until = new Promise((resolve) => {
    go = resolve;
  });
  call();
  await clock.advance(4000);
  call(1000);
  expect(its.looks).toBe(2);
  go();
  await clock.advance(0);
  expect(its.looks).toBe(3);
  watching.close();
});
