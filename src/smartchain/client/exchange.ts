import { isJsonObject, type JsonValue, numberText, parseJson, stringifyJson } from '../../primitives/json.ts';
import { Secret } from '../../primitives/secret.ts';
import { SmartChainError } from '../error.ts';
import { SmartChainRpcError } from './errors.ts';

/** The part of the platform's `fetch` that is used. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

export type ExchangeOptions = {
  /** Where the node listens, such as `http://127.0.0.1:7771/`; without credentials. */
  readonly url: string;
  readonly user: string;
  readonly password: string | Secret<string>;
  /** @defaultValue the platform's */
  readonly fetch?: FetchLike;
  /** Limit for a call, in milliseconds. @defaultValue 30,000 */
  readonly timeout?: number;
};

/** Makes one call and returns its unchanged result. @throws SmartChainRpcError */
export type Exchange = (method: string, params: readonly JsonValue[]) => Promise<JsonValue>;

const DEFAULT_TIMEOUT = 30_000;

/** Longest accepted answer, in bytes. */
const MAX_ANSWER_BYTES = 0x1000_0000;

const WARMING_UP = -28;

/** Prepares calls of one node. @throws SmartChainError SMARTCHAIN_OPTION_INVALID if the URL is invalid, or holds credentials. */
export function createExchange(options: ExchangeOptions): Exchange {
  const { user, password, fetch: ask = fetch, timeout = DEFAULT_TIMEOUT } = options;
  const url = checkedUrl(options.url);
  const secret = password instanceof Secret ? password : new Secret(password);
  let count = 0;
  return async (method, params) => {
    count += 1;
    const id = `swapfold-${count}`;
    const body = stringifyJson({ jsonrpc: '1.0', id, method, params });
    const headers = { 'Content-Type': 'text/plain', Authorization: authorization(user, secret) };
    const signal = AbortSignal.timeout(timeout);
    let status: number | undefined;
    let text: string;
    try {
      const response = await ask(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      status = response.status;
      text = await readText(response, method);
    } catch (error) {
      if (error instanceof SmartChainRpcError) throw error;
      throw unanswered(error, { method, status, url, timedOut: signal.aborted });
    }
    return resultOf(text, { method, status, id });
  };
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fault =
    url === undefined || !/^https?:$/.test(url.protocol)
      ? 'is not an HTTP address'
      : url.username !== '' || url.password !== ''
        ? 'holds credentials'
        : undefined;
  if (url !== undefined && fault === undefined) return url.href;
  throw new SmartChainError('SMARTCHAIN_OPTION_INVALID', `The URL of the node ${fault ?? 'is not a URL'}.`, {
    next: 'Write it as http://127.0.0.1:7771/ and pass the user and password separately.',
    retry: 'operator',
  });
}

function authorization(user: string, password: Secret<string>): string {
  const bytes = new TextEncoder().encode(`${user}:${password.reveal()}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

async function readText(response: Response, method: string): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || value === undefined) return text + decoder.decode();
    length += value.length;
    if (length > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      const { status } = response;
      throw new SmartChainRpcError('SMARTCHAIN_RPC_ANSWER_INVALID', { method, status, reason: 'longer than 256 MiB' });
    }
    text += decoder.decode(value, { stream: true });
  }
}

type Failure = {
  readonly method: string;
  readonly status: number | undefined;
  readonly url: string;
  readonly timedOut: boolean;
};

function unanswered(error: unknown, { method, status, url, timedOut }: Failure): SmartChainRpcError {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  if (timedOut || name === 'TimeoutError')
    return new SmartChainRpcError('SMARTCHAIN_RPC_TIMEOUT', { method, status, url });
  // Only the code, because the platform's error text may quote the request.
  const reason = typeof cause?.code === 'string' ? cause.code : undefined;
  return new SmartChainRpcError('SMARTCHAIN_RPC_UNREACHABLE', { method, status, url, reason });
}

type Answered = { readonly method: string; readonly status: number | undefined; readonly id: string };

function resultOf(text: string, { method, status, id }: Answered): JsonValue {
  if (status === 401 || status === 403) throw new SmartChainRpcError('SMARTCHAIN_RPC_UNAUTHORIZED', { method, status });
  if (/^Work queue depth exceeded/.test(text) || status === 503) {
    throw new SmartChainRpcError('SMARTCHAIN_RPC_BUSY', { method, status, reason: 'work queue' });
  }
  const answer = parsed(text);
  const invalid = (reason: string) =>
    new SmartChainRpcError('SMARTCHAIN_RPC_ANSWER_INVALID', { method, status, reason });
  if (!isJsonObject(answer)) throw invalid('not a JSON object');
  const { error = null, result, id: answeredId } = answer;
  if (isJsonObject(error)) throw refusal(error, { method, status });
  if (error !== null) throw invalid('an error of an unknown form');
  if (status !== 200) throw invalid('a status other than 200 without an error');
  if (result === undefined) throw invalid('without a result');
  if (answeredId !== id && answeredId !== null) throw invalid('the answer to a different call');
  return result;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function refusal(
  { code, message }: { readonly [key: string]: JsonValue | undefined },
  { method, status }: Omit<Answered, 'id'>,
): SmartChainRpcError {
  const rpcCode = Number(numberText(code) ?? Number.NaN);
  const kind = rpcCode === WARMING_UP ? 'SMARTCHAIN_RPC_BUSY' : 'SMARTCHAIN_RPC_REFUSED';
  const rpcMessage = typeof message === 'string' ? message : '';
  return new SmartChainRpcError(kind, {
    method,
    status,
    rpcMessage,
    ...(Number.isNaN(rpcCode) ? {} : { rpcCode }),
  });
}
