import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CountingProxy = {
  readonly url: string;
  /** Calls of each request that came, in their order. */
  readonly requests: readonly (readonly string[])[];
  readonly close: () => void;
};

/** What it answers in the place of the node; undefined where the node is asked. */
export type Instead = (body: unknown) => { readonly status?: number; readonly text: string } | undefined;

/** Stands before a node, and counts what it is asked. */
export async function countingProxy(target: string, instead: Instead = () => undefined): Promise<CountingProxy> {
  const requests: string[][] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const body = JSON.parse(text) as { method: string } | { method: string }[];
    requests.push([body].flat().map(({ method }) => method));
    const said = instead(body);
    if (said !== undefined) {
      response.writeHead(said.status ?? 200, { 'content-type': 'application/json' }).end(said.text);
      return;
    }
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(target, { method: 'POST', headers, body: text });
    response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
