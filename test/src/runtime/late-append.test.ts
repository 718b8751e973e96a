import { expect, it } from 'vitest';
import { deferred, WAIT } from '../../support/scripted.ts';
import { appendingAs, scriptedRuntime } from '../../support/scripted-runtime.ts';
import { UUID } from '../../support/swap-pair.ts';

const STREAM = `taker-swap/${UUID}`;

it('a runner that was rebuilt while its stream was being written has what was written', async () => {
  const gate = deferred<void>();
  const { clock, runtime, begin, network, stored, seen, made } = scriptedRuntime({
    machine: 'taker-swap',
    script: {
      decide: () => WAIT,
      receive: () => {
        throw new TypeError('a fault');
      },
    },
    log: appendingAs(async (batch, memory) => {
      await gate.promise;
      return memory.append(batch);
    }),
  });
  await begin(STREAM);
  await clock.advance(0);
  const ordered = runtime.recoverFunds(UUID);
  await clock.advance(0);
  network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, { kind: 'negotiated', accepted: true });
  await clock.advance(61_000);
  expect(made.count).toBe(2);
  gate.resolve();
  await ordered;
  await clock.advance(0);
  expect(stored(STREAM)).toEqual(['Begun', 'OperatorActed']);
  expect(seen(STREAM).records.map(({ type }) => type)).toEqual(['Begun', 'OperatorActed']);
  expect(seen(STREAM).decisions).toHaveLength(1);
});
