import { beforeAll, describe, expect, it } from 'vitest';
import { incidents, runIncident, runIncidents } from '../../../../src/sim/incidents/pack.ts';

let played: ReturnType<typeof runIncidents>;
beforeAll(() => {
  played = runIncidents();
});

describe('every incident of the pack ends as it must', () => {
  for (const incident of incidents) {
    it(`${incident.id}: ${incident.what}`, () => {
      const result = played.find(({ id }) => id === incident.id);
      expect(result?.problems).toEqual([]);
      expect(result?.ok).toBe(true);
      expect(result?.runs).toHaveLength(incident.parts.filter((part) => !('rule' in part)).length);
    });
  }
});

describe('the pack', () => {
  it('holds each incident of the list once, in order of the systems', () => {
    expect(incidents.map(({ id }) => id)).toEqual([
      'kdf-491',
      'kdf-510',
      'kdf-702',
      'kdf-852',
      'kdf-921',
      'kdf-1115',
      'kdf-1200',
      'kdf-1293',
      'kdf-2175',
      'kdf-2573',
      'farcaster-156',
      'farcaster-737',
      'farcaster-865',
      'comit-514',
      'comit-1063',
      'boltz-backend-1201',
      'boltz-client-615',
      'dcrdex-952',
      'dcrdex-1467',
      'dcrdex-3135',
      'arkade-508',
      'arkade-629',
      'breez-1059',
      'bisq-3502',
    ]);
  });

  it('gives the same log for the same seed', () => {
    const log = () => JSON.stringify(runIncident('kdf-491').runs.map(({ logs }) => logs));
    expect(log()).toBe(log());
    const other = runIncident('kdf-491', { seed: 2 }).runs.map(({ logs }) => logs);
    expect(JSON.stringify(other)).not.toBe(log());
  });

  it('runs as a whole', () => {
    expect(played.map(({ id }) => id)).toEqual(incidents.map(({ id }) => id));
    const [first] = played;
    const alone = runIncident('kdf-491');
    expect([first?.seed, first?.ok, first?.problems]).toEqual([alone.seed, alone.ok, alone.problems]);
    expect(JSON.stringify(first?.runs.map(({ logs }) => logs))).toBe(
      JSON.stringify(alone.runs.map(({ logs }) => logs)),
    );
  });

  it('refuses an unknown id', () => {
    expect(() => runIncident('kdf-1')).toThrow(new RangeError("no incident has the id 'kdf-1'"));
  });
});
