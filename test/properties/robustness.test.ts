import { expect, it } from 'vitest';
import { draws } from '../support/draws.ts';
import { hammer, seedTexts } from './robustness.ts';

it('damaged texts are read or refused with a typed error, never a crash', () => {
  const inputs = draws({ sample: 400, change: 750, release: 1500 });
  const count = hammer(seedTexts(), { inputs, seed: 1 });
  expect(count.inputs).toBe(inputs);
  expect(count.read).toBeGreaterThan(0);
  expect(count.refused).toBeGreaterThan(0);
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
});
