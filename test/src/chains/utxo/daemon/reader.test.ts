import { describe, expect, it } from 'vitest';
import type { DaemonAnswer, DaemonCall, DaemonClient } from '../../../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../../../src/chains/utxo/daemon/reader.ts';
import { encodeTransaction, p2pkhScript, transactionId } from '../../../../../src/htlc/index.ts';
import { BackendSilent } from '../../../../../src/ports/silence.ts';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import type { JsonValue } from '../../../../../src/primitives/json.ts';

const SCRIPT = p2pkhScript(new Uint8Array(20).fill(7));

type TestBlock = { readonly hash: string; readonly txid: string; readonly hex: string };

/** A block with one transaction that no other block has. */
function block(name: string): TestBlock {
  const source = bytesToHex(new TextEncoder().encode(name.padEnd(32, '.'))).slice(0, 64);
  const input = { txid: source, vout: 0, scriptSig: new Uint8Array(0), sequence: 0 };
  const outputs = [{ value: 5n, script: SCRIPT }];
  const tx = { format: 'legacy', version: 1, inputs: [input], outputs, lockTime: 0 } as const;
  const bytes = encodeTransaction(tx);
  return { hash: `hash of ${name}`, txid: transactionId(bytes, tx), hex: bytesToHex(bytes) };
}

/** A daemon whose best chain a test may change between any two requests. */
function daemon(chain: readonly TestBlock[]) {
  const state = { chain, before: (_: DaemonCall) => {} };
  const answer = (call: DaemonCall): JsonValue => {
    state.before(call);
    const [method, first] = call;
    const { chain: best } = state;
    if (method === 'getblockchaininfo') return { blocks: best.length - 1, bestblockhash: best.at(-1)?.hash ?? '' };
    if (method === 'getblockhash') return best[Number(first)]?.hash ?? '';
    if (method !== 'getblock') return [];
    const height = best.findIndex(({ hash }) => hash === first);
    const { hash = '', txid = '', hex = '' } = best[height] ?? {};
    const previous = best[height - 1]?.hash;
    const link = previous === undefined ? {} : { previousblockhash: previous };
    return { hash, time: 1_700_000_000 + height, tx: [{ txid, hex }], ...link };
  };
  const client: DaemonClient = {
    batch: (calls) => Promise.resolve(calls.map((call): DaemonAnswer => ({ result: answer(call) }))),
  };
  return { state, client };
}

const OLD = ['a0', 'a1', 'a2'].map(block);
const NEW = [...OLD.slice(0, 2), block('b2'), block('b3')];

const paidBy = (reader: ReturnType<typeof createDaemonReader>) =>
  reader.index.paying(bytesToHex(SCRIPT)).map(({ txid, height }) => [txid, height]);
const idsOf = (chain: readonly TestBlock[]) => chain.map(({ txid }, height) => [txid, height]);

describe('a reader of blocks', () => {
  it('takes back a block that was replaced while the one above it was read', async () => {
    const { state, client } = daemon(OLD);
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    // The daemon tells a tip of the old branch, and then a block of the new one at that height.
    state.chain = [...OLD, block('a3')];
    state.before = ([method, height]) => {
      if (method === 'getblockhash' && height === 3) state.chain = NEW;
    };
    await expect(reader.sync()).rejects.toThrow('of the daemon changed while its blocks were read');
    const tip = await reader.sync();
    expect(tip).toMatchObject({ height: 3, hash: 'hash of b3' });
    expect(paidBy(reader).toSorted()).toEqual(idsOf(NEW).toSorted());
    expect(reader.blockAt(2)?.hash).toBe('hash of b2');
  });

  it('asks for fewer blocks at once if a daemon does not answer for many, and for more again once it does', async () => {
    const long = Array.from({ length: 90 }, (_, place) => block(`d${place}`));
    const { state, client } = daemon(long);
    let most = 6;
    const asked: number[] = [];
    const limited: DaemonClient = {
      async batch(calls) {
        const blocks = calls.filter(([method]) => method === 'getblock').length;
        if (blocks > 0) asked.push(blocks);
        if (blocks > most) throw new BackendSilent('the daemon does not answer in time');
        return client.batch(calls);
      },
    };
    const reader = createDaemonReader({ client: limited, birth: 0, decimals: 8, medianBlocks: 1 });
    const looks = async () => {
      for (let left = 4; left > 0; left--) if ((await reader.sync().catch(() => null)) !== null) return true;
      return false;
    };
    expect(await looks()).toBe(true);
    expect(asked.slice(0, 4)).toEqual([20, 10, 5, 5]);
    expect(paidBy(reader)).toHaveLength(90);
    most = 100;
    asked.length = 0;
    state.chain = Array.from({ length: 150 }, (_, place) => block(place < 90 ? `d${place}` : `f${place}`));
    expect(await looks()).toBe(true);
    expect(asked).toEqual([10, 10, 10, 10, 10, 10]);
  });

  it('reads what waits in parts, and keeps what it has of them', async () => {
    const waiting = Array.from({ length: 130 }, (_, place) => block(`e${place}`));
    const { client } = daemon(OLD);
    let left = 2;
    const asked: number[] = [];
    const flaky: DaemonClient = {
      async batch(calls) {
        const raws = calls.filter(([method]) => method === 'getrawtransaction');
        if (raws.length === 0) {
          const answers = await client.batch(calls);
          return answers.map((answer, place) =>
            calls[place]?.[0] === 'getrawmempool' ? { result: waiting.map(({ txid }) => txid) } : answer,
          );
        }
        asked.push(raws.length);
        left -= 1;
        if (left === 0) throw new BackendSilent('the daemon does not answer in time');
        return raws.map(([, txid]) => ({ result: waiting.find((one) => one.txid === txid)?.hex ?? '' }));
      },
    };
    const reader = createDaemonReader({ client: flaky, birth: 0, decimals: 8, medianBlocks: 1 });
    await expect(reader.sync()).rejects.toThrow('in time');
    await reader.sync();
    expect(asked).toEqual([50, 50, 50, 30]);
    expect(reader.waiting()).toHaveLength(130);
  });

  it('takes back nothing above its own blocks', async () => {
    const { state, client } = daemon(OLD);
    const reader = createDaemonReader({ client, birth: null, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    state.chain = [block('c0'), block('c1'), ...OLD.slice(2)];
    await expect(reader.follow('', 1)).rejects.toThrow('chain of the daemon changed');
    state.chain = OLD;
    expect(await reader.follow('', 1)).toBe(true);
    expect(reader.blockAt(1)).toMatchObject({ hash: 'hash of a1', txids: [OLD[1]?.txid] });
    expect(reader.blockAt(0)).toBeUndefined();
  });

  it('reads a tip again that it had taken back before a look failed', async () => {
    const { state, client } = daemon(OLD);
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    state.chain = NEW;
    state.before = ([method, height]) => {
      if (method === 'getblockhash' && height === 3) throw new BackendSilent('the daemon does not answer in time');
    };
    await expect(reader.sync()).rejects.toThrow('in time');
    state.before = () => {};
    state.chain = OLD;
    expect(await reader.sync()).toEqual({ hash: 'hash of a2', height: 2, clock: 1_700_000_002 });
    expect(paidBy(reader)).toEqual(idsOf(OLD));
    state.chain = [...OLD, block('a3')];
    await reader.sync();
    expect(paidBy(reader)).toEqual(idsOf(state.chain));
  });

  it('takes back what a look that failed had read above the tip to which the daemon returns', async () => {
    const long = Array.from({ length: 30 }, (_, place) => block(place < 3 ? `a${place}` : `g${place}`));
    const { state, client } = daemon(OLD);
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    state.chain = long;
    state.before = ([method, height]) => {
      if (method === 'getblockhash' && height === 25) throw new BackendSilent('the daemon does not answer in time');
    };
    await expect(reader.sync()).rejects.toThrow('in time');
    expect(paidBy(reader)).toHaveLength(23);
    state.chain = OLD;
    expect(await reader.sync()).toMatchObject({ hash: 'hash of a2', height: 2 });
    expect(paidBy(reader)).toEqual(idsOf(OLD));
    state.chain = NEW;
    expect(await reader.sync()).toMatchObject({ hash: 'hash of b3', height: 3 });
    expect(paidBy(reader).toSorted()).toEqual(idsOf(NEW).toSorted());
  });

  it('answers for no tip whose block it did not get', async () => {
    const { state, client } = daemon(OLD);
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    const [first, second] = [block('a3'), block('c3')];
    state.chain = [...OLD, first];
    state.before = ([method, height]) => {
      if (method === 'getblockhash' && height === 3) state.chain = [...OLD, second];
    };
    await expect(reader.sync()).rejects.toThrow('changed while its blocks were read');
    state.before = () => {};
    state.chain = [...OLD, first];
    expect(await reader.sync()).toMatchObject({ hash: first.hash, height: 3 });
    expect(paidBy(reader)).toEqual(idsOf(state.chain));
  });

  it('reports each transaction that comes and goes with who asked for it, and finds it by the key that was asked for', async () => {
    const { state, client } = daemon(OLD);
    const told: string[] = [];
    const index = { keyOf: () => 'one key', onChange: ({ txid }: { readonly txid: string }) => void told.push(txid) };
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1, index });
    await reader.sync();
    expect(told).toEqual(OLD.map(({ txid }) => txid));
    expect(reader.index.paying('one key')).toHaveLength(3);
    state.chain = NEW;
    told.length = 0;
    await reader.sync();
    expect(told).toEqual([OLD[2], NEW[2], NEW[3]].map((each) => each?.txid));
    expect(reader.waiting()).toEqual([]);
  });
});
