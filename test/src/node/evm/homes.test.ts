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

  it('J33: signs through the newest session with its wallet, and through the previous one once that has gone', async () => {
    const { used, enter, homes } = await bench();
    const first = enter('first', 'remote');
    const second = enter('second', 'remote');
    await sign(first.account);
    second.leave();
    await sign(first.account);
    first.leave();
    expect([used, homes.size]).toEqual([['second', 'first'], 0]);
  });

  it('J33: asks no external wallet for what the node signs itself, and no device before a wallet', async () => {
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

  it('asks the gas station that the newest coin names, and none once every coin that names one has left', async () => {
    const { homes, used } = await bench();
    const adapter = await evmAdapter();
    const [own, other] = [async () => 7n, async () => 8n];
    const enter = (station?: () => Promise<bigint>) => {
      const prices = { ...PRICES, ...(station === undefined ? {} : { station }) };
      return homes.enter({ chainId: 1, signer: way('own', used), keyPlace: 'here', prices, nodes: [], adapter });
    };
    const first = enter();
    const asked = () => first.account.prices.station;
    const [one, two] = [enter(own), enter(other)];
    const found = [asked()];
    two.leave();
    found.push(asked());
    one.leave();
    expect([...found, asked()]).toEqual([other, own, undefined]);
  });

  it('counts the ports of this host as one voice beside another host, and each separately without one', async () => {
    const { homes, used } = await bench();
    const adapter = await evmAdapter();
    const block = { number: '0x7', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x10', baseFeePerGas: '0x9' };
    const nodeAt = (url: string, isThere: boolean) => {
      const request = async (method: string): Promise<unknown> => {
        if (!isThere) throw new adapter.BackendSilent('it is away');
        return method === 'eth_chainId' ? '0x1' : block;
      };
      const node = { name: url, request };
      return { name: url, node, merged: node, close() {} };
    };
    const enter = (...nodes: readonly ReturnType<typeof nodeAt>[]) =>
      homes.enter({ chainId: 1, signer: way('own', used), keyPlace: 'here', prices: PRICES, nodes, adapter });
    const local = enter(nodeAt('http://127.0.0.1:8545/', true), nodeAt('http://localhost:8546/', true));
    expect((await local.reader.look()).head.number).toBe(7);
    const beside = enter(nodeAt('http://node.example/', false));
    for (const { reader, merged } of [local, beside])
      for (const each of [reader, merged])
        await expect(each.look()).rejects.toThrow('1 of the 2 nodes that must agree answered');
    beside.leave();
    expect((await local.reader.look()).head.number).toBe(7);
  });

  it('keeps its key', async () => {
    const { enter } = await bench();
    const { account } = enter('first', 'here');
    expect(() => account.signBy(signerOf('somebody else'))).toThrow(RangeError);
  });
});
