import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DaemonAnswer, DaemonCall, DaemonClient } from '../../../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../../../src/chains/utxo/daemon/reader.ts';
import { encodeTransaction, p2pkhScript, transactionId } from '../../../../../src/htlc/index.ts';
import { BackendSilent } from '../../../../../src/ports/silence.ts';
import { bytesToHex } from '../../../../../src/primitives/hex.ts';
import type { JsonObject, JsonValue } from '../../../../../src/primitives/json.ts';

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
  const state = { chain, waiting: [] as readonly TestBlock[], before: (_: DaemonCall) => {} };
  /** Also what is no longer on the best chain. */
  const known = new Map<string, TestBlock & { readonly height: number; readonly previous: string | undefined }>();
  const answer = (call: DaemonCall): JsonValue => {
    for (const [height, one] of state.chain.entries())
      known.set(one.hash, { ...one, height, previous: state.chain[height - 1]?.hash });
    state.before(call);
    const [method, first] = call;
    const { chain: best } = state;
    if (method === 'getblockchaininfo') return { blocks: best.length - 1, bestblockhash: best.at(-1)?.hash ?? '' };
    if (method === 'getblockhash') return best[Number(first)]?.hash ?? null;
    if (method === 'getrawmempool') return state.waiting.map(({ txid }) => txid);
    if (method === 'getrawtransaction')
      return [...best, ...state.waiting].find(({ txid }) => txid === first)?.hex ?? null;
    if (method !== 'getblock') return [];
    const found = known.get(String(first));
    if (found === undefined) return null;
    const { hash, txid, hex, height, previous } = found;
    const link = previous === undefined ? {} : { previousblockhash: previous };
    return { hash, time: 1_700_000_000 + height, tx: [{ txid, hex }], ...link };
  };
  const client: DaemonClient = {
    async batch(calls) {
      return calls.map((call): DaemonAnswer => {
        const result = answer(call);
        return result === null ? { error: { code: -5, message: 'not found' } } : { result };
      });
    },
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
    await expect(reader.follow('', 0)).rejects.toThrow('chain of the daemon changed');
    state.chain = OLD;
    expect(await reader.follow('', 1)).toBe(true);
    expect(reader.blockAt(1)).toMatchObject({ hash: 'hash of a1', txids: [OLD[1]?.txid] });
    expect(reader.blockAt(0)).toBeUndefined();
    expect(paidBy(reader).toSorted()).toEqual(idsOf(OLD).slice(1).toSorted());
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

  it.each([
    ['getrawmempool', null, 'does not report what waits'],
    ['getrawmempool', [7], 'does not report what waits'],
    ['getblock', { hash: 'hash of a1', time: 1_700_000_001, tx: [] }, 'another block than it was asked for'],
    ['getblock', { time: 1_700_000_002, tx: [] }, 'another block than it was asked for'],
    ['getblock', { hash: 'hash of a2', tx: [] }, 'a block without its time'],
    ['getblock', { hash: 'hash of a2', time: -1, tx: [] }, 'a block without its time'],
  ])('is silent where the daemon answers %s with %j', async (method, told, text) => {
    const { state, client } = daemon(OLD.slice(0, 2));
    const waiting = block('w');
    state.waiting = [waiting];
    const faulty = { is: false };
    const reader = createDaemonReader({
      client: {
        batch: async (calls) => {
          const answers = await client.batch(calls);
          return answers.map((answer, place) =>
            faulty.is && calls[place]?.[0] === method ? { result: told } : answer,
          );
        },
      },
      ...{ birth: 0, decimals: 8, medianBlocks: 1 },
    });
    await reader.sync();
    state.chain = OLD;
    faulty.is = true;
    await expect(reader.sync()).rejects.toThrow(text);
    expect(reader.waiting()).toEqual([waiting.txid]);
    faulty.is = false;
    expect(await reader.sync()).toEqual({ hash: 'hash of a2', height: 2, clock: 1_700_000_002 });
    expect(paidBy(reader)).toContainEqual([waiting.txid, null]);
  });

  it.each([
    [145, 'the daemon has read 2 of 147 blocks: wait until it has caught up'],
    [144, null],
    [0, null],
    [undefined, null],
  ])('believes no daemon that has %s headers more than blocks', async (more, text) => {
    const { client } = daemon(OLD);
    const behind: DaemonClient = {
      batch: async (calls) => {
        const answers = await client.batch(calls);
        return answers.map((answer, place): DaemonAnswer => {
          if (calls[place]?.[0] !== 'getblockchaininfo' || !('result' in answer) || more === undefined) return answer;
          return { result: { ...(answer.result as JsonObject), headers: 2 + more } };
        });
      },
    };
    const reader = createDaemonReader({ client: behind, birth: null, decimals: 8, medianBlocks: 1 });
    if (text === null) expect(await reader.sync()).toMatchObject({ height: 2 });
    else await expect(reader.sync()).rejects.toThrow(text);
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

  it('takes back a block of an old branch that it had read when the one above it was of a new one', async () => {
    const { state, client } = daemon(OLD);
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    state.chain = [...OLD, block('a3'), block('a4')];
    // The daemon names a block of the old branch, and above it one of the new one.
    state.before = ([method, height]) => {
      if (method === 'getblockhash' && height === 4) state.chain = [...OLD, block('b3'), block('b4')];
    };
    await expect(reader.sync()).rejects.toThrow('of the daemon changed while its blocks were read');
    await reader.sync();
    expect(paidBy(reader).toSorted()).toEqual(idsOf(state.chain).toSorted());
  });

  it('keeps no transaction of a block in which another one has no bytes', async () => {
    const { state, client } = daemon(OLD);
    let isLacking = true;
    const lacking: DaemonClient = {
      async batch(calls) {
        const answers = await client.batch(calls);
        return answers.map((answer, place) => {
          if (!isLacking || calls[place]?.[1] !== 'hash of a3' || !('result' in answer)) return answer;
          const told = answer.result as { readonly tx: readonly JsonValue[] };
          return { result: { ...told, tx: [...told.tx, { txid: 'ff', hex: 'f' }] } };
        });
      },
    };
    const reader = createDaemonReader({ client: lacking, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    state.chain = [...OLD, block('a3')];
    await expect(reader.sync()).rejects.toThrow('the daemon sent no bytes for the transaction ff');
    expect(paidBy(reader).toSorted()).toEqual(idsOf(OLD).toSorted());
    isLacking = false;
    await reader.sync();
    expect(paidBy(reader).toSorted()).toEqual(idsOf(state.chain).toSorted());
  });

  it.each([
    ['in a block', true],
    ['that waits', false],
  ])(
    'treats a daemon that sends no bytes for a transaction %s as silent, and keeps nothing of it',
    async (_, inBlock) => {
      const { state, client } = daemon(OLD);
      const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
      await reader.sync();
      const strange = { ...block('a3'), hex: 'zz' };
      if (inBlock) state.chain = [...OLD, strange];
      else state.waiting = [strange];
      await expect(reader.sync()).rejects.toThrow(`the daemon sent no bytes for the transaction ${strange.txid}`);
      await expect(reader.sync()).rejects.toThrow(BackendSilent);
      expect(paidBy(reader).toSorted()).toEqual(idsOf(OLD).toSorted());
    },
  );

  it('asks once for a waiting transaction in a form that it does not read, and once for what that spends', async () => {
    const { state, client } = daemon(OLD);
    const strange = { ...block('a3'), hex: 'ffffff' };
    state.waiting = [strange, block('a4')];
    const asked: unknown[] = [];
    state.before = ([method, ...how]) => {
      if (method === 'getrawtransaction') asked.push(how);
    };
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    await reader.sync();
    expect(asked).toEqual([...state.waiting.map(({ txid }) => [txid]), [strange.txid, 1]]);
    expect(reader.waiting()).toEqual([state.waiting[1]?.txid]);
  });

  it('never misses a transaction that a block takes between two calls of a look', async () => {
    const { state, client } = daemon(OLD);
    const next = block('a3');
    state.waiting = [next];
    const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 1 });
    await reader.sync();
    let asked = 0;
    state.before = ([method]) => {
      if (method !== 'getblockchaininfo' && method !== 'getrawmempool') return;
      asked += 1;
      if (asked !== 2) return;
      state.chain = [...OLD, next];
      state.waiting = [];
    };
    await reader.sync();
    expect(reader.index.get(next.txid)).toBeDefined();
  });

  it('reads a chain that became shorter than where it began', async () => {
    const { state, client } = daemon([...OLD, block('a3')]);
    const reader = createDaemonReader({ client, birth: null, decimals: 8, medianBlocks: 1 });
    state.before = ([method]) => {
      if (method === 'getblockhash') state.chain = OLD.slice(0, 2);
    };
    await expect(reader.sync()).rejects.toThrow(BackendSilent);
    expect(await reader.sync()).toMatchObject({ height: 1, hash: 'hash of a1' });
    expect(await reader.follow('', 0)).toBe(true);
    expect(paidBy(reader).toSorted()).toEqual(idsOf(state.chain).toSorted());
  });

  it('holds what the best chain holds, and no more, however the daemon reorganised and failed meanwhile', async () => {
    const step = fc.record({
      /** After how many more calls; the last ones of the chain that are replaced; and by how many. */
      after: fc.nat(12),
      drops: fc.nat(4),
      adds: fc.nat(5),
      fails: fc.boolean(),
      /** Whether it goes back to the chain before. */
      returns: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.option(fc.nat(3)), async (steps, birth) => {
        let made = 0;
        const next = () => block(`n${made++}`);
        const first = Array.from({ length: 6 }, next);
        const { state, client } = daemon(first);
        state.waiting = [next()];
        const reader = createDaemonReader({ client, birth, decimals: 8, medianBlocks: 1 });
        const left = [...steps];
        let calls = 0;
        let before = { chain: state.chain, waiting: state.waiting };
        state.before = () => {
          const [due] = left;
          calls += 1;
          if (due === undefined || calls <= due.after) return;
          calls = 0;
          left.shift();
          const now = { chain: state.chain, waiting: state.waiting };
          if (due.returns) Object.assign(state, before);
          else {
            const kept = state.chain.slice(0, Math.max(5, state.chain.length - due.drops));
            const taken = due.drops === 0 ? state.waiting : [];
            state.chain = [...kept, ...taken, ...Array.from({ length: due.adds }, next)];
            state.waiting = [next()];
          }
          before = now;
          if (due.fails) throw new BackendSilent('the daemon does not answer in time');
        };
        for (let looks = 0; left.length > 0; looks++) {
          await reader.sync().catch(() => undefined);
          // Where blocks are read on demand, all are asked for.
          if (birth === null && looks % 2 === 1) await reader.follow('', 0).catch(() => undefined);
          // A daemon whose chain stays is asked for nothing new.
          if (looks > 40) left.splice(0);
        }
        await reader.sync();
        expect(await reader.follow('', birth ?? 0)).toBe(true);
        const { chain, waiting } = state;
        const held = [...idsOf(chain).slice(birth ?? 0), ...waiting.map(({ txid }) => [txid, null])];
        expect(paidBy(reader).toSorted()).toEqual(held.toSorted());
        expect(reader.waiting()).toEqual(waiting.map(({ txid }) => txid));
      }),
    );
  });
});
