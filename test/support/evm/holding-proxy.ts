import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HoldingProxy = {
  readonly url: string;
  /** From now on requests wait before they reach the node: all, or those that call one of these methods or ask for one of these paths. */
  readonly hold: (names?: readonly string[]) => void;
  /** Settles once a request waits. */
  readonly held: () => Promise<void>;
  /** Lets go on what waits, and all that comes. */
  readonly letGo: () => void;
  /** Requests that have no answer yet, whoever still waits for it. */
  readonly underWay: () => number;
  /** Settles once nobody is answered any more. */
  readonly idle: () => Promise<void>;
  readonly close: () => void;
};

type Called = { readonly method: string; readonly params?: { readonly path?: string } };

/** Stands before a node, and keeps requests from it until a test lets them go on. */
export async function holdingProxy(target: string): Promise<HoldingProxy> {
  let wanted: ((name: string) => boolean) | null = null;
  const waiting: (() => void)[] = [];
  const onHeld: (() => void)[] = [];
  const onIdle: (() => void)[] = [];
  let underWay = 0;
  const turn = async (called: readonly Called[]): Promise<void> => {
    const names = called.flatMap(({ method, params }) => [method, params?.path ?? method]);
    if (wanted === null || !names.some((name) => wanted?.(name))) return;
    const over = new Promise<void>((resolve) => waiting.push(resolve));
    for (const tell of onHeld.splice(0)) tell();
    await over;
  };
  const server = createServer(async (request, response) => {
    underWay += 1;
    try {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString('utf8');
      await turn([JSON.parse(body) as Called | Called[]].flat());
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(target, { method: 'POST', headers, body });
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    } finally {
      underWay -= 1;
      if (underWay === 0) for (const tell of onIdle.splice(0)) tell();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hold(all) {
      wanted = (name) => all?.includes(name) ?? true;
    },
    held: () => (waiting.length > 0 ? Promise.resolve() : new Promise((resolve) => onHeld.push(resolve))),
    letGo() {
      wanted = null;
      for (const resolve of waiting.splice(0)) resolve();
    },
    underWay: () => underWay,
    idle: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
