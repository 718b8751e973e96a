import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSavedSwap, savedSwapText } from '../../src/events/encode.ts';
import { IMPORTED } from '../../src/events/journal.ts';
import { eventOfLine, headOfLines, jsonlText, parseEnvelopeLine } from '../../src/events/jsonl.ts';
import type { SwapLog } from '../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../src/events/wrappers.ts';
import { replaySwap, swapMachines } from '../../src/replay/swaps.ts';
import { storedText } from '../../src/testing/drawn/arbitraries.ts';
import { legalPath } from '../../src/testing/drawn/legal-path.ts';
import { swapLog } from '../../src/testing/drawn/logs.ts';
import { chartEdges } from '../../src/testing/drawn/paths.ts';
import { draws, SLOW } from '../support/draws.ts';

const roles = ['taker', 'maker'] as const;

const faults = (log: SwapLog) => replaySwap(log).anomalies.filter(({ severity }) => severity === 'fault');

function readOne(text: string): SwapLog {
  const [swap, ...others] = decodeSwapsText(text);
  if (swap?.ok !== true || others.length > 0) throw swap?.ok === false ? swap.error : new Error('not exactly one swap');
  return swap.log;
}

function readLines(text: string): SwapLog {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line, index) => parseEnvelopeLine(line, index + 1));
  const [first] = lines;
  if (first === undefined) throw new Error('no line');
  const imported = lines.find(({ envelope }) => envelope.type === IMPORTED)?.envelope.data;
  const anomalies: [] = [];
  const events = lines.flatMap((line, seq) => eventOfLine(line, seq, anomalies) ?? []);
  return { role: first.role, uuid: first.uuid, events, ...headOfLines(imported, first), anomalies };
}

for (const role of roles) {
  const { definition } = swapMachines[role];

  describe(`any legal log of a ${role}`, () => {
    it('replays without a fault, and so does every prefix of it', () => {
      fc.assert(
        fc.property(swapLog(role, { consistent: false }), fc.nat(), (log, cut) => {
          expect(faults(log)).toEqual([]);
          expect(faults({ ...log, events: log.events.slice(0, cut % (log.events.length + 1)) })).toEqual([]);
        }),
        { numRuns: draws({ sample: 30, change: 100, release: 200 }) },
      );
    });

    it('gives the same answer every time', () => {
      fc.assert(
        fc.property(swapLog(role, { consistent: false }), (log) => {
          expect(replaySwap(log)).toEqual(replaySwap(structuredClone(log)));
        }),
        { numRuns: draws({ sample: 20, change: 50, release: 100 }) },
      );
    });

    it('comes back unchanged from each form in which it can be written', () => {
      fc.assert(
        fc.property(swapLog(role, { consistent: false }), (log) => {
          const kdf = savedSwapText(log, 'kdf');
          expect(savedSwapText(readOne(kdf), 'kdf')).toBe(kdf);
          expect(encodeSavedSwap(readOne(savedSwapText(log, 'spec')), 'kdf')).toEqual(JSON.parse(kdf));
          const spec = savedSwapText(log, 'spec');
          expect(savedSwapText(readOne(spec), 'spec')).toBe(spec);
          expect(readLines(jsonlText(log))).toEqual({ ...log, anomalies: [] });
        }),
        { numRuns: draws({ sample: 30, change: 100, release: 200 }) },
      );
    });

    it('is read from every shape to the same log', () => {
      fc.assert(
        fc.property(storedText(role, { consistent: false }), ({ text, log }) => {
          const found = decodeSwapsText(text).find(
            (swap) => swap.ok && swap.log.role === role && swap.log.uuid === log.uuid,
          );
          if (found?.ok !== true) throw new Error('the swap was not found');
          expect(replaySwap(found.log).events).toEqual(replaySwap(log).events);
          expect(replaySwap(found.log).outcome).toBe(replaySwap(log).outcome);
        }),
        { numRuns: draws({ sample: 40, change: 150, release: 300 }) },
      );
    });
  });

  // Fewer draws than these reach less.
  if (!SLOW) continue;

  it(`the generator of legal paths reaches every state and takes every edge of the ${role}'s chart`, () => {
    const edges = new Set(chartEdges(definition).map(({ from, type, to }) => `${from} ${type} ${to}`));
    const states = new Set(Object.keys(definition.graph.states));
    for (const { events, states: visited } of fc.sample(legalPath(definition), { numRuns: 60_000, seed: 7 })) {
      for (const [index, type] of events.entries()) edges.delete(`${visited[index]} ${type} ${visited[index + 1]}`);
      for (const state of visited) states.delete(state);
    }
    expect([...edges]).toEqual([]);
    expect([...states]).toEqual([]);
  });
}

describe('what this version does not know', () => {
  it('unknown events and unknown members survive the way through the specification form and JSON Lines', () => {
    const unknown = fc.record({
      type: fc.stringMatching(/^New[A-Z][a-z]{1,8}$/),
      data: fc.jsonValue({ maxDepth: 3 }),
      beside: fc.dictionary(fc.stringMatching(/^x_[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), {
        minKeys: 1,
        maxKeys: 3,
      }),
    });
    fc.assert(
      fc.property(swapLog('taker', { consistent: false }), unknown, fc.nat(), (log, { type, data, beside }, place) => {
        fc.pre(!JSON.stringify([data, beside]).includes('__proto__'));
        const saved = JSON.parse(savedSwapText(log, 'spec')) as { events: { event: { data: object | null } }[] };
        const at = place % saved.events.length;
        const near = saved.events[at] as { event: { data: object | null }; timestamp?: number };
        if (near.event.data !== null && !Array.isArray(near.event.data)) Object.assign(near.event.data, beside);
        Object.assign(near, beside);
        Object.assign(near.event, beside);
        saved.events.splice(at + 1, 0, { timestamp: near.timestamp, event: { type, data }, ...beside } as never);
        Object.assign(saved, beside);
        const read = readOne(JSON.stringify(saved));
        // JSON has no minus zero of its own: it is written as 0.
        expect(JSON.parse(savedSwapText(read, 'spec'))).toEqual(JSON.parse(JSON.stringify(saved)));
        expect(readLines(jsonlText(read))).toEqual({ ...read, anomalies: [] });
        expect(replaySwap(read).anomalies.map(({ code }) => code)).toContain('UNKNOWN_EVENT');
      }),
      { numRuns: draws({ sample: 20, change: 50, release: 100 }) },
    );
  });
});
