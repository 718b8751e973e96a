import { expect } from 'vitest';
import type { ElectrumClient } from './client.ts';
import { hashOfHeader, partsOfHeader, rootOf } from './proofs.ts';
import { type Ask, recount, scripthash } from './recount.ts';

type Entry = { readonly tx_hash: string; readonly height: number; readonly fee?: number };
type Header = { readonly hex: string; readonly height: number };

/** Asks a server and its daemon the same of every script, transaction and header, and wants the same answers. */
export async function expectAgreement(client: ElectrumClient, ask: Ask): Promise<void> {
  const told = await recount(ask);
  for (const script of told.scripts) {
    const hash = scripthash(script);
    const history = (await client.call('blockchain.scripthash.get_history', hash)) as readonly Entry[];
    expect(history.map(({ tx_hash, height }) => ({ tx_hash, height }))).toEqual(told.history(script));
    for (const { tx_hash, fee } of history) expect(fee).toBe(told.fees.get(tx_hash));
    expect(await client.call('blockchain.scripthash.get_mempool', hash)).toEqual(
      history.filter(({ tx_hash }) => told.fees.has(tx_hash)),
    );
    const unspent = (await client.call('blockchain.scripthash.listunspent', hash)) as readonly object[];
    expect(unspent).toHaveLength(told.unspent(script).length);
    expect(unspent).toEqual(expect.arrayContaining([...told.unspent(script)]));
    expect(await client.call('blockchain.scripthash.get_balance', hash)).toEqual(told.balance(script));
    expect(await client.call('blockchain.scripthash.subscribe', hash)).toBe(told.status(script));
    expect(await client.call('blockchain.scripthash.unsubscribe', hash)).toBe(true);
  }
  await expectHeaders(client, told.blocks);
  for (const txid of told.fees.keys()) {
    expect(await client.call('blockchain.transaction.get', txid)).toBe(await ask('getrawtransaction', txid));
  }
}

/** Headers that hash to one another, and every transaction proved to be under the root of its own. */
async function expectHeaders(
  client: ElectrumClient,
  blocks: readonly { readonly hash: string; readonly txids: readonly string[] }[],
): Promise<void> {
  const tip = (await client.call('blockchain.headers.subscribe')) as unknown as Header;
  expect([tip.height, hashOfHeader(tip.hex)]).toEqual([blocks.length - 1, blocks.at(-1)?.hash]);
  let previous = '0'.repeat(64);
  let all = '';
  for (const [height, { hash, txids }] of blocks.entries()) {
    const header = (await client.call('blockchain.block.header', height)) as string;
    expect([hashOfHeader(header), partsOfHeader(header).previous]).toEqual([hash, previous]);
    previous = hash;
    all += header;
    for (const [pos, txid] of txids.entries()) {
      const proof = (await client.call('blockchain.transaction.get_merkle', txid, height)) as unknown as {
        readonly merkle: readonly string[];
      };
      expect(proof).toMatchObject({ block_height: height, pos });
      expect(rootOf(txid, pos, proof.merkle)).toBe(partsOfHeader(header).merkleRoot);
      const { merkle } = proof;
      expect(await client.call('blockchain.transaction.id_from_pos', height, pos, true)).toEqual({
        tx_hash: txid,
        merkle,
      });
      expect(await client.call('blockchain.transaction.id_from_pos', height, pos)).toBe(txid);
    }
  }
  const count = blocks.length;
  if (count > 2016) return;
  expect(await client.call('blockchain.block.headers', 0, count + 5)).toEqual({ hex: all, count, max: 2016 });
}
