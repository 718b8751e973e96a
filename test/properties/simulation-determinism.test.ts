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
        "0 20 ab15f56ae1f3bc63 24 08f84ae3d78d5adb",
        "1 20 7db1a3c4bb34233c 24 fb7bb95c77ecc40c",
        "2 3 1f4bd69c28fd7706 5 bdeec5b036d8ca50",
        "3 21 a7f6c0c5c47e9e46 23 fd9e3e3835b486cd",
        "5 20 3e27b281e8a1c770 25 6db4006352008771",
        "8 6 c48fbf700d8284f0 7 da2c530fc204e134",
        "13 21 edd2769d6aa5e021 24 177ceb7c75c1676d",
        "21 56 6488ee4b000926c1 24 604e48ece219ef5a",
        "34 20 88f75485bebfb904 24 87f9f91e8a3798fa",
        "55 3 1fb1ff501a476f38 5 e658abfbda1ead9d",
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
