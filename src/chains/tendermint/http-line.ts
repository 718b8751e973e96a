import { BackendSilent } from '../../ports/silence.ts';
import type { Seconds } from '../../primitives/time.ts';
import { BodyTooLong, textWithin } from '../accounts/body.ts';
import { fetchDirect } from '../accounts/direct-fetch.ts';
import { httpPlace } from '../accounts/http-place.ts';
import { membersOf, nonsense } from '../accounts/json.ts';
import type { NodeLine } from './line.ts';
import { nodeRefusal } from './refusals.ts';

export type HttpLineOptions = {
  /** http or https. It may hold credentials. */
  readonly url: string;
  /** For one answer. */
  readonly timeout: Seconds;
};

/** In bytes: more than the longest block of the largest of these chains, as JSON. */
const LONGEST_ANSWER = 32_000_000;

/**
 * Calls of JSON-RPC 2.0 over HTTP, each in a request of its own. An address that leads elsewhere is not followed, so that credentials reach nobody but whom
 * they are for.
 */
export function openHttpLine({ url, timeout }: HttpLineOptions): NodeLine {
  const place = httpPlace(url);
  const headers = { 'content-type': 'application/json', ...place.headers };
  // One for each call: a signal keeps all signals that are derived from it.
  const running = new Set<AbortController>();
  let calls = 0;
  return {
    async execute(method, params) {
      calls += 1;
      const body = JSON.stringify({ jsonrpc: '2.0', id: calls, method, params });
      const ending = new AbortController();
      const late = setTimeout(() => ending.abort(new DOMException('', 'TimeoutError')), timeout * 1000);
      running.add(ending);
      try {
        const { signal } = ending;
        const response = await fetchDirect(place.url, { method: 'POST', headers, body, signal });
        return await resultOf(response, place.host);
      } finally {
        clearTimeout(late);
        running.delete(ending);
      }
    },
    close() {
      for (const ending of running) ending.abort();
    },
  };
}

/** An answer with a status of its own may come from whoever stands before the node, and is none. @throws NodeRefusal; BackendSilent; SyntaxError; what the connection throws */
async function resultOf(response: Response, host: string): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new BackendSilent(`${host} answered HTTP ${response.status}`);
  }
  const text = await textWithin(response, LONGEST_ANSWER).catch((error: unknown) => {
    const why = `${host} answered with more than ${LONGEST_ANSWER} bytes`;
    throw error instanceof BodyTooLong ? new BackendSilent(why) : error;
  });
  const told = membersOf(JSON.parse(text), 'an answer');
  if (told['error'] !== undefined && told['error'] !== null) throw nodeRefusal(told['error']);
  if (told['result'] === undefined) throw nonsense('an answer without a result');
  return told['result'];
}
