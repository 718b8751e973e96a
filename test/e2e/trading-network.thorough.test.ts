import { afterAll, beforeAll, expect, it } from 'vitest';
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

async function start(name: string): Promise<Serving> {
  const over = name === 'seed' ? { i_am_seed: true, myipaddr: '127.0.0.1' } : { seednodes: ['127.0.0.1'] };
  const node = await serving(folder, { name, coins: chains.map(({ entry }) => entry), config: { netid, ...over } });
  running.add(node);
  if (name === 'seed') return node;
  for (const coin of COINS) await node.call({ method: 'enable', coin });
  return node;
}

const reached = (node: Serving, uuid: string, holds: (swap: Swap) => boolean): Promise<Swap> =>
  until(async () => {
    const { result } = await node.call({ method: 'my_swap_status', params: { uuid } });
    const swap = (result ?? null) as Swap | null;
    return swap !== null && holds(swap) ? swap : null;
  });

const has = (type: string) => (swap: Swap) => swap.events.some(({ event }) => event.type === type);

it('a swap over a seed node goes through, though each of the three processes is killed and started again', async () => {
  let [seed, maker, taker] = [await start('seed'), await start('maker'), await start('taker')];
  const { address } = await taker.call({ method: 'my_balance', coin: 'TAK' });
  const { tx_hex } = await taker.call({ method: 'withdraw', coin: 'TAK', to: address, amount: '3' });
  await taker.call({ method: 'send_raw_transaction', coin: 'TAK', tx_hex });
  await maker.call({ method: 'setprice', base: 'MAK', rel: 'TAK', price: '1.25', volume: '2' });
  const asked = await taker.call({ method: 'buy', base: 'MAK', rel: 'TAK', price: '1.5', volume: '0.8' });
  const { uuid } = asked['result'] as { readonly uuid: string };
  await reached(taker, uuid, has('Negotiated'));
  await seed.kill();
  seed = await start('seed');
  await reached(taker, uuid, has('TakerFeeSent'));
  await maker.kill();
  maker = await start('maker');
  await reached(maker, uuid, has('MakerPaymentSent'));
  await taker.kill();
  taker = await start('taker');
  for (const node of [maker, taker]) {
    expect(await reached(node, uuid, ({ is_finished }) => is_finished)).toMatchObject({ is_success: true });
  }
  for (const node of [taker, maker, seed]) expect(await node.stop()).toBe(0);
});
