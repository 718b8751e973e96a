import { expect, it } from 'vitest';
import { FAULT_KINDS, simulate } from '../../../../src/sim/world/simulate.ts';

it('some thousand drawn schedules reach every event of both sides', () => {
  const { coverage } = simulate({ seed: 8000, runs: 3300, guided: false });
  const unseen = Object.entries(coverage).filter(([, row]) => FAULT_KINDS.every((fault) => row[fault] === 0));
  expect(unseen.map(([event]) => event)).toEqual([]);
});
