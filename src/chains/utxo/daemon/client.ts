import { BackendSilent } from '../../../ports/silence.ts';
import { foreignText } from '../../../primitives/foreign-text.ts';
import { isJsonObject, type JsonValue, numberText, parseJson } from '../../../primitives/json.ts';
import type { Secret } from '../../../primitives/secret.ts';
import type { UtxoRefusal } from '../reader.ts';

export type DaemonCall = readonly [method: string, ...params: unknown[]];

/** The outcome of a call: its result, or the daemon's own error. */
export type DaemonAnswer = { readonly result: JsonValue } | { readonly error: UtxoRefusal };

/** Asks a daemon over JSON-RPC. */
export interface DaemonClient {
  /** Answers in the order of the calls; amounts are exact. @throws BackendSilent */
  batch(calls: readonly DaemonCall[], options?: BatchOptions): Promise<readonly DaemonAnswer[]>;
}

export type BatchOptions = {
  /** How long one request may take, where the calls are known to take long. @defaultValue as the daemon's others */
  readonly timeoutMs?: number;
};

export type DaemonAccess = {
  /** Such as `http://127.0.0.1:7771`. */
  readonly url: string;
  readonly user: string;
  readonly password: Secret<string>;
  /** How long one request may take. @defaultValue 20,000 */
  readonly timeoutMs?: number;
};

/** Maximum number of calls in one request. */
const BATCH = 500;
const TIMEOUT_MS = 20_000;

/**
 * A daemon over HTTP with basic authentication, as in Bitcoin's family.
 *
 * @example
 * ```ts
 * import { Secret } from 'swapfold';
 * import { connectDaemon } from 'swapfold/chains/utxo';
 * import { listen } from 'swapfold/rpc';
 * import { systemClock } from 'swapfold/runtime';
 *
 * const credentials = { user: 'me', password: new Secret('only I know') };
 * const answer = async () => ({ status: 200, body: '[{"id":0,"result":812345,"error":null}]' });
 * const logger = { info() {}, warn() {}, error() {} };
 * const daemon = await listen({ answer, credentials, clock: systemClock(), logger, port: 0 });
 * const client = connectDaemon({ url: `http://127.0.0.1:${daemon.port}`, ...credentials });
 * await client.batch([['getblockcount']]); // → [{ result: 812_345 }]
 * await daemon.close();
 * ```
 */
export function connectDaemon({ url, user, password, timeoutMs = TIMEOUT_MS }: DaemonAccess): DaemonClient {
  const authorization = `Basic ${Buffer.from(`${user}:${password.reveal()}`).toString('base64')}`;
  const post = async (calls: readonly DaemonCall[], patience: number): Promise<readonly DaemonAnswer[]> => {
    const body = JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '1.0', id, method, params })));
    const request = { method: 'POST', headers: { authorization }, body, signal: AbortSignal.timeout(patience) };
    const response = await fetch(url, { ...request, redirect: 'manual' }).catch(silent(url));
    if (response.status === 401 || response.status === 403) {
      throw new BackendSilent(`the daemon at ${url} refuses the user name and password`);
    }
    if (response.status >= 300 && response.status < 400)
      throw new BackendSilent(`the daemon at ${url} redirects, and redirects are not followed`);
    const answers = await response.text().then(parseJson).catch(silent(url));
    if (!Array.isArray(answers))
      throw new BackendSilent(`the daemon at ${url} answers ${response.status} without a batch`);
    return inOrder(answers, { count: calls.length, url });
  };
  return {
    async batch(calls, { timeoutMs: patience = timeoutMs } = {}) {
      const answers: DaemonAnswer[] = [];
      for (let from = 0; from < calls.length; from += BATCH)
        answers.push(...(await post(calls.slice(from, from + BATCH), patience)));
      return answers;
    },
  };
}

/** Reports only the kind of the cause: its text may quote the URL with the password. */
function silent(url: string): (cause: unknown) => never {
  return (cause) => {
    const { name, cause: inner } = (cause ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
    const why = name === 'TimeoutError' ? 'in time' : (linkFault(inner) ?? 'with JSON');
    throw new BackendSilent(`the daemon at ${url} does not answer ${why}`);
  };
}

/** Why there was no connection, such as `(ECONNREFUSED)`; null if there was one. */
function linkFault(cause: unknown): string | null {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (message === 'bad port') return '(the port does not speak HTTP)';
  return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? `(${code})` : null;
}

/** The answers of a batch may come in any order. */
function inOrder(
  answers: readonly JsonValue[],
  { count, url }: { readonly count: number; readonly url: string },
): readonly DaemonAnswer[] {
  const byId = new Map<string, DaemonAnswer>();
  for (const answer of answers) {
    if (!isJsonObject(answer)) continue;
    const { id = null, error = null, result } = answer;
    if (error !== null) byId.set(numberText(id) ?? '', { error: refusalIn(error) });
    else if (result !== undefined) byId.set(numberText(id) ?? '', { result });
  }
  return Array.from({ length: count }, (_, id) => {
    const answer = byId.get(String(id));
    if (answer === undefined) throw new BackendSilent(`the daemon at ${url} left call ${id} of ${count} unanswered`);
    return answer;
  });
}

/** What stands between the client and the daemon may say no more than a text. */
function refusalIn(error: JsonValue): UtxoRefusal {
  const { code, message } = isJsonObject(error) ? error : { code: undefined, message: error };
  const text = typeof message === 'string' ? message : '';
  return { code: Number((code === undefined ? undefined : numberText(code)) ?? 0), message: foreignText(text) };
}

/** The results of calls, none of which a sound daemon refuses. @throws BackendSilent */
export async function resultsOf(client: DaemonClient, calls: readonly DaemonCall[]): Promise<readonly JsonValue[]> {
  const answers = await client.batch(calls);
  return answers.map((answer, place) => {
    if ('result' in answer) return answer.result;
    const { code, message } = answer.error;
    throw new BackendSilent(`the daemon answers ${code} to ${calls[place]?.[0]}: ${message}`);
  });
}
