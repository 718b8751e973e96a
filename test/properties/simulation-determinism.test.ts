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
  it('N2: gives the same bytes every time, whatever ran in between', () => {
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
        "calm 21 91d5b3f429a966c2 25 b44ab1e1479e341d",
        "0 5 baed23d8c2a5450f 6 e49cd53db14ea15e",
        "1 20 567aa4d4ec1059e1 24 86389ce5d3581e72",
        "2 5 70dc04e121d9e3d4 3 fc8f68ec9413ea57",
        "3 3 7865713c3bf6a3f3 5 57ec33a087dc8d30",
        "5 20 8f872238d17fd614 25 5ea2c001ef3e2a69",
        "8 21 b3216387c39b3d57 24 f047b27d6ad65347",
        "13 5 badefb0ba79683c9 3 82899dcd0449fe47",
        "21 56 1e774da24225b34f 24 57f2220320f368fa",
        "34 22 a6bd4fd7b7b4df39 24 44f2cd0f417fd5fd",
        "55 5 512303f6ada3ac09 5 669c26ee2d53d6b9",
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
