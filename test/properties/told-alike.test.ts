import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waitsForPerson } from '../../src/cli/findings.ts';
import { explanationText } from '../../src/cli/render/explain.ts';
import { styleOf } from '../../src/cli/render/text.ts';
import { encodeSavedSwap } from '../../src/events/encode.ts';
import { shownLog } from '../../src/events/redact.ts';
import { decodeSavedSwap, type SwapLog } from '../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { JsonObject } from '../../src/primitives/json.ts';
import { millisOf, toUnixSeconds } from '../../src/primitives/time.ts';
import { auditSwap } from '../../src/replay/audit/audit-swap.ts';
import { violationsOf } from '../../src/replay/explain/violations.ts';
import { explainSwap } from '../../src/replay/explain.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { createRuntime } from '../../src/runtime/operate/supervisor.ts';
import { createVirtualClock } from '../../src/sim/virtual-clock.ts';
import { swapLog } from '../../src/testing/drawn/logs.ts';
import { singleChanges } from '../../src/testing/drawn/mutations.ts';
import { buildSwap } from '../../src/testing/logs/swap-builder.ts';
import { draws } from '../support/draws.ts';
import { describeShared, manifest, readShared } from '../support/shared.ts';

// What the commands say of one log: explain, audit, replay, status and recover agree.

const NOW = millisOf(Date.UTC(2030, 0, 1));
const STYLE = styleOf({ stdout: {} as Parameters<typeof styleOf>[0]['stdout'], env: { COLUMNS: '1000' } });

function sayAlike(log: SwapLog, where: string): void {
  const shown = shownLog(log);
  const explanation = explainSwap(shown, { now: toUnixSeconds(NOW) });
  const replayed = replaySwap(log);
  expect([explanation.outcome, explanation.waitsFor === 'person'], where).toEqual([
    replayed.outcome,
    // What the bytes of a transaction deny, only who looks at bytes can tell.
    waitsForPerson(replayed) || / does not spend the \w+ payment/.test(explanation.headline),
  ]);
  // What the audit violates is in the explanation, as a reader sees it.
  const violated = auditSwap(log).checks.filter(({ status }) => status === 'violated');
  const violations = violationsOf(log);
  expect(
    violations.map(({ check, seq }) => [check, seq]),
    where,
  ).toEqual(violated.map(({ check, seq }) => [check, seq]));
  const text = explanationText({ file: 'f', now: toUnixSeconds(NOW), violations }, explanation, STYLE);
  for (const { check } of violated) expect(text, where).toContain(`[${check}]`);
  expect(text.includes('Contradictions '), where).toBe(violated.length > 0);
  const grave = text.indexOf('Contradictions in the log');
  expect(grave >= 0, where).toBe(violations.some(({ cosmetic }) => !cosmetic));
  // A log without an event tells of none.
  const happened = text.indexOf('What happened');
  expect(happened >= 0, where).toBe(log.events.length > 0);
  if (happened >= 0) expect(grave, where).toBeLessThan(happened);
}

/** The log taken into an engine's own, as status and recover read it; null where an engine does not take it. */
async function statusAfterImport(log: SwapLog) {
  const clock = createVirtualClock(NOW);
  const peers = createInProcessNetwork().peer('00'.repeat(32));
  const runtime = createRuntime({ log: createMemoryLog(), chains: [], peers, clock });
  try {
    const taken = await runtime.importSwap(log).catch(() => null);
    return taken === null ? null : await runtime.status(log.uuid);
  } finally {
    await runtime.drain();
  }
}

async function standAlike(log: SwapLog, where: string): Promise<boolean> {
  const status = await statusAfterImport(log);
  if (status === null || status.outcome === null) return false;
  // An engine that takes a log over goes on with it: where the real node gives up, it need not.
  const replayed = replaySwap({ ...log, journal: { importedAt: log.events[0]?.at ?? NOW, records: [] } });
  expect([status.outcome, status.next?.who, waitsForPerson(status)], where).toEqual([
    replayed.outcome,
    replayed.next?.who,
    waitsForPerson(replayed),
  ]);
  return true;
}

describe('of drawn logs', () => {
  it('and of each with one change, the commands say the same', () => {
    const drawn = fc.oneof(swapLog('maker'), swapLog('taker'));
    fc.assert(
      fc.property(drawn, fc.nat(), (log, pick) => {
        sayAlike(log, 'as drawn');
        const changes = [...singleChanges(encodeSavedSwap(log, 'spec') as JsonObject)];
        const change = changes[pick % Math.max(1, changes.length)];
        if (change === undefined) return;
        let changed: SwapLog;
        try {
          changed = decodeSavedSwap(change.apply());
        } catch {
          return;
        }
        sayAlike(changed, JSON.stringify(change));
      }),
      { numRuns: draws({ sample: 10, change: 30, release: 60 }) },
    );
  });

  it('about a log whose only event is gone, too', () => {
    const started = encodeSavedSwap(buildSwap({ role: 'taker', path: ['Started'] }), 'spec') as JsonObject;
    const changes = [...singleChanges(started)];
    const empty = decodeSavedSwap(
      changes.find(({ kind, path }) => kind === 'drop' && path === '/events/0')?.apply() ?? {},
    );
    expect(empty.events).toEqual([]);
    sayAlike(empty, 'without an event');
  });

  it('an engine that takes them over says the same of how they stand', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(swapLog('maker'), swapLog('taker')), async (log) => {
        if (await standAlike(log, 'as drawn')) compared += 1;
      }),
      { numRuns: draws({ sample: 7, change: 20, release: 40 }) },
    );
    expect(compared).toBeGreaterThan(draws({ sample: 3, change: 10, release: 20 }));
  });
});

describeShared('of stored swaps', () => {
  const logs = manifest().flatMap(({ file }) =>
    decodeSwapsText(readShared(`swaps/${file}`)).flatMap((decoded) => (decoded.ok ? [{ file, log: decoded.log }] : [])),
  );

  it('the commands say the same', () => {
    for (const { file, log } of logs) sayAlike(log, file);
    expect(logs.filter(({ log }) => violationsOf(log).length > 0).length).toBeGreaterThan(0);
  });

  it('an engine that takes them over says the same of how they stand', async () => {
    let compared = 0;
    for (const { file, log } of logs) if (await standAlike(log, file)) compared += 1;
    expect(compared).toBeGreaterThan(logs.length / 2);
  });
});
