import {
  bytesToHex,
  type DecodedTransaction,
  decodeTransaction,
  hexToBytes,
  isTransactionProblem,
} from '../../../src/htlc/index.ts';
import type { Answer, LitecoindClient } from '../litecoind.ts';

/** A transaction of the chain or of the mempool. */
export type Seen = {
  readonly txid: string;
  readonly hex: string;
  readonly tx: DecodedTransaction;
  /** Null while it waits. */
  readonly height: number | null;
};

/** Where the node stands. */
export type Tip = {
  readonly hash: string;
  readonly height: number;
  /** Median time past, seconds since 1970. */
  readonly clock: number;
};

/** A node that was asked and could not answer. */
export class NodeSilent extends Error {}

export type Reader = {
  /** Reads what is new. @throws NodeSilent */
  readonly sync: () => Promise<Tip>;
  /** Whether all blocks from this height on are read. Reads some more of the earlier ones where not. @throws NodeSilent */
  readonly reaches: (height: number) => Promise<boolean>;
  readonly get: (txid: string) => Seen | undefined;
  /** What has an output with this script, in hex. */
  readonly paying: (script: string) => readonly Seen[];
  /** What takes this output: at most one in a block, and what waits. */
  readonly takers: (txid: string, vout: number) => readonly Seen[];
  /** Confirmations; 0 while it waits. */
  readonly depth: (seen: Seen) => number;
  /** Changes with every block and every change of the mempool. */
  readonly version: () => number;
};

export type ReaderOptions = {
  readonly node: LitecoindClient;
  /** No block below this height is of any interest. */
  readonly birth: number;
  /** How many blocks are read at once before the first answer; the earlier ones as questions ask for them. @defaultValue all */
  readonly depth?: number;
};

/** Blocks that are read back for one question. */
const BACK_AT_ONCE = 50;

type Block = { readonly hash: string; readonly txids: readonly string[] };

/** Follows a node's best chain and its mempool, and finds transactions in both by what they pay and take. */
export function createReader({ node, birth, depth = Number.POSITIVE_INFINITY }: ReaderOptions): Reader {
  const blocks = new Map<number, Block>();
  const index = createIndex();
  let tip: Tip = { hash: '', height: -1, clock: 0 };
  let lowest = -1;

  const readBlocks = async (from: number, to: number): Promise<void> => {
    const heights = Array.from({ length: to - from + 1 }, (_, place) => from + place);
    const hashes = await results(
      node,
      heights.map((height) => ['getblockhash', height] as const),
    );
    const found = await results(
      node,
      hashes.map((hash) => ['getblock', hash, 2] as const),
    );
    for (const [place, height] of heights.entries()) {
      const { hash, tx } = found[place] as { hash: string; tx: { txid: string; hex: string }[] };
      blocks.set(height, { hash, txids: tx.map(({ txid }) => txid) });
      for (const { txid, hex } of tx) index.put(txid, { hex, height });
    }
  };

  /** Takes back what the node's best chain no longer holds. */
  const retreat = async (best: number): Promise<void> => {
    for (let height = tip.height; height >= lowest && lowest >= 0; height--) {
      const block = blocks.get(height);
      const [hash] = height > best ? [null] : await results(node, [['getblockhash', height]]);
      if (block === undefined || block.hash === hash) return;
      for (const txid of block.txids) index.remove(txid);
      blocks.delete(height);
      tip = { ...tip, height: height - 1 };
    }
  };

  const readMempool = async (txids: readonly string[]): Promise<void> => {
    const waiting = new Set(txids);
    for (const txid of index.waiting()) if (!waiting.has(txid)) index.remove(txid);
    const fresh = txids.filter((txid) => index.get(txid) === undefined);
    const raws = await node.batch(fresh.map((txid) => ['getrawtransaction', txid])).catch(silent);
    for (const [place, txid] of fresh.entries()) {
      const answer = raws[place] as Answer;
      // One that has left the mempool since is none of it.
      if ('result' in answer) index.put(txid, { hex: String(answer.result), height: null });
    }
  };

  const run = async (): Promise<Tip> => {
    const [info, waiting] = await results(node, [['getblockchaininfo'], ['getrawmempool']]);
    const { bestblockhash, blocks: best, mediantime } = info as Info;
    if (bestblockhash !== tip.hash) {
      await retreat(best);
      if (lowest < 0) lowest = Math.max(birth, best - depth + 1, 0);
      await readBlocks(Math.max(tip.height + 1, lowest), best);
    }
    tip = { hash: bestblockhash, height: best, clock: mediantime };
    await readMempool(waiting as string[]);
    return tip;
  };

  let last: Promise<unknown> = Promise.resolve();
  let queued: Promise<Tip> | null = null;
  /** One at a time; those who ask before the next one has begun share it. */
  const sync = (): Promise<Tip> => {
    queued ??= last.then(() => {
      queued = null;
      return run();
    });
    last = queued.catch(() => undefined);
    return queued;
  };
  const reaches = async (height: number): Promise<boolean> => {
    const wanted = Math.max(height, birth);
    if (wanted >= lowest) return true;
    const back = last.then(async () => {
      const from = Math.max(wanted, lowest - BACK_AT_ONCE);
      if (from >= lowest) return;
      await readBlocks(from, lowest - 1);
      lowest = from;
    });
    last = back.catch(() => undefined);
    await back;
    return wanted >= lowest;
  };
  const deep = ({ height }: Seen): number => (height === null ? 0 : tip.height - height + 1);
  const { get, paying, takers, version } = index;
  return { sync, reaches, get, paying, takers, depth: deep, version };
}

type Info = { readonly bestblockhash: string; readonly blocks: number; readonly mediantime: number };

function silent(cause: unknown): never {
  throw new NodeSilent('the node does not answer', { cause });
}

async function results(node: LitecoindClient, calls: Parameters<LitecoindClient['batch']>[0]): Promise<unknown[]> {
  const answers = await node.batch(calls).catch(silent);
  return answers.map((answer) => {
    if ('result' in answer) return answer.result;
    throw new NodeSilent(`the node answers ${answer.error.code}: ${answer.error.message}`);
  });
}

/** Transactions by id, by what they pay and by what they take. */
function createIndex() {
  const byId = new Map<string, Seen>();
  const byScript = new Map<string, Set<Seen>>();
  const byOutpoint = new Map<string, Set<Seen>>();
  let version = 0;
  const places = ({ tx }: Seen): readonly [Map<string, Set<Seen>>, string][] => [
    ...tx.outputs.map(({ script }) => [byScript, bytesToHex(script)] as [Map<string, Set<Seen>>, string]),
    ...tx.inputs.map(({ txid, vout }) => [byOutpoint, `${txid}:${vout}`] as [Map<string, Set<Seen>>, string]),
  ];
  const remove = (txid: string): void => {
    const seen = byId.get(txid);
    if (seen === undefined) return;
    version += 1;
    byId.delete(txid);
    for (const [map, key] of places(seen)) map.get(key)?.delete(seen);
  };
  return {
    version: () => version,
    get: (txid: string) => byId.get(txid),
    paying: (script: string) => [...(byScript.get(script) ?? [])],
    takers: (txid: string, vout: number) => [...(byOutpoint.get(`${txid}:${vout}`) ?? [])],
    waiting: () => [...byId.values()].filter(({ height }) => height === null).map(({ txid }) => txid),
    remove,
    put(txid: string, { hex, height }: { readonly hex: string; readonly height: number | null }): void {
      remove(txid);
      const tx = decodeTransaction(hexToBytes(hex));
      // A form that is not read, such as that of an extension block, pays nobody here.
      if (isTransactionProblem(tx)) return;
      version += 1;
      const seen = { txid, hex, tx, height };
      byId.set(txid, seen);
      for (const [map, key] of places(seen)) {
        const set = map.get(key) ?? new Set();
        set.add(seen);
        map.set(key, set);
      }
    },
  };
}
