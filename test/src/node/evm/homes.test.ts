import { describe, expect, it } from 'vitest';
import type { EvmAccount } from '../../../../src/chains/evm/account.ts';
import { evmAdapter } from '../../../../src/node/evm/adapter-module.ts';
import { type EvmHome, EvmHomes, type KeyPlace } from '../../../../src/node/evm/homes.ts';
import type { Signer } from '../../../../src/ports/signer.ts';
import { PRICES } from '../../../support/evm/adapter-chain.ts';
import { signerOf } from '../../../support/litecoin/chain.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

/** A way to the key of one account, which notes that it was used. */
function way(name: string, used: string[]): Signer {
  const own = signerOf('the owner');
  return {
    key: own.key,
    sign(hash) {
      used.push(name);
      return own.sign(hash);
    },
  };
}

async function sign(account: EvmAccount): Promise<void> {
  const content = { nonce: 0, to: '24'.repeat(20), value: 1n, data: '', gas: 21_000n };
  await account.signOnly({ ...content, price: { most: 9n, tip: 2n } }, { legacy: false });
}

describe('the account of several coins', () => {
  async function bench() {
    const adapter = await evmAdapter();
    const homes = new EvmHomes(virtualClock());
    const used: string[] = [];
    const enter = (name: string, keyPlace: KeyPlace): EvmHome =>
      homes.enter({ chainId: 1, signer: way(name, used), keyPlace, prices: PRICES, nodes: [], adapter });
    return { homes, used, enter };
  }

  it('J33: signs by the newest session with its wallet, and by the one before once that has gone', async () => {
    const { used, enter, homes } = await bench();
    const first = enter('first', 'remote');
    const second = enter('second', 'remote');
    await sign(first.account);
    second.leave();
    await sign(first.account);
    first.leave();
    expect([used, homes.size]).toEqual([['second', 'first'], 0]);
  });

  it('J33: asks no wallet elsewhere for what the node signs itself, and no device before a wallet', async () => {
    const { used, enter } = await bench();
    const device = enter('device', 'device');
    const remote = enter('remote', 'remote');
    const here = enter('here', 'here');
    enter('another device', 'device');
    enter('another session', 'remote');
    await sign(device.account);
    here.leave();
    await sign(device.account);
    remote.leave();
    await sign(device.account);
    expect(used).toEqual(['here', 'another session', 'another session']);
  });

  it('keeps its key', async () => {
    const { enter } = await bench();
    const { account } = enter('first', 'here');
    expect(() => account.signBy(signerOf('somebody else'))).toThrow(RangeError);
  });
});
