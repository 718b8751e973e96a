import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonlText, toEnvelopes } from '../../src/events/jsonl.ts';
import { canonicalJson } from '../../src/primitives/json.ts';
import { auditSwap } from '../../src/replay/audit/audit-swap.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { arbitraryScenario } from '../../src/testing/scenario-arbitraries.ts';
import { conductOf, lyingNode, scenario } from '../../src/testing/world/build.ts';
import { generateScenario } from '../../src/testing/world/generate.ts';
import type { Scenario } from '../../src/testing/world/scenario.ts';
import { runScenario } from '../../src/testing/world/simulate.ts';
import { readStream } from '../../src/testing/world/stored-log.ts';
import { engineStreams } from '../support/engine-streams.ts';

/** Both logs with their seals, and what the judge says, as one text. */
function bytesOf(planned: Scenario): string {
  const { violations, endings, steps } = runScenario(planned);
  return canonicalJson({ ...engineStreams(planned), violations, endings, steps });
}

/** The last seal of each log, which covers every byte before it. */
function sealsOf(planned: Scenario): readonly string[] {
  const { maker, taker } = engineStreams(planned);
  return [maker, taker].map((stream) => `${stream.length} ${stream.at(-1)?.hash.slice(0, 16)}`);
}

describe('a simulated run', () => {
  it('gives the same bytes every time, whatever ran in between', () => {
    fc.assert(
      fc.property(arbitraryScenario(), arbitraryScenario(), (one, other) => {
        const first = bytesOf(one);
        bytesOf(other);
        expect(bytesOf(one)).toBe(first);
        // A scenario is data: it can be stored and run again.
        expect(bytesOf(JSON.parse(JSON.stringify(one)))).toBe(first);
      }),
      { numRuns: 30 },
    );
  });

  it('differs from seed to seed', () => {
    const seals = Array.from({ length: 50 }, (_, seed) => sealsOf(generateScenario(seed)).join());
    expect(new Set(seals).size).toBe(50);
  });

  // Renewed by `npx vitest run --config test/vitest.config.ts test/properties/simulation-determinism.test.ts -u`, on purpose
  // only: a change here is a change of what engines or simulated chains do.
  it('gives the bytes that it gave in earlier versions', () => {
    const drawn = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55].map((seed) =>
      [seed, ...sealsOf(generateScenario(seed))].join(' '),
    );
    const calm = ['calm', ...sealsOf(scenario())].join(' ');
    expect([calm, ...drawn]).toMatchInlineSnapshot(`
      [
        "calm 21 dcfbed16ad866a92 25 7219dbe95c1c2a65",
        "0 20 ab15f56ae1f3bc63 24 360f953f54e221aa",
        "1 20 7db1a3c4bb34233c 24 fb7bb95c77ecc40c",
        "2 3 847c207c46621681 5 55e3254fa58bfae8",
        "3 21 1eb9fb133bf72773 23 e85652f469fa2b12",
        "5 20 24bc6aeb86f2a6a9 25 6db4006352008771",
        "8 6 008e33426f5ddc2a 7 7a4ec29c867f133a",
        "13 21 edd2769d6aa5e021 24 5882e2e32a317eda",
        "21 56 4f22b9f9e6005769 24 604e48ece219ef5a",
        "34 20 aa43d6d80a256ed3 24 bb74aa33d5d638f0",
        "55 3 28a6c5a201fbcb4a 5 fd5ac191defa6034",
      ]
    `);
  });
});

describe('a simulated run with the bytes of real chains', () => {
  const plans: readonly (readonly [string, Scenario])[] = [
    ['a swap', scenario()],
    ['a swap with watchers', scenario({ useWatchers: true })],
    ['a refund', scenario(lyingNode('maker', { chain: 'taker', says: 'absent', from: 0, until: 9000 }))],
    [
      'a claim and a refund by a watcher',
      scenario(
        { useWatchers: true, watcher: { crashes: [] } },
        conductOf('taker', { kind: 'vanish', after: 'TakerPaymentSent', backAfter: 12_500 }),
      ),
    ],
    ...[4, 9, 18, 33, 40, 51].map(
      (seed) => [`drawn by seed ${seed}`, generateScenario(seed, { kinds: ['utxo'], adversaries: false })] as const,
    ),
  ];

  it.each(plans)('leaves logs that the audit finds sound, and that can be exported and imported: %s', (_, planned) => {
    const streams = engineStreams({ ...planned, fidelity: 'real' });
    for (const stream of [streams.maker, streams.taker]) {
      const log = readStream(stream);
      const { checks, verified } = auditSwap(log);
      expect(checks.filter(({ status }) => status === 'violated')).toEqual([]);
      if (log.events.length > 10) expect(verified).toBeGreaterThan(30);
      expect(replaySwap(log).anomalies).toEqual([]);
      expect(toEnvelopes(log)).toEqual(stream);
      // Without the journal it is a log that came from elsewhere, with its head.
      const { journal: __, ...plain } = log;
      const again = readStream(toEnvelopes(plain));
      expect(jsonlText(again)).toBe(jsonlText(plain));
      expect(auditSwap(again)).toEqual(auditSwap(log));
    }
  });
});
