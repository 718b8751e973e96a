import { describe, expect, it } from 'vitest';
import { drawWounds, type Judged, judge, withVictim } from './judgement.ts';

const kindOf = ({ told }: Judged): string => (told.kind === 'open' ? `open, ${told.tail}` : told.kind);

/** The claims about what a reader and a writer are told of a damaged log, each over so many seeds. */
export function describeJudgement({ seeds }: { readonly seeds: number }): void {
  describe('a bit that flips, or a cut, anywhere in the files of a log', () => {
    it('is reported to readers and writers alike, and never hides a record of a log that is reported as whole', async () => {
      const judged = await withVictim(async (victim) => {
        const found: Judged[] = [];
        for (let seed = 0; seed < seeds; seed++) {
          const wounds = drawWounds(victim, seed);
          const one = await judge(victim, wounds).catch((error: unknown) => {
            throw new Error(`seed ${seed}, after ${JSON.stringify(wounds)}`, { cause: error });
          });
          found.push(one);
        }
        return found;
      });
      expect(judged.filter(({ missing }) => missing > 0).map(({ wounds }) => JSON.stringify(wounds))).toEqual([]);
      const kinds = ['damaged', 'open, incomplete', 'open, lost', 'open, whole'];
      expect(kinds).toEqual(expect.arrayContaining(judged.map(kindOf)));
      // Each of the answers is given by some of so many.
      if (seeds >= 100) expect([...new Set(judged.map(kindOf))].toSorted()).toEqual(kinds);
    });
  });
}
