import { expect, it } from 'vitest';
import { hammer, seedTexts } from './robustness.ts';

it('1,500 damaged texts are read or refused with a typed error, never a crash', () => {
  const count = hammer(seedTexts(), { inputs: 1500, seed: 1 });
  expect(count.inputs).toBe(1500);
  expect(count.read).toBeGreaterThan(0);
  expect(count.refused).toBeGreaterThan(0);
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
});
