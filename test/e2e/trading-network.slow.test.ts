import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peerPort } from '../../src/peers/libp2p/ports.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { forgedBytes, signedBytes, stranger } from '../support/peers/stranger.ts';
import {
  freeNetid,
  passphraseOf,
  type ServedChain,
  type Serving,
  servedChain,
  serving,
  servingFolder,
  until,
} from '../support/serving.ts';

type Swap = {
  readonly is_finished: boolean;
  readonly is_success: boolean;
  readonly events: readonly { readonly event: { readonly type: string } }[];
};

const COINS = ['MAK', 'TAK'] as const;
const folder = servingFolder();
const chains: ServedChain[] = [];
const running = new Set<Serving>();
let netid = 0;

beforeAll(async () => {
  netid = await freeNetid();
  chains.push(await servedChain(folder, { coin: 'MAK', passphrase: passphraseOf('maker'), mineEveryMs: 700 }));
  chains.push(await servedChain(folder, { coin: 'TAK', passphrase: passphraseOf('taker'), mineEveryMs: 500 }));
});
afterAll(async () => {
  for (const node of running) await node.kill();
  for (const chain of chains) await chain.close();
});

async function start(name: string, config: object): Promise<Serving> {
  const node = await serving(folder, { name, coins: chains.map(({ entry }) => entry), config: { netid, ...config } });
  running.add(node);
  return node;
}

async function activate(node: Serving): Promise<void> {
  for (const coin of COINS) {
    expect(await node.call({ method: 'enable', coin })).toMatchObject({ result: 'success' });
  }
}

/** Mined coins show no key, so that no trading fee can be paid with them: one goes to the own address. */
async function payItself(node: Serving, coin: string): Promise<void> {
  const { address } = await node.call({ method: 'my_balance', coin });
  const { tx_hex } = await node.call({ method: 'withdraw', coin, to: address, amount: '3' });
  expect(await node.call({ method: 'send_raw_transaction', coin, tx_hex })).toHaveProperty('tx_hash');
}

async function swapOf(node: Serving, uuid: string): Promise<Swap | null> {
  const { result } = await node.call({ method: 'my_swap_status', params: { uuid } });
  return (result ?? null) as Swap | null;
}

const ended = (node: Serving, uuid: string): Promise<Swap> =>
  until(async () => {
    const swap = await swapOf(node, uuid);
    return swap?.is_finished === true ? swap : null;
  });

const reached = (node: Serving, uuid: string, type: string): Promise<boolean> =>
  until(async () => {
    const swap = await swapOf(node, uuid);
    return swap?.events.some(({ event }) => event.type === type) === true ? true : null;
  });

const uuidOf = ({ result }: JsonObject): string => (result as { readonly uuid: string }).uuid;

/** The taker buys of whoever sells. @returns the swap's uuid */
async function trade(maker: Serving, taker: Serving): Promise<string> {
  await maker.call({ method: 'setprice', base: 'MAK', rel: 'TAK', price: '1.25', volume: '2' });
  return uuidOf(await taker.call({ method: 'buy', base: 'MAK', rel: 'TAK', price: '1.5', volume: '0.8' }));
}

describe('processes that know one another over the network alone', () => {
  it('swap by setprice and buy, though one is killed in between and started again', async () => {
    const maker = await start('maker', { i_am_seed: true, is_bootstrap_node: true, myipaddr: '127.0.0.1' });
    const over = { seednodes: ['127.0.0.1'] };
    const first = await start('taker', over);
    expect([maker.row['network'], first.row['network']]).toEqual([
      { netid, id: expect.stringMatching(/^12D3/), seeds: [], addresses: [`127.0.0.1:${peerPort(netid)}`] },
      { netid, id: expect.stringMatching(/^12D3/), seeds: ['127.0.0.1'], addresses: [] },
    ]);
    await activate(maker);
    await activate(first);
    await payItself(first, 'TAK');
    const uuid = await trade(maker, first);
    await reached(first, uuid, 'TakerFeeSent');
    await first.kill();
    const taker = await start('taker', over);
    expect(taker.row['needed']).toEqual(['MAK', 'TAK']);
    await activate(taker);
    for (const node of [taker, maker]) expect(await ended(node, uuid)).toMatchObject({ is_success: true });
    for (const node of [taker, maker]) expect(await node.stop()).toBe(0);
  });

  it('swap through a relay that others attack meanwhile', async () => {
    const relay = await start('relay', { i_am_seed: true, myipaddr: '127.0.0.1' });
    const { addresses } = relay.row['network'] as unknown as { readonly addresses: readonly string[] };
    const maker = await start('maker', { seednodes: ['127.0.0.1'] });
    const taker = await start('taker', { seednodes: ['localhost', '127.0.0.1:9'] });
    await activate(maker);
    await activate(taker);
    await payItself(taker, 'TAK');
    const topic = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
    const [flooder, forger, breaker] = [
      await stranger({ addresses }),
      await stranger({ addresses }),
      await stranger({ addresses }),
    ];
    const data = await signedBytes(topic, { kind: 'negotiated', accepted: true });
    for (let index = 0; index < 3000; index++) flooder.publish({ topic, data });
    const uuid = await trade(maker, taker);
    forger.publish({ topic: `swap/${uuid}`, data: await forgedBytes(topic, { kind: 'negotiated', accepted: false }) });
    breaker.out.send(new Uint8Array(100_000).fill(0xff));
    for (const node of [taker, maker]) expect(await ended(node, uuid)).toMatchObject({ is_success: true });
    const banned = relay.lines.filter((line) => line.includes('banned'));
    const faults = banned.map((line) => (JSON.parse(line) as { readonly fault: string }).fault);
    expect(faults.toSorted()).toEqual(['a frame that is too long', 'a message whose signature is not good']);
    expect([flooder, forger, breaker].map(({ isLinked }) => isLinked())).toEqual([true, false, false]);
    expect(
      taker.lines.some((line) => line.includes('a seed node is not connected') && line.includes('127.0.0.1:9')),
    ).toBe(true);
    for (const one of [flooder, forger, breaker]) await one.close();
    for (const node of [taker, maker, relay]) expect(await node.stop()).toBe(0);
  });
});
