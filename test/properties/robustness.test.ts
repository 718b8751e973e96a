import { expect, it } from 'vitest';
import { hammer, seedTexts } from './robustness.ts';

it('20,000 damaged texts are read or refused with a typed error, never a crash', () => {
  const count = hammer(seedTexts(), { inputs: 20_000, seed: 1 });
  expect(count.inputs).toBe(20_000);
  expect(count.read).toBeGreaterThan(0);
  expect(count.refused).toBeGreaterThan(0);
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
});
