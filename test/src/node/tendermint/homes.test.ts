import { describe, expect, it, onTestFinished } from 'vitest';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { tendermintAdapter } from '../../../../src/node/tendermint/adapter-module.ts';
import { type Moving, TendermintHomes } from '../../../../src/node/tendermint/homes.ts';
import { watchingSigner } from '../../../../src/node/tendermint/key-elsewhere.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { listenCometNode } from '../../../../src/testing/cometbft/server.ts';
import { ASSET, IRIS, TendermintTestChain } from '../../../support/tendermint/adapter-chain.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const QUIET = { info() {}, warn() {}, error() {} };
const OWN = walletOfPassphrase(new Secret('of this test')).coins;
const WATCHED = watchingSigner(OWN.key).coins;

async function bench() {
  const test = new TendermintTestChain(IRIS);
  const listening = await listenCometNode(test.node().own, { sockets: false });
  onTestFinished(() => listening.close());
  const homes = new TendermintHomes(virtualClock(), QUIET);
  const adapter = await tendermintAdapter();
  const moving: Moving = {
    ...{ network: test.network, signer: OWN, keyPlace: 'here' },
    urls: [listening.url],
    adapter,
  };
  const signs = async (account: ReturnType<typeof homes.enter>['account']): Promise<boolean> => {
    test.chain.fund(account.address, [{ denom: ASSET.denom, amount: 1n }]);
    const look = await account.reader.look();
    const content = { messages: [], memo: '', sequence: 0, timeout: 0, gas: 1n, fee: 1n };
    return account.signOnly(content, look).then(
      () => true,
      () => false,
    );
  };
  return { test, homes, moving, signs };
}

describe('the accounts of a node on Tendermint chains', () => {
  it('J34: are one for all coins of a key on a chain, and another for another key or chain', async () => {
    const { homes, moving } = await bench();
    const [one, same] = [homes.enter(moving), homes.enter(moving)];
    const elsewhere = homes.enter({ ...moving, network: { ...moving.network, chainId: 'nyancat-10' } });
    const other = walletOfPassphrase(new Secret('of somebody else')).coins;
    const another = homes.enter({ ...moving, signer: other });
    expect([one.account === same.account, homes.size]).toEqual([true, 3]);
    expect([elsewhere, another].every(({ account }) => account !== one.account)).toBe(true);
    for (const home of [one, one, same, elsewhere, another]) home.leave();
    expect(homes.size).toBe(0);
  });

  it('J35: sign by the newest way to their key that a coin has, one in this node before one elsewhere', async () => {
    const { homes, moving, signs } = await bench();
    const watched = homes.enter({ ...moving, signer: WATCHED, keyPlace: 'watched' });
    const { account } = watched;
    expect(await signs(account)).toBe(false);
    const own = homes.enter(moving);
    const later = homes.enter({ ...moving, signer: WATCHED, keyPlace: 'watched' });
    expect(await signs(account)).toBe(true);
    own.leave();
    expect(await signs(account)).toBe(false);
    let asked = 0;
    const remote = { key: OWN.key, sign: (hash: Uint8Array) => OWN.sign(hash) };
    const wallet = homes.enter({
      ...{ ...moving, keyPlace: 'remote' },
      signer: {
        ...remote,
        sign: (hash) => {
          asked += 1;
          return remote.sign(hash);
        },
      },
    });
    expect([await signs(account), asked]).toEqual([true, 1]);
    for (const home of [watched, later, wallet]) home.leave();
  });

  it('are reached through the nodes of all active coins, and through none that no coin names any more', async () => {
    const { homes, moving, test } = await bench();
    const gone = homes.enter({ ...moving, urls: ['http://127.0.0.1:1'] });
    await expect(gone.account.reader.look(true)).rejects.toThrow();
    const there = homes.enter(moving);
    gone.leave();
    expect((await there.account.reader.look()).head.height).toBe(test.height);
    there.leave();
    await expect(there.account.reader.look(true)).rejects.toThrow();
  });

  it('are not shared by coins that say otherwise how fees are paid', async () => {
    const { homes, moving } = await bench();
    const own = homes.enter(moving);
    const fees = { ...moving.network.fees, coin: 'NYAN2' };
    expect(() => homes.enter({ ...moving, network: { ...moving.network, fees } })).toThrow(
      'the account is in use on nyancat-9 as NYAN',
    );
    expect(homes.size).toBe(1);
    own.leave();
    homes.enter({ ...moving, network: { ...moving.network, fees } }).leave();
  });
});
