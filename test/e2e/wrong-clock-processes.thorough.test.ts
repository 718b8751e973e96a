import { afterAll, beforeAll, expect, it } from 'vitest';
import { enable, ended, payItself, reached, trade, typesOf } from '../support/served-swaps.ts';
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

// Three processes of `swapfold serve`: two traders and the seed node between them, which stands still for some seconds, is killed, and comes
// back while the clock of one trader is wrong.

const HALT_BLOCKS = 5;
const WRONG_MS = 27_000;
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

async function start(name: string, ahead = 0): Promise<Serving> {
  const over = name === 'seed' ? { i_am_seed: true, myipaddr: '127.0.0.1' } : { seednodes: ['127.0.0.1'] };
  const coins = chains.map(({ entry }) => entry);
  const node = await serving(folder, { name, coins, ahead, config: { netid, ...over } });
  running.add(node);
  if (name !== 'seed') await enable(node, 'MAK', 'TAK');
  return node;
}

/** For some blocks of the maker's chain, some seconds: what is said meanwhile comes after them, and all at once. */
async function halted(seed: Serving): Promise<void> {
  const height = () => chains[0]?.blocks().length ?? 0;
  const end = height() + HALT_BLOCKS;
  seed.halt(true);
  await until(async () => (height() >= end ? true : null));
  seed.halt(false);
}

const isLeft = (node: Serving): boolean =>
  node.lines.some((line) => line.includes('a node whose clock differs was left') || line.includes('the link ended'));

it('a swap ends right on both sides, though its seed node is slow and lost and the clock of its taker wrong meanwhile', async () => {
  let [seed, taker] = [await start('seed'), await start('taker')];
  const maker = await start('maker');
  await payItself(taker, 'TAK');
  const uuid = await trade(maker, taker);
  await halted(seed);
  await reached(taker, uuid, 'Negotiated');
  await halted(seed);
  await reached(taker, uuid, 'TakerFeeSent');
  await seed.kill();
  await taker.kill();
  // It comes back with a clock by which no seed node has a link to it, and the seed node after it.
  taker = await start('taker', WRONG_MS);
  seed = await start('seed');
  await until(async () => (isLeft(taker) ? true : null));
  await halted(seed);
  await taker.kill();
  taker = await start('taker');
  await reached(taker, uuid, 'MakerPaymentReceived');
  await halted(seed);
  for (const node of [maker, taker]) {
    const swap = await ended(node, uuid);
    const types = typesOf(swap);
    expect([swap.is_success, new Set(types).size, types.filter((type) => type.includes('Failed'))]).toEqual([
      true,
      types.length,
      [],
    ]);
  }
  for (const node of [taker, maker, seed]) expect(await node.stop()).toBe(0);
});
