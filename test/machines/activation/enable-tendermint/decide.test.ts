import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnableTendermintCommand } from '../../../../machines/activation/enable-tendermint/commands.ts';
import { decideTendermint } from '../../../../machines/activation/enable-tendermint/decide.ts';
import type { EnableTendermintEventType } from '../../../../src/events/enable-tendermint.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import {
  details,
  initialSnapshot,
  later,
  legalTypes,
  limits,
  nextEvent,
  reach,
  request,
  type Snapshot,
  START,
  TASK_ID,
  take,
} from './support.ts';

const init: EnableTendermintCommand = {
  ...{ method: 'init', task_id: TASK_ID, client_id: 3, platformActive: false },
  request: { ticker: 'IRIS', params: request, atOnce: false },
};
const status: EnableTendermintCommand = { method: 'status', task_id: TASK_ID, forget_if_finished: true };
const cancel: EnableTendermintCommand = { method: 'cancel', task_id: TASK_ID };
const userAction: EnableTendermintCommand = { method: 'user_action', task_id: TASK_ID, action: null };

function ask(command: EnableTendermintCommand, { value, context }: Snapshot, at?: Millis) {
  return decideTendermint(command, { state: value, context, at: at ?? later(context.lastEventAt ?? START, 1) });
}

const told = (command: EnableTendermintCommand, snapshot: Snapshot) => {
  const { answer, events } = ask(command, snapshot);
  return [answer.ok ? answer.result : answer, events.map(({ type }) => type)];
};
const refused = (http: number, error_type: string, error: string) => ({
  ok: false,
  http,
  error: expect.objectContaining({ error_type, error }),
});
const STATUSES: readonly (readonly [string, readonly EnableTendermintEventType[]])[] = [
  ['ActivatingCoin', ['TaskStarted']],
  ['ActivatingCoin', ['TaskStarted', 'ActivatingCoin']],
  ['RequestingWalletBalance', ['TaskStarted', 'RequestingWalletBalance']],
  ['Finishing', ['TaskStarted', 'RequestingWalletBalance', 'Finishing']],
  ['ActivatingCoin', ['TaskStarted', 'Finishing', 'SessionLost']],
];

describe('a call of task::enable_tendermint', () => {
  it('init begins a task, whose log has no secrets of the request', () => {
    const secret = { ...request, nodes: [{ url: 'http://user:hunter2@node.example' }] };
    const { answer, events, handover } = ask(
      { ...init, request: { ticker: 'IRIS', params: secret, atOnce: true } },
      initialSnapshot(),
    );
    expect(answer).toEqual({ ok: true, result: { task_id: TASK_ID } });
    expect(events).toMatchObject([
      {
        type: 'TaskStarted',
        data: {
          ...{ task_id: TASK_ID, client_id: 3, withheld: ['/nodes/0/url'], answered_at_once: true },
          params: { ticker: 'IRIS', nodes: [{ url: 'http://node.example' }] },
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('hunter2');
    expect(handover?.request.reveal()).toEqual(secret);
  });

  it('init is refused for an active coin, and for an id that is in use', () => {
    const active = ask({ ...init, platformActive: true } as EnableTendermintCommand, initialSnapshot());
    expect(active).toMatchObject({
      answer: refused(400, 'PlatformIsAlreadyActivated', 'IRIS'),
      events: [],
      handover: null,
    });
    expect(told(init, reach('TaskStarted'))).toEqual([
      refused(500, 'Internal', `Internal error: task id ${TASK_ID} is in use`),
      [],
    ]);
  });

  it.each(STATUSES)(
    'in the status %s (%j) is answered with it, asks for nothing, and stops by cancel',
    (name, path) => {
      const snapshot = reach(...path);
      expect(told(status, snapshot)).toEqual([{ status: 'InProgress', details: name }, []]);
      const text = `RPC '${TASK_ID}' task is in unexpected status. Actual: 'InProgress', expected: 'AwaitingUserAction'`;
      expect(told(userAction, snapshot)).toEqual([refused(500, 'Internal', `Internal error: ${text}`), []]);
      expect(told(cancel, snapshot)).toEqual(['success', ['CancelRequested']]);
      const cancelling = take(snapshot, nextEvent(snapshot, 'CancelRequested'));
      const again = `RPC '${TASK_ID}' task is in unexpected status. Actual: 'Cancelled', expected: 'InProgress'`;
      expect(told(cancel, cancelling)).toEqual([refused(500, 'Internal', `Internal error: ${again}`), []]);
      expect(told(status, cancelling)).toEqual([refused(400, 'NoSuchTask', `No such task '${TASK_ID}'`), []]);
      const cancelled = take(cancelling, nextEvent(cancelling, 'Cancelled'));
      expect(told(cancel, cancelled)).toEqual([refused(404, 'NoSuchTask', `No such task '${TASK_ID}'`), []]);
    },
  );

  it('reports the outcome, and forgets it when it is read for good; the coin outlives it', () => {
    const ok = reach('TaskStarted', 'Completed');
    expect(told(status, ok)).toEqual([{ status: 'Ok', details }, ['ResultForgotten']]);
    expect(told({ ...status, forget_if_finished: false } as EnableTendermintCommand, ok)[1]).toEqual([]);
    expect(told(cancel, ok)).toEqual([refused(409, 'TaskFinished', 'Task is finished already'), []]);
    const failed = reach('TaskStarted', 'Failed');
    expect(told(status, failed)).toEqual([
      { status: 'Error', details: { result: failed.context.error } },
      ['Forgotten'],
    ]);
  });

  it('comes after a deadline that has passed, whether or not a timer has fired', () => {
    const { context, value } = reach('TaskStarted');
    const at = later(context.startedAt ?? START, limits.activation);
    const decision = decideTendermint(cancel, { state: value, context, at });
    expect(decision.answer).toMatchObject(refused(409, 'TaskFinished', 'Task is finished already'));
    expect(decision.events.map(({ type }) => type)).toEqual(['ActivationTimedOut']);
  });

  it('appends nothing that the state refuses, in any state of the task', () => {
    const commands = fc.constantFrom(init, status, cancel, userAction);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), commands, fc.nat(4_000), (draws, command, seconds) => {
        let snapshot = initialSnapshot();
        for (const draw of draws) {
          const types = legalTypes(snapshot);
          const type = types[draw % types.length];
          if (type !== undefined) snapshot = take(snapshot, nextEvent(snapshot, type));
        }
        const at = later(snapshot.context.lastEventAt ?? START, seconds);
        for (const event of ask(command, snapshot, at).events) snapshot = take(snapshot, event);
      }),
    );
  });
});
