import { describe, expect, it } from 'vitest';
import { dueEvent, enableTendermintDeadlines } from '../../../../machines/activation/enable-tendermint/deadlines.ts';
import { phaseOf } from '../../../../machines/activation/enable-tendermint/status.ts';
import { enableTendermintWants } from '../../../../machines/activation/enable-tendermint/wants.ts';
import { type EnableTendermintEventType, readEnableTendermintEvent } from '../../../../src/events/enable-tendermint.ts';
import {
  doctored,
  initialSnapshot,
  later,
  legalTypes,
  limits,
  reach,
  START,
  startOf,
  TASK_ID,
  take,
} from './support.ts';

const effects = (...path: readonly EnableTendermintEventType[]) => {
  const { value, context } = reach(...path);
  return enableTendermintWants(value, context);
};

describe('a task that activates coins of a Tendermint chain', () => {
  it('wants the same work from its first step to its last, and new work in the next process', () => {
    const params = { task_id: TASK_ID, ticker: 'IRIS', restarts: 0 };
    const until = later(later(START, 1), limits.activation);
    const work = { effect: 'activateCoin', until, params };
    expect(effects('TaskStarted')).toEqual([work]);
    expect(effects('TaskStarted', 'RequestingWalletBalance', 'Finishing')).toEqual([work]);
    expect(effects('TaskStarted', 'Finishing', 'SessionLost')).toEqual([
      { ...work, params: { ...params, restarts: 1 } },
    ]);
    expect(effects('TaskStarted', 'CancelRequested')).toEqual([{ effect: 'abortActivation', params }]);
    expect(effects('TaskStarted', 'Completed', 'ResultForgotten')).toEqual([{ effect: 'registerCoins', params }]);
  });

  it('asks nobody for anything, and waits for no device', () => {
    const snapshot = reach('TaskStarted', 'ActivatingCoin');
    expect(legalTypes(snapshot)).toEqual([
      ...['ActivatingCoin', 'RequestingWalletBalance', 'Finishing', 'ActivationTimedOut', 'SessionLost'],
      ...['CancelRequested', 'Completed', 'Failed'],
    ]);
  });

  it('cannot continue in another process if the log lacks something of its request, and says what', () => {
    const url = 'https://user:hunter2@node.example/0123456789abcdef0123';
    const session = { type: 'WalletConnect', params: { session_topic: 'c0'.repeat(32) } };
    const start = startOf({ nodes: [{ url: 'https://node.example' }, { url }], activation_params: session });
    expect(JSON.stringify(start)).not.toMatch(/hunter2|0123456789abcdef|c0c0/);
    const first = take(initialSnapshot(), start);
    expect(enableTendermintWants(first.value, first.context)).toMatchObject([{ effect: 'activateCoin' }]);
    const lost = take(first, readEnableTendermintEvent({ type: 'SessionLost', at: START + 1, data: null }));
    const [want] = enableTendermintWants(lost.value, lost.context);
    expect(want).toMatchObject({ effect: 'reportWithheldRequest', params: { error_type: 'InvalidPayload' } });
    expect(want?.params?.['error']).toContain(
      'send task::enable_tendermint::init again, with /nodes/1/url, /activation_params/params in full',
    );
  });

  it('forgets a failure that one call had waited for, once the process of that call is gone', () => {
    const { value, context } = reach('TaskStarted', 'Failed');
    const at = (restarts: number, answered_at_once: boolean) => {
      const started = context.started === null ? null : { ...context.started, answered_at_once };
      return enableTendermintWants(value, { ...context, restarts, started }).map(({ effect }) => effect);
    };
    expect([at(0, true), at(1, false), at(1, true)]).toEqual([[], [], ['forgetOutcome']]);
  });

  it('has a deadline while it works, if it was started with one', () => {
    const { value, context } = reach('TaskStarted', 'Finishing');
    const due = later(later(START, 1), limits.activation);
    expect(enableTendermintDeadlines(value, context)).toEqual([{ kind: 'ActivationTimedOut', at: due, clock: 'host' }]);
    expect(dueEvent(value, { context, at: later(due, -0.001) })).toBeUndefined();
    expect(dueEvent(value, { context, at: due })).toEqual({ type: 'ActivationTimedOut', at: due, data: null });
    const ended = reach('TaskStarted', 'Failed');
    expect(enableTendermintDeadlines(ended.value, ended.context)).toEqual([]);
    const without = take(initialSnapshot(), startOf());
    expect(enableTendermintDeadlines(without.value, without.context)).toEqual([]);
  });

  it('I1, I3, I4, I5, I6, I7, I9, I10: are broken by what never happens', () => {
    const ok = reach('TaskStarted', 'Completed');
    const failed = reach('TaskStarted', 'Failed');
    const late = reach('TaskStarted', 'ActivationTimedOut');
    const cancelled = reach('TaskStarted', 'CancelRequested', 'Cancelled');
    expect(doctored(ok, () => ({ error: failed.context.error }))).toEqual(['I1']);
    expect(doctored(cancelled, () => ({ cancelRequestedAt: null }))).toEqual(['I3']);
    expect(doctored(ok, ({ endedAt }) => ({ forgottenAt: endedAt }))).toEqual(['I4']);
    const withCredentials = (url: string) => doctored(ok, () => ({ released: [url] }));
    expect([withCredentials('https://a:b@node'), withCredentials('https://node/a@b')]).toEqual([['I5'], []]);
    expect(doctored(reach('TaskStarted', 'Finishing'), () => ({ status: 'ActivatingCoin' }))).toEqual(['I6']);
    expect(doctored(late, () => ({ startedAt: late.context.endedAt }))).toEqual(['I7']);
    expect(doctored(ok, () => ({ startedAt: null }))).toEqual(['I9']);
    expect(doctored(failed, () => ({ passive: true }))).toEqual(['I10']);
  });

  it('reports the phase of a state outside the chart as unknown', () => {
    expect([phaseOf('awaitingPin'), phaseOf('nowhere'), phaseOf('started')]).toEqual([
      'unknown',
      'unknown',
      'inProgress',
    ]);
  });
});
