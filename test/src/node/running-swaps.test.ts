import { describe, expect, it } from 'vitest';
import { toEnvelopes } from '../../../src/events/jsonl.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { coinsNeeded, swapsUsing, unpaidMakerSwaps } from '../../../src/node/running-swaps.ts';
import type { StreamQuery } from '../../../src/ports/event-log.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import { swapKind } from '../../../src/runtime/loop/swap-kind.ts';
import { labelsOf } from '../../../src/runtime/operate/labels-of.ts';
import type { SwapStatus } from '../../../src/runtime/operate/status.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';

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

describe('the swaps of a maker whose takers have paid nothing', () => {
  /** How many a log counts with one swap that has come so far, so long after it began. */
  async function unpaidAt(
    events: number,
    { role = 'maker', later = 0 }: { role?: 'maker' | 'taker'; later?: number } = {},
  ) {
    const log = createMemoryLog();
    const records = toEnvelopes(buildSwap({ role, path: successPath(role).slice(0, events) }));
    const [{ stream, at }] = records as [(typeof records)[0]];
    const labels = labelsOf([swapKind('maker'), swapKind('taker')])(stream, records);
    await log.append({ stream, expected: 0, records, labels });
    return unpaidMakerSwaps(log, millisOf(at + later));
  }

  it('are counted until the fee is validated, and no longer', async () => {
    const path = successPath('maker');
    const counts = await Promise.all(path.map((_, index) => unpaidAt(index + 1)));
    expect(path.filter((_, index) => counts[index] === 1)).toEqual([
      ...['Started', 'Negotiated', 'MakerPaymentInstructionsReceived'],
    ]);
    expect(counts[path.indexOf('TakerFeeValidated')]).toBe(0);
  });

  it('are not counted where this node is the taker, or an hour after they began', async () => {
    expect(await unpaidAt(2, { role: 'taker' })).toBe(0);
    expect(await unpaidAt(2, { later: 3_600_000 })).toBe(1);
    expect(await unpaidAt(2, { later: 3_600_001 })).toBe(0);
  });
});
