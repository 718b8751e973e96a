import { BackendSilent } from '../../../ports/silence.ts';
import { isDecimalText, toBaseUnits } from '../../../primitives/decimal.ts';
import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../primitives/time.ts';
import { type ChainIndexOptions, createChainIndex, type FoundTransaction, type WritableIndex } from '../chain-index.ts';
import type { FeeQuestion, FeeRate } from '../coin.ts';
import type { Tip, UtxoReader, UtxoRefusal } from '../reader.ts';
import { type DaemonAnswer, type DaemonCall, type DaemonClient, resultsOf } from './client.ts';
import { loadOwnCoins, type OwnAddress } from './own-coins.ts';
import { bytesIn, inputsIn } from './told-transaction.ts';

export type DaemonReaderOptions = {
  readonly client: DaemonClient;
  /** No block below this height matters; null for the tip of the first look, with the coins of `own` there. */
  readonly birth: number | null;
  /** The wallet whose older coins to ask for, if blocks are not read from its birth on. @defaultValue none */
  readonly own?: OwnAddress;
  /** How many blocks to read before the first answer; earlier ones are read on demand. @defaultValue all */
  readonly depth?: number;
  /** Decimals of the coin unit in which the daemon states fees. */
  readonly decimals: number;
  /** Number of blocks whose median time is the chain's clock. */
  readonly medianBlocks: number;
  /** How to find transactions by what they pay, and who hears of them. */
  readonly index?: ChainIndexOptions;
};

export type ReadBlock = {
  readonly hash: string;
  readonly time: UnixSeconds;
  /** In the order of the block. */
  readonly txids: readonly string[];
};

/** A reader that also gives the blocks behind its answers. */
export type DaemonReader = UtxoReader & {
  /** The block of the best chain at a height; undefined if it was not read. */
  readonly blockAt: (height: number) => ReadBlock | undefined;
  /** Ids of unconfirmed transactions. */
  readonly waiting: () => readonly string[];
};

/** How many blocks to read back for one question. */
const BACK_AT_ONCE = 50;

/** How many blocks to request at a time at most: fewer where a daemon does not answer for so many, as full ones may be too long or take too long. */
const BLOCKS_AT_ONCE = 20;

/** How many waiting transactions to request at a time: each may be as long as a block. */
const WAITING_AT_ONCE = 50;

/**
 * How many blocks a daemon may lag behind the headers that it has. One that is new, or reads its blocks again, shows a chain of long ago: payments that
 * are not there yet, and coins that were spent since.
 */
const MOST_BEHIND = 144;

type Reading = Omit<DaemonReaderOptions, 'index'> & {
  readonly blocks: Map<number, LinkedBlock>;
  readonly index: WritableIndex;
  /** What waits in a form that is not read here, so that it is asked for once. */
  readonly unread: Set<string>;
  tip: Tip;
  lowest: number;
  /** How many blocks to request at a time for now. */
  atOnce: number;
};

/** With the hash of its parent; empty if the daemon does not give it. */
type LinkedBlock = ReadBlock & { readonly previous: string };

const CHANGED = 'the active chain of the daemon changed while its blocks were read';

const NOWHERE: Tip = { hash: '', height: -1, clock: 0 as UnixSeconds };

/**
 * Follows a daemon's best chain and its mempool, block by block, so that it needs no index of addresses.
 *
 * @example
 * ```ts
 * import { createDaemonReader, type DaemonAnswer, type DaemonClient } from 'swapfold/chains/utxo';
 *
 * const told: Record<string, DaemonAnswer> = {
 *   getblockchaininfo: { result: { blocks: 0, bestblockhash: 'aa' } },
 *   getrawmempool: { result: [] },
 *   getblockhash: { result: 'aa' },
 *   getblock: { result: { hash: 'aa', time: 1_700_000_000, tx: [] } },
 * };
 * const client: DaemonClient = {
 *   batch: async (calls) => calls.flatMap(([method]) => told[method] ?? []),
 * };
 * const reader = createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 11 });
 * await reader.sync(); // → { hash: 'aa', height: 0, clock: 1_700_000_000 }
 * ```
 */
export function createDaemonReader(options: DaemonReaderOptions): DaemonReader {
  const reading: Reading = {
    ...options,
    blocks: new Map(),
    index: createChainIndex(() => reading.tip.height, options.index),
    unread: new Set(),
    tip: NOWHERE,
    lowest: -1,
    atOnce: BLOCKS_AT_ONCE,
  };
  const { client } = options;
  let last: Promise<unknown> = Promise.resolve();
  let queued: Promise<Tip> | null = null;
  /** One at a time; those who ask before the next one has begun share it. */
  const sync = (): Promise<Tip> => {
    queued ??= last.then(() => {
      queued = null;
      return readNew(reading);
    });
    last = queued.catch(() => undefined);
    return queued;
  };
  const reaches = async (from: number): Promise<boolean> => {
    const wanted = Math.max(from, options.birth ?? 0);
    if (wanted >= reading.lowest) return true;
    const back = last.then(() => readBack(reading, wanted));
    last = back.catch(() => undefined);
    await back;
    return wanted >= reading.lowest;
  };
  return {
    sync,
    follow: (_script, from) => reaches(from),
    find: async (txid, from) => reading.index.get(txid) !== undefined || reaches(from),
    index: reading.index,
    blockAt: (height) => reading.blocks.get(height),
    waiting: () => reading.index.waiting(),
    timeOf: (height) => Promise.resolve(reading.blocks.get(height)?.time ?? null),
    send: (hex) => send(client, hex),
    estimate: (question) => estimate(options, question),
    relayFee: () => relayFee(options),
  };
}

async function readNew(reading: Reading): Promise<Tip> {
  // In this order: what a block takes between the two calls still waits by the first one.
  const [waiting, info] = await resultsOf(reading.client, [['getrawmempool'], ['getblockchaininfo']]);
  const { hash, height } = tipOf(info ?? null);
  if (!isRead(reading, { hash, height })) {
    await retreat(reading, height);
    if (reading.lowest < 0) await begin(reading, height);
    // A best chain that ends below all that was read is read from there on.
    if (height < reading.lowest)
      Object.assign(reading, { lowest: height, tip: { ...reading.tip, height: height - 1 } });
    await readBlocks(reading, { from: Math.max(reading.tip.height + 1, reading.lowest), to: height });
    if (!isRead(reading, { hash, height })) throw new BackendSilent(CHANGED);
  }
  reading.tip = { hash, height, clock: medianTime(reading, height) };
  await readMempool(reading, idsIn(waiting));
  return reading.tip;
}

/** By the blocks themselves: a look that failed may have read further than its predecessor, or taken blocks back, before the daemon returned to that tip. */
function isRead({ blocks, tip }: Reading, { hash, height }: Pick<Tip, 'hash' | 'height'>): boolean {
  return tip.height === height && blocks.get(height)?.hash === hash;
}

async function begin(reading: Reading, height: number): Promise<void> {
  const { depth = Number.POSITIVE_INFINITY, birth, medianBlocks, own, client, index } = reading;
  const first = Math.max(birth ?? height + 1, height - depth + 1);
  // The chain's clock needs the times of some blocks, whatever the wallet's age.
  const below = Math.max(Math.min(first, height - medianBlocks + 1), 0);
  if (own !== undefined) await loadOwnCoins({ client, own, index, below });
  reading.lowest = below;
}

/** Takes back what the node's best chain no longer holds. */
async function retreat(reading: Reading, best: number): Promise<void> {
  const { client, blocks } = reading;
  for (let { height } = reading.tip; height >= reading.lowest && reading.lowest >= 0; height--) {
    const block = blocks.get(height);
    const [hash] = height > best ? [null] : await resultsOf(client, [['getblockhash', height]]);
    if (block === undefined || block.hash === hash) return;
    drop(reading, height);
    reading.tip = { ...reading.tip, height: height - 1 };
  }
}

/** Forgets a block with its transactions. */
function drop({ blocks, index }: Reading, height: number): void {
  for (const txid of blocks.get(height)?.txids ?? []) index.remove(txid);
  blocks.delete(height);
}

async function readBack(reading: Reading, wanted: number): Promise<void> {
  const from = Math.max(wanted, reading.lowest - BACK_AT_ONCE);
  if (from >= reading.lowest) return;
  try {
    await readBlocks(reading, { from, to: reading.lowest - 1 });
  } catch (error) {
    // No later look takes them back if they are replaced.
    for (let height = from; height < reading.lowest; height++) drop(reading, height);
    throw error;
  }
  reading.lowest = from;
}

async function readBlocks(
  reading: Reading,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let first = from; first <= to; ) {
    const count = Math.min(reading.atOnce, to - first + 1);
    const heights = Array.from({ length: count }, (_, place) => first + place);
    const found = await blocksAt(reading, heights);
    for (const [place, height] of heights.entries()) {
      await keepBlock(reading, { height, told: found[place] ?? null });
      // What is read of the next blocks is kept, also when the rest of them fails; those that are read back change nothing of the tip.
      reading.tip = { ...reading.tip, height: Math.max(reading.tip.height, height) };
    }
    first += count;
  }
  reading.atOnce = Math.min(BLOCKS_AT_ONCE, 2 * reading.atOnce);
}

async function blocksAt(reading: Reading, heights: readonly number[]): Promise<readonly JsonValue[]> {
  const { client } = reading;
  try {
    const hashes = await resultsOf(
      client,
      heights.map((height) => ['getblockhash', height]),
    );
    const found = await resultsOf(
      client,
      hashes.map((hash) => ['getblock', hash, 2]),
    );
    const wrong = found.some((told, place) => !isJsonObject(told) || told['hash'] !== hashes[place]);
    if (wrong) throw new BackendSilent('the daemon sent another block than it was asked for');
    return found;
  } catch (error) {
    reading.atOnce = Math.max(1, Math.floor(heights.length / 2));
    throw error;
  }
}

async function keepBlock(
  reading: Reading,
  { height, told }: { readonly height: number; readonly told: JsonValue },
): Promise<void> {
  if (!isJsonObject(told) || !Array.isArray(told['tx']))
    throw new BackendSilent('the daemon sent a block without its transactions');
  requireLink(reading, { height, told });
  const transactions: readonly JsonValue[] = told['tx'];
  const bare = transactions.flatMap((tx) => (isJsonObject(tx) && typeof tx['txid'] === 'string' ? [tx] : []));
  if (bare.length !== transactions.length) throw new BackendSilent('the daemon sent a block that holds only ids');
  // Some daemons leave the bytes out here.
  const lacking = bare.filter(({ hex }) => typeof hex !== 'string');
  const raws = await resultsOf(
    reading.client,
    lacking.map(({ txid }) => ['getrawtransaction', txid]),
  );
  const fetched = new Map(lacking.map(({ txid }, place) => [txid, raws[place]]));
  reading.blocks.set(height, {
    hash: String(told['hash']),
    previous: previousOf(told),
    time: timeIn(told),
    txids: bare.map(({ txid }) => String(txid)),
  });
  try {
    for (const tx of bare) {
      const { txid, hex = fetched.get(txid) } = tx;
      put(reading, String(txid), { hex, height, inputs: () => inputsIn(tx) });
    }
  } catch (error) {
    drop(reading, height);
    throw error;
  }
}

/**
 * A daemon may reorganise between two calls. A block of the new branch on top of one of the old would hide for ever that the lower one
 * is gone, since blocks are compared from the top down until one is the same.
 */
function requireLink(
  { blocks }: Reading,
  { height, told }: { readonly height: number; readonly told: JsonObject },
): void {
  const below = blocks.get(height - 1);
  const above = blocks.get(height + 1);
  const previous = previousOf(told);
  const linked =
    (below === undefined || previous === '' || previous === below.hash) &&
    (above === undefined || above.previous === '' || above.previous === told['hash']);
  if (!linked) throw new BackendSilent(CHANGED);
}

function timeIn({ time }: JsonObject): UnixSeconds {
  const seconds = Number((time === undefined ? undefined : numberText(time)) ?? Number.NaN);
  if (!Number.isSafeInteger(seconds) || seconds < 0)
    throw new BackendSilent('the daemon sent a block without its time');
  return unixSecondsOf(seconds);
}

function previousOf(told: JsonObject): string {
  const { previousblockhash } = told;
  return typeof previousblockhash === 'string' ? previousblockhash : '';
}

async function readMempool(reading: Reading, txids: readonly string[]): Promise<void> {
  const { client, index, unread } = reading;
  const waiting = new Set(txids);
  for (const txid of index.waiting()) if (!waiting.has(txid)) index.remove(txid);
  for (const txid of unread) if (!waiting.has(txid)) unread.delete(txid);
  const fresh = txids.filter((txid) => index.get(txid) === undefined && !unread.has(txid));
  for (let from = 0; from < fresh.length; from += WAITING_AT_ONCE) {
    const some = fresh.slice(from, from + WAITING_AT_ONCE);
    const strange: string[] = [];
    const raws = await client.batch(some.map((txid) => ['getrawtransaction', txid]));
    for (const [place, txid] of some.entries()) {
      const answer = raws[place];
      // One that has left the mempool since is none of it.
      if (answer === undefined || !('result' in answer)) continue;
      put(reading, txid, { hex: answer.result, height: null });
      if (index.get(txid) === undefined) strange.push(txid);
    }
    for (const txid of strange) unread.add(txid);
    await readByDaemon(reading, strange);
  }
}

/** What waits in a form that is not read here, as the daemon has read it. */
async function readByDaemon(reading: Reading, txids: readonly string[]): Promise<void> {
  const told = await reading.client.batch(txids.map((txid) => ['getrawtransaction', txid, 1]));
  for (const [place, txid] of txids.entries()) {
    const answer = told[place];
    const tx = answer !== undefined && 'result' in answer ? answer.result : null;
    if (isJsonObject(tx)) put(reading, txid, { hex: tx['hex'], height: null, inputs: () => inputsIn(tx) });
  }
}

type ToldBytes = Omit<FoundTransaction, 'hex'> & { readonly hex: JsonValue | undefined };

/** @throws BackendSilent for what is no bytes in hex */
function put({ index }: Reading, txid: string, { hex, height, inputs }: ToldBytes): void {
  index.put(txid, { hex: bytesIn(hex, txid), height, inputs });
}

function medianTime({ blocks, medianBlocks }: Reading, height: number): UnixSeconds {
  const times = Array.from({ length: medianBlocks }, (_, back) => blocks.get(height - back)?.time)
    .filter((time) => time !== undefined)
    .sort((left, right) => left - right);
  return times[Math.floor(times.length / 2)] ?? unixSecondsOf(0);
}

function tipOf(info: JsonValue): { readonly hash: string; readonly height: number } {
  const members = isJsonObject(info) ? info : {};
  const height = Number(numberText(members['blocks']) ?? Number.NaN);
  if (typeof members['bestblockhash'] !== 'string' || !Number.isSafeInteger(height) || height < 0) {
    throw new BackendSilent('the daemon does not report its best block');
  }
  const headers = Number(numberText(members['headers']) ?? height);
  if (headers - height > MOST_BEHIND)
    throw new BackendSilent(`the daemon has read ${height} of ${headers} blocks: wait until it has caught up`);
  return { hash: members['bestblockhash'], height };
}

function idsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value) && value.every((each): each is string => typeof each === 'string')) return value;
  throw new BackendSilent('the daemon does not report what waits');
}

/** A daemon's own ceiling for fees is for people who type; who pays how much is decided above. Older ones lift it with a truth value. */
const WITHOUT_CEILING: readonly (readonly unknown[])[] = [[], [0], [true]];
const TOO_DEAR = /max-fee-exceeded|absurdly-high-fee|exceeds maximum configured/i;

/** What a daemon says to an argument of the wrong type. */
const WRONG_TYPE = /JSON value|expected type|is not a (?:boolean|number)/i;

async function send(client: DaemonClient, hex: string): Promise<UtxoRefusal | null> {
  let first: UtxoRefusal | null = null;
  for (const extra of WITHOUT_CEILING) {
    const [answer] = await client.batch([['sendrawtransaction', hex, ...extra]]);
    if (answer === undefined) throw new BackendSilent('the daemon does not answer');
    if ('result' in answer) return null;
    const { message } = answer.error;
    first ??= answer.error;
    if (!TOO_DEAR.test(message) && !(extra.length > 0 && WRONG_TYPE.test(message))) return answer.error;
  }
  return first;
}

/** Where a daemon does not reckon within so few blocks as it is asked for. */
const SOON = 2;

/** In coin units for 1,000 bytes, by whichever call the daemon has; below 0 or absent where it has seen too little. */
async function estimate(reading: DaemonReaderOptions, { blocks, mode }: FeeQuestion): Promise<FeeRate | null> {
  const targets = [...new Set([blocks, Math.max(blocks, SOON)])];
  const answers = await reading.client.batch(
    targets.flatMap((target): DaemonCall[] => [
      ['estimatesmartfee', target, ...(mode === null ? [] : [mode])],
      ['estimatefee', target],
    ]),
  );
  return firstRate(answers, { decimals: reading.decimals, name: 'feerate' });
}

/** By whichever of two calls the daemon has. */
async function relayFee({ client, decimals }: DaemonReaderOptions): Promise<FeeRate | null> {
  return firstRate(await client.batch([['getnetworkinfo'], ['getinfo']]), { decimals, name: 'relayfee' });
}

/** The first rate among answers that is above 0, told bare or as a member. */
function firstRate(
  answers: readonly DaemonAnswer[],
  { decimals, name }: { readonly decimals: number; readonly name: string },
): FeeRate | null {
  for (const answer of answers) {
    const told = 'result' in answer ? answer.result : null;
    const rate = numberText(isJsonObject(told) ? told[name] : told);
    const units = rate === undefined || !isDecimalText(rate) ? 0n : toBaseUnits(rate, decimals);
    if (units > 0n) return units;
  }
  return null;
}
