import { createClient, http } from 'viem';
import { BackendSilent } from '../../ports/silence.ts';
import type { Seconds } from '../../primitives/time.ts';
import { fetchDirect } from '../accounts/direct-fetch.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { type EvmNode, faultOf } from './node.ts';

export type BatchesOptions = {
  /** http or https. It may hold credentials, which no message shows. */
  readonly url: string;
  /** For one answer. @defaultValue 20 */
  readonly timeout?: Seconds;
  /** Most calls in one request. @defaultValue 1000, which nodes accept that set no other limit */
  readonly most?: number;
  /** Ends open calls. @defaultValue nothing does */
  readonly signal?: AbortSignal;
};

/**
 * A node that gets calls made together in few requests. It repeats none.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { connectBatches } from 'swapfold/chains/evm';
 * import { listen } from 'swapfold/rpc';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const answer = async (text: Uint8Array) => {
 *   const calls: { id: number }[] = JSON.parse(new TextDecoder().decode(text));
 *   const answers = calls.map(({ id }) => ({ id, result: calls.length }));
 *   return { status: 200, body: JSON.stringify(answers) };
 * };
 * const credentials = { user: 'me', password: new Secret('secret') };
 * const logger = { info() {}, warn() {}, error() {} };
 * const listening = await listen({ answer, credentials, clock: systemClock(), logger, port: 0 });
 * const node = connectBatches({ url: `http://me:secret@127.0.0.1:${listening.port}` });
 * const ask = () => node.request('eth_blockNumber', []);
 * await Promise.all([ask(), ask(), ask()]); // → [3, 3, 3]
 * await listening.close();
 * ```
 */
export function connectBatches({ url, timeout = 20, most = 1000, signal }: BatchesOptions): EvmNode {
  const { host } = new URL(url);
  const fetchFn: typeof fetch = (input, init) =>
    fetchDirect(
      input,
      signal === undefined ? init : { ...init, signal: AbortSignal.any([signal, ...signalsOf(init)]) },
    );
  const options = { batch: { batchSize: most }, retryCount: 0, timeout: timeout * 1000, fetchFn };
  const { transport } = createClient({ transport: http(url, options), cacheTime: 0 });
  return {
    name: host,
    async request(method, params) {
      try {
        return await transport.request({ method, params } as Parameters<typeof transport.request>[0]);
      } catch (error) {
        throw faultOf(error, host);
      }
    },
  };
}

/** How many calls are open at a time if a node accepts no batch. */
const AT_ONCE = 16;
const SENDING = /^eth_send/;
/** Error code of a call that the contract refuses (geth's, now the usual one). */
const REVERTED = 3;

/**
 * A node whose questions go out in few requests if asked together. A question without an answer in a batch is asked again alone, because some nodes
 * accept no batch, or none of that size. So is a refused one, unless a contract refused it, because such a refusal applies to every call of the
 * batch. Broadcasts are neither merged nor repeated.
 *
 * @example
 * ```ts
 * import { BackendSilent, type EvmNode, mergedNode } from 'swapfold/chains/evm';
 *
 * const batched: EvmNode = {
 *   name: 'a node',
 *   request: () => Promise.reject(new BackendSilent('no batches are taken')),
 * };
 * const single: EvmNode = { name: 'a node', request: async (method) => `${method} by itself` };
 * const node = mergedNode({ batched, single });
 * await node.request('eth_chainId', []); // → 'eth_chainId by itself'
 * ```
 */
export function mergedNode({ batched, single }: { readonly batched: EvmNode; readonly single: EvmNode }): EvmNode {
  const turns = turnsOf(AT_ONCE);
  return {
    name: single.name,
    async request(method, params) {
      if (SENDING.test(method)) return single.request(method, params);
      try {
        return await batched.request(method, params);
      } catch (error) {
        const isOfCall = !(error instanceof BackendSilent) && !isOfBatch(error);
        if (isOfCall) throw error;
        return turns(() => single.request(method, params));
      }
    },
  };
}

function isOfBatch(error: unknown): boolean {
  return error instanceof NodeRefusal && error.code !== REVERTED && !/revert/i.test(error.message);
}

/** Limits how many run at a time. */
function turnsOf(most: number): <T>(action: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (action) => {
    if (running === most) await new Promise<void>((resume) => waiting.push(resume));
    else running += 1;
    try {
      return await action();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

function signalsOf(init: RequestInit | undefined): readonly AbortSignal[] {
  return init?.signal === undefined || init.signal === null ? [] : [init.signal];
}
