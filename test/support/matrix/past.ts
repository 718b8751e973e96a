import { NodeRefusal } from '../../../src/chains/accounts/node.ts';
import type { EvmNode } from '../../../src/chains/evm/node.ts';
import { hexOf } from './evm-words.ts';

/** A node that has only the blocks that were there so many seconds before its last one. `mixed`: two answer behind one address, one of which has all. */
export type Past = { readonly seconds: number; readonly mixed: boolean };

/** Of what time a node answers now; null for the present. */
export type Pasts = { now: Past | null };

type Request = EvmNode['request'];
type Told = Readonly<Record<string, unknown>>;

/** Of five answers in a row, those that the one of two nodes gives that is behind: neither every other one nor always the same of a look. */
const BEHIND: readonly boolean[] = [true, false, true, true, false];

/** A node that may answer from the past: of later blocks it knows nothing. What is sent to it comes to the others. */
export function fromPast(ask: Request, pasts: Pasts): Request {
  let turn = 0;
  const known: Blocks = new Map();
  let seen: { readonly of: string; readonly before: Promise<Before> } | null = null;
  return async (method, params) => {
    const past = pasts.now;
    if (past === null) return ask(method, params);
    turn += 1;
    if (past.mixed && BEHIND[turn % BEHIND.length] === false) return ask(method, params);
    const last = (await ask('eth_getBlockByNumber', ['latest', false])) as Told;
    const of = `${last['hash']} ${past.seconds}`;
    if (seen?.of !== of) seen = { of, before: beforeOf(ask, { last, past, known }) };
    return new Behind(ask, await seen.before).answer(method, params);
  };
}

/** Its last block, and what came into later ones. */
type Before = { readonly top: number; readonly later: readonly unknown[] };

/** Blocks by their hashes, with what they hold. */
type Blocks = Map<unknown, Told>;
type Going = { readonly last: Told; readonly past: Past; readonly known: Blocks };

/** What is told while there is the same last block: from it back to the last one that is old enough. */
async function beforeOf(ask: Request, { last, past, known }: Going): Promise<Before> {
  const newest = Number(last['timestamp']) - past.seconds;
  const later: unknown[] = [];
  let block = last;
  for (let hash = last['hash']; ; hash = block['parentHash']) {
    block = known.get(hash) ?? ((await ask('eth_getBlockByHash', [hash, true])) as Told);
    known.set(hash, block);
    if (Number(block['timestamp']) <= newest) break;
    later.unshift(...(block['transactions'] as readonly unknown[]));
  }
  return { top: Number(block['number']), later };
}

const isNumber = (tag: unknown): tag is string => typeof tag === 'string' && tag.startsWith('0x');
const heightIn = (told: Told): number => (told['blockNumber'] === null ? 0 : Number(told['blockNumber']));

class Behind {
  readonly #ask: Request;
  readonly #top: number;
  readonly #later: readonly unknown[];

  constructor(ask: Request, { top, later }: Before) {
    this.#ask = ask;
    this.#top = top;
    this.#later = later;
  }

  async answer(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case 'eth_blockNumber':
        return hexOf(this.#top);
      case 'eth_getBlockByNumber':
        return this.#block(params);
      case 'eth_getTransactionReceipt':
        return this.#receipt(params);
      case 'eth_getTransactionByHash':
        return this.#transaction(params);
      case 'eth_getLogs':
        return ((await this.#ask(method, params)) as readonly Told[]).filter((log) => heightIn(log) <= this.#top);
      case 'eth_call':
      case 'eth_getBalance':
      case 'eth_getTransactionCount':
      case 'eth_getCode':
        return this.#ask(method, [params[0], await this.#known(params[1]), ...params.slice(2)]);
      default:
        return this.#ask(method, params);
    }
  }

  async #block([tag, isFull]: readonly unknown[]): Promise<unknown> {
    if (isNumber(tag)) return Number(tag) > this.#top ? null : this.#ask('eth_getBlockByNumber', [tag, isFull]);
    if (tag === 'pending') return this.#pending(isFull);
    return this.#ask('eth_getBlockByNumber', [tag === 'latest' ? hexOf(this.#top) : tag, isFull]);
  }

  /** To such a node all that came into later blocks waits. */
  async #pending(isFull: unknown): Promise<unknown> {
    const pending = (await this.#ask('eth_getBlockByNumber', ['pending', isFull])) as Told | null;
    if (pending === null) return null;
    const transactions = [...this.#later, ...(pending['transactions'] as readonly unknown[])];
    return { ...pending, number: hexOf(this.#top + 1), transactions };
  }

  async #receipt(params: readonly unknown[]): Promise<unknown> {
    const receipt = (await this.#ask('eth_getTransactionReceipt', params)) as Told | null;
    return receipt === null || heightIn(receipt) > this.#top ? null : receipt;
  }

  async #transaction(params: readonly unknown[]): Promise<unknown> {
    const told = (await this.#ask('eth_getTransactionByHash', params)) as Told | null;
    if (told === null || heightIn(told) <= this.#top) return told;
    return { ...told, blockHash: null, blockNumber: null, transactionIndex: null };
  }

  /** A block by which something is asked. @throws NodeRefusal for one that it does not have */
  async #known(at: unknown): Promise<unknown> {
    if (at === 'latest') return hexOf(this.#top);
    const hash = typeof at === 'object' && at !== null ? (at as Told)['blockHash'] : null;
    const block = hash === null ? null : ((await this.#ask('eth_getBlockByHash', [hash, false])) as Told | null);
    const number = isNumber(at) ? Number(at) : Number(block?.['number'] ?? 0);
    if (number > this.#top) throw new NodeRefusal(-32_000, 'header not found');
    return at;
  }
}
