import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_JOURNAL } from '../../machines/journal/context.ts';
import { waitsForPerson } from '../../src/cli/findings.ts';
import { jsonlText } from '../../src/events/jsonl.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { millisOf } from '../../src/primitives/time.ts';
import { cutAfter } from '../../src/replay/cut-log.ts';
import { explainSwap } from '../../src/replay/explain.ts';
import { createJsonlReplayer } from '../../src/replay/jsonl/scanner.ts';
import { type ReplayedSwap, replaySwap } from '../../src/replay/swaps.ts';
import { type TraceStep, traceSwap } from '../../src/replay/trace.ts';
import type { Runtime } from '../../src/runtime/operate/supervisor.ts';
import { createRuntime } from '../../src/runtime/operate/supervisor.ts';
import { stateOf } from '../../src/runtime/swap/runner.ts';
import { createVirtualClock } from '../../src/sim/virtual-clock.ts';
import { runWorld } from '../../src/sim/world/advance.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import { readStream, storedLog, storedStream } from '../../src/sim/world/stored-log.ts';
import { createWorld } from '../../src/sim/world/world.ts';
import { swapLog } from '../../src/testing/drawn/logs.ts';
import { draws } from '../support/draws.ts';
import { describeShared, manifest, readShared } from '../support/shared.ts';
import { swapInvariants } from '../support/swap-invariants.ts';

// One fold, one verdict: whoever reads a log says of it what the engine says that wrote it. A tale that differs is told as one line.

/** How many swaps are simulated; a hundred thousand take a quarter of an hour where `SWAPFOLD_VERDICTS` asks for them. */
const FEW = 60;
const RUNS = Number(process.env['SWAPFOLD_VERDICTS'] ?? draws({ sample: 12, change: FEW }));

/** In milliseconds, for as many as that. */
const LONGEST = Math.max(60_000, RUNS * 1000);

type Said = {
  readonly state: string | null;
  readonly outcome: string | null;
  readonly funds: unknown;
  readonly next: unknown;
};

const saidBy = ({ state, outcome, funds, next }: Said): Said => ({ state, outcome, funds, next });
const saidAt = ({ state, verdict }: TraceStep): Said => saidBy({ state, ...verdict });

/** What the engine that wrote a log says of it, in the moment in which it stops. */
function live({ runner }: SimNode) {
  const { position, journal, kind } = runner;
  const state = stateOf(runner);
  const { definition } = kind;
  return {
    said: saidBy({ state, ...definition.verdict(state, position.context, journal) }),
    wants: definition.wants(state, position.context, journal),
    deadlines: definition.deadlines(state, position.context, journal),
  };
}

/** A node that has just come up on logs that others wrote. */
function nodeOn(log: EventLog): Runtime {
  const peers = createInProcessNetwork().peer('00'.repeat(32));
  return createRuntime({ log, chains: [], peers, clock: createVirtualClock(millisOf(0)) });
}

/** What such a node answers to `status`. */
async function statusBy(runtime: Runtime, stream: string): Promise<Said | undefined> {
  const [role, uuid = ''] = stream.split('-swap/');
  const sides = await runtime.sides(uuid);
  const status = sides.find((side) => side.role === role);
  return status === undefined ? undefined : saidBy(status);
}

/** What a replay of the file says that holds this log, read by the quickest of its readers. */
function replayedText(text: string): ReplayedSwap | undefined {
  const swaps: ReplayedSwap[] = [];
  const replayer = createJsonlReplayer({
    onSwap: (swap) => swaps.push(swap),
    onError: ({ error }) => {
      throw error;
    },
  });
  replayer.push(new TextEncoder().encode(text));
  replayer.end();
  return swaps[0];
}

/** In what two tales differ, as one line; nothing where they are the same. */
function difference(who: string, told: unknown, expected: unknown): readonly string[] {
  if (isDeepStrictEqual(told, expected)) return [];
  return [`${who}: ${JSON.stringify(told)} instead of ${JSON.stringify(expected)}`];
}

/** Replay, trace, explanation and file of one log say the same, after each of its events too. */
function toldApart(log: SwapLog): readonly string[] {
  const replayed = replaySwap(log);
  const steps = traceSwap(log);
  const last = steps.at(-1);
  const { state, outcome, waitsFor } = explainSwap(log);
  const person = waitsForPerson(replayed);
  return [
    ...(last === undefined ? [] : difference('trace', saidAt(last), saidBy(replayed))),
    ...difference('explain', [state, outcome], [replayed.state, replayed.outcome]),
    // What the bytes of a transaction deny, only who looks at bytes can tell.
    ...(person && waitsFor !== 'person' ? [`explain: waits for ${waitsFor} where a person is needed`] : []),
    ...steps.flatMap((step) =>
      difference(`trace after ${step.seq}`, saidAt(step), saidBy(replaySwap(cutAfter(log, step.seq)))),
    ),
  ];
}

async function toldApartFromLive(node: SimNode): Promise<readonly string[]> {
  const stream = storedStream(node);
  const log = readStream(stream);
  const { said, wants, deadlines } = live(node);
  const replayed = replaySwap(log);
  const last = traceSwap(log).at(-1);
  const held = createMemoryLog();
  const records = stream.map(({ at, type, version, data }) => ({ at, type, version, data }));
  await held.append({ stream: node.runner.stream, expected: 0, records });
  const runtime = nodeOn(held);
  const status = await statusBy(runtime, node.runner.stream);
  await runtime.drain();
  return [
    ...toldApart(log),
    ...difference('replay', saidBy(replayed), said),
    ...difference('file', replayedText(jsonlText(log)), replayed),
    ...(last === undefined ? [] : difference('wants', [last.wants, last.deadlines], [wants, deadlines])),
    ...difference('status', status, said),
    ...brokenIn(log),
  ];
}

/** Invariants that do not hold after an event, with all that the log holds before the next one. */
function brokenIn(log: SwapLog): readonly string[] {
  const invariants = swapInvariants[log.role];
  return traceSwap(log).flatMap(({ seq, state, context, journal }) =>
    invariants.flatMap(({ id, text, holds }) =>
      holds(state, context, journal ?? NO_JOURNAL) ? [] : [`${id} after ${seq}, ${state}: ${text}`],
    ),
  );
}

function played(seed: number): readonly SimNode[] {
  const world = createWorld(generateScenario(seed));
  runWorld(world);
  return [world.nodes.maker, world.nodes.taker].filter(({ records }) => records.length > 0);
}

describe('of a simulated swap', () => {
  it(
    'the engine, status, replay, trace and explanation say the same',
    async () => {
      const problems: string[] = [];
      const outcomes = new Set<string>();
      for (let seed = 0; seed < RUNS && problems.length < 10; seed += 1) {
        for (const node of played(seed)) {
          outcomes.add(`${live(node).said.outcome}`);
          for (const found of await toldApartFromLive(node)) problems.push(`seed ${seed}, ${node.name}: ${found}`);
        }
      }
      expect(problems).toEqual([]);
      if (RUNS < FEW) return;
      for (const outcome of ['completed', 'refunded', 'failed-before-payment']) expect(outcomes).toContain(outcome);
    },
    LONGEST,
  );

  it('they differ if one of them leaves the journal out', () => {
    const apart = new Set<string>();
    for (let seed = 0; seed < FEW && apart.size < 2; seed += 1) {
      for (const node of played(seed)) {
        const { journal: _, ...log } = storedLog(node);
        if (!isDeepStrictEqual(saidBy(replaySwap(log)), live(node).said)) apart.add(node.name);
      }
    }
    expect([...apart].sort()).toEqual(['maker', 'taker']);
  });
});

describe('of a drawn log', () => {
  it('replay, trace and explanation say the same', () => {
    fc.assert(
      fc.property(fc.oneof(swapLog('maker'), swapLog('taker')), (log) => {
        expect(toldApart(log)).toEqual([]);
      }),
      { numRuns: draws({ sample: 20, change: 50, release: 100 }) },
    );
  });
});

describeShared('of stored swaps', () => {
  it('replay, trace and explanation say the same', () => {
    for (const { file } of manifest()) {
      for (const decoded of decodeSwapsText(readShared(`swaps/${file}`))) {
        if (decoded.ok) expect(toldApart(decoded.log), file).toEqual([]);
      }
    }
  });
});
