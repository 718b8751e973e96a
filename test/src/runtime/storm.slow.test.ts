import { expect, it } from 'vitest';
import { draws } from '../../support/draws.ts';
import { weather } from './storm.ts';

const FAIR = new Set([
  'completed completed',
  'refunded refunded',
  'refunded failed-before-payment',
  'failed-before-payment failed-before-payment',
]);

const SEEDS = draws({ change: 120, release: 1000 });

for (const [name, given] of Object.entries({
  gale: { latency: 4000, lost: 20, late: 40, refused: 20, unanswered: 20, deaths: 3 },
  hurricane: { latency: 20_000, lost: 60, late: 120, refused: 60, unanswered: 60, deaths: 8 },
})) {
  it(`in a ${name} nobody loses coins and every swap ends`, async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = await weather(seed, given);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      expect(FAIR, `seed ${seed}: ${outcome}`).toContain(outcome);
    }
    console.log(`${name}:`, Object.fromEntries(seen));
    expect(seen.size).toBeGreaterThan(1);
  });
}
