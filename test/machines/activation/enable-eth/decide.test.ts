import { describe, expect, it } from 'vitest';
import type { EnableEthCommand } from '../../../../machines/activation/enable-eth/commands.ts';
import { afterDeadline, dueEvent } from '../../../../machines/activation/enable-eth/deadlines.ts';
import { enableEthRequest } from '../../../../src/events/enable-eth-request.ts';
import type { Secret } from '../../../../src/primitives/secret.ts';
import { answering, ask, cancel, init, peek, SECRET_TEXT, status, typesOf } from './calls.ts';
import {
  initialSnapshot,
  later,
  legalTypes,
  reach,
  START,
  type TaskSnapshot,
  take,
  takeAll,
  walletResult,
} from './support.ts';

const noSuchTask = (http: number) => ({
  ok: false,
  http,
  error: { error: "No such task '7'", error_type: 'NoSuchTask', error_data: 7 },
});

const unexpected = (actual: string, expected: string) => {
  const reason = `RPC '7' task is in unexpected status. Actual: '${actual}', expected: '${expected}'`;
  return {
    ok: false,
    http: 500,
    error: { error: `Internal error: ${reason}`, error_type: 'Internal', error_data: reason },
  };
};

const success = { ok: true, result: 'success' };

const inProgress: Readonly<Record<string, TaskSnapshot>> = {
  ActivatingCoin: reach('TaskStarted'),
  RequestingWalletBalance: reach('TaskStarted', 'RequestingWalletBalance'),
  Finishing: reach('TaskStarted', 'Finishing'),
  WaitingForDeviceToConnect: reach('TaskStarted', 'WaitingForDeviceToConnect'),
  FollowHwDeviceInstructions: reach('TaskStarted', 'FollowHwDeviceInstructions'),
};

const awaiting: Readonly<Record<string, TaskSnapshot>> = {
  EnterTrezorPin: reach('TaskStarted', 'EnterTrezorPin'),
  EnterTrezorPassphrase: reach('TaskStarted', 'RequestingWalletBalance', 'EnterTrezorPassphrase'),
};

const cancelling = reach('TaskStarted', 'CancelRequested');

const finished: Readonly<Record<string, TaskSnapshot>> = {
  Ok: reach('TaskStarted', 'Completed'),
  'Ok whose coin was taken out': reach('TaskStarted', 'Completed', 'CoinReleased'),
  Error: reach('TaskStarted', 'Failed'),
  'Error after a user action timed out': reach('TaskStarted', 'EnterTrezorPin', 'UserActionTimedOut'),
  'Error after the device timed out': reach('TaskStarted', 'WaitingForDeviceToConnect', 'DeviceConnectTimedOut'),
  'Error after the activation timed out': reach('TaskStarted', 'ActivationTimedOut'),
};

const unknown: Readonly<Record<string, TaskSnapshot>> = {
  'never started': initialSnapshot(),
  cancelled: reach('TaskStarted', 'CancelRequested', 'Cancelled'),
  forgotten: reach('TaskStarted', 'Completed', 'Forgotten'),
  'forgotten, with its coin in use': reach('TaskStarted', 'Completed', 'ResultForgotten'),
};

describe('init', () => {
  it('starts a task and answers its id', () => {
    const decision = ask(init, initialSnapshot());
    expect(decision.answer).toEqual({ ok: true, result: { task_id: 7 } });
    expect(typesOf(decision)).toEqual(['TaskStarted']);
    expect(takeAll(decision.events).value).toBe('started');
  });

  it('refuses a platform that is already active, before there is a task', () => {
    const decision = ask({ ...init, platformActive: true } as EnableEthCommand, initialSnapshot());
    expect(decision).toMatchObject({
      answer: {
        ok: false,
        http: 400,
        error: { error: 'MATIC', error_type: 'PlatformIsAlreadyActivated', error_data: 'MATIC' },
      },
      events: [],
      handover: null,
    });
  });

  it('does not start twice under one id', () => {
    expect(ask(init, reach('TaskStarted'))).toMatchObject({ answer: { ok: false, http: 500 }, events: [] });
  });

  it('keeps the wallet session and url credentials out of the log, and hands them to the worker', () => {
    const full = enableEthRequest.parse({
      ticker: 'MATIC',
      swap_contract_address: `0x${'9'.repeat(40)}`,
      erc20_tokens_requests: [],
      nodes: [{ url: `https://user:${SECRET_TEXT}@node.example/rpc` }],
      nft_req: { provider: { type: 'Moralis', info: { url: `https://${SECRET_TEXT}@nft.example` } } },
      priv_key_policy: { type: 'WalletConnect', params: { session_topic: SECRET_TEXT } },
      [`unknown`]: SECRET_TEXT,
    });
    const command: EnableEthCommand = {
      method: 'init',
      task_id: 1,
      request: full,
      client_id: 0,
      platformActive: false,
    };
    const decision = ask(command, initialSnapshot());
    expect(JSON.stringify(decision)).not.toContain(SECRET_TEXT);
    expect(decision.events[0]?.data).toMatchObject({
      params: { nodes: [{ url: 'https://node.example/rpc' }], priv_key_policy: { type: 'WalletConnect' } },
      withheld: ['/nodes/0/url', '/nft_req/provider/info/url', '/priv_key_policy/session'],
      limits: { user_action: 300, device_connect: 300, activation: null },
    });
    if (decision.handover?.kind !== 'request') throw new Error('nothing was handed over');
    const handed = decision.handover.request.reveal();
    expect(handed.nodes[0]?.url).toContain(SECRET_TEXT);
    expect(handed.priv_key_policy.session?.reveal()).toBe(SECRET_TEXT);
  });
});

describe('status', () => {
  it.each(Object.entries(inProgress))('in progress answers InProgress with %s', (details, snapshot) => {
    expect(ask(status, snapshot)).toEqual({
      answer: { ok: true, result: { status: 'InProgress', details } },
      events: [],
      handover: null,
    });
  });

  it.each(Object.entries(awaiting))('awaiting answers UserActionRequired with %s', (details, snapshot) => {
    expect(ask(status, snapshot)).toEqual({
      answer: { ok: true, result: { status: 'UserActionRequired', details } },
      events: [],
      handover: null,
    });
  });

  it('finds no task while it is being cancelled', () => {
    expect(ask(status, cancelling)).toMatchObject({ answer: noSuchTask(400), events: [] });
  });

  it.each(Object.entries(unknown))('of a task that was %s finds no task', (_, snapshot) => {
    expect(ask(status, snapshot)).toMatchObject({ answer: noSuchTask(400), events: [] });
  });

  it('of a success answers Ok with the details', () => {
    const { answer } = ask(status, reach('TaskStarted', 'Completed'));
    expect(answer).toEqual({ ok: true, result: { status: 'Ok', details: walletResult } });
  });

  it('of a failure carries the error fields in details.result', () => {
    expect(ask(status, reach('TaskStarted', 'Failed')).answer).toEqual({
      ok: true,
      result: {
        status: 'Error',
        details: {
          result: {
            error: 'eth:100] all nodes failed',
            error_path: 'enable_eth',
            error_trace: 'enable_eth]',
            error_type: 'Transport',
            error_data: 'all nodes failed',
          },
        },
      },
    });
  });

  it.each([
    ['a user action', reach('TaskStarted', 'EnterTrezorPin', 'UserActionTimedOut'), 300],
    ['a button of the device', reach('TaskStarted', 'FollowHwDeviceInstructions', 'UserActionTimedOut'), 300],
    ['a device', reach('TaskStarted', 'WaitingForDeviceToConnect', 'DeviceConnectTimedOut'), 300],
    ['the activation', reach('TaskStarted', 'ActivationTimedOut'), 1800],
  ])('after waiting too long for %s answers TaskTimedOut', (_, snapshot, secs) => {
    expect(ask(status, snapshot).answer).toMatchObject({
      result: {
        status: 'Error',
        details: {
          result: {
            error: `Initialization task has timed out ${secs}s`,
            error_type: 'TaskTimedOut',
            error_data: { duration: { secs, nanos: 0 } },
          },
        },
      },
    });
  });

  it.each(Object.entries(finished))('of %s forgets the task, unless told not to', (_, snapshot) => {
    const decision = ask(status, snapshot);
    expect(typesOf(decision)).toEqual([snapshot.value === 'completed' ? 'ResultForgotten' : 'Forgotten']);
    expect(ask(peek, snapshot)).toEqual({ ...decision, events: [] });
    expect(ask(status, takeAll(decision.events, snapshot)).answer).toMatchObject(noSuchTask(400));
  });
});

describe('user_action', () => {
  it.each(Object.entries(inProgress))('is unexpected in %s', (_, snapshot) => {
    expect(ask(answering('TrezorPin'), snapshot)).toMatchObject({
      answer: unexpected('InProgress', 'AwaitingUserAction'),
      events: [],
      handover: null,
    });
  });

  it.each([
    ['EnterTrezorPin', 'TrezorPin', 'ActivatingCoin'],
    ['EnterTrezorPassphrase', 'TrezorPassphrase', 'RequestingWalletBalance'],
  ] as const)('answers %s, after which the task is back in its status', (asked, action_type, details) => {
    const snapshot = awaiting[asked] as TaskSnapshot;
    const decision = ask(answering(action_type), snapshot);
    expect(decision.answer).toEqual(success);
    expect(decision.handover).toMatchObject({ kind: 'userAction', action_type });
    expect((decision.handover as { value: Secret<string> }).value.reveal()).toBe(SECRET_TEXT);
    expect(ask(status, takeAll(decision.events, snapshot)).answer).toEqual({
      ok: true,
      result: { status: 'InProgress', details },
    });
  });

  it('of the wrong kind is accepted, and the task then fails', () => {
    const snapshot = awaiting['EnterTrezorPin'] as TaskSnapshot;
    const decision = ask(answering('TrezorPassphrase'), snapshot);
    expect(decision.answer).toEqual(success);
    expect(decision.handover).toBeNull();
    const after = takeAll(decision.events, snapshot);
    expect(after.value).toBe('wrongUserAction');
    expect(ask(status, after).answer).toEqual({
      ok: true,
      result: { status: 'InProgress', details: 'ActivatingCoin' },
    });
    expect(legalTypes(after)).toEqual(['CancelRequested', 'Failed']);
  });

  it('is taken up to the last second', () => {
    const snapshot = awaiting['EnterTrezorPin'] as TaskSnapshot;
    const decision = ask(answering('TrezorPin'), snapshot, later(snapshot.context.waitingSince ?? START, 299));
    expect(decision.answer).toMatchObject(success);
    expect(typesOf(decision)).toEqual(['UserActionProvided']);
  });

  it('is unexpected while the task is being cancelled', () => {
    expect(ask(answering('TrezorPin'), cancelling).answer).toMatchObject(unexpected('Cancelled', 'AwaitingUserAction'));
  });

  it.each(Object.entries(finished))('is unexpected after %s', (_, snapshot) => {
    const decision = ask(answering('TrezorPin'), snapshot);
    expect(decision).toMatchObject({ answer: unexpected('Finished', 'AwaitingUserAction'), events: [] });
  });

  it.each(Object.entries(unknown))('for a task that was %s finds no task', (_, snapshot) => {
    expect(ask(answering('TrezorPin'), snapshot)).toMatchObject({ answer: noSuchTask(400), events: [] });
  });
});

describe('cancel', () => {
  it.each(Object.entries({ ...inProgress, ...awaiting }))('in %s is accepted', (_, snapshot) => {
    const decision = ask(cancel, snapshot);
    expect(decision.answer).toEqual(success);
    expect(takeAll(decision.events, snapshot).value).toBe('cancelling');
  });

  it('is refused while the task is being cancelled', () => {
    expect(ask(cancel, cancelling)).toMatchObject({ answer: unexpected('Cancelled', 'InProgress'), events: [] });
  });

  it.each(Object.entries(finished))('after %s answers TaskFinished and keeps the result', (_, snapshot) => {
    expect(ask(cancel, snapshot)).toMatchObject({
      answer: {
        ok: false,
        http: 409,
        error: { error: 'Task is finished already', error_type: 'TaskFinished', error_data: 7 },
      },
      events: [],
    });
  });

  it.each(Object.entries(unknown))('of a task that was %s finds no task', (_, snapshot) => {
    expect(ask(cancel, snapshot)).toMatchObject({ answer: noSuchTask(404), events: [] });
  });
});

describe('a call after a deadline that nobody has recorded', () => {
  const asked = awaiting['EnterTrezorPin'] as TaskSnapshot;
  const late = later(asked.context.waitingSince ?? START, 300);
  const timedOut = { type: 'UserActionTimedOut', at: late, data: null };

  it('records it first, so that status, user_action and cancel agree', () => {
    expect(ask(peek, asked, late)).toMatchObject({
      answer: { ok: true, result: { status: 'Error', details: { result: { error_type: 'TaskTimedOut' } } } },
      events: [timedOut],
    });
    expect(ask(answering('TrezorPin'), asked, late)).toMatchObject({
      answer: unexpected('Finished', 'AwaitingUserAction'),
      events: [timedOut],
      handover: null,
    });
    expect(ask(cancel, asked, late)).toMatchObject({
      answer: { ok: false, http: 409, error: { error_type: 'TaskFinished' } },
      events: [timedOut],
    });
  });

  it('forgets what it has recorded, if told to', () => {
    const decision = ask(status, asked, late);
    expect(typesOf(decision)).toEqual(['UserActionTimedOut', 'Forgotten']);
    expect(takeAll(decision.events, asked).value).toBe('forgotten');
  });

  it('records the deadline that passed first, of several', () => {
    const both = later(START, 10_000);
    expect(typesOf(ask(peek, asked, both))).toEqual(['UserActionTimedOut']);
    expect(typesOf(ask(peek, reach('TaskStarted'), both))).toEqual(['ActivationTimedOut']);
    const connecting = reach('TaskStarted', 'WaitingForDeviceToConnect');
    expect(typesOf(ask(peek, connecting, both))).toEqual(['DeviceConnectTimedOut']);
  });

  it('is in the same state as the chart', () => {
    for (const snapshot of [asked, reach('TaskStarted'), reach('TaskStarted', 'WaitingForDeviceToConnect')]) {
      const due = dueEvent(snapshot.value, { context: snapshot.context, at: later(START, 10_000) });
      if (due === undefined) throw new Error('no deadline has passed');
      const { value, context } = take(snapshot, due);
      expect(afterDeadline(due, { context: snapshot.context, at: due.at })).toEqual({ state: value, context });
    }
  });
});
