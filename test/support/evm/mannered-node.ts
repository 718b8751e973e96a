import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type MannerCall = { readonly path: string; readonly method: string; readonly params: readonly unknown[] };
/** What is said in place of the node, from what it said; or nothing at all: the connection breaks, or stays as it is. */
export type Manner = (call: MannerCall, answer: unknown) => unknown;
export const BREAKS = Symbol('the connection breaks');
export const HANGS = Symbol('nothing is ever said');

export type ManneredNode = {
  readonly url: string;
  /** Calls in the order in which they came. */
  readonly asked: readonly MannerCall[];
  manner: Manner;
  readonly close: () => Promise<void>;
};

const AS_IT_IS: Manner = (_call, answer) => answer;

/** A node over HTTP that hands on to another one, and may say something else than that. */
export async function manneredNode(target: string, manner: Manner = AS_IT_IS): Promise<ManneredNode> {
  const asked: MannerCall[] = [];
  const headers = { 'content-type': 'application/json' };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString('utf8');
      const body = JSON.parse(text) as Call | readonly Call[];
      const calls = [body].flat() as readonly Call[];
      const named = calls.map(({ method, params }) => ({ path: request.url ?? '', method, params }));
      asked.push(...named);
      const told = await fetch(target, { method: 'POST', headers, body: text });
      const answers = [(await told.json()) as Answer | readonly Answer[]].flat() as readonly Answer[];
      const said = calls.map(({ id }, place) => {
        const answer = answers.find((one) => one.id === id);
        const instead = made.manner(named[place] as MannerCall, answer?.result);
        return instead === answer?.result ? { ...answer } : { jsonrpc: '2.0', id, result: instead };
      });
      const results = said.map((one) => ('result' in one ? one.result : null));
      if (results.includes(HANGS)) return;
      if (results.includes(BREAKS)) response.destroy();
      else response.writeHead(200, headers).end(JSON.stringify(Array.isArray(body) ? said : said[0]));
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made: ManneredNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    manner,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
type Answer = { readonly id: number; readonly result?: unknown };
