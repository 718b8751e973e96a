import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTradingNode } from '../../../src/cli/serve/trading-node.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { createNode } from '../../../src/node/node.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { eventually, libp2pNode, type TestNode } from '../../support/peers/libp2p-nodes.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../../support/utxo/embedded-chain.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swapfold-before-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a coin that is activated before the node was started', () => {
  let chain: EmbeddedChain;
  beforeAll(async () => {
    chain = await startEmbeddedChain();
  });
  afterAll(() => chain.close());

  it('starts it first, so that what was active before is known', async () => {
    const confpath = join(folder, 'DOC.conf');
    writeFileSync(confpath, chain.conf);
    const common = { mm2: 1, txversion: 4, overwintered: 1, protocol: { type: 'UTXO' }, confpath };
    const log: EventLog = { ...createMemoryLog(), close: () => {} };
    const open = () =>
      createNode({
        coins: coinsOf(
          [
            { coin: 'DOC', ...common },
            { coin: 'MARTY', ...common },
          ],
          'two coins',
        ),
        signer: walletOfPassphrase(new Secret('words of nobody at all')),
        ...{ log, peers: createInProcessNetwork().peer('e5'.repeat(32)), clock: virtualClock(chain.now() * 1000) },
      });
    const first = open();
    await first.start();
    await first.enable({ method: 'enable', coin: 'DOC' });
    await first.close();
    const second = open();
    await second.enable({ method: 'enable', coin: 'MARTY' });
    expect(second.activeBefore().map(({ coin }) => coin)).toEqual(['DOC']);
    expect(await second.start()).toEqual({ resumed: 0, failed: [], quarantined: [] });
    await second.close();
  });
});

describe('a start that fails', () => {
  let relay: TestNode;
  beforeAll(async () => {
    relay = await libp2pNode('the relay', { relay: true, listen: ['127.0.0.1:0'] });
  });
  afterAll(() => relay.close());

  const opening = (changes: object = {}, seeds: readonly string[] = relay.addresses) => {
    const conf = join(folder, 'MM2.json');
    const own = {
      passphrase: 'some words of mine',
      rpc_password: 'Th1s_Is-Nobody5',
      rpcport: 0,
      coins: [],
      dbdir: 'DB',
    };
    writeFileSync(conf, JSON.stringify({ ...own, seednodes: seeds, ...changes }));
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    return openTradingNode({ conf, compatibility: 'specification', logger: quiet, onStop() {} });
  };

  /** The same folder, network and ports can be had again. */
  const expectLetGo = async (): Promise<void> => {
    await eventually(() => relay.links().length === 0);
    const node = await opening();
    await eventually(() => relay.links().length === 1);
    await node.close();
    await eventually(() => relay.links().length === 0);
  };

  it('of its RPC releases the log, the network and the keys', async () => {
    const [, port = ''] = relay.addresses[0]?.split(':') ?? [];
    await expect(opening({ rpcport: Number(port) })).rejects.toMatchObject({ code: 'RPC_LISTEN_FAILED' });
    await expectLetGo();
  });

  it('of its network releases the log', async () => {
    await expect(opening({ i_am_seed: true, myipaddr: '203.0.113.9' })).rejects.toMatchObject({ code: 'PEER_LISTEN' });
    await expectLetGo();
  });
});
