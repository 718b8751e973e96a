import { expect, it } from 'vitest';
import { endingClock } from '../../../src/node/ending-clock.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

it('a clock that has ended fires nothing, and leaves no timer behind', async () => {
  const host = virtualClock();
  const clock = endingClock(host);
  const woken: string[] = [];
  const at = (seconds: number) => millisOf(host.now() + seconds * 1000);
  clock.wakeAt(at(1), () => void woken.push('soon'));
  clock.wakeAt(at(600), () => void woken.push('late'));
  const cancel = clock.wakeAt(at(2), () => void woken.push('cancelled'));
  cancel();
  cancel();
  await host.advance(5000);
  expect([woken, host.armed(), clock.now()]).toEqual([['soon'], 1, host.now()]);
  clock.end();
  clock.wakeAt(at(1), () => void woken.push('after the end'));
  await host.advance(1_000_000);
  expect([woken, host.armed()]).toEqual([['soon'], 0]);
});
