import { describe, expect, it } from 'vitest';
import type { NextStep, SwapFunds } from '../../machines/swap-verdict.ts';
import { moment } from '../../src/cli/arguments.ts';
import { isOverdue, waitsForPerson } from '../../src/cli/findings.ts';
import type { StoredEvent } from '../../src/events/decode-event.ts';
import { isJournalType, type JournalRecord } from '../../src/events/journal.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { explainSwap } from '../../src/replay/explain.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { stateOf } from '../../src/runtime/swap/runner.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import { type SimNode, SOUND } from '../../src/sim/world/node.ts';
import { runOnce } from '../../src/sim/world/run-scenario.ts';
import type { Stored } from '../../src/sim/world/told/story.ts';
import { buildSwap } from '../../src/testing/logs/swap-builder.ts';
import { jsonRows, runCli, scratchFolder } from '../support/cli.ts';
import { draws, oneIn } from '../support/draws.ts';
import { describeShared, manifest, swapPath } from '../support/shared.ts';

// Whoever asks by whichever command hears the same of coins in the open.

const RUNS = draws({ sample: 12, change: 30, release: 60 });

const FRAMES = {
  maker: buildSwap({ role: 'maker', path: ['Started'], seed: 'risk' }),
  taker: buildSwap({ role: 'taker', path: ['Started'], seed: 'risk' }),
};

function logOf(node: SimNode, records: readonly Stored[]): SwapLog {
  const events: StoredEvent[] = [];
  const journal: JournalRecord[] = [];
  for (const { type, at, data } of records) {
    if (isJournalType(type)) journal.push({ before: events.length, at, type, data });
    else events.push({ type, at, data, known: true } as StoredEvent);
  }
  return { ...FRAMES[node.name], events, journal: { importedAt: null, records: journal } };
}

/** A simulated swap begins behind its request. */
function requestOf({ runner }: SimNode): Stored {
  const data = runner.journal.request;
  if (data === null) throw new Error('a swap of this engine begins with a request');
  return { type: 'SwapRequested', at: millisOf(0), data };
}

describe('what the engine judges of its own swap', () => {
  it('is what its log reports, after every append', () => {
    const told = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const records = new Map<string, Stored[]>();
      const appended = (_: unknown, node: SimNode, added: readonly Stored[]): void => {
        const all = [...(records.get(node.name) ?? [requestOf(node)]), ...added];
        records.set(node.name, all);
        // A party that does not follow the protocol may fold otherwise than it writes.
        if (node.behaviour !== SOUND) return;
        const { runner } = node;
        const { context } = runner.position;
        const live = runner.kind.definition.verdict(stateOf(runner), context, runner.journal);
        const log = logOf(node, all);
        const { outcome, funds, next } = replaySwap(log);
        expect({ seed, outcome, funds, next }).toEqual({ seed, ...live });
        const explained = explainSwap(log);
        expect([seed, explained.outcome, explained.waitsFor]).toEqual([
          seed,
          live.outcome,
          waitsForPerson(live) ? 'person' : live.next === null ? 'nobody' : 'node',
        ]);
        told.set(live.outcome, (told.get(live.outcome) ?? 0) + 1);
      };
      runOnce(generateScenario(seed), { watch: { appended } });
    }
    expect([...told.keys()]).toEqual(
      expect.arrayContaining(['completed', 'refunded', 'claim-pending', 'refund-pending']),
    );
  });
});

type Row = {
  readonly uuid: string;
  readonly role?: string;
  readonly outcome?: string;
  readonly next?: NextStep | null;
  readonly funds?: SwapFunds | null;
  readonly ordered?: boolean;
  readonly waitsFor?: string;
};

describeShared('what is reported about a recorded swap, once in a durable log', () => {
  it('is at risk by every command, or by none', async () => {
    const found: string[] = [];
    const firsts = new Map(manifest().map((row) => [`${row.role} ${row.finalEvent} ${row.finished}`, row]));
    for (const { file } of oneIn(5, [...firsts.values()])) {
      using scratch = scratchFolder();
      const log = scratch.file('swaps.db');
      await runCli(['import', '--log', log, swapPath(file)]);
      const rowOf = async (...argv: string[]) => {
        const { out, code } = await runCli([...argv, '--json']);
        const [row] = jsonRows<Row>(out);
        return { ...row, code };
      };
      const status = await rowOf('status', '--log', log);
      const explained = await rowOf('explain', log);
      const replayed = await rowOf('replay', log);
      const timeline = await rowOf('timeline', log);
      const ordered = await rowOf('recover', status.uuid ?? '', '--log', log);
      expect([file, explained.outcome, replayed.outcome]).toEqual([file, status.outcome, status.outcome]);
      expect([file, explained.code, replayed.code, timeline.code]).toEqual([file, ...Array(3).fill(status.code)]);
      const { role = null, outcome = null, next = null, funds = null } = status;
      const isLate = isOverdue({ role, outcome, next, funds }, moment('now'));
      expect([file, explained.waitsFor === 'person' || isLate]).toEqual([file, status.code === 1]);
      // There is nothing to recover only where nothing is at risk.
      if (ordered.ordered === false) expect([file, status.code]).toEqual([file, 0]);
      found.push(String(status.outcome));
    }
    expect(new Set(found).size).toBeGreaterThanOrEqual(draws({ sample: 2, change: 3, release: 6 }));
  });
});
