import { describe, expect, it } from 'vitest';
import { runWorld } from '../../src/sim/world/advance.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import type { SimNode } from '../../src/sim/world/node.ts';
import { createWorld, type Observer } from '../../src/sim/world/world.ts';
import { draws } from '../support/draws.ts';

type Noted = { readonly purpose: string; readonly tx_hash: string; readonly how: string };

/** Where a log says of a broadcast what its node did not answer. */
function untruths(seed: number): readonly string[] {
  const found: string[] = [];
  const answers = new Map<SimNode, Map<string, string>>();
  const observer: Observer = {
    answered: (_, node, { command: { question }, result }) => {
      if (question.op !== 'broadcast' || !result.ok) return;
      const own = answers.get(node) ?? new Map<string, string>();
      answers.set(node, own.set(question.transaction.tx_hash, String(result.value)));
    },
    // What a process that died was told, nobody knows any more.
    crashed: (_, node) => answers.delete(node),
    appended: (_, node, records) => {
      for (const { type, data } of records) {
        if (type !== 'BroadcastAccepted') continue;
        const { purpose, tx_hash, how } = data as Noted;
        const answer = answers.get(node)?.get(tx_hash);
        if (answer !== undefined && answer !== how)
          found.push(`${seed}: ${purpose} was ${answer}, the log says ${how}`);
      }
    },
  };
  runWorld(createWorld(generateScenario(seed), { observer }));
  return found;
}

describe('what a log says of a broadcast', () => {
  it('is what the node answered to it', () => {
    const seeds = Array.from({ length: draws({ sample: 50, change: 150, release: 300 }) }, (_, index) => index + 1);
    expect(seeds.flatMap(untruths)).toEqual([]);
  });
});
