import { describe, expect, it } from 'vitest';
import { createChainIndex } from '../../../../../src/chains/utxo/chain-index.ts';
import type { DaemonAnswer, DaemonCall, DaemonClient } from '../../../../../src/chains/utxo/daemon/client.ts';
import { loadOwnCoins } from '../../../../../src/chains/utxo/daemon/own-coins.ts';
import { encodeTransaction, p2pkhScript, transactionId } from '../../../../../src/htlc/index.ts';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import type { JsonValue } from '../../../../../src/primitives/json.ts';

const SCRIPT = p2pkhScript(new Uint8Array(20).fill(7));
const OWN = { address: 'own', scripts: [bytesToHex(SCRIPT)] };

function payment(value: bigint): { readonly txid: string; readonly hex: string } {
  const input = { txid: 'aa'.repeat(32), vout: 0, scriptSig: new Uint8Array(0), sequence: 0 };
  const tx = {
    format: 'legacy',
    version: 1,
    inputs: [input],
    outputs: [{ value, script: SCRIPT }],
    lockTime: 0,
  } as const;
  const bytes = encodeTransaction(tx);
  return { txid: transactionId(bytes, tx), hex: bytesToHex(bytes) };
}

const OLD = payment(5n);
const YOUNG = payment(6n);
const coinAt = ({ txid }: { readonly txid: string }, height: number) => ({ txid, vout: 0, height });
const UNKNOWN: DaemonAnswer = { error: { code: -32601, message: 'Method not found' } };

/** A daemon at height 100 that can do what it is given, and asks in the order in which it is asked. */
function daemon(methods: Readonly<Record<string, JsonValue>>) {
  const asked: string[] = [];
  const raws = new Map([OLD, YOUNG].map(({ txid, hex }) => [txid, hex]));
  const answer = ([method, first]: DaemonCall): DaemonAnswer => {
    asked.push(method);
    if (method === 'getblockcount') return { result: 100 };
    if (method === 'getrawtransaction') return { result: raws.get(String(first)) ?? null };
    const result = methods[method];
    return result === undefined ? UNKNOWN : { result };
  };
  const client: DaemonClient = { batch: (calls) => Promise.resolve(calls.map(answer)) };
  return { client, asked };
}

async function load(methods: Readonly<Record<string, JsonValue>>) {
  const { client, asked } = daemon(methods);
  const index = createChainIndex(() => 100);
  await loadOwnCoins({ client, own: OWN, index, below: 90 });
  return { found: index.paying(OWN.scripts[0] as string).map(({ txid, height }) => [txid, height]), asked };
}

describe('the older coins of a wallet', () => {
  it('come from the address index if there is one', async () => {
    const { found, asked } = await load({
      getaddressutxos: [
        { txid: OLD.txid, outputIndex: 0, height: 40 },
        { txid: YOUNG.txid, outputIndex: 0, height: 95 },
      ],
      listunspent: [],
    });
    expect(found).toEqual([[OLD.txid, 40]]);
    expect(asked).not.toContain('listunspent');
  });

  it('come from the daemon’s wallet, whose confirmations give the height', async () => {
    const { found } = await load({ listunspent: [{ txid: OLD.txid, vout: 0, confirmations: 61 }] });
    expect(found).toEqual([[OLD.txid, 40]]);
  });

  it('are searched for among all unspent outputs if the address was not imported', async () => {
    const { found, asked } = await load({
      listunspent: [],
      scantxoutset: { unspents: [{ txid: OLD.txid, height: 40 }] },
    });
    expect(found).toEqual([[OLD.txid, 40]]);
    expect(asked).toContain('scantxoutset');
  });

  it('are none if the daemon’s wallet has none and there is no other source', async () => {
    expect((await load({ listunspent: [] })).found).toEqual([]);
  });

  it('are read from their blocks if the daemon has no index of transactions', async () => {
    const { client } = daemon({
      listunspent: [],
      scantxoutset: { success: true, unspents: [coinAt(OLD, 40), coinAt(YOUNG, 61)] },
    });
    const index = createChainIndex(() => 100);
    const unindexed: DaemonClient = {
      async batch(calls) {
        const answers = await client.batch(calls);
        return calls.map(([method, txid, verbose, hash], place): DaemonAnswer => {
          if (method === 'getblockhash') return { result: `hash of ${String(txid)}` };
          if (method !== 'getrawtransaction') return answers[place] as DaemonAnswer;
          const right = txid === OLD.txid ? 'hash of 40' : 'hash of 61';
          if (verbose === 0 && hash === right) return answers[place] as DaemonAnswer;
          return { error: { code: -5, message: 'No such mempool transaction. Use -txindex' } };
        });
      },
    };
    await loadOwnCoins({ client: unindexed, own: OWN, index, below: 90 });
    expect(index.paying(OWN.scripts[0] as string).map(({ txid, height }) => [txid, height])).toEqual([
      [OLD.txid, 40],
      [YOUNG.txid, 61],
    ]);
  });

  it('are waited for while the daemon goes through all that is unspent', async () => {
    const { client } = daemon({ scantxoutset: { success: true, unspents: [coinAt(OLD, 40)] } });
    const patience: unknown[] = [];
    const slow: DaemonClient = {
      batch: (calls, { timeoutMs } = {}) => {
        patience.push([calls[0]?.[0], timeoutMs]);
        return client.batch(calls);
      },
    };
    await loadOwnCoins({ client: slow, own: OWN, index: createChainIndex(() => 100), below: 90 });
    expect(patience).toContainEqual(['scantxoutset', 290_000]);
    expect(patience).toContainEqual(['getrawtransaction', undefined]);
  });

  it.each([
    ['a search that was stopped', { scantxoutset: { success: false, unspents: [] } }],
    ['an answer that is none', { getaddressutxos: null, listunspent: null, scantxoutset: null }],
  ])('are not reported as none after %s', async (_, methods) => {
    await expect(load(methods)).rejects.toThrow('the daemon does not list the coins of an address (scantxoutset');
  });

  it('are never guessed', async () => {
    await expect(load({})).rejects.toThrow('the daemon does not list the coins of an address');
    await expect(load({ listunspent: [{ txid: OLD.txid }] })).rejects.toThrow('without its transaction or height');
  });
});
