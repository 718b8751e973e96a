import { describe, expect, it } from 'vitest';
import type { EnableEthCommand } from '../../../../machines/activation/enable-eth/commands.ts';
import { decide, type EnableEthAnswer, type RpcError } from '../../../../machines/activation/enable-eth/decide.ts';
import type { EnableEthEventType } from '../../../../src/events/enable-eth.ts';
import { loggedRequest } from '../../../../src/events/enable-eth-request.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { answering, ask, cancel, init, status } from './calls.ts';
import { initialSnapshot, later, limits, reach, request, START, type TaskSnapshot } from './support.ts';

type Method = EnableEthCommand['method'];

/** The whole answer of a refusal, as a client reads it. */
function refusal(http: number, method: Method, error: Omit<RpcError, 'error_path' | 'error_trace'>): EnableEthAnswer {
  const place = { error_path: `enable_eth.${method}`, error_trace: `enable_eth] ${method}]` };
  return { ok: false, http, error: { ...error, ...place } };
}

const noSuchTask = (http: number, method: Method) =>
  refusal(http, method, { error: "No such task '7'", error_type: 'NoSuchTask', error_data: 7 });

const internal = (method: Method, reason: string) =>
  refusal(500, method, { error: `Internal error: ${reason}`, error_type: 'Internal', error_data: reason });

const unexpected = (method: Method, actual: string, expected: string) =>
  internal(method, `RPC '7' task is in unexpected status. Actual: '${actual}', expected: '${expected}'`);

const active: EnableEthCommand = { ...(init as Extract<EnableEthCommand, { method: 'init' }>), platformActive: true };
const pin = answering('TrezorPin');
const task = (...route: EnableEthEventType[]) => reach('TaskStarted', ...route);

const refusals: readonly (readonly [string, EnableEthCommand, TaskSnapshot, EnableEthAnswer])[] = [
  ['init under an id that is in use', init, task(), internal('init', 'task id 7 is in use')],
  ['init under an id in use of an active platform', active, task(), internal('init', 'task id 7 is in use')],
  [
    'init of a platform that is active',
    active,
    initialSnapshot(),
    refusal(400, 'init', { error: 'MATIC', error_type: 'PlatformIsAlreadyActivated', error_data: 'MATIC' }),
  ],
  ['status of no task', status, initialSnapshot(), noSuchTask(400, 'status')],
  ['user_action for no task', pin, initialSnapshot(), noSuchTask(400, 'user_action')],
  ['cancel of no task', cancel, initialSnapshot(), noSuchTask(404, 'cancel')],
  ['user_action while it works', pin, task(), unexpected('user_action', 'InProgress', 'AwaitingUserAction')],
  [
    'user_action while it is being cancelled',
    pin,
    task('CancelRequested'),
    unexpected('user_action', 'Cancelled', 'AwaitingUserAction'),
  ],
  ['user_action after its end', pin, task('Completed'), unexpected('user_action', 'Finished', 'AwaitingUserAction')],
  [
    'cancel while it is being cancelled',
    cancel,
    task('CancelRequested'),
    unexpected('cancel', 'Cancelled', 'InProgress'),
  ],
  [
    'cancel after its end',
    cancel,
    task('Failed'),
    refusal(409, 'cancel', { error: 'Task is finished already', error_type: 'TaskFinished', error_data: 7 }),
  ],
];

describe('a refused call', () => {
  it.each(refusals)('%s: nothing is appended, and nothing handed over', (_, command, snapshot, answer) => {
    expect(ask(command, snapshot)).toEqual({ answer, events: [], handover: null });
  });

  it('is a user action for a task that does not know what it awaits', () => {
    const context = { ...task('EnterTrezorPin').context, awaiting: null };
    const decision = decide(pin, { state: 'awaitingPin', context, at: later(START, 2) });
    expect(decision).toMatchObject({ answer: { ok: false, http: 500 }, events: [], handover: null });
  });

  it('is a user action for a task that works, whatever it awaited before', () => {
    const { context } = task('EnterTrezorPin');
    expect(decide(pin, { state: 'activatingCoin', context, at: later(START, 2) }).answer).toEqual(
      unexpected('user_action', 'InProgress', 'AwaitingUserAction'),
    );
  });

  it.each([
    [-1, 'success'],
    [0, 'late'],
    [1, 'late'],
  ])('is a user action from the moment on at which the wait ends (%i ms)', (millis, said) => {
    const snapshot = task('EnterTrezorPin');
    const end = later(snapshot.context.waitingSince ?? START, limits.user_action);
    const { answer } = ask(pin, snapshot, millisOf(end + millis));
    expect(answer).toEqual(
      said === 'success'
        ? { ok: true, result: 'success' }
        : unexpected('user_action', 'Finished', 'AwaitingUserAction'),
    );
  });
});

describe('an accepted call', () => {
  it('init appends what the task was started with', () => {
    const at = later(START, 1);
    const { events } = ask(init, initialSnapshot());
    const data = { task_id: 7, client_id: 0, params: loggedRequest(request), withheld: [], limits };
    expect(events).toEqual([{ type: 'TaskStarted', at, data }]);
  });

  it('user_action appends the kind of the answer, and nothing else of it', () => {
    const snapshot = task('EnterTrezorPin');
    const at = later(snapshot.context.lastEventAt ?? START, 1);
    expect(ask(pin, snapshot).events).toEqual([{ type: 'UserActionProvided', at, data: { action_type: 'TrezorPin' } }]);
    expect(ask(answering('TrezorPassphrase'), snapshot).events).toEqual([
      { type: 'WrongUserActionProvided', at, data: { action_type: 'TrezorPassphrase' } },
    ]);
  });

  it('status and cancel append an event without data', () => {
    const at = (snapshot: TaskSnapshot) => later(snapshot.context.lastEventAt ?? START, 1);
    const [done, failed, working] = [task('Completed'), task('Failed'), task()];
    expect(ask(status, done).events).toEqual([{ type: 'ResultForgotten', at: at(done), data: null }]);
    expect(ask(status, failed).events).toEqual([{ type: 'Forgotten', at: at(failed), data: null }]);
    expect(ask(cancel, working)).toEqual({
      answer: { ok: true, result: 'success' },
      events: [{ type: 'CancelRequested', at: at(working), data: null }],
      handover: null,
    });
  });
});
