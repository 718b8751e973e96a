import { describe, expect, it } from 'vitest';
import { incidents, runIncident } from '../../../../src/sim/incidents/pack.ts';
import { incidentBugs } from '../../../support/incident-bugs.ts';

describe('every incident notices the mistake that it is about', () => {
  for (const { id } of incidents) {
    it(`${id}: an engine that ${incidentBugs[id]?.text}`, () => {
      const { ok, problems } = runIncident(id, { behaviours: incidentBugs[id]?.behaviours ?? {} });
      expect(ok).toBe(false);
      // Beside the cause, something must have come out wrong.
      expect(problems.filter((problem) => !problem.includes('the trouble took no effect'))).not.toEqual([]);
    });
  }
});
