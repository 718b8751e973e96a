import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { Births, FROM_THE_TIP } from '../../../src/node/births.ts';
import type { StreamLabels } from '../../../src/ports/event-log.ts';
import { millisOf } from '../../../src/primitives/time.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;

type Swap = {
  readonly stream: string;
  readonly at?: number;
  readonly heights: readonly [maker: number | null, taker: number | null];
  readonly labels?: StreamLabels;
};

async function logOf(...swaps: readonly Swap[]) {
  const log = createMemoryLog();
  for (const swap of swaps) await add(log, swap);
  return log;
}

function add(log: ReturnType<typeof createMemoryLog>, { stream, at = NOW - DAY / 2, heights, labels = {} }: Swap) {
  const [maker, taker] = heights;
  const started = {
    maker_coin: 'MAK',
    taker_coin: 'TAK',
    maker_coin_start_block: maker,
    taker_coin_start_block: taker,
  };
  const record = { at: millisOf(at), version: 1 };
  return log.append({
    stream,
    expected: 0,
    records: [
      { ...record, type: 'SwapRequested', data: { maker_coin: 'MAK', taker_coin: 'TAK' } },
      { ...record, type: 'Started', data: started },
    ],
    labels: { makerCoin: 'MAK', takerCoin: 'TAK', finished: false, ...labels },
  });
}

function birthsOf(log: ReturnType<typeof createMemoryLog>): Births {
  return new Births({ log, now: () => millisOf(NOW), guardFor: 86_400 });
}

describe('J4: the birth of a coin is at most the start of each swap that needs its chain', () => {
  it('is the earliest start on this coin’s own chain, with a margin below it', async () => {
    const births = birthsOf(
      await logOf(
        { stream: 'maker-swap/a', heights: [5000, 90_000] },
        { stream: 'taker-swap/b', heights: [4711, 99_000] },
        { stream: 'taker-swap/c', heights: [60_000, 80_123] },
      ),
    );
    expect(await births.load('MAK')).toBe(4711 - 144);
    expect(await births.load('TAK')).toBe(80_123 - 144);
    expect(births.of('MAK')).toBe(4567);
  });

  it('is the tip if no swap needs the chain', async () => {
    const births = birthsOf(await logOf({ stream: 'maker-swap/a', heights: [5000, 90_000] }));
    expect(await births.load('OTHER')).toBe(FROM_THE_TIP);
    expect(await birthsOf(createMemoryLog()).load('MAK')).toBe(FROM_THE_TIP);
  });

  it('counts one that ended lately, and not one that ended long ago', async () => {
    const ended = { finished: true };
    const late = { stream: 'maker-swap/a', heights: [5000, 7000] as const, labels: ended };
    const old = { stream: 'maker-swap/b', at: NOW - 3 * DAY, heights: [300, 400] as const, labels: ended };
    const births = birthsOf(await logOf(late, old));
    expect(await births.load('MAK')).toBe(4856);
    expect(await births.load('TAK')).toBe(6856);
  });

  it('ignores a watch of a foreign swap: a stranger named its first block', async () => {
    const log = createMemoryLog();
    const watch = {
      maker_coin: 'MAK',
      taker_coin: 'TAK',
      maker_coin_start_block: 1000,
      taker_coin_start_block: 2000,
    };
    await log.append({
      stream: 'watcher/w',
      expected: 0,
      records: [{ at: millisOf(NOW), version: 1, type: 'WatchRequested', data: { watch, timing: {} } }],
      labels: { makerCoin: 'MAK', takerCoin: 'TAK', finished: false },
    });
    expect(await birthsOf(log).load('TAK')).toBe(FROM_THE_TIP);
  });

  it('is never below the first block, and ignores records without a start', async () => {
    const births = birthsOf(
      await logOf({ stream: 'maker-swap/a', heights: [20, null] }, { stream: 'maker-swap/b', heights: [null, null] }),
    );
    expect(await births.load('MAK')).toBe(0);
    expect(await births.load('TAK')).toBe(FROM_THE_TIP);
  });
});

describe('J5: it falls while the coin is active, and does not rise', () => {
  it('is lowered by a stream that came later, on both of its chains', async () => {
    const log = await logOf({ stream: 'maker-swap/a', heights: [5000, 7000] });
    const births = birthsOf(log);
    await births.load('MAK');
    await add(log, { stream: 'taker-swap/b', at: NOW - 9 * DAY, heights: [3000, 4000], labels: { finished: true } });
    await add(log, { stream: 'taker-swap/c', heights: [9000, 9500] });
    for (const stream of ['taker-swap/b', 'taker-swap/c', 'taker-swap/unknown']) await births.include(stream);
    expect([births.of('MAK'), births.of('TAK')]).toEqual([2856, 3856]);
  });

  it('says until when an end is watched by the swap, and not by the order that it came from', async () => {
    const log = await logOf(
      { stream: 'taker-order/a', heights: [null, null], labels: { finished: true } },
      { stream: 'taker-swap/a', heights: [5000, 7000] },
      { stream: 'taker-order/b', at: NOW - DAY / 4, heights: [null, null], labels: { finished: true } },
      { stream: 'taker-swap/b', heights: [6000, 8000], labels: { finished: true } },
    );
    const births = birthsOf(log);
    for (const coin of ['TAK', 'MAK']) {
      await births.load(coin);
      expect(births.watchedUntil('a')).toBeNull();
      expect(births.watchedUntil('b')).toBe(NOW + DAY / 2);
    }
  });

  it('is read again at the next activation', async () => {
    const log = createMemoryLog();
    await add(log, { stream: 'maker-swap/a', at: NOW - 3 * DAY, heights: [5000, 7000], labels: { finished: true } });
    const births = birthsOf(log);
    await births.include('maker-swap/a');
    expect(births.of('MAK')).toBe(4856);
    expect(await births.load('MAK')).toBe(FROM_THE_TIP);
  });
});
