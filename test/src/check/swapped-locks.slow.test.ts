import { expect, it } from 'vitest';
import { check } from '../../../src/check/check.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';
import { plantedBugs } from '../../support/planted-bugs.ts';

it('a confusion of the locks does a maker no harm: its own payment can come back sooner only', () => {
  const plant = plantedBugs['swapLocks']?.plant as (sound: Behaviour) => Behaviour;
  const { complete, violations } = check({ adversary: 'taker' }, { behaviours: { maker: plant(SOUND) } });
  expect({ complete, violations }).toEqual({ complete: true, violations: [] });
});
