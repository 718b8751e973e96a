import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { Answer } from '../../../../src/ports/chain.ts';
import { createRuntime } from '../../../../src/runtime/index.ts';
import { appendOf, deferred, GOOD, QUOTE, scriptedChain, scriptedKind, WAIT } from '../../../support/scripted.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

it('while one command is awaited, no other begins', async () => {
  const clock = virtualClock();
  const log = createMemoryLog();
  const network = createInProcessNetwork();
  const answer = deferred<Answer<unknown>>();
  const { kind, seen } = scriptedKind({
    decide: ({ stream, answers, messages }) => {
      if (stream === 'scripted/1') return answers.length === 0 ? QUOTE : appendOf('Told');
      return messages.length === 0 ? WAIT : appendOf('Told');
    },
  });
  const runtime = createRuntime({
    log,
    clock,
    chains: [scriptedChain('DOC', () => answer.promise), scriptedChain('MARTY', () => GOOD)],
    peers: network.peer('a1'.repeat(32)),
    kinds: [kind],
  });
  for (const stream of ['scripted/1', 'scripted/2']) {
    await runtime.startStream({ stream, events: [{ type: 'Begun', data: null }] });
  }
  await clock.advance(0);
  const drained = runtime.drain();
  network.peer('c3'.repeat(32)).send('swap/scripted/2', { kind: 'negotiated', accepted: true });
  await clock.advance(10_000);
  expect(seen.get('scripted/2')?.decisions).toHaveLength(1);
  answer.resolve(GOOD);
  await clock.advance(0);
  expect(await drained).toEqual({ clean: true, abandoned: 0 });
  expect(seen.get('scripted/1')?.answers).toEqual([GOOD]);
  expect(seen.get('scripted/1')?.decisions).toHaveLength(1);
  expect(log.end()).toBe(2);
  expect(clock.armed()).toBe(0);
});

it('waits for an append that is under way, and closes the log after it', async () => {
  const clock = virtualClock();
  const memory = createMemoryLog();
  const gate = deferred<void>();
  const log = {
    ...memory,
    append: async (batch: Parameters<typeof memory.append>[0]) => {
      if (batch.expected > 0) await gate.promise;
      return memory.append(batch);
    },
  };
  const { kind } = scriptedKind({ decide: ({ records }) => (records.length === 1 ? appendOf('Paid') : WAIT) });
  const runtime = createRuntime({
    log,
    clock,
    chains: ['DOC', 'MARTY'].map((coin) => scriptedChain(coin, () => GOOD)),
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
    kinds: [kind],
  });
  await runtime.startStream({ stream: 'scripted/1', events: [{ type: 'Begun', data: null }] });
  await clock.advance(0);
  const drained = runtime.drain();
  await clock.advance(1000);
  gate.resolve();
  expect(await drained).toEqual({ clean: true, abandoned: 0 });
  expect(memory.end()).toBe(2);
});
