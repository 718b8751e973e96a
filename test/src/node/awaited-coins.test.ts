import { describe, expect, it } from 'vitest';
import { awaitedOn } from '../../../src/node/awaited-coins.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import type { SwapStatus } from '../../../src/runtime/operate/status.ts';

const token = (coin: string, platform: string) => ({
  coin,
  protocol: { type: 'ERC20', protocol_data: { platform, contract_address: `0x${'57'.repeat(20)}` } },
});
const chain = (coin: string, chain_id: number) => ({ coin, protocol: { type: 'ETH', protocol_data: { chain_id } } });
const COINS = coinsOf(
  [
    ...[chain('ETH', 1), chain('ETHX', 1), chain('POL', 137)],
    ...[
      token('USDT', 'ETH'),
      token('USDX', 'ETHX'),
      token('USDP', 'POL'),
      token('LOST', 'NONE'),
      token('SELF', 'SELF'),
    ],
    { coin: 'DOC', protocol: { type: 'UTXO' } },
    { coin: 'ODD' },
  ],
  'the suite',
);

type Swap = Pick<SwapStatus, 'role' | 'coins'>;
const swap = (maker: string | null, taker: string | null, role: SwapStatus['role'] = 'maker'): Swap => ({
  role,
  coins: { maker, taker },
});

describe('coins that swaps wait for on a chain', () => {
  const awaited = (swaps: readonly Swap[], ...active: readonly string[]) =>
    awaitedOn(1, {
      runtime: { list: async () => swaps as readonly SwapStatus[] },
      coins: COINS,
      isActive: (ticker) => active.includes(ticker),
    });

  it('are the own coin, tokens of each of its tickers, and unknown ones', async () => {
    const swaps = [swap('ETH', 'DOC'), swap('USDT', 'USDX', 'taker'), swap('CUSTOM', 'POL'), swap('USDP', 'LOST')];
    expect(await awaited(swaps)).toEqual(['CUSTOM', 'ETH', 'LOST', 'USDT', 'USDX']);
    expect(await awaited(swaps, 'ETH', 'CUSTOM', 'LOST', 'USDX')).toEqual(['USDT']);
    expect(await awaited([swap('SELF', 'ODD')])).toEqual([]);
  });

  it('include none that is watched for others, and none of an unreadable log', async () => {
    expect(await awaited([swap('ETH', 'USDT', 'watcher'), swap(null, 'USDT'), swap('DOC', 'ODD')])).toEqual([]);
  });
});
