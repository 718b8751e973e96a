import { describe, expect, it } from 'vitest';
import { enableEthChart } from '../../../../machines/activation/enable-eth/machine.ts';
import { phaseOf, statusResult } from '../../../../machines/activation/enable-eth/status.ts';
import { reach } from './support.ts';

describe('the status of an activation task', () => {
  it('is unknown for a name that is not a state, even one that every object has', () => {
    expect(phaseOf('nonsense')).toBe('unknown');
    expect(phaseOf('toString')).toBe('unknown');
  });

  it('has an answer exactly when a client can see the task', () => {
    const { context } = reach('TaskStarted', 'Completed');
    for (const state of Object.keys(enableEthChart.states)) {
      const seen = ['inProgress', 'awaiting', 'finished'].includes(phaseOf(state));
      expect(statusResult(state, context) !== undefined, state).toBe(seen);
    }
  });

  it('is the first of its kind if the log does not say which', () => {
    const { context } = reach('TaskStarted');
    expect(statusResult('started', { ...context, status: null })).toEqual({
      status: 'InProgress',
      details: 'ActivatingCoin',
    });
    expect(statusResult('awaitingPin', context)).toEqual({ status: 'UserActionRequired', details: 'EnterTrezorPin' });
  });

  it('does not exist for a task that finished without an outcome', () => {
    expect(statusResult('failed', reach('TaskStarted').context)).toBeUndefined();
  });
});
