import { expect, it } from 'vitest';
import { weather } from './storm.ts';

const FAIR = new Set([
  'completed completed',
  'refunded refunded',
  'refunded failed-before-payment',
  'failed-before-payment failed-before-payment',
]);

it('nobody loses coins, whatever answers come late or never, and whatever the log and the network lose', async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 12; seed++) {
    const outcome = await weather(seed, { latency: 4000, lost: 20, late: 40, refused: 20, unanswered: 20, deaths: 2 });
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    expect(FAIR, `seed ${seed}: ${outcome}`).toContain(outcome);
  }
  expect(seen.get('completed completed')).toBeGreaterThan(0);
});
