import { BackendSilent } from '../../ports/silence.ts';
import { textWithin } from '../accounts/body.ts';
import { httpPlace } from '../accounts/http-place.ts';
import { NodeRefusal } from '../accounts/node.ts';

export type NodeCall = readonly [method: string, params: readonly unknown[]];
export type NodeAnswer = { readonly result: unknown } | { readonly refusal: NodeRefusal };
export type Together = (calls: readonly NodeCall[]) => Promise<readonly NodeAnswer[] | null>;

type Over = {
  /** Milliseconds for one answer. */
  readonly timeout: number;
  readonly fetchFn: typeof fetch;
};

/** In bytes: far more than what is asked together. */
const LONGEST_ANSWER = 1_000_000;
/** Times that a node which has refused such a request gets none. */
const RESTS = 100;

/** Puts calls into one request (a batch of JSON-RPC 2.0, section 6). @param url http or https; it may hold credentials, which no message shows */
export function togetherOver(url: string, { timeout, fetchFn }: Over): Together {
  const { url: address, host, headers: own } = httpPlace(url);
  const headers = { 'content-type': 'application/json', ...own };
  let rests = 0;
  return async (calls) => {
    if (rests > 0) {
      rests -= 1;
      return null;
    }
    const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })));
    const signal = AbortSignal.timeout(timeout);
    const response = await fetchFn(address, { method: 'POST', headers, body, signal });
    const text = await textWithin(response, LONGEST_ANSWER);
    if (response.status === 429 || response.status >= 500)
      throw new BackendSilent(`${host} answered HTTP ${response.status}`);
    const answers = answersIn(text, calls.length);
    if (answers === null) rests = RESTS;
    return answers;
  };
}

/** In the order of the calls; null for what does not answer all of them. */
function answersIn(text: string, count: number): readonly NodeAnswer[] | null {
  const told = parsed(text);
  if (!Array.isArray(told)) return null;
  const byId = new Map(told.map((one: unknown) => [memberOf(one, 'id'), answerIn(one)]));
  const answers = Array.from({ length: count }, (_, id) => byId.get(id) ?? null);
  return answers.every((one) => one !== null) ? answers : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function answerIn(one: unknown): NodeAnswer | null {
  const error = memberOf(one, 'error');
  const code = memberOf(error, 'code');
  const message = memberOf(error, 'message');
  if (typeof code === 'number') return { refusal: new NodeRefusal(code, typeof message === 'string' ? message : '') };
  const result = memberOf(one, 'result');
  return result === undefined ? null : { result };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
