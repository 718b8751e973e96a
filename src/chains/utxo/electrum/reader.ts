import { decodeTransaction, isTransactionProblem } from '../../../htlc/transaction.ts';
import { transactionId } from '../../../htlc/transaction-encoding.ts';
import { isDecimalText, toBaseUnits } from '../../../primitives/decimal.ts';
import { hash256 } from '../../../primitives/hash.ts';
import { bytesToHex, hexToBytes, isHex } from '../../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../primitives/time.ts';
import { createChainIndex, type WritableIndex } from '../chain-index.ts';
import type { FeeRate } from '../coin.ts';
import { BackendSilent, type Reader, type Refusal, type Tip } from '../reader.ts';
import { scripthashOf } from '../scripthash.ts';
import type { ElectrumAnswer, ElectrumCall } from './connection.ts';

/** Whoever answers calls of the Electrum protocol. */
export type ElectrumBackend = {
  readonly batch: (calls: readonly ElectrumCall[]) => Promise<readonly ElectrumAnswer[]>;
  /** Called when a server has said something of its own accord. */
  readonly onNews: (told: () => void) => { readonly close: () => void };
};

export type ElectrumReaderOptions = {
  readonly backend: ElectrumBackend;
  /** Digits after the point of one coin unit, in which servers tell their fees. */
  readonly decimals: number;
  /** Blocks whose times the chain's clock is the median of. */
  readonly medianBlocks: number;
};

type Header = { readonly hash: string; readonly previous: string; readonly time: UnixSeconds };

type Followed = {
  /** The server's word for all that it knows of the script; null for nothing, undefined before the first look. */
  status: string | null | undefined;
  /** Transactions of its history. */
  txids: ReadonlySet<string>;
};

type Reading = ElectrumReaderOptions & {
  readonly index: WritableIndex;
  /** By scripthash. */
  readonly followed: Map<string, Followed>;
  readonly headers: Map<number, Header>;
  tip: Tip;
};

/**
 * Follows the best chain of Electrum servers by the histories of scripts: of the wallet's, and of each payment that is asked for. Each look
 * asks for the tip and for the status of every script that is followed, so that it does not matter which server answers.
 */
export function createElectrumReader(options: ElectrumReaderOptions): Reader {
  const reading: Reading = {
    ...options,
    index: createChainIndex(() => reading.tip.height),
    followed: new Map(),
    headers: new Map(),
    tip: { hash: '', height: -1, clock: unixSecondsOf(0) },
  };
  let last: Promise<unknown> = Promise.resolve();
  let queued: Promise<Tip> | null = null;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  return {
    sync() {
      queued ??= inTurn(() => {
        queued = null;
        return look(reading);
      });
      return queued;
    },
    follow: (script) => inTurn(() => follow(reading, script)),
    find: (txid) => inTurn(() => find(reading, txid)),
    index: reading.index,
    timeOf: (height) => inTurn(async () => (await headerAt(reading, height)).time),
    send: (hex) => send(reading, hex),
    estimate: () => estimate(reading),
    onNews: (told) => options.backend.onNews(told),
  };
}

async function look(reading: Reading): Promise<Tip> {
  const hashes = [...reading.followed.keys()];
  const [head, ...statuses] = await resultsOf(reading, [
    ['blockchain.headers.subscribe'],
    ...hashes.map((hash): ElectrumCall => ['blockchain.scripthash.subscribe', hash]),
  ]);
  await readTip(reading, head ?? null);
  const changed = hashes.filter((hash, place) => reading.followed.get(hash)?.status !== (statuses[place] ?? null));
  await readHistories(reading, new Map(changed.map((hash) => [hash, statuses[hashes.indexOf(hash)] ?? null])));
  return reading.tip;
}

async function follow(reading: Reading, script: string): Promise<boolean> {
  const hash = scripthashOf(hexToBytes(script));
  if (reading.followed.has(hash)) return true;
  const [status] = await resultsOf(reading, [['blockchain.scripthash.subscribe', hash]]);
  reading.followed.set(hash, { status: undefined, txids: new Set() });
  await readHistories(reading, new Map([[hash, status ?? null]]));
  return true;
}

/** How servers and the nodes behind them say that they know no such transaction. */
const NOWHERE = /no such|not found|no information|unknown|missing/i;

/**
 * By the history of one of its outputs, which tells its height. A transaction of a script that is followed is known without asking; of any
 * other one nobody tells a change, so that it is looked up again each time.
 */
async function find(reading: Reading, txid: string): Promise<boolean> {
  const { index, followed, backend } = reading;
  if ([...followed.values()].some(({ txids }) => txids.has(txid))) return true;
  const [answer] = await backend.batch([['blockchain.transaction.get', txid]]);
  if (answer === undefined) throw new BackendSilent('no Electrum server answers');
  if ('error' in answer) {
    if (!NOWHERE.test(answer.error.message)) {
      throw new BackendSilent(`an Electrum server does not tell a transaction: ${answer.error.message}`);
    }
    index.remove(txid);
    return true;
  }
  const hex = checkedBytes(txid, answer.result);
  const script = tellingScript(hex);
  if (script === null) return true;
  const [history] = await resultsOf(reading, [['blockchain.scripthash.get_history', scripthashOf(script)]]);
  const entry = historyOf(history ?? null).find((one) => one.txid === txid);
  if (entry === undefined) index.remove(txid);
  else index.put(txid, { hex, height: entry.height });
  return true;
}

const OP_HASH160 = 0xa9;

/** The output whose script has the shortest history, by its form: that of a payment, or else the change; a fee's has that of all fees. */
function tellingScript(hex: string): Uint8Array | null {
  const tx = decodeTransaction(hexToBytes(hex));
  const paying = isTransactionProblem(tx)
    ? []
    : tx.outputs.filter(({ value }) => value > 0n).map(({ script }) => script);
  const isHashed = (script: Uint8Array): boolean => script[0] === OP_HASH160 || (script[0] === 0 && script[1] === 32);
  return paying.find(isHashed) ?? paying.at(-1) ?? null;
}

async function readHistories(reading: Reading, statuses: ReadonlyMap<string, JsonValue>): Promise<void> {
  const hashes = [...statuses.keys()];
  const histories = await resultsOf(
    reading,
    hashes.map((hash): ElectrumCall => ['blockchain.scripthash.get_history', hash]),
  );
  for (const [place, hash] of hashes.entries()) {
    const entries = historyOf(histories[place] ?? null);
    await keepHistory(reading, hash, entries);
    const status = statuses.get(hash) ?? null;
    reading.followed.set(hash, {
      status: typeof status === 'string' ? status : null,
      txids: new Set(entries.map(({ txid }) => txid)),
    });
  }
}

type Entry = { readonly txid: string; readonly height: number | null };

async function keepHistory(reading: Reading, hash: string, entries: readonly Entry[]): Promise<void> {
  const { index, followed } = reading;
  const there = new Set(entries.map(({ txid }) => txid));
  const isElsewhere = (txid: string): boolean =>
    [...followed].some(([other, { txids }]) => other !== hash && txids.has(txid));
  for (const txid of followed.get(hash)?.txids ?? []) if (!there.has(txid) && !isElsewhere(txid)) index.remove(txid);
  const lacking = entries.filter(({ txid }) => index.get(txid) === undefined);
  const raws = await resultsOf(
    reading,
    lacking.map(({ txid }): ElectrumCall => ['blockchain.transaction.get', txid]),
  );
  const fetched = new Map(lacking.map(({ txid }, place) => [txid, checkedBytes(txid, raws[place] ?? null)]));
  for (const { txid, height } of entries)
    index.put(txid, { hex: fetched.get(txid) ?? index.get(txid)?.hex ?? '', height });
}

/** What a server sends under an id must be that transaction. */
function checkedBytes(txid: string, told: JsonValue): string {
  const hex = typeof told === 'string' && isHex(told) ? told : '';
  const bytes = hexToBytes(hex);
  const tx = decodeTransaction(bytes);
  if (!isTransactionProblem(tx) && transactionId(bytes, tx) !== txid) {
    throw new BackendSilent(`an Electrum server sends other bytes for the transaction ${txid}`);
  }
  return hex;
}

function historyOf(value: JsonValue): readonly Entry[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [];
  return list.map((entry) => {
    const members = isJsonObject(entry) ? entry : {};
    const { tx_hash } = members;
    const height = Number(numberText(members['height']) ?? Number.NaN);
    if (typeof tx_hash !== 'string' || !/^[0-9a-f]{64}$/.test(tx_hash) || !Number.isSafeInteger(height)) {
      throw new BackendSilent('an Electrum server tells a history without ids and heights');
    }
    return { txid: tx_hash, height: height > 0 ? height : null };
  });
}

async function readTip(reading: Reading, head: JsonValue): Promise<void> {
  const members = isJsonObject(head) ? head : {};
  const height = Number(numberText(members['height'] ?? members['block_height']) ?? Number.NaN);
  const { hex } = members;
  if (typeof hex !== 'string' || !Number.isSafeInteger(height) || height < 0) {
    throw new BackendSilent('an Electrum server does not tell its best block');
  }
  const header = headerOf(hex);
  const { headers } = reading;
  if (headers.get(height)?.hash === header.hash && height === reading.tip.height) return;
  for (const known of headers.keys()) if (known > height) headers.delete(known);
  headers.set(height, header);
  // Whatever does not lead to this block belongs to another branch.
  for (let below = height; headers.has(below - 1); below--) {
    if (headers.get(below - 1)?.hash === headers.get(below)?.previous) continue;
    for (const known of [...headers.keys()]) if (known < below) headers.delete(known);
  }
  reading.tip = { hash: header.hash, height, clock: await medianTime(reading, height) };
}

async function medianTime(reading: Reading, height: number): Promise<UnixSeconds> {
  const heights = Array.from({ length: reading.medianBlocks }, (_, back) => height - back).filter((each) => each >= 0);
  const lacking = heights.filter((each) => !reading.headers.has(each));
  const told = await resultsOf(
    reading,
    lacking.map((each): ElectrumCall => ['blockchain.block.header', each]),
  );
  for (const [place, each] of lacking.entries()) reading.headers.set(each, headerOf(told[place] ?? null));
  const times = heights
    .map((each) => reading.headers.get(each)?.time ?? unixSecondsOf(0))
    .sort((left, right) => left - right);
  return times[Math.floor(times.length / 2)] ?? unixSecondsOf(0);
}

async function headerAt(reading: Reading, height: number): Promise<Header> {
  const known = reading.headers.get(height);
  if (known !== undefined) return known;
  const [told] = await resultsOf(reading, [['blockchain.block.header', height]]);
  return headerOf(told ?? null);
}

const BITCOIN_HEADER = 80;
const TIME_AT = 68;
/** Zcash's family has one more hash before the time. */
const LONG_TIME_AT = 100;

function headerOf(told: JsonValue): Header {
  const bytes = typeof told === 'string' && isHex(told) ? hexToBytes(told) : new Uint8Array(0);
  if (bytes.length < BITCOIN_HEADER) throw new BackendSilent('an Electrum server tells no header of a block');
  const at = bytes.length === BITCOIN_HEADER ? TIME_AT : LONG_TIME_AT;
  const time = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
  return {
    hash: bytesToHex(hash256(bytes).reverse()),
    previous: bytesToHex(bytes.slice(4, 36).reverse()),
    time: unixSecondsOf(time),
  };
}

async function send({ backend }: Reading, hex: string): Promise<Refusal | null> {
  const [answer] = await backend.batch([['blockchain.transaction.broadcast', hex]]);
  if (answer === undefined) throw new BackendSilent('no Electrum server answers');
  return 'error' in answer ? answer.error : null;
}

const SOON = 2;

/** In coin units for 1,000 bytes; below 0 where the server's node has seen too little. */
async function estimate({ backend, decimals }: Reading): Promise<FeeRate | null> {
  const [answer] = await backend.batch([['blockchain.estimatefee', SOON]]);
  const rate = answer !== undefined && 'result' in answer ? numberText(answer.result) : undefined;
  const units = rate === undefined || !isDecimalText(rate) || rate.startsWith('-') ? 0n : toBaseUnits(rate, decimals);
  return units > 0n ? units : null;
}

/** The results of calls, none of which a sound server refuses. @throws BackendSilent */
async function resultsOf({ backend }: Reading, calls: readonly ElectrumCall[]): Promise<readonly JsonValue[]> {
  if (calls.length === 0) return [];
  const answers = await backend.batch(calls);
  return answers.map((answer, place) => {
    if ('result' in answer) return answer.result;
    throw new BackendSilent(
      `an Electrum server answers ${answer.error.code} to ${calls[place]?.[0]}: ${answer.error.message}`,
    );
  });
}
