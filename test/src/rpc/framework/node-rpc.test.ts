import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/primitives/secret.ts';
import { type NodeRpc, withRpc } from '../../../../src/rpc/index.ts';
import { frameOfType, frameReader } from '../../../support/event-frames.ts';
import { type TradingPair, tradingPair } from '../../../support/trading-pair.ts';

const PASSWORD = 'a password of HTTP';
const LOCAL = { address: '127.0.0.1', local: true };

let pair: TradingPair;
let node: NodeRpc;

beforeAll(async () => {
  pair = await tradingPair();
  node = withRpc(pair.parties.maker.node(), { password: new Secret(PASSWORD), version: 'a test' });
});
afterAll(() => pair.close());

const post = (body: object) => new Request('http://node/any/path', { method: 'POST', body: JSON.stringify(body) });
const told = async (response: Response) => [response.status, (await response.json()) as object];

describe('a node as a library', () => {
  it('answers the program that hosts it without a password, whatever one is given', async () => {
    expect(await node.rpc({ method: 'version' })).toMatchObject({ result: 'a test' });
    expect(await node.rpc({ method: 'enable', coin: 'MAK', userpass: 'wrong' })).toMatchObject({ result: 'success' });
    expect(await node.rpc({ mmrpc: '2.0', method: 'get_enabled_coins', id: 7 })).toEqual({
      mmrpc: '2.0',
      result: { coins: [{ ticker: 'MAK' }] },
      id: 7,
    });
    const both = await node.rpc([
      { method: 'my_balance', coin: 'MAK' },
      { method: 'my_balance', coin: 'TAK' },
    ]);
    expect(both).toMatchObject([{ coin: 'MAK' }, { error: expect.stringContaining('No such coin: TAK') }]);
  });

  it('answers requests of a web framework, which says who calls', async () => {
    expect(await told(await node.fetch(post({ method: 'version' })))).toEqual([
      200,
      expect.objectContaining({ result: 'a test' }),
    ]);
    const stranger = await told(await node.fetch(post({ method: 'my_orders', userpass: PASSWORD })));
    expect(stranger).toEqual([500, { error: expect.stringContaining('only be called from localhost') }]);
    const local = await told(await node.fetch(post({ method: 'my_orders', userpass: PASSWORD }), LOCAL));
    expect(local).toEqual([200, { result: { maker_orders: {}, taker_orders: {} } }]);
    const wrong = await told(await node.fetch(post({ method: 'my_orders', userpass: 'a guess' }), LOCAL));
    expect(wrong).toEqual([500, { error: expect.stringContaining('attempts left: 9') }]);
  });

  it('streams what happens through the same door', async () => {
    await node.rpc({ method: 'enable', coin: 'TAK' });
    const request = new Request('http://node/event-stream', { headers: { authorization: `Bearer ${PASSWORD}` } });
    const response = await node.fetch(request, LOCAL);
    const reader = frameReader(response.body as ReadableStream<Uint8Array>);
    await frameOfType(reader, 'HEARTBEAT');
    const order = { method: 'setprice', base: 'MAK', rel: 'TAK', price: '1.37', volume: '0.4' };
    const { result } = (await node.rpc(order)) as { readonly result: { readonly uuid: string } };
    expect((await frameOfType(reader, 'ORDER_STATUS')).data.message).toMatchObject({
      order_type: 'Maker',
      order_data: { uuid: result.uuid, event: { event: { type: 'MakerOrderCreated', data: { base: 'MAK' } } } },
    });
    node.closeStreams();
    while ((await reader.next()) !== null);
  });
});
