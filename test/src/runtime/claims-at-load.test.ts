import { expect, it } from 'vitest';
import { toEnvelopes } from '../../../src/events/jsonl.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import { createLoop } from '../../../src/runtime/operate/create-loop.ts';
import { resumeStreams } from '../../../src/runtime/operate/resume.ts';
import { buildSwap, successPath } from '../../../src/testing/index.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

it('V2: what unfinished swaps hold is known before anything runs, and without reading finished ones', async () => {
  const log = createMemoryLog();
  const path = successPath('taker');
  const swap = buildSwap({ role: 'taker', path: path.slice(0, path.indexOf('TakerPaymentSent') + 1), seed: 3 });
  const records = toEnvelopes(swap);
  log.append({ stream: `taker-swap/${swap.uuid}`, expected: 0, records, labels: { finished: false } });
  const clock = virtualClock();
  const { loop } = createLoop({ log, clock, chains: [], peers: createInProcessNetwork().peer('a1'.repeat(32)) });
  await resumeStreams(loop);
  const { claims } = loop;
  expect(claims.isComplete()).toBe(false);
  const of = (type: string) => records.find((record) => record.type === type)?.data as Record<string, string>;
  const stranger = claims.of('maker-swap/another');
  expect(stranger.secretHash(of('Negotiated')['secret_hash'] ?? '')).toBe(swap.uuid);
  for (const type of ['TakerFeeSent', 'MakerPaymentReceived', 'TakerPaymentSent']) {
    expect(stranger.transaction(of(type)['tx_hash'] ?? '')).toBe(swap.uuid);
  }
  expect(claims.of(`taker-swap/${swap.uuid}`).transaction(of('TakerFeeSent')['tx_hash'] ?? '')).toBeNull();
});
