import type { z } from 'zod';
import type { FrameworkApi } from '../framework/api.ts';
import { RpcRefusedError, RpcUnansweredError } from './errors.ts';
import { eventsOf, type NodeEvent } from './events.ts';

/** Methods that have a legacy form. */
export type LegacyMethod = {
  [M in keyof FrameworkApi]: FrameworkApi[M] extends { legacy: unknown } ? M : never;
}[keyof FrameworkApi];
/** Methods that have a v2 form. */
export type V2Method = {
  [M in keyof FrameworkApi]: FrameworkApi[M] extends { v2: unknown } ? M : never;
}[keyof FrameworkApi];

type FormOf<M extends keyof FrameworkApi, F extends string> = FrameworkApi[M] extends { readonly [K in F]: infer Form }
  ? Form
  : never;
type Given<Form> = Form extends { readonly params: infer P extends z.ZodType } ? z.input<P> : never;
type Answered<Form> = Form extends { readonly result: infer R extends z.ZodType } ? z.output<R> : never;

/** Members of a legacy request beside `method` and `userpass`. */
export type LegacyParams<M extends LegacyMethod> = Given<FormOf<M, 'legacy'>>;
/** The whole answer to a legacy request. */
export type LegacyAnswer<M extends LegacyMethod> = Answered<FormOf<M, 'legacy'>>;
/** `params` of a v2 request. */
export type V2Params<M extends V2Method> = Given<FormOf<M, 'v2'>>;
/** `result` of the answer to a v2 request. */
export type V2Result<M extends V2Method> = Answered<FormOf<M, 'v2'>>;

export type RpcClientOptions = {
  /** Where the node listens, such as `http://127.0.0.1:7783`. */
  readonly url: string;
  readonly userpass: string;
  /** @defaultValue that of the platform */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Ends calls that take too long. @defaultValue they wait */
  readonly signal?: () => AbortSignal;
};

export type EventOptions = {
  /** Id of the event that was seen last. @defaultValue what happens from now on */
  readonly lastEventId?: string | number;
  /** Such as `SWAP_STATUS`, `BALANCE`, `BALANCE:DOC`. @defaultValue all */
  readonly types?: readonly string[];
  readonly signal?: AbortSignal;
};

export type RpcClient = {
  /** Calls a method in its legacy form. @throws RpcRefusedError, RpcUnansweredError */
  readonly call: <M extends LegacyMethod>(method: M, params?: LegacyParams<M>) => Promise<LegacyAnswer<M>>;
  /** Calls a method in its v2 form. @throws RpcRefusedError, RpcUnansweredError */
  readonly callV2: <M extends V2Method>(method: M, params?: V2Params<M>) => Promise<V2Result<M>>;
  /** Follows the node until the connection ends; the id of the last event is where to go on. @throws RpcRefusedError, RpcUnansweredError */
  readonly events: (options?: EventOptions) => AsyncGenerator<NodeEvent>;
};

/** A client of a trading node, for browsers and for Node. Its errors hold no password. */
export function createRpcClient({ url, userpass, fetch: ask = platformFetch, signal }: RpcClientOptions): RpcClient {
  const shown = (text: string): string => (userpass === '' ? text : text.replaceAll(userpass, '[redacted]'));
  const post = async (
    path: string,
    body: object,
    on: { readonly method: string; readonly signal?: AbortSignal | undefined },
  ) => {
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ ...body, userpass }) };
    const until = on.signal ?? signal?.();
    try {
      return await ask(new URL(path, url).href, until === undefined ? init : { ...init, signal: until });
    } catch (error) {
      throw new RpcUnansweredError({ method: on.method, fault: shown(String((error as Error)?.message ?? error)) });
    }
  };
  const read = async (response: Response, method: string): Promise<Record<string, unknown>> => {
    const { status } = response;
    try {
      return (await response.json()) as Record<string, unknown>;
    } catch {
      throw new RpcUnansweredError({ method, status, fault: 'the answer is no JSON' });
    }
  };
  const refusal = (body: Record<string, unknown>, { status }: Response, method: string): RpcRefusedError =>
    new RpcRefusedError({
      ...{ method, status, text: shown(String(body['error'] ?? `status ${status}`)) },
      errorType: typeof body['error_type'] === 'string' ? body['error_type'] : null,
      errorData: eachText(body['error_data'], shown),
    });
  return {
    async call(method, params) {
      const response = await post('', { ...(params as object | undefined), method }, { method });
      const body = await read(response, method);
      if (!response.ok) throw refusal(body, response, method);
      return body as never;
    },
    async callV2(method, params) {
      const response = await post('', { mmrpc: '2.0', method, params: params ?? {} }, { method });
      const body = await read(response, method);
      if (!response.ok || body['error'] !== undefined) throw refusal(body, response, method);
      return body['result'] as never;
    },
    async *events({ lastEventId, types, signal: until } = {}) {
      const method = 'event-stream';
      const asked = {
        ...(lastEventId === undefined ? {} : { last_event_id: lastEventId }),
        ...(types === undefined ? {} : { types }),
      };
      const response = await post('event-stream', asked, { method, signal: until });
      if (!response.ok) throw refusal(await read(response, method), response, method);
      if (response.body === null) throw new RpcUnansweredError({ method, fault: 'the answer has no body' });
      yield* eventsOf(response.body);
    },
  };
}

/** A copy of a value of JSON with each of its texts changed. */
function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => eachText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [change(name), eachText(member, change)]);
  return Object.fromEntries(members);
}

function platformFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init);
}
