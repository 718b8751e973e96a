import { describe, expect, it } from 'vitest';
import { taskError, taskErrorTypes } from '../../../src/events/task-error.ts';

const error = { error: 'x', error_path: 'a.b', error_trace: 'a:1] b:2]', error_type: 'Internal', error_data: 'x' };

describe('the error object of a task', () => {
  it('is read with data of any kind, or with none', () => {
    for (const error_data of ['x', 7, { ticker: 'ETH' }]) {
      expect(taskError.parse({ ...error, error_data })).toEqual({ ...error, error_data });
    }
    const { error_data: _, ...bare } = error;
    expect(taskError.parse(bare)).toEqual(bare);
  });

  it('is refused with a type that no activation task has', () => {
    expect(taskError.safeParse({ ...error, error_type: 'InvalidRequest' }).success).toBe(false);
  });

  it('has the task errors of the specification', () => {
    for (const type of ['TaskTimedOut', 'CoinCreationError', 'HwError', 'TaskFinished', 'NoSuchTask']) {
      expect(taskErrorTypes).toContain(type);
    }
  });
});
