import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonlText, toEnvelopes } from '../../src/events/jsonl.ts';
import { canonicalJson } from '../../src/primitives/json.ts';
import { auditSwap } from '../../src/replay/audit/audit-swap.ts';
import { replaySwap } from '../../src/replay/swaps.ts';
import { conductOf, lyingNode, scenario } from '../../src/sim/world/build.ts';
import { generateScenario } from '../../src/sim/world/generate.ts';
import type { Scenario } from '../../src/sim/world/scenario.ts';
import { runScenario } from '../../src/sim/world/simulate.ts';
import { readStream } from '../../src/sim/world/stored-log.ts';
import { arbitraryScenario } from '../../src/testing/drawn/scenario-arbitraries.ts';
import { draws } from '../support/draws.ts';
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

const SEEDS = draws({ sample: 20, change: 25, release: 50 });

describe('a simulated run', () => {
  it('N2: gives the same bytes every time, whatever ran in between', () => {
    fc.assert(
      fc.property(arbitraryScenario(), arbitraryScenario(), (one, other) => {
        const first = bytesOf(one);
        bytesOf(other);
        expect(bytesOf(one)).toBe(first);
        // A scenario is data: it can be stored and run again.
        expect(bytesOf(JSON.parse(JSON.stringify(one)))).toBe(first);
      }),
      { numRuns: draws({ sample: 6, change: 15, release: 30 }) },
    );
  });

  it('differs from seed to seed', () => {
    const seals = Array.from({ length: SEEDS }, (_, seed) => sealsOf(generateScenario(seed)).join());
    expect(new Set(seals).size).toBe(SEEDS);
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
        "calm 21 12bf369fc84eb25d 25 23d5067eafeb4577",
        "0 5 965898e76e781589 11 7d26e54f8b452077",
        "1 3 c96708a5ab7ac111 5 201af906fb06402b",
        "2 20 e88d4df1834b6670 24 8cab95b8d25e4592",
        "3 23 2d39048eea5224c5 24 7a97ab7dcfc64b68",
        "5 21 24f6aee93a678223 27 a35aafb705ab5063",
        "8 20 b46c5b5aeed6b86a 24 076bf210a41723c3",
        "13 21 9ab9d914fb967714 25 8711ea63d8f68001",
        "21 21 99133e8361909eed 24 e26c5d092b369ced",
        "34 20 6cd83c8bfad3d93a 15 68b9c8d5d4aba83a",
        "55 6 46fb54f7c8713d23 4 1801b5d30a9946ef",
      ]
    `);
  });
});

/** A log does not tell how many digits a coin has: of one with scripts the audit takes the eight that all of them have. */
function eightDigits({ chains, ...rest }: Scenario): Scenario {
  return { ...rest, chains: { maker: { ...chains.maker, decimals: 8 }, taker: { ...chains.taker, decimals: 8 } } };
}

describe('a simulated run with the bytes of real chains', () => {
  const plans: readonly (readonly [string, Scenario])[] = [
    ['a swap', scenario()],
    ['a swap with watchers', scenario({ useWatchers: true })],
    ['a refund', scenario(lyingNode('maker', { chain: 'taker', says: 'absent', from: 0, until: 9000 }))],
    [
      'a claim and a refund by a watcher',
      scenario(
        { useWatchers: true, watcher: { crashes: [], nodes: { maker: [], taker: [] } } },
        conductOf('taker', { kind: 'vanish', after: 'TakerPaymentSent', backAfter: 12_500 }),
      ),
    ],
    ...[4, 9, 18, 33, 40, 51].map(
      (seed) =>
        [
          `drawn by seed ${seed}`,
          eightDigits(generateScenario(seed, { kinds: ['utxo'], adversaries: false })),
        ] as const,
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
