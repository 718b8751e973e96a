import { describe, expect, it } from 'vitest';
import { IRIS } from '../support/tendermint/adapter-chain.ts';
import { expectNear, LOCK, OF_MAKER, PAID } from '../support/tendermint/agreed-swap.ts';
import { worldOf } from '../support/tendermint/swap-world.ts';

// More of them: tendermint-swaps.slow.test.ts.

describe('swaps between a chain of outputs and a Tendermint chain, judged by the balances of its blocks', () => {
  it('the maker gives a coin of IRIS, and both get what they agreed on', async () => {
    const { until, finished, gain, locked } = await worldOf({ kind: IRIS, request: OF_MAKER });
    expect(await until(finished)).toBe(true);
    expectNear(gain('maker'), -PAID);
    expectNear(gain('taker'), PAID);
    expect(locked()).toBe(0);
  });

  it('the taker is gone before it paid: the chain gives the maker its coins back', async () => {
    const world = await worldOf({ kind: IRIS, request: { ...OF_MAKER, lock_duration: LOCK } });
    expect(await world.until(world.has('taker', 'TakerFeeSent'))).toBe(true);
    world.parties.taker.die();
    expect(await world.until(world.has('maker', 'MakerPaymentRefunded'), 600)).toBe(true);
    expect(await world.until(world.has('maker', 'Finished'))).toBe(true);
    expectNear(world.gain('maker'), 0n);
    expect(world.locked()).toBe(0);
  });
});
