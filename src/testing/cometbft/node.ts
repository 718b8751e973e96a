import { base64 } from '@scure/base';
import { tendermintId } from '../../htlc/tendermint-transaction.ts';
import { hexToBytes, isHex } from '../../primitives/hex.ts';
import type { CometBlock, CometChain } from './chain.ts';
import { answerQuery } from './queries.ts';
import { appHash, blockJson, headerJson, type Json, resultJson, statusJson, txJson } from './render.ts';
import type { Refused } from './result.ts';
import { searchBlocks } from './search.ts';

/** What a node does that is not as it should be. */
export type NodeConduct = {
  /** The last block that it shows: it has stopped there, or answers from the past. @defaultValue the chain's last */
  readonly shows?: (tip: number) => number;
  /** How many of its last blocks it keeps, with what the application held after them. @defaultValue all */
  readonly keeps?: number;
  /** The id of another chain. @defaultValue the chain's */
  readonly chainId?: string;
  /** Whether it still fetches blocks. @defaultValue false */
  readonly isCatchingUp?: boolean;
  /** Whether it has no index of transactions. @defaultValue false */
  readonly hasNoIndex?: boolean;
  /** Changes what it answers with. @defaultValue as it is */
  readonly alter?: (answer: Json, method: string, params: Json) => Json;
};

/**
 * What a node answers in place of a result.
 *
 * @example
 * ```ts
 * import { decimalOf, unixSecondsOf } from 'swapfold';
 * import { CometRefusal, createCometChain, createCometNode } from 'swapfold/testing';
 *
 * const rules = { chainId: 'nyancat-9', prefix: 'iaa', module: null, feeDenom: 'unyan' };
 * const times = { startTime: unixSecondsOf(1_700_000_000), blockTime: 5 };
 * const node = createCometNode(createCometChain({ ...rules, ...times, gasPrice: decimalOf('0.25') }));
 * const ask = async () => node.request('block', { height: '7' });
 * const refusal: unknown = await ask().catch((error: unknown) => error);
 * refusal instanceof CometRefusal && refusal.code; // → -32_603
 * refusal instanceof CometRefusal && refusal.data.slice(0, 13); // → 'height 7 must'
 * ```
 */
export class CometRefusal extends Error {
  readonly code: number;
  readonly data: string;

  constructor(code: number, message: string, data: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A node of a chain, by the methods of its JSON-RPC. */
export type CometNode = {
  readonly chain: CometChain;
  /** How it behaves from now on; what is not named is as it should be. */
  behave(conduct: NodeConduct): void;
  /** @throws CometRefusal */
  request(method: string, params: Json): Json;
};

const VERSION = '0.38.12';
const MOST_PER_PAGE = 100;

/**
 * A node of a chain, which behaves as it should unless `conduct` says otherwise.
 *
 * @example
 * ```ts
 * import { decimalOf, unixSecondsOf } from 'swapfold';
 * import { createCometChain, createCometNode } from 'swapfold/testing';
 *
 * const rules = { chainId: 'nyancat-9', prefix: 'iaa', module: null, feeDenom: 'unyan' };
 * const times = { startTime: unixSecondsOf(1_700_000_000), blockTime: 5 };
 * const chain = createCometChain({ ...rules, ...times, gasPrice: decimalOf('0.25') });
 * const node = createCometNode(chain);
 * chain.mine(2);
 * Object.keys(node.request('block', { height: '3' })); // → ['block_id', 'block']
 * node.behave({ shows: (tip) => tip - 1 });
 * node.request('block', { height: '3' }); // throws CometRefusal
 * ```
 */
export function createCometNode(chain: CometChain, conduct: NodeConduct = {}): CometNode {
  let now = conduct;
  return {
    chain,
    behave(next) {
      now = next;
    },
    request(method, params) {
      const answer = METHODS[method];
      if (answer === undefined) throw new CometRefusal(-32_601, 'Method not found', '');
      const given = answer({ chain, params, conduct: now, shown: shownBlocks(chain, now) });
      return now.alter?.(given, method, params) ?? given;
    },
  };
}

function shownBlocks(chain: CometChain, { shows, keeps }: NodeConduct): readonly CometBlock[] {
  const all = chain.blocks();
  if (shows === undefined && keeps === undefined) return all;
  const last = shows?.(chain.tip().height) ?? chain.tip().height;
  const known = all.filter(({ height }) => height <= last);
  const shown = known.length === 0 ? all.slice(0, 1) : known;
  return keeps === undefined ? shown : shown.slice(-keeps);
}

type Call = {
  readonly chain: CometChain;
  readonly params: Json;
  readonly conduct: NodeConduct;
  /** The blocks that it shows, at least one. */
  readonly shown: readonly CometBlock[];
};

function internal(data: string): CometRefusal {
  return new CometRefusal(-32_603, 'Internal error', data);
}

function invalid(data: string): CometRefusal {
  return new CometRefusal(-32_602, 'Invalid params', data);
}

function last({ shown }: Call): CometBlock {
  return shown.at(-1) as CometBlock;
}

/** Blocks follow one another without a gap. */
function heldAt({ shown }: Call, height: number): CometBlock | undefined {
  return shown[height - (shown[0]?.height ?? 0)];
}

function chainIdOf({ chain, conduct }: Call): string {
  return conduct.chainId ?? chain.rules.chainId;
}

/** The block that a call asks for. @throws CometRefusal where the node does not have it */
function blockAt(call: Call): CometBlock {
  const { height } = call.params;
  if (height === undefined || height === null || height === '' || height === '0') return last(call);
  const wanted = Number(height);
  const top = last(call).height;
  if (!Number.isSafeInteger(wanted) || wanted <= 0) throw internal('height must be greater than 0');
  if (wanted > top)
    throw internal(`height ${wanted} must be less than or equal to the current blockchain height ${top}`);
  const found = heldAt(call, wanted);
  if (found === undefined)
    throw internal(`height ${wanted} is not available, lowest height is ${call.shown[0]?.height}`);
  return found;
}

function bytesOf(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw invalid('error converting json params to arguments');
  return base64.decode(text);
}

function queryJson(call: Call): Json {
  const { chain, params } = call;
  const { path, data, height = '0' } = params;
  if (typeof path !== 'string' || typeof data !== 'string' || !isHex(data)) throw invalid('path and data are texts');
  const wanted = Number(height);
  const top = last(call).height;
  const common = { info: '', index: '0', key: null, proofOps: null };
  const refused = ({ code, codespace, log }: Refused): Json => ({
    response: { code, log, ...common, value: null, height: String(wanted), codespace },
  });
  if (wanted > top) {
    const log = `cannot query with height in the future; please provide a valid height: invalid height`;
    return refused({ code: 26, codespace: 'sdk', log });
  }
  const block = wanted === 0 ? last(call) : heldAt(call, wanted);
  if (block === undefined) {
    const log = `failed to load state at height ${wanted}; version does not exist (latest height: ${top}): invalid request`;
    return refused({ code: 18, codespace: 'sdk', log });
  }
  const { rules, simulate } = chain;
  const answer = answerQuery({ path, data: hexToBytes(data), state: block.state, rules, simulate });
  if ('refused' in answer) return refused(answer.refused);
  const value = answer.value.length === 0 ? null : base64.encode(answer.value);
  return { response: { code: 0, log: '', ...common, value, height: String(block.height), codespace: '' } };
}

function offerJson({ chain, params }: Call): Json {
  const bytes = bytesOf(params['tx']);
  const refused = chain.offer(bytes);
  if (refused === 'cached') throw internal('tx already exists in cache');
  const { code, codespace, log } = refused ?? { code: 0, codespace: '', log: '[]' };
  return { code, data: '', log, codespace, hash: tendermintId(bytes).toUpperCase() };
}

function searchJson(call: Call): Json {
  const { query, page = '1', per_page: size = '30', order_by: order = 'asc' } = call.params;
  if (call.conduct.hasNoIndex === true) throw internal('transaction indexing is disabled');
  const found = typeof query === 'string' ? searchBlocks(call.shown, query) : null;
  if (found === null) throw internal('failed to parse query');
  const most = Math.min(MOST_PER_PAGE, Math.max(1, Number(size)));
  const from = (Math.max(1, Number(page)) - 1) * most;
  if (found.length > 0 && from >= found.length) throw internal(`page should be within range, given ${page}`);
  const sorted = order === 'desc' ? [...found].reverse() : found;
  const txs = sorted.slice(from, from + most).map(({ block, index }) => txJson(block, index));
  return { txs, total_count: String(found.length) };
}

function txOf(call: Call): Json {
  const { hash } = call.params;
  if (call.conduct.hasNoIndex === true) throw internal('transaction indexing is disabled');
  const id =
    typeof hash === 'string' ? [...base64.decode(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('') : '';
  for (const block of call.shown) {
    const index = block.transactions.findIndex((one) => one.id === id);
    if (index >= 0) return txJson(block, index);
  }
  throw internal(`tx (${id.toUpperCase()}) not found`);
}

function waitingJson({ chain, params }: Call): Json {
  const all = chain.waiting();
  const most = Math.min(MOST_PER_PAGE, Math.max(1, Number(params['limit'] ?? '30')));
  const txs = all.slice(0, most).map((bytes) => base64.encode(bytes));
  const total = all.reduce((sum, bytes) => sum + bytes.length, 0);
  return { n_txs: String(txs.length), total: String(all.length), total_bytes: String(total), txs };
}

const METHODS: Readonly<Record<string, (call: Call) => Json>> = {
  health: () => ({}),
  status: (call) => {
    const tip = last(call);
    const first = call.shown[0] as CometBlock;
    const isCatchingUp = call.conduct.isCatchingUp ?? false;
    return statusJson({ chainId: chainIdOf(call), version: VERSION, tip, first, isCatchingUp });
  },
  abci_info: (call) => {
    const tip = last(call);
    const hash = base64.encode(hexToBytes(appHash(tip).toLowerCase()));
    return {
      response: { data: 'app', version: '1', last_block_height: String(tip.height), last_block_app_hash: hash },
    };
  },
  abci_query: queryJson,
  block: (call) => blockJson(blockAt(call), chainIdOf(call)),
  header: (call) => ({ header: headerJson(blockAt(call), chainIdOf(call)) }),
  block_results: (call) => {
    const block = blockAt(call);
    const results = block.transactions.map(({ result }) => resultJson(result));
    return { height: String(block.height), txs_results: results, finalize_block_events: [], validator_updates: null };
  },
  broadcast_tx_sync: offerJson,
  broadcast_tx_async: (call) => {
    const bytes = bytesOf(call.params['tx']);
    call.chain.offer(bytes);
    return { code: 0, data: '', log: '', codespace: '', hash: tendermintId(bytes).toUpperCase() };
  },
  tx: txOf,
  tx_search: searchJson,
  unconfirmed_txs: waitingJson,
  num_unconfirmed_txs: (call) => ({ ...waitingJson(call), txs: null }),
};
