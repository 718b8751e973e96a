import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../../../src/events/catalog.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { createRuntime } from '../../../../src/runtime/index.ts';
import { createSwapKeeper, type KeptSwap } from '../../../../src/runtime/operate/keep-swaps.ts';
import { createVirtualClock } from '../../../../src/sim/virtual-clock.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../../support/draws.ts';

const [FIRST] = [buildSwap({ role: 'taker', seed: 1, path: ['Started'] }).uuid];

/** Few swaps under one id: some are known, some grow, some differ, and some do not fold. */
const swaps = fc
  .record({
    role: fc.constantFrom<Role>('maker', 'taker'),
    seed: fc.integer({ min: 1, max: 2 }),
    length: fc.integer({ min: 1, max: 12 }),
    without: fc.option(fc.integer({ min: 0, max: 11 }), { freq: 8 }),
    unknown: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  })
  .map(({ role, seed, length, without, unknown }): SwapLog => {
    const log = buildSwap({ role, seed, path: successPath(role).slice(0, length) });
    const events = log.events
      .filter((_, index) => index !== without)
      .map((event, index) => (unknown && index === length - 1 ? { ...event, known: false as const } : event));
    return { ...log, uuid: FIRST, events };
  })
  .filter(({ events }) => events.length > 0);

async function answersOf(take: (log: SwapLog) => Promise<unknown>, logs: readonly SwapLog[]) {
  const answers: unknown[] = [];
  for (const log of logs) answers.push(await take(log).catch(({ code, facts }: SwapfoldError) => ({ code, facts })));
  return answers;
}

async function contentOf(log: EventLog) {
  const found = await log.find({});
  return Promise.all(found.map(async (summary) => [summary, await log.read(summary.stream)]));
}

function createTarget(log: EventLog) {
  const peers = createInProcessNetwork().peer('a1'.repeat(32));
  return createRuntime({ log, chains: [], peers, clock: createVirtualClock(millisOf(1_734_566_500_000)) });
}

describe('a swap that is added to a log and not driven', () => {
  it('is in the log as a runtime would add it, with the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(swaps, { minLength: 1, maxLength: 6 }), async (logs) => {
        const [own, other] = [createMemoryLog(), createMemoryLog()];
        const runtime = createTarget(other);
        expect(await answersOf(createSwapKeeper({ log: own }), logs)).toEqual(
          await answersOf(runtime.importSwap, logs),
        );
        expect(await contentOf(own)).toEqual(await contentOf(other));
        await runtime.drain();
      }),
      { numRuns: draws({ sample: 40, change: 150, release: 300 }) },
    );
  });

  it('is reported with the status that a runtime reports when it drives nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(swaps, { minLength: 1, maxLength: 4 }), async (logs) => {
        const log = createMemoryLog();
        const told = new Map<string, KeptSwap>();
        const keep = createSwapKeeper({ log, onKept: (kept) => told.set(kept.records[0]?.stream ?? '', kept) });
        await answersOf(keep, logs);
        const runtime = createTarget(log);
        const statuses = await runtime.list({});
        expect([...told.values()].map(({ status }) => status())).toEqual(statuses);
        for (const [stream, { records }] of told) expect(records).toEqual(await log.read(stream));
        await runtime.drain();
      }),
      { numRuns: draws({ sample: 20, change: 100, release: 200 }) },
    );
  });

  it('is reported if the log holds it, and nothing else is reported if nobody knows whether it does', async () => {
    const swap = buildSwap({ role: 'taker', seed: 1, path: ['Started'] });
    const told = async (log: EventLog) => {
      const heard: string[] = [];
      const keep = createSwapKeeper({
        log,
        onKept: ({ records }) => heard.push(...records.map(({ type }) => type)),
        onUnsure: () => heard.push('unsure'),
      });
      const answer = await keep(swap).catch(({ code }: SwapfoldError) => code);
      return [answer, heard];
    };
    const stream = `taker-swap/${swap.uuid}`;
    expect(await told(createMemoryLog())).toEqual([{ stream, known: false }, ['Imported', 'Started']]);
    const failing = (error: Error): EventLog => ({ ...createMemoryLog(), append: () => Promise.reject(error) });
    expect(await told(failing(new Error('disk')))).toEqual(['LOG_UNAVAILABLE', ['unsure']]);
    const refused = new SwapfoldError('It takes no such record.', { code: 'LOG_RECORD_INVALID' });
    expect(await told(failing(refused))).toEqual(['LOG_RECORD_INVALID', []]);
  });
});
