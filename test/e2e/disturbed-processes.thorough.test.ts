import { afterAll, beforeAll, expect, it } from 'vitest';
import { peerPort } from '../../src/peers/libp2p/ports.ts';
import { systemClock } from '../../src/runtime/host/clock-system.ts';
import { disturbance } from '../support/peers/disturbance.ts';
import type { FrameworkNode } from '../support/peers/framework/node.ts';
import { openFramework } from '../support/peers/framework/open.ts';
import { enable, ended, payItself, trade, typesOf } from '../support/served-swaps.ts';
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

// Processes of `swapfold serve` behind a relay of the second implementation, which hands on late, out of order and more than once, by the host's clock.

const LONGEST_MS = 2500;
const folder = servingFolder();
const chains: ServedChain[] = [];
const running = new Set<Serving>();
const { disturb, disturbed } = disturbance({ clock: systemClock(), seed: 11, longest: LONGEST_MS });
let relay: FrameworkNode;
let netid = 0;

beforeAll(async () => {
  netid = await freeNetid();
  relay = await openFramework({
    ...{ role: 'relay', clock: systemClock(), disturb },
    listen: `127.0.0.1:${peerPort(netid)}`,
  });
  chains.push(await servedChain(folder, { coin: 'MAK', passphrase: passphraseOf('maker'), mineEveryMs: 700 }));
  chains.push(await servedChain(folder, { coin: 'TAK', passphrase: passphraseOf('taker'), mineEveryMs: 500 }));
});
afterAll(async () => {
  for (const node of running) await node.kill();
  await relay?.close();
  for (const chain of chains) await chain.close();
});

async function start(name: string): Promise<Serving> {
  const config = { netid, seednodes: ['127.0.0.1'] };
  const node = await serving(folder, { name, coins: chains.map(({ entry }) => entry), config });
  running.add(node);
  await enable(node, 'MAK', 'TAK');
  return node;
}

it('a swap of two processes ends right on both sides, however the relay reorders their messages', async () => {
  const [maker, taker] = [await start('maker'), await start('taker')];
  await until(async () => (relay.links().length === 2 ? true : null));
  await payItself(taker, 'TAK');
  const uuid = await trade(maker, taker);
  for (const node of [maker, taker]) {
    const swap = await ended(node, uuid);
    const types = typesOf(swap);
    expect([swap.is_success, new Set(types).size, types.filter((type) => type.includes('Failed'))]).toEqual([
      true,
      types.length,
      [],
    ]);
  }
  // Processes say so little that hardly anything overtakes what was said before; what is said again comes behind what is newer.
  const { frames, late, repeated } = disturbed;
  expect([late > frames / 2, repeated > frames / 3]).toEqual([true, true]);
  expect(relay.faults).toEqual([]);
  for (const node of [taker, maker]) expect(await node.stop()).toBe(0);
});
