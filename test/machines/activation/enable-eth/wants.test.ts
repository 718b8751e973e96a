import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialEnableEthContext } from '../../../../machines/activation/enable-eth/context.ts';
import { phaseOf } from '../../../../machines/activation/enable-eth/status.ts';
import { enableEthWants } from '../../../../machines/activation/enable-eth/wants.ts';
import type { EnableEthEventType } from '../../../../src/events/enable-eth.ts';
import {
  eventsOf,
  initialSnapshot,
  legalTypes,
  nextEvent,
  reach,
  START,
  type TaskSnapshot,
  take,
  takeAll,
  withheldStart,
} from './support.ts';

const task = { task_id: 7, ticker: 'MATIC', restarts: 0 };
const until = START + 1000 + 1_800_000;
const activation = { effect: 'activateCoin', until, params: task };

function wantsOf({ value, context }: TaskSnapshot) {
  return enableEthWants(value, context);
}

function wantsAfter(...route: EnableEthEventType[]) {
  return wantsOf(reach(...route));
}

describe('what an activation task wants', () => {
  it.each([
    [['TaskStarted']],
    [['TaskStarted', 'FollowHwDeviceInstructions', 'ActivatingCoin']],
    [['TaskStarted', 'RequestingWalletBalance']],
    [['TaskStarted', 'Finishing']],
    [['TaskStarted', 'WaitingForDeviceToConnect']],
    [['TaskStarted', 'FollowHwDeviceInstructions']],
    [['TaskStarted', 'EnterTrezorPin']],
    [['TaskStarted', 'EnterTrezorPassphrase']],
    [['TaskStarted', 'RequestingWalletBalance', 'EnterTrezorPin', 'UserActionProvided']],
  ] as const)('is the activation after %j', (route) => {
    expect(wantsAfter(...route)).toEqual([activation]);
  });

  it('stays the same from the first step to the last, whatever the device asks and the user answers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (picks) => {
        let snapshot = reach('TaskStarted');
        for (const pick of picks) {
          const types = legalTypes(snapshot).filter((type) => type !== 'SessionLost');
          const next = take(snapshot, nextEvent(snapshot, types[pick % types.length] as EnableEthEventType));
          if (next.value === 'wrongUserAction' || !['inProgress', 'awaiting'].includes(phaseOf(next.value))) return;
          expect(wantsOf(next)).toEqual(wantsOf(snapshot));
          snapshot = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [['TaskStarted']],
    [['TaskStarted', 'EnterTrezorPin']],
    [['TaskStarted', 'EnterTrezorPin', 'UserActionProvided', 'EnterTrezorPassphrase']],
    [['TaskStarted', 'Finishing']],
  ] as const)('is a new activation once the process was lost after %j', (route) => {
    const lost = reach(...route, 'SessionLost');
    expect(wantsOf(lost)).toEqual([{ ...activation, params: { ...task, restarts: 1 } }]);
    // The device asks once more, and there is somebody to take the answer.
    expect(wantsOf(take(lost, nextEvent(lost, 'EnterTrezorPin')))).toEqual(wantsOf(lost));
    expect(wantsAfter(...route, 'SessionLost', 'SessionLost')).toMatchObject([{ params: { restarts: 2 } }]);
  });

  it.each([
    [['TaskStarted', 'Completed']],
    [['TaskStarted', 'Completed', 'ResultForgotten']],
    [['TaskStarted', 'Completed', 'TokenReleased']],
    [['TaskStarted', 'Completed', 'ResultForgotten', 'KeptTokenReleased', 'SessionLost', 'RequestingWalletBalance']],
    [['TaskStarted', 'Completed', 'CoinPassivated']],
    [['TaskStarted', 'Completed', 'ResultForgotten', 'KeptCoinPassivated']],
  ] as const)('is a new activation of a coin that was in use, until somebody ends it: %j', (route) => {
    const lost = reach(...route, 'SessionLost');
    expect([wantsOf(lost), lost.context.resumes]).toMatchObject([[{ effect: 'activateCoin' }], true]);
    expect(legalTypes(lost)).toContain('CancelRequested');
    expect(wantsOf(reach(...route, 'SessionLost', 'CancelRequested'))).toMatchObject([{ effect: 'abortActivation' }]);
  });

  it('is to fail if the log lacks what the request needs, and the process that had it was lost', () => {
    const started = take(initialSnapshot(), withheldStart);
    expect(wantsOf(started)).toMatchObject([{ effect: 'activateCoin' }]);
    const [want, ...others] = wantsOf(take(started, nextEvent(started, 'SessionLost')));
    expect(others).toEqual([]);
    expect(want).toMatchObject({
      effect: 'reportWithheldRequest',
      params: { error_type: 'InvalidPayload', restarts: 1 },
    });
    expect(want?.params?.['error']).toContain('/nodes/0/url, /priv_key_policy/session');
  });

  it('is to keep the coins registered once it succeeded, until they are removed', () => {
    expect(wantsAfter('TaskStarted', 'Completed')).toEqual([{ effect: 'registerCoins', params: task }]);
    expect(wantsAfter('TaskStarted', 'Completed', 'CoinReleased')).toEqual([]);
    // Whoever read the result changes nothing about the coin.
    const kept = ['TaskStarted', 'Completed', 'ResultForgotten'] as const;
    expect(wantsAfter(...kept)).toEqual([{ effect: 'registerCoins', params: task }]);
    expect(wantsAfter(...kept, 'Forgotten')).toEqual([]);
  });

  it('is to keep the tokens registered of a coin that was removed alone, until they are removed too', () => {
    const register = [{ effect: 'registerCoins', params: task }];
    expect(wantsAfter('TaskStarted', 'Completed', 'CoinPassivated')).toEqual(register);
    expect(wantsAfter('TaskStarted', 'Completed', 'CoinPassivated', 'TokenReleased', 'CoinReleased')).toEqual([]);
    const kept = ['TaskStarted', 'Completed', 'ResultForgotten', 'KeptCoinPassivated'] as const;
    expect(wantsAfter(...kept)).toEqual(register);
    expect(wantsAfter(...kept, 'KeptTokenReleased', 'Forgotten')).toEqual([]);
  });

  it('is to stop the work once it was told to cancel', () => {
    expect(wantsAfter('TaskStarted', 'EnterTrezorPin', 'CancelRequested')).toEqual([
      { effect: 'abortActivation', params: task },
    ]);
  });

  it("is to report an answer of the wrong kind, with the real node's text", () => {
    expect(wantsAfter('TaskStarted', 'EnterTrezorPassphrase', 'WrongUserActionProvided')).toEqual([
      {
        effect: 'reportWrongUserAction',
        params: { ...task, error_type: 'Internal', error: "RPC 'task' is awaiting 'TrezorPassphrase' user action" },
      },
    ]);
  });

  it('is nothing before the start and after the end', () => {
    expect(wantsAfter()).toEqual([]);
    expect(wantsAfter('TaskStarted', 'Failed')).toEqual([]);
    expect(wantsAfter('TaskStarted', 'CancelRequested', 'Cancelled')).toEqual([]);
    expect(wantsAfter('TaskStarted', 'Completed', 'Forgotten')).toEqual([]);
  });

  it('follows from the log alone, so that a restarted process wants the same', () => {
    const route = ['TaskStarted', 'RequestingWalletBalance', 'EnterTrezorPin', 'UserActionProvided'] as const;
    const events = eventsOf(route);
    expect(wantsOf(takeAll(JSON.parse(JSON.stringify(events))))).toEqual(wantsOf(takeAll(events)));
  });

  it('follows from the state alone if the log does not hold the request, as for a machine that never began', () => {
    const nobody = { task_id: null, ticker: null, restarts: 0 };
    const context = initialEnableEthContext();
    expect(enableEthWants('started', context)).toEqual([{ effect: 'activateCoin', params: nobody }]);
    expect(enableEthWants('sessionLost', { ...context, restarts: 1 })).toMatchObject([{ effect: 'activateCoin' }]);
    expect(enableEthWants('wrongUserAction', context)).toEqual([
      {
        effect: 'reportWrongUserAction',
        params: { ...nobody, error_type: 'Internal', error: "RPC 'task' is awaiting 'TrezorPin' user action" },
      },
    ]);
  });
});
