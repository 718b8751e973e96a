import { expect, it } from 'vitest';
import { createMemoryLog, type MemoryLog } from '../../../../src/log/memory/index.ts';
import { createRuntime, watcherKind } from '../../../../src/runtime/index.ts';
import { watcherStream } from '../../../../src/runtime/watcher/runner.ts';
import { createPair, type Pair, requestOf, UUID } from '../../../support/swap-pair.ts';

/** A third node that takes every watch that it hears of. */
async function addWatcher({ clock, network, walletsOf }: Pair, log: MemoryLog = createMemoryLog()) {
  const peers = network.peer('e5'.repeat(32));
  const runtime = createRuntime({ log, clock, peers, chains: walletsOf('watcher'), kinds: [watcherKind()] });
  const resumed = await runtime.resumeAll();
  return { log, runtime, resumed, types: () => log.read(watcherStream(UUID)).map(({ type }) => type) };
}

it('a watcher claims for a taker whose node has died, and the taker finds the claim', async () => {
  const pair = createPair({ fidelity: 'real' });
  const watcher = await addWatcher(pair);
  for (const side of ['maker', 'taker'] as const) {
    await pair.nodes[side].runtime.startSwap(requestOf(side, { use_watchers: true }));
  }
  expect(await pair.until(() => watcher.types().length > 0, 30)).toBe(true);
  pair.nodes.taker.die();
  const claimed = async () => (await watcher.runtime.list({}))[0]?.outcome === 'claimed';
  expect(await pair.until(claimed, 200)).toBe(true);
  expect(await watcher.log.find({ machine: 'watcher', finished: true, outcome: 'claimed' })).toHaveLength(1);
  await pair.minutes(1);
  expect(watcher.runtime.sizes().runners).toBe(0);
  pair.restart('taker');
  await pair.nodes.taker.runtime.resumeAll();
  expect(await pair.until(() => pair.types('taker').includes('Finished'), 20)).toBe(true);
  expect(pair.types('taker')).toContain('MakerPaymentSpentByWatcher');
  expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('completed');
});

it('a watcher that was shut down continues from its log', async () => {
  const pair = createPair({ fidelity: 'real' });
  // Two processes one after the other over one log.
  const log = { ...createMemoryLog(), close: () => {} };
  const first = await addWatcher(pair, log);
  for (const side of ['maker', 'taker'] as const) {
    await pair.nodes[side].runtime.startSwap(requestOf(side, { use_watchers: true }));
  }
  expect(await pair.until(() => first.types().includes('WatchRequested'), 30)).toBe(true);
  pair.nodes.taker.die();
  await first.runtime.drain();
  await pair.minutes(60);
  expect(first.types()).not.toContain('WatchStopped');
  const second = await addWatcher(pair, log);
  expect(second.resumed).toMatchObject({ resumed: 1 });
  const claimed = async () => (await second.runtime.list({}))[0]?.outcome === 'claimed';
  expect(await pair.until(claimed, 200)).toBe(true);
});
