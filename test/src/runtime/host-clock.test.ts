import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Millis, millisOf } from '../../../src/primitives/time.ts';
import { createPair, type Pair, requestOf, type Side } from '../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;

/** The clock of a host that is off by so many seconds, which a test may change at any time. */
function hostClock(truth: Clock, off: { seconds: number }): Clock {
  return {
    now: () => millisOf(truth.now() + off.seconds * 1000),
    wakeAt: (at, wake) => truth.wakeAt((at - off.seconds * 1000) as Millis, wake),
  };
}

/** Two nodes, of which one has a host clock of its own. */
function pairWith(side: Side, off: { seconds: number }): Pair {
  return createPair({
    options: (own, { clock }) => (own === side ? { clock: hostClock(clock, off) } : {}),
  });
}

async function startBoth({ nodes }: Pair): Promise<void> {
  for (const side of SIDES) await nodes[side].runtime.startSwap(requestOf(side));
}

const has = (pair: Pair, side: Side, type: string) => () => pair.types(side).includes(type);

describe('a taker whose payment is not claimed', () => {
  it.each([
    ['stands two days behind', -172_800],
    ['is right', 0],
    ['is a day ahead', 86_400],
  ])('refunds it as soon as its chain accepts that, if its host’s clock %s', async (_, seconds) => {
    const off = { seconds: 0 };
    const pair = pairWith('taker', off);
    await startBoth(pair);
    expect(await pair.until(has(pair, 'taker', 'TakerPaymentSent'), 60)).toBe(true);
    pair.nodes.maker.die();
    off.seconds = seconds;
    // The lock ends 130 minutes after the start, and the median time of eleven blocks comes to it some six minutes later.
    await pair.minutes(115);
    expect(pair.types('taker')).not.toContain('TakerPaymentRefundStarted');
    expect(await pair.until(has(pair, 'taker', 'Finished'), 60)).toBe(true);
    expect(pair.types('taker')).toContain('TakerPaymentRefunded');
    const records = await pair.nodes.taker.log.read('taker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86');
    const over = records.filter(({ type }) => type === 'DeadlineReached').map(({ data }) => data);
    expect(over).toEqual([expect.objectContaining({ kind: 'waitForTakerPaymentSpend', clock: 'takerChain' })]);
  });
});

describe('a taker whose host’s clock stands still', () => {
  it('refunds its payment as soon as its chain accepts that', async () => {
    let stoppedAt: number | null = null;
    const pair = createPair({
      options: (own, { clock }) => {
        const behind = () => (stoppedAt === null ? 0 : clock.now() - stoppedAt);
        const still: Clock = {
          now: () => millisOf(clock.now() - behind()),
          wakeAt: (at, wake) => clock.wakeAt(millisOf(at + behind()), wake),
        };
        return own === 'taker' ? { clock: still } : {};
      },
    });
    await startBoth(pair);
    expect(await pair.until(has(pair, 'taker', 'TakerPaymentSent'), 60)).toBe(true);
    pair.nodes.maker.die();
    stoppedAt = pair.clock.now();
    await pair.minutes(115);
    expect(pair.types('taker')).not.toContain('TakerPaymentRefundStarted');
    expect(await pair.until(has(pair, 'taker', 'Finished'), 60)).toBe(true);
    expect(pair.types('taker')).toContain('TakerPaymentRefunded');
  });
});

describe('a finished swap', () => {
  it('is watched until its end is deep enough, though the host’s clock jumps two days ahead', async () => {
    const off = { seconds: 0 };
    const pair = pairWith('taker', off);
    await startBoth(pair);
    expect(await pair.until(has(pair, 'taker', 'Finished'), 60)).toBe(true);
    off.seconds = 172_800;
    await pair.clock.advance(120_000);
    expect(pair.nodes.taker.runtime.sizes().runners).toBe(1);
    await pair.minutes(10);
    expect(pair.nodes.taker.runtime.sizes().runners).toBe(0);
  });
});
