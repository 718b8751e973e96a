import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { coinsOf } from '../../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { createNode } from '../../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { systemClock } from '../../../../src/runtime/clock-system.ts';
import { createCometChain } from '../../../../src/testing/cometbft/chain.ts';
import { createCometNode } from '../../../../src/testing/cometbft/node.ts';
import { listenCometNode } from '../../../../src/testing/cometbft/server.ts';

const platform = { decimals: 6, denom: 'uatom', account_prefix: 'cosmos', chain_id: 'cosmoshub-testnet' };
const coins = coinsOf(
  [
    { coin: 'ATOM', mm2: 1, avg_blocktime: 5, protocol: { type: 'TENDERMINT', protocol_data: platform } },
    {
      coin: 'IBC',
      mm2: 1,
      protocol: { type: 'TENDERMINTTOKEN', protocol_data: { platform: 'ATOM', decimals: 6, denom: 'ibc/27' } },
    },
  ],
  'coins',
);

/** One log, and processes over it; a chain that is asked over HTTP. */
async function bench() {
  const chain = createCometChain({
    ...{ chainId: 'cosmoshub-testnet', prefix: 'cosmos', module: null, feeDenom: 'uatom' },
    ...{ gasPrice: '0.1' as DecimalText, startTime: 1_700_000_000 as UnixSeconds, blockTime: 5 },
  });
  const served = await listenCometNode(createCometNode(chain), { sockets: false });
  onTestFinished(() => served.close());
  const log = createMemoryLog();
  const open = async () => {
    const node = createNode({
      // The next process reads it.
      log: { ...log, close() {} },
      ...{ coins, clock: systemClock(), peers: createInProcessNetwork().peer('a1'.repeat(32)) },
      signer: walletOfPassphrase(new Secret('a passphrase of the suite')),
    });
    onTestFinished(async () => void (await node.close()));
    await node.start();
    return node;
  };
  const records = async () => {
    const found = await log.find({ machine: 'activation' });
    return Promise.all(found.map(async ({ stream }) => (await log.read(stream)).map(({ type, data }) => [type, data])));
  };
  return { url: served.url, open, records, log };
}

const asked = (url: string) => ({ ticker: 'ATOM', nodes: [{ url }], tokens_params: [{ ticker: 'IBC' }] });

describe('an activation of a Tendermint chain in the log', () => {
  it('J8: begins with what was asked, without passwords, and has its outcome before the coin is active', async () => {
    const { url, open, records, log } = await bench();
    const node = await open();
    const seen: unknown[] = [];
    log.subscribe({ after: 0 }, ({ envelope }) => {
      if (envelope.stream.startsWith('activation/')) seen.push([envelope.type, node.coins.get('ATOM') !== undefined]);
    });
    const keyed = url.replace('http://', 'http://user:hunter2@');
    const { coin } = await node.enableTendermint(asked(keyed) as Parameters<typeof node.enableTendermint>[0]);
    const [[requested, completed] = []] = await records();
    expect(requested).toEqual([
      'ActivationRequested',
      {
        ...{ coin: 'ATOM', method: 'enable_tendermint_with_assets' },
        request: { nodes: [{ url }], tokens_params: [{ ticker: 'IBC' }] },
      },
    ]);
    expect(completed?.[1]).toMatchObject({ coin: 'ATOM', address: coin.address });
    expect(seen.slice(0, 2)).toEqual([
      ['ActivationRequested', false],
      ['ActivationCompleted', false],
    ]);
  });

  it('J10: is known after a restart, with its assets, until it is made anew or taken out', async () => {
    const { url, open } = await bench();
    const params = asked(url) as Parameters<Awaited<ReturnType<typeof open>>['enableTendermint']>[0];
    const first = await open();
    await first.enableTendermint(params);
    await first.close();
    const second = await open();
    const told = second.activeBefore();
    expect(told).toMatchObject([{ coin: 'ATOM', tokens: ['IBC'], method: 'enable_tendermint_with_assets' }]);
    await second.enableTendermint(params);
    expect(second.activeBefore()).toEqual([]);
    await second.disable('IBC');
    await second.disable('ATOM');
    await second.close();
    expect((await open()).activeBefore()).toEqual([]);
  });

  it('tells why it failed', async () => {
    const { open, records } = await bench();
    const node = await open();
    const params = asked('http://127.0.0.1:1') as Parameters<typeof node.enableTendermint>[0];
    await expect(node.enableTendermint(params)).rejects.toThrow('All the current rpc nodes are unavailable');
    const [[, failed] = []] = await records();
    expect(failed).toMatchObject(['ActivationFailed', { coin: 'ATOM', kind: 'Transport' }]);
  });
});
