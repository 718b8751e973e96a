import { describe, expect, it } from 'vitest';
import { AT_A_TIME, type Damaged, damageMany, SWAPS, type Trial } from './damage.ts';

const lost = ({ apart, gone }: Damaged): number => apart + gone;
const unnoticed = (found: readonly Damaged[]) => found.filter(({ outcome }) => outcome === 'harmless');

/** The claims about damaged files, each over so many places. `tryDamage` fails where anything is wrong in silence. */
export function describeDamage({ times, walTimes }: { readonly times: number; readonly walTimes: number }): void {
  const trial = (given: Pick<Trial, 'kind' | 'part' | 'seed'>) =>
    damageMany({ ...given, killed: given.part === '-wal', times: given.part === '-wal' ? walTimes : times });

  describe('a damaged log', () => {
    it('names the one swap that a changed byte hit, and loads the others', async () => {
      const found = await trial({ kind: 'flip', part: '', seed: 1 });
      expect(Math.max(...found.map(lost))).toBeLessThanOrEqual(1);
      expect(unnoticed(found).length).toBeLessThan(times / 2);
    });

    it('loads everything before the point at which the file was cut', async () => {
      const found = await trial({ kind: 'cut', part: '', seed: 2 });
      expect(unnoticed(found)).toEqual([]);
      const more = found.filter((one) => lost(one) > (1 - one.damage.share) * SWAPS + 2 * AT_A_TIME);
      expect(more).toEqual([]);
    });

    it('loses no more than the swaps in one damaged sector', async () => {
      const found = await trial({ kind: 'blank', part: '', seed: 3 });
      // A page holds records of those that went on at the same time, where two such groups meet of both.
      expect(Math.max(...found.map(lost))).toBeLessThanOrEqual(2 * AT_A_TIME);
    });

    it('survives a changed byte in the write-ahead log that a killed process left', async () => {
      const found = await trial({ kind: 'flip', part: '-wal', seed: 4 });
      expect(Math.max(...found.map(lost))).toBeLessThanOrEqual(1);
      expect(unnoticed(found)).toEqual([]);
    });

    it('reports that the write-ahead log was cut', async () => {
      const found = await trial({ kind: 'cut', part: '-wal', seed: 5 });
      expect(unnoticed(found)).toEqual([]);
    });
  });
}
