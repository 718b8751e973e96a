import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../primitives/json.ts';
import { callFailed } from './error.ts';

/** Calls a method of a trading node over HTTP. @throws TradeError TRADE_CALL_FAILED with the node's own words */
export async function callNode(url: string, request: JsonObject): Promise<JsonObject> {
  const response = await fetch(url, { method: 'POST', body: stringifyJson(request) });
  const answer = parseJson(await response.text()) as JsonObject;
  if (response.status === 200) return answer;
  throw callFailed(String(request['method']), `${response.status}: ${String(answer['error'])}`);
}

export type DaemonAccess = { readonly url: string; readonly user: string; readonly password: string };

/** Calls a method of a chain's daemon. @throws TradeError TRADE_CALL_FAILED */
export async function callDaemon(
  { url, user, password }: DaemonAccess,
  method: string,
  ...params: readonly JsonValue[]
): Promise<JsonValue> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const body = stringifyJson({ jsonrpc: '1.0', id: 0, method, params });
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body });
  const { result = null, error = null } = parseJson(await response.text()) as JsonObject;
  if (error === null) return result;
  throw callFailed(method, stringifyJson(error));
}

/** Something that a node told on its event stream. */
export type Told = { readonly id: string; readonly type: string; readonly message: JsonObject };

export type Following = { readonly close: () => void };

export type FollowOptions = {
  readonly url: string;
  readonly password: string;
  /** What came last before; the stream goes on behind it. */
  readonly after: string | null;
  readonly onTold: (told: Told) => void;
};

/** Follows the event stream of a node until it is closed, or the node is gone. */
export async function follow({ url, password, after, onTold }: FollowOptions): Promise<Following> {
  const aborted = new AbortController();
  const headers = { 'content-type': 'application/json', ...(after === null ? {} : { 'last-event-id': after }) };
  const body = stringifyJson({ userpass: password });
  const response = await fetch(new URL('/event-stream', url), {
    method: 'POST',
    headers,
    body,
    signal: aborted.signal,
  });
  if (response.status !== 200 || response.body === null)
    throw callFailed('/event-stream', `${response.status}: ${await response.text()}`);
  const input = Readable.fromWeb(response.body as ReadableStream);
  const lines = createInterface({ input });
  // A node that is killed breaks its stream off.
  for (const each of [input, lines]) each.on('error', () => {});
  let id = '';
  lines.on('line', (line) => {
    if (line.startsWith('id:')) id = line.slice(3).trim();
    if (!line.startsWith('data:')) return;
    const told = parseJson(line.slice(5)) as JsonObject;
    onTold({ id, type: String(told['_type']), message: told['message'] as JsonObject });
  });
  return { close: () => aborted.abort() };
}
