import { describe, expect, it } from 'vitest';
import { incidents, runIncident } from '../../../../src/sim/incidents/pack.ts';
import { draws } from '../../../support/draws.ts';

const SEEDS = Array.from({ length: draws({ change: 20, release: 50 }) }, (_, index) => index + 1);

describe('every incident ends as it must whatever the seed', () => {
  for (const incident of incidents) {
    it(incident.id, () => {
      const bad = SEEDS.map((seed) => runIncident(incident, { seed })).filter(({ ok }) => !ok);
      expect(bad.map(({ seed, problems }) => ({ seed, problems }))).toEqual([]);
    });
  }
});
