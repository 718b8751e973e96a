import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import {
  createRpcClient,
  type LegacyMethod,
  RpcAnswerInvalidError,
  type RpcClient,
  RpcRefusedError,
  RpcUnansweredError,
  type V2Method,
} from '../../../../src/rpc/client/index.ts';
import { type NodeRpc, withRpc } from '../../../../src/rpc/index.ts';
import { type TradingPair, tradingPair } from '../../../support/trading-pair.ts';

const PASSWORD = 'p@ss of "the" RPC';
const LOCAL = { address: '127.0.0.1', local: true };

let pair: TradingPair;
let node: NodeRpc;
let client: RpcClient;

beforeAll(async () => {
  pair = await tradingPair();
  node = withRpc(pair.parties.maker.node(), { password: new Secret(PASSWORD), version: 'a test' });
  client = clientOf(PASSWORD);
});
afterAll(() => pair.close());

function clientOf(userpass: string): RpcClient {
  return createRpcClient({
    url: 'http://node/',
    userpass,
    fetch: (url, init) => node.fetch(new Request(url, init), LOCAL),
  });
}

const failureOf = (call: Promise<unknown>): Promise<RpcRefusedError> =>
  call.then(
    () => expect.unreachable('the call was not refused'),
    (error: unknown) => error as RpcRefusedError,
  );

describe('a typed client', () => {
  it('calls methods in both forms', async () => {
    expect(await client.call('version')).toMatchObject({ result: 'a test' });
    const active = await client.call('enable', { coin: 'MAK', required_confirmations: 4 });
    expect([active.result, active.required_confirmations]).toEqual(['success', 4]);
    await client.call('enable', { coin: 'TAK' });
    expect((await client.callV2('get_enabled_coins')).coins).toEqual([{ ticker: 'MAK' }, { ticker: 'TAK' }]);
    const { result: order } = await client.call('setprice', { base: 'MAK', rel: 'TAK', price: '1.5', volume: 0.2 });
    expect((await client.call('my_orders')).result.maker_orders[order.uuid]?.available_amount).toBe('0.2');
    expect(await client.callV2('cancel_order', { uuid: order.uuid })).toEqual({ result: 'success' });
  });

  it('has types from the schemas that describe the interface', () => {
    expectTypeOf<LegacyMethod>().extract<'swap::offer'>().toBeNever();
    expectTypeOf<V2Method>().extract<'enable'>().toBeNever();
    expectTypeOf(client.call<'my_balance'>)
      .parameter(1)
      .toEqualTypeOf<{ coin: string } | undefined>();
    expectTypeOf(client.call<'my_balance'>)
      .returns.resolves.toHaveProperty('unspendable_balance')
      .toEqualTypeOf<string>();
    expectTypeOf(client.callV2<'swap::offer'>)
      .returns.resolves.toHaveProperty('expires_at')
      .toEqualTypeOf<number>();
  });

  it('reports what a node refuses, with its type and data', async () => {
    const legacy = await failureOf(client.call('my_balance', { coin: 'NONE' }));
    expect(legacy).toBeInstanceOf(RpcRefusedError);
    expect(legacy).toMatchObject({
      code: 'RPC_REFUSED',
      refused: {
        method: 'my_balance',
        status: 500,
        errorType: null,
        text: expect.stringMatching(/No such coin: NONE; the coins file has no such entry$/),
      },
    });
    const uuid = '5b1ee4a6-9d6c-4c6e-8a52-1f0e5d3c7a99';
    const v2 = await failureOf(client.callV2('my_swap_status', { uuid }));
    expect(v2.refused).toMatchObject({ status: 400, errorType: 'NoSwapWithUuid', errorData: uuid });
  });

  it('holds its password in no error, whatever a server makes of it', async () => {
    const wrong = await failureOf(clientOf('a guess').call('my_orders'));
    expect(wrong.refused.text).toContain('Userpass is invalid');
    const echo = (status: number, made: (body: string) => string): RpcClient =>
      createRpcClient({
        ...{ url: 'http://node', userpass: PASSWORD },
        fetch: async (_url, { body }) => new Response(made(String(body)), { status }),
      });
    const echoes = [
      echo(500, (body) =>
        JSON.stringify({ error: `wrong: ${JSON.parse(body).userpass}`, error_data: JSON.parse(body).userpass }),
      ),
      echo(200, () => `no JSON ${PASSWORD}`),
      createRpcClient({
        url: 'http://node',
        userpass: PASSWORD,
        fetch: () => Promise.reject(new Error(`at ${PASSWORD}`)),
      }),
    ];
    for (const each of echoes) {
      const error = await failureOf(each.call('stop'));
      expect(['RPC_REFUSED', 'RPC_UNANSWERED']).toContain(error.code);
      const whole = JSON.stringify({ ...error, text: `${error.stack}`, refused: error.refused });
      expect(whole).not.toContain('p@ss of');
    }
    await expect(echoes[2]?.callV2('get_enabled_coins')).rejects.toBeInstanceOf(RpcUnansweredError);
  });

  it('says why nothing answers, without the password', async () => {
    const dead = createRpcClient({ url: 'http://127.0.0.1:9', userpass: 'hunter2' });
    const error = await failureOf(dead.call('version'));
    expect(error).toMatchObject({ code: 'RPC_UNANSWERED' });
    expect(String(error)).toMatch(/fetch failed: .*(ECONNREFUSED|bad port)/);
    expect(String(error)).not.toContain('hunter2');
  });

  it('reads each event, and names the place of any part that differs from the interface', async () => {
    const saying = (body: unknown): RpcClient =>
      createRpcClient({
        ...{ url: 'http://node', userpass: PASSWORD },
        fetch: async () => new Response(JSON.stringify(body), { status: 200 }),
      });
    const balance = { coin: 'MAK', balance: '1.5', unspendable_balance: '0', address: 'R' };
    expect(await saying(balance).call('my_balance', { coin: 'MAK' })).toEqual(balance);
    const cases: readonly (readonly [unknown, (client: RpcClient) => Promise<unknown>, string])[] = [
      [{ ...balance, balance: 1.5 }, (one) => one.call('my_balance', { coin: 'MAK' }), '/balance'],
      [{ ...balance, address: undefined }, (one) => one.call('my_balance', { coin: 'MAK' }), '/address'],
      [{ ...balance, [PASSWORD]: 1 }, (one) => one.call('my_balance', { coin: 'MAK' }), '/'],
      [{ result: [{ ticker: 7, address: 'R' }] }, (one) => one.call('get_enabled_coins'), '/result/0/ticker'],
      [{ result: { coins: [{ ticker: 7 }] } }, (one) => one.callV2('get_enabled_coins'), '/result/coins/0/ticker'],
      [{}, (one) => one.callV2('get_enabled_coins'), '/result'],
      [{ result: { skipped: { [PASSWORD]: 1 }, imported: [] } }, (one) => one.call('import_swaps'), '/result/skipped/'],
    ];
    for (const [body, call, path] of cases) {
      const error = await call(saying(body)).then(
        () => expect.unreachable('the answer was taken'),
        (caught: unknown) => caught as RpcAnswerInvalidError,
      );
      expect(error).toBeInstanceOf(RpcAnswerInvalidError);
      expect(error).toMatchObject({ code: 'RPC_ANSWER_INVALID', path: expect.stringMatching(new RegExp(`^${path}`)) });
      expect(`${JSON.stringify(error)} ${error.stack}`).not.toContain('p@ss of');
    }
    for (const body of [null, 7, 'text', [1]]) {
      await expect(saying(body).call('version')).rejects.toMatchObject({ code: 'RPC_UNANSWERED' });
    }
  });

  it('accepts no event without a type', async () => {
    const telling = (frame: string): RpcClient =>
      createRpcClient({
        ...{ url: 'http://node', userpass: PASSWORD },
        fetch: async () => new Response(`data: ${frame}\n\n`, { status: 200 }),
      });
    const first = (frame: string) => telling(frame).events().next();
    expect((await first('{"_type":"HEARTBEAT","message":{}}')).value).toMatchObject({ type: 'HEARTBEAT' });
    for (const frame of ['{"message":1}', '{"_type":7}', 'null', '{']) {
      await expect(first(frame)).rejects.toMatchObject({ code: 'RPC_UNANSWERED' });
    }
  });

  it('follows a node, and continues after the last event that it saw', async () => {
    const seen: (string | null)[] = [];
    for await (const { id, type } of client.events({ lastEventId: 0, types: ['ACTIVATION:MAK'] })) {
      if (type === 'HEARTBEAT') continue;
      seen.push(id);
      if (seen.length === 1) break;
    }
    for await (const { id, type, message } of client.events({ lastEventId: seen[0] ?? '', types: ['ACTIVATION'] })) {
      if (type === 'HEARTBEAT') continue;
      expect(Number(id)).toBe(Number(seen[0]) + 1);
      expect(message).toMatchObject({ coin: 'MAK', event: { event: { type: 'ActivationCompleted' } } });
      break;
    }
    await expect(client.events({ lastEventId: 1e9 }).next()).rejects.toMatchObject({
      refused: { errorType: 'CursorAhead' },
    });
  });
});

describe('the module of the client', () => {
  it('loads in a browser: it needs only its own files, the schemas and zod', () => {
    const root = resolve(import.meta.dirname, '../../../..');
    const seen = new Set<string>();
    const foreign: string[] = [];
    const walk = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, what = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export) (?!type )[^;]*? from '([^']+)';$/gm,
      )) {
        if (what.startsWith('.')) walk(join(dirname(file), what));
        else foreign.push(what);
      }
    };
    walk(join(root, 'src/rpc/client/index.ts'));
    expect(new Set(foreign)).toEqual(new Set(['zod']));
    expect([...seen].map((file) => relative(root, file)).toSorted()).toEqual([
      'src/primitives/error.ts',
      'src/rpc/client/answers.ts',
      'src/rpc/client/client.ts',
      'src/rpc/client/errors.ts',
      'src/rpc/client/events.ts',
      'src/rpc/client/index.ts',
      'src/rpc/framework/api.ts',
      'src/rpc/framework/api/coins.ts',
      'src/rpc/framework/api/form.ts',
      'src/rpc/framework/api/node.ts',
      'src/rpc/framework/api/orders.ts',
      'src/rpc/framework/api/streams.ts',
      'src/rpc/framework/api/swaps.ts',
      'src/rpc/framework/api/tasks.ts',
      'src/rpc/framework/api/tendermint.ts',
    ]);
  });
});
