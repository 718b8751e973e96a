import { describe, expect, it } from 'vitest';
import { xorshift32 } from '../../src/testing/xorshift.ts';
import { scratchLog } from '../support/logs.ts';
import { type Damage, type Damaged, randomDamage, tryDamage, writeOriginal } from './damage.ts';

// The same with 1,000 of each stands in log-damage.slow.test.ts.
const TIMES = 50;

async function damageMany(
  { killed, kind, part }: { readonly killed: boolean; readonly kind: Damage['kind']; readonly part: Damage['part'] },
  seed: number,
): Promise<readonly Damaged[]> {
  const { folder, dispose } = scratchLog();
  try {
    const original = await writeOriginal(folder, { killed });
    const rng = xorshift32(seed);
    const found: Damaged[] = [];
    for (let count = 0; count < TIMES; count++) {
      const damage = randomDamage(rng, kind, part);
      found.push(
        await tryDamage(original, folder, damage).catch((error: unknown) => {
          throw new Error(`after ${JSON.stringify(damage)}`, { cause: error });
        }),
      );
    }
    return found;
  } finally {
    dispose();
  }
}

describe('a damaged log', () => {
  it('names the one swap that a changed byte hit, and loads the others', async () => {
    const found = await damageMany({ killed: false, kind: 'flip', part: '' }, 1);
    expect(Math.max(...found.map(({ apart, gone }) => apart + gone))).toBeLessThanOrEqual(1);
    expect(found.filter(({ outcome }) => outcome !== 'harmless').length).toBeGreaterThan(TIMES / 2);
  }, 60_000);

  it('loads what lies before the place where the file was cut', async () => {
    const found = await damageMany({ killed: false, kind: 'cut', part: '' }, 2);
    expect(found.filter(({ outcome }) => outcome === 'harmless')).toEqual([]);
  }, 60_000);

  it('survives a changed byte in the write-ahead log that a killed process left', async () => {
    const found = await damageMany({ killed: true, kind: 'flip', part: '-wal' }, 3);
    expect(Math.max(...found.map(({ apart, gone }) => apart + gone))).toBeLessThanOrEqual(1);
    expect(found.filter(({ outcome }) => outcome === 'harmless')).toEqual([]);
  }, 60_000);

  it('says so when the write-ahead log was cut', async () => {
    const found = await damageMany({ killed: true, kind: 'cut', part: '-wal' }, 4);
    expect(found.filter(({ outcome }) => outcome === 'harmless')).toEqual([]);
  }, 60_000);
});
