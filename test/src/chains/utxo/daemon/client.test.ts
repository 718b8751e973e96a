import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectDaemon } from '../../../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../../../src/chains/utxo/daemon/reader.ts';
import { LosslessNumber } from '../../../../../src/primitives/json.ts';
import { Secret } from '../../../../../src/primitives/secret.ts';

const PASSWORD = 'hunter2-of-the-daemon';
let server: Server | undefined;

type Reply = { readonly status?: number; readonly body: string };
type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** A daemon of few words; undefined has it say nothing at all, for which nobody waits long. */
async function daemon(answer: (calls: readonly Call[]) => Reply | undefined, timeoutMs = 20_000) {
  const heard: Call[] = [];
  const started = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const calls = JSON.parse(text) as readonly Call[];
      heard.push(...calls);
      const reply = answer(calls);
      if (reply !== undefined) response.writeHead(reply.status ?? 200).end(reply.body);
    });
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { heard, url, client: connectDaemon({ url, user: 'me', password: new Secret(PASSWORD), timeoutMs }) };
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const results = (calls: readonly Call[], result: (call: Call) => unknown): Reply => ({
  body: JSON.stringify(calls.map((call) => ({ id: call.id, result: result(call), error: null })).reverse()),
});

describe('a daemon over JSON-RPC', () => {
  it('is answered in the order of the calls, whatever its own order', async () => {
    const { client } = await daemon((calls) => results(calls, ({ method }) => method));
    const answers = await client.batch([['one'], ['two'], ['three']]);
    expect(answers).toEqual([{ result: 'one' }, { result: 'two' }, { result: 'three' }]);
  });

  it('reads amounts exactly', async () => {
    const { client } = await daemon(() => ({ body: '[{"id":0,"result":0.1000000000000000055}]' }));
    expect(await client.batch([['getbalance']])).toEqual([{ result: new LosslessNumber('0.1000000000000000055') }]);
  });

  it('reports its errors by code and words', async () => {
    const { client } = await daemon(() => ({ status: 500, body: '[{"id":0,"error":{"code":-8,"message":"no"}}]' }));
    expect(await client.batch([['x']])).toEqual([{ error: { code: -8, message: 'no' } }]);
  });

  it.each([
    ['"rate limited"', { code: 0, message: 'rate limited' }],
    ['{"message":"busy"}', { code: 0, message: 'busy' }],
    ['17', { code: 0, message: '' }],
  ])('reports the malformed error %s as an error, not as a result', async (error, found) => {
    const { client } = await daemon(() => ({ body: `[{"id":0,"result":null,"error":${error}}]` }));
    expect(await client.batch([['sendrawtransaction', '00']])).toEqual([{ error: found }]);
  });

  it('treats an answer of null as a result, and a missing answer as silence', async () => {
    const { client } = await daemon((calls) => ({
      body: calls[0]?.method === 'one' ? '[{"id":0,"result":null,"error":null}]' : '[{"id":0,"error":null}]',
    }));
    expect(await client.batch([['one']])).toEqual([{ result: null }]);
    await expect(client.batch([['two']])).rejects.toThrow('left call 0 of 1 unanswered');
  });

  it.each([
    ['that says nothing', undefined, 'does not answer in time'],
    ['that speaks no JSON', { body: '<html>' }, 'does not answer with JSON'],
    ['that refuses the password', { status: 401, body: '' }, 'refuses the user name and password'],
    ['that leaves a call out', { body: '[]' }, 'left call 0 of 1 unanswered'],
    ['that answers with one object', { status: 500, body: '{"error":"busy"}' }, 'answers 500 without a batch'],
  ])('%s is silent, and no error shows the password', async (_, reply, text) => {
    const { client, url } = await daemon(() => reply, reply === undefined ? 300 : undefined);
    const error = await client.batch([['getblockcount']]).catch((found: unknown) => found as Error);
    expect(error).toMatchObject({ message: expect.stringContaining(text) });
    expect(String(error)).toContain(url);
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(PASSWORD);
  });
});

describe('one request', () => {
  it('may have a time limit of its own', async () => {
    const { client, url } = await daemon(() => undefined);
    const asked = client.batch([['scantxoutset']], { timeoutMs: 40 });
    await expect(asked).rejects.toThrow(`the daemon at ${url} does not answer in time`);
  });
});

describe('a daemon that does not run', () => {
  const silence = (url: string) =>
    connectDaemon({ url, user: 'me', password: new Secret(PASSWORD) })
      .batch([['getblockcount']])
      .catch((error: Error) => error.message);

  it('is reported by the system’s error, not by what it would have answered', async () => {
    const { url } = await daemon(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    expect(await silence(url)).toBe(`the daemon at ${url} does not answer (ECONNREFUSED)`);
  });

  it('is reported for a port that web clients refuse', async () => {
    const url = 'http://127.0.0.1:6667';
    expect(await silence(url)).toBe(`the daemon at ${url} does not answer (the port does not speak HTTP)`);
  });
});

describe('what the reader asks of the daemon', () => {
  const reader = (client: Awaited<ReturnType<typeof daemon>>['client']) =>
    createDaemonReader({ client, birth: 0, decimals: 8, medianBlocks: 11 });

  it('lifts the daemon’s own ceiling for fees if that blocks it', async () => {
    const refuse = (id: number, message: string) => JSON.stringify([{ id, error: { code: -25, message } }]);
    const { client, heard } = await daemon((calls) => {
      const [call] = calls as [Call];
      if (call.params.length < 2) return { body: refuse(call.id, 'absurdly-high-fee') };
      if (call.params[1] === 0) return { body: refuse(call.id, 'JSON value is not a boolean as expected') };
      return results(calls, () => 'id');
    });
    expect(await reader(client).send('00')).toBeNull();
    expect(heard.map(({ params }) => params)).toEqual([['00'], ['00', 0], ['00', true]]);
  });

  it('reports any other refusal of the daemon as it is, after one try', async () => {
    const { client, heard } = await daemon(() => ({ body: '[{"id":0,"error":{"code":-26,"message":"non-final"}}]' }));
    expect(await reader(client).send('00')).toEqual({ code: -26, message: 'non-final' });
    expect(heard).toHaveLength(1);
  });

  it.each([
    [[{ feerate: '0.00002' }, null], 2000n],
    [[null, '0.00013'], 13_000n],
    [[{ errors: [] }, -1], null],
    [[null, null], null],
  ])('uses the estimate of whichever call the daemon has: %o', async (told, rate) => {
    const { client } = await daemon((calls) => ({
      body: `[${calls.map(({ id }) => `{"id":${id},"result":${JSON.stringify(told[id]).replace(/"(0\.\d+)"/, '$1')}}`).join(',')}]`,
    }));
    expect(await reader(client).estimate({ blocks: 2, mode: null })).toBe(rate);
  });
});
