import { describe, expect, it } from 'vitest';
import { mineEvery } from '../../../../src/cli/chain/mine-every.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { systemRandom } from '../../../../src/runtime/host/random-system.ts';
import type { Block } from '../../../../src/smartchain/chain/block.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';
import { payToKeyScript } from '../../../../src/smartchain/tokens/scripts.ts';
import { openWallet } from '../../../../src/smartchain/wallet/wallet.ts';
import { settled, virtualClock } from '../../../support/virtual-clock.ts';
import { keptLog } from '../../rpc/smart-chain/small-methods.ts';

async function setUp(mined: (script: Uint8Array) => void = () => {}) {
  const clock = virtualClock();
  const logger = keptLog();
  const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
  const scripts: Uint8Array[] = [];
  const chain = {
    mine: async ({ script }: { readonly script: Uint8Array }): Promise<Block> => {
      scripts.push(script);
      mined(script);
      return {} as Block;
    },
  };
  return { clock, logger, wallet, scripts, stop: mineEvery(1000, { chain, wallet, clock, logger }) };
}

describe('mining in turns', () => {
  it('mines one block every so often, for a key that the wallet keeps', async () => {
    const { clock, wallet, scripts, stop } = await setUp();
    await clock.advance(999);
    expect(scripts).toHaveLength(0);
    await clock.advance(3001);
    expect(scripts).toHaveLength(4);
    expect(wallet.ring.keys.size).toBe(1);
    const [key] = wallet.ring.keys.values();
    expect(new Set(scripts.map(String))).toEqual(new Set([String(payToKeyScript(key?.publicKey ?? new Uint8Array()))]));
    await stop();
    await clock.advance(10_000);
    expect(scripts).toHaveLength(4);
    expect(clock.armed()).toBe(0);
    expect(millisOf(clock.now())).toBeGreaterThan(0);
  });

  it('continues after a failed block, and logs it', async () => {
    const { clock, logger, scripts, stop } = await setUp(() => {
      throw new TypeError('something hidden');
    });
    await clock.advance(3000);
    expect(scripts).toHaveLength(3);
    expect(logger.lines).toHaveLength(3);
    expect(logger.lines[0]).toEqual({
      level: 'error',
      message: 'no block was mined',
      fields: { error: 'TypeError', code: undefined },
    });
    await stop();
    await settled();
  });
});
