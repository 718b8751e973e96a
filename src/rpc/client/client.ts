import {
  type LegacyAnswer,
  type LegacyMethod,
  type LegacyParams,
  legacyAnswer,
  membersOf,
  type V2Method,
  type V2Params,
  type V2Result,
  v2Result,
} from './answers.ts';
import { RpcRefusedError, RpcUnansweredError } from './errors.ts';
import { eventsOf, type NodeEvent } from './events.ts';

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
  /** Id of the event that was seen last. @defaultValue only new events */
  readonly lastEventId?: string | number;
  /** Such as `SWAP_STATUS`, `BALANCE`, `BALANCE:DOC`. @defaultValue all; with `clientId` none */
  readonly types?: readonly string[];
  /**
   * Whose stream it is, a whole number from 0 to 9007199254740991: it carries what the client enables by `stream::…::enable` while it is open, in
   * addition to `types`. `lastEventId` resumes it with what was enabled. @defaultValue a stream that carries all `types`
   */
  readonly clientId?: number;
  readonly signal?: AbortSignal;
};

export type RpcClient = {
  /** Calls a method in its legacy form. @throws RpcRefusedError, RpcUnansweredError, RpcAnswerInvalidError */
  readonly call: <M extends LegacyMethod>(method: M, params?: LegacyParams<M>) => Promise<LegacyAnswer<M>>;
  /** Calls a method in its v2 form. @throws RpcRefusedError, RpcUnansweredError, RpcAnswerInvalidError */
  readonly callV2: <M extends V2Method>(method: M, params?: V2Params<M>) => Promise<V2Result<M>>;
  /** Follows the node until the connection ends; continue from the id of the last event. @throws RpcRefusedError, RpcUnansweredError */
  readonly events: (options?: EventOptions) => AsyncGenerator<NodeEvent>;
};

/**
 * A client of a trading node, for browsers and for Node. Its errors hold no password.
 *
 * @example
 * ```ts
 * import { createRpcClient } from 'swapfold/rpc/client';
 *
 * const answers = [{ result: 'swapfold 0.2.0', datetime: '2026-11-27' }, { result: { coins: [] } }];
 * const fetch = async () => Response.json(answers.shift());
 * const client = createRpcClient({ url: 'http://127.0.0.1:7783', userpass: 'only I know', fetch });
 * (await client.call('version')).result; // → 'swapfold 0.2.0'
 * await client.callV2('get_enabled_coins'); // → { coins: [] }
 * ```
 */
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
      throw new RpcUnansweredError({
        method: on.method,
        fault: shown(faultOf(error)),
      });
    }
  };
  const refusal = (body: Readonly<Record<string, unknown>>, { status }: Response, method: string): RpcRefusedError =>
    new RpcRefusedError({
      ...{ method, status, text: shown(String(body['error'] ?? `status ${status}`)) },
      errorType: typeof body['error_type'] === 'string' ? body['error_type'] : null,
      errorData: eachText(body['error_data'], shown),
    });
  return {
    async call(method, params) {
      const response = await post('', Object.assign({}, params, { method }), { method });
      const said = await membersOf(response, method);
      if (!response.ok) throw refusal(said, response, method);
      return legacyAnswer(method, { said, shown });
    },
    async callV2(method, params) {
      const response = await post('', { mmrpc: '2.0', method, params: params ?? {} }, { method });
      const said = await membersOf(response, method);
      if (!response.ok || said['error'] !== undefined) throw refusal(said, response, method);
      return v2Result(method, { said: said['result'], shown });
    },
    async *events({ lastEventId, types, clientId, signal: until } = {}) {
      const method = 'event-stream';
      const asked = {
        ...(lastEventId === undefined ? {} : { last_event_id: lastEventId }),
        ...(types === undefined ? {} : { types }),
        ...(clientId === undefined ? {} : { client_id: clientId }),
      };
      const response = await post('event-stream', asked, { method, signal: until });
      if (!response.ok) throw refusal(await membersOf(response, method), response, method);
      if (response.body === null) throw new RpcUnansweredError({ method, fault: 'the answer has no body' });
      yield* eventsOf(response.body);
    },
  };
}

/** With its cause: that nobody listens, or that there is no such host, stands in nothing else. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses of one host the platform tells the code alone.
  const { message = '', code = '' } = (error.cause ?? {}) as { readonly message?: unknown; readonly code?: unknown };
  const why = String(message === '' ? code : message);
  return why === '' ? error.message : `${error.message}: ${why}`;
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
