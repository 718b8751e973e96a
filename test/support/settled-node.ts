import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type Call = { readonly method?: unknown; readonly userpass?: unknown };
type Status = { readonly result?: { readonly status?: unknown; readonly task_id?: unknown } };

function read<T>(body: Buffer): Partial<T> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/**
 * Stands before a node, and lets no coin be taken out before the activations that it has seen begin are over. A caller that begins one, does not wait for
 * its end, takes the coin out and begins another would else be told by chance that the coin is active.
 */
export async function settledNode(url: string): Promise<{ readonly url: string; readonly close: () => void }> {
  const begun = new Set<number>();

  async function settle({ userpass }: Call): Promise<void> {
    for (const task_id of begun) {
      const params = { task_id, forget_if_finished: false };
      const body = JSON.stringify({ userpass, mmrpc: '2.0', method: 'task::enable_eth::status', params });
      for (;;) {
        const answer = await fetch(url, { method: 'POST', body });
        if (((await answer.json()) as Status).result?.status !== 'InProgress') break;
        await pause(50);
      }
      begun.delete(task_id);
    }
  }

  const server: Server = createServer(async (incoming, outgoing) => {
    const body = await bytesOf(incoming);
    const call = read<Call>(body);
    if (call.method === 'disable_coin') await settle(call);
    const { method, headers, url: path } = incoming;
    const onward = request(new URL(path ?? '/', url), { method, headers }, async (answer) => {
      const said = await bytesOf(answer);
      const { task_id } = read<Status>(said).result ?? {};
      if (typeof task_id === 'number') begun.add(task_id);
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers).end(said);
    });
    onward.on('error', (error) => outgoing.destroy(error));
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
