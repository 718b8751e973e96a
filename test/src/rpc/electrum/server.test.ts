import { afterEach, describe, expect, it } from 'vitest';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { expectAgreement } from '../../../support/electrum/agreement.ts';
import { type ServedChain, scriptAt, serveChain } from '../../../support/electrum/over-chain.ts';
import { hashOfHeader, rootOf } from '../../../support/electrum/proofs.ts';
import { recount, scripthash } from '../../../support/electrum/recount.ts';

let served: ServedChain;

afterEach(() => served.close());

type Proof = { readonly header: string; readonly branch: readonly string[]; readonly root: string };

const hashAt = (place: number) => scripthash(bytesToHex(scriptAt(served.test, place)));

describe('a server of the Electrum protocol over a daemon', () => {
  it('says of every script, transaction and header what its daemon says, also of chains of unconfirmed transactions', async () => {
    served = await serveChain();
    const first = served.pay([70_000_001n, 30_000_003n]);
    await served.mine(2);
    const second = served.pay([1_000_037n, 2_000_001n, 3_000_000n], first);
    served.pay([400_000n], second);
    await served.server.look();
    const client = await served.connect();
    await expectAgreement(client, served.ask);
    await served.mine(3);
    await served.server.look();
    await expectAgreement(client, served.ask);
  });

  it('orders the transactions of one block as the block does', async () => {
    served = await serveChain();
    const first = served.pay([90_000_001n]);
    let last = first;
    for (let left = 5; left > 0; left--)
      last = served.pay([(last.transaction.outputs[0]?.value as bigint) - 50_000n], last);
    await served.mine();
    await served.server.look();
    const client = await served.connect();
    const { history } = await recount(served.ask);
    const told = (await client.call('blockchain.scripthash.get_history', hashAt(0))) as readonly object[];
    expect(told).toHaveLength(6);
    expect(told).toEqual(history(bytesToHex(scriptAt(served.test, 0))));
  });

  it('proves a header to be among those below a checkpoint', async () => {
    served = await serveChain();
    await served.mine(3);
    await served.server.look();
    const client = await served.connect();
    const hashes = await Promise.all([0, 1, 2, 3, 4, 5].map((height) => served.ask('getblockhash', height)));
    const proof = (await client.call('blockchain.block.header', 4, 5)) as unknown as Proof;
    expect(hashOfHeader(proof.header)).toBe(hashes[4]);
    expect(rootOf(hashes[4] as string, 4, proof.branch)).toBe(proof.root);
    const last = (await client.call('blockchain.block.headers', 2, 3, 5)) as unknown as Proof;
    expect(last).toMatchObject({ count: 3, branch: proof.branch, root: proof.root });
    await expect(client.call('blockchain.block.header', 5, 4)).rejects.toThrow(
      /^1 header height 5 must be <= cp_height 4/,
    );
    await expect(client.call('blockchain.block.header', 5, 99)).rejects.toThrow(/chain height 7/);
  });

  it('tells subscribers what waits, what a block includes, and what a reorganization takes back', async () => {
    served = await serveChain();
    const client = await served.connect();
    const other = await served.connect();
    expect(await client.call('blockchain.scripthash.subscribe', hashAt(0))).toBeNull();
    await client.call('blockchain.headers.subscribe');
    const statusNow = async () => (await recount(served.ask)).status(bytesToHex(scriptAt(served.test, 0)));
    const expectTold = async () => {
      const [hash, status] = await client.told('blockchain.scripthash.subscribe');
      expect([hash, status]).toEqual([hashAt(0), await statusNow()]);
      expect(await client.call('blockchain.scripthash.subscribe', hashAt(0))).toBe(status);
      return status;
    };
    const statuses: unknown[] = [];
    served.pay([5_000_011n]);
    await served.server.look();
    statuses.push(await expectTold());
    await served.mine();
    await served.server.look();
    const [header] = (await client.told('blockchain.headers.subscribe')) as unknown as readonly [{ hex: string }];
    expect(hashOfHeader(header.hex)).toBe(await served.ask('getbestblockhash'));
    statuses.push(await expectTold());
    await served.takeOff(1);
    await served.server.look();
    expect((await client.told('blockchain.headers.subscribe'))[0]).toMatchObject({ height: 4 });
    statuses.push(await expectTold());
    expect(statuses[0]).toBe(statuses[2]);
    expect(new Set(statuses).size).toBe(2);
    await expectAgreement(client, served.ask);
    expect(other.unread).toEqual([]);
  });

  it('takes back what a longer branch does not hold, with blocks above the old tip', async () => {
    served = await serveChain();
    served.pay([6_000_000n]);
    await served.mine(2);
    await served.server.look();
    await served.takeOff(2);
    await served.mine(4);
    await served.server.look();
    await expectAgreement(await served.connect(), served.ask);
  });

  it('tells a subscriber of a script that the parent of its payment was confirmed, although that does not touch the script', async () => {
    served = await serveChain();
    const parent = served.pay([80_000_000n]);
    const child = served.pay([10_000_000n, 20_000_000n], parent);
    await served.server.look();
    const client = await served.connect();
    const script = bytesToHex(scriptAt(served.test, 1));
    await client.call('blockchain.scripthash.subscribe', hashAt(1));
    const shown = async () => (await client.call('blockchain.scripthash.get_history', hashAt(1))) as unknown;
    expect(await shown()).toEqual([{ tx_hash: child.txid, height: -1, fee: 10_007 }]);
    await served.mineOnly(parent);
    await served.server.look();
    const [, after] = await client.told('blockchain.scripthash.subscribe');
    expect(after).toBe((await recount(served.ask)).status(script));
    expect(await shown()).toEqual([{ tx_hash: child.txid, height: 0, fee: 10_007 }]);
  });

  it('sends nothing to a client that has unsubscribed', async () => {
    served = await serveChain();
    const client = await served.connect();
    await client.call('blockchain.scripthash.subscribe', hashAt(0));
    await client.call('blockchain.scripthash.subscribe', hashAt(1));
    expect(await client.call('blockchain.scripthash.unsubscribe', hashAt(0))).toBe(true);
    expect(await client.call('blockchain.scripthash.unsubscribe', hashAt(0))).toBe(false);
    served.pay([5_000_000n, 6_000_000n]);
    await served.server.look();
    expect((await client.told('blockchain.scripthash.subscribe'))[0]).toBe(hashAt(1));
    await client.call('server.ping');
    expect(client.unread).toEqual([]);
  });

  it('sends a transaction, shows it at once, and passes on why one is refused', async () => {
    served = await serveChain();
    const client = await served.connect();
    const paid = served.build([5_000_000n]);
    const other = served.build([5_000_001n]);
    expect(await client.call('blockchain.transaction.broadcast', bytesToHex(paid.bytes))).toBe(paid.txid);
    expect(await client.call('blockchain.scripthash.get_history', hashAt(0))).toEqual([
      { tx_hash: paid.txid, height: 0, fee: 10_007 },
    ]);
    const hex = bytesToHex(other.bytes);
    await expect(client.call('blockchain.transaction.broadcast', hex)).rejects.toThrow(
      `1 the transaction was rejected by network rules.\n\n16: mempool conflict\n[${hex}]`,
    );
    await expect(client.call('blockchain.transaction.broadcast', 'xyz')).rejects.toThrow(
      '1 raw_tx should be hex digits',
    );
  });

  it('returns a transaction in parts as its daemon does, and passes on that one is unknown', async () => {
    served = await serveChain();
    const { txid } = served.pay([5_000_000n]);
    await served.server.look();
    const client = await served.connect();
    expect(await client.call('blockchain.transaction.get', txid, true)).toEqual(
      await served.ask('getrawtransaction', txid, 1),
    );
    await expect(client.call('blockchain.transaction.get', 'ab'.repeat(32))).rejects.toThrow(
      /^2 daemon error: DaemonError\({'code': -5, 'message': "No information available about transaction"}\)$/,
    );
    const hash = await served.ask('getblockhash', 2);
    await expect(client.call('blockchain.transaction.get_merkle', txid, 2)).rejects.toThrow(
      `1 tx ${txid} not in block ${hash} at height 2`,
    );
    await expect(client.call('blockchain.transaction.id_from_pos', 2, 7)).rejects.toThrow('1 no tx at position 7');
  });

  it('reports fees in coins for 1,000 bytes, and what waits by its rate', async () => {
    served = await serveChain();
    const { bytes } = served.pay([5_000_000n]);
    await served.server.look();
    const client = await served.connect();
    expect(await client.call('blockchain.estimatefee', 3)).toBe(-1);
    const info = (await served.ask('getinfo')) as { readonly relayfee: unknown };
    expect(await client.call('blockchain.relayfee')).toEqual(info.relayfee);
    const rate = Math.floor((10_007 * 10) / bytes.length) / 10;
    expect(await client.call('mempool.get_fee_histogram')).toEqual([[rate, bytes.length]]);
  });

  it('asks its daemon for an estimate once a block, and again if that did not answer', async () => {
    served = await serveChain();
    let asked = 0;
    let isSilent = true;
    served.gate = async (calls) => {
      if (!calls.some(([method]) => method === 'estimatesmartfee')) return;
      asked += 1;
      if (isSilent) throw new BackendSilent('it says nothing');
    };
    const client = await served.connect();
    const estimates = (blocks: readonly number[]) =>
      Promise.all(blocks.map((each) => client.call('blockchain.estimatefee', each)));
    await expect(estimates([3])).rejects.toThrow();
    isSilent = false;
    expect(await estimates([3, 3, 5, 3])).toEqual([-1, -1, -1, -1]);
    expect(asked).toBe(3);
    await served.mine();
    await served.server.look();
    await estimates([3, 5, 3]);
    expect(asked).toBe(5);
    // What is kept of one block has a bound: the 64 first questions.
    const many = Array.from({ length: 70 }, (_, place) => 100 + place);
    await estimates(many);
    const before = asked;
    await estimates(many);
    expect(asked - before).toBe(8);
  });

  it('says what it is', async () => {
    served = await serveChain();
    const client = await served.connect();
    expect(await client.call('server.features')).toEqual({
      genesis_hash: await served.ask('getblockhash', 0),
      hash_function: 'sha256',
      hosts: {},
      protocol_max: '1.4.2',
      protocol_min: '1.4',
      pruning: null,
      server_version: 'swapfold 0.0',
      services: [],
    });
    expect(await client.call('server.ping')).toBeNull();
    expect(await client.call('server.banner')).toBe('This is swapfold 0.0.');
    expect(await client.call('server.donation_address')).toBe('');
    expect(await client.call('server.peers.subscribe')).toEqual([]);
    expect(await client.call('server.add_peer', {})).toBe(false);
  });
});

describe('the version of the protocol', () => {
  it.each([
    [['1.2', '1.4'], '1.4'],
    ['1.4', '1.4'],
    ['1.4.0', '1.4'],
    [['1.4', '1.4.1'], '1.4.1'],
    [['1.0', '1.6'], '1.4.2'],
    [undefined, '1.4'],
  ])('is agreed on as the highest that both speak: %j gives %s', async (wanted, agreed) => {
    served = await serveChain();
    const client = await served.connect();
    const params = wanted === undefined ? [] : ['a client', wanted];
    expect(await client.call('server.version', ...params)).toEqual(['swapfold 0.0', agreed]);
    await expect(client.call('server.version', 'a client', '1.4')).rejects.toThrow('1 server.version already sent');
    expect(await client.call('server.ping')).toBeNull();
  });

  it.each([['1.3'], ['1.5'], [['1.1', '1.3.9']], [['1.4.3', '2.0']], [['1.4', '1.2']], ['x'], [7], [['1.4']]])(
    'is refused where it cannot be met, and the connection ends: %j',
    async (wanted) => {
      served = await serveChain();
      const client = await served.connect();
      await expect(client.call('server.version', 'a client', wanted)).rejects.toThrow(
        /^1 unsupported protocol version/,
      );
      await client.ended;
    },
  );
});
