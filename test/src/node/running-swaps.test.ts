import { describe, expect, it } from 'vitest';
import { coinsNeeded, swapsUsing } from '../../../src/node/running-swaps.ts';
import type { StreamQuery } from '../../../src/ports/event-log.ts';
import type { SwapStatus } from '../../../src/runtime/operate/status.ts';

type Shown = Pick<SwapStatus, 'uuid' | 'runner'> &
  Partial<Pick<SwapStatus, 'role' | 'state'>> & { readonly coins: readonly [string | null, string | null] };

function runtimeWith(...shown: readonly Shown[]) {
  const asked: StreamQuery[] = [];
  const list = async (query: StreamQuery) => {
    asked.push(query);
    return shown.map(({ coins: [maker, taker], ...rest }) => ({ ...rest, coins: { maker, taker } }) as SwapStatus);
  };
  return { list, asked };
}

const SWAPS = [
  { uuid: 'a', coins: ['MAK', 'TAK'], runner: 'waiting' },
  { uuid: 'a', coins: ['MAK', 'TAK'], runner: 'running' },
  { uuid: 'b', coins: ['TAK', 'OTHER'], runner: 'waitingForCoin' },
  { uuid: 'c', coins: [null, null], runner: 'failed' },
  { uuid: 'd', coins: ['OTHER', 'MAK'], runner: 'failed' },
] as const;

describe('the swaps of a node that are under way', () => {
  it('prevent disabling a coin, except those that wait for their other coin', async () => {
    const runtime = runtimeWith(...SWAPS);
    expect(await swapsUsing('MAK', runtime)).toEqual(['a', 'd']);
    expect(await swapsUsing('TAK', runtime)).toEqual(['a']);
    expect(await swapsUsing('ABSENT', runtime)).toEqual([]);
    expect(runtime.asked.every(({ finished, limit = 0 }) => finished === false && limit > 1e9)).toBe(true);
  });

  it('do not keep a coin for a stranger for whom no chain has shown that it paid for its watch', async () => {
    const watches = (['created', 'validatingTakerFee', 'validatingTakerPayment'] as const).map((state) => {
      return { uuid: state, coins: ['MAK', 'TAK'], runner: 'waiting', role: 'watcher', state } as const;
    });
    expect(await swapsUsing('TAK', runtimeWith(...watches))).toEqual(['validatingTakerPayment']);
  });

  it('need the inactive coins, each once', async () => {
    expect(await coinsNeeded(runtimeWith(...SWAPS), (ticker) => ticker === 'TAK')).toEqual(['MAK', 'OTHER']);
    expect(await coinsNeeded(runtimeWith(), () => false)).toEqual([]);
  });
});
