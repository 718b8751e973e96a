import { createClient, http } from 'viem';
import type { Seconds } from '../../primitives/time.ts';
import { type EvmNode, faultOf } from './node.ts';

export type BatchesOptions = {
  /** http or https. It may hold credentials, which no message shows. */
  readonly url: string;
  /** For one answer. @defaultValue 20 */
  readonly timeout?: Seconds;
  /** Most calls in one request. @defaultValue 1000, as many as nodes take that set no other bound */
  readonly most?: number;
  /** Ends what is under way. @defaultValue nothing does */
  readonly signal?: AbortSignal;
};

/** A node that gets all calls that are made together in few requests. None is repeated. */
export function connectBatches({ url, timeout = 20, most = 1000, signal }: BatchesOptions): EvmNode {
  const { host } = new URL(url);
  const fetchFn: typeof fetch = (input, init) =>
    fetch(input, signal === undefined ? init : { ...init, signal: AbortSignal.any([signal, ...signalsOf(init)]) });
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

function signalsOf(init: RequestInit | undefined): readonly AbortSignal[] {
  return init?.signal === undefined || init.signal === null ? [] : [init.signal];
}
