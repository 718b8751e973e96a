import { describe, expect, it } from 'vitest';
import { initialEnableEthContext } from '../../../../machines/activation/enable-eth/context.ts';
import { enableEthWants } from '../../../../machines/activation/enable-eth/wants.ts';
import type { EnableEthEventType } from '../../../../src/events/enable-eth.ts';
import { eventsOf, reach, START, takeAll } from './support.ts';

const task = { task_id: 7, ticker: 'MATIC' };
const activationEnds = START + 1000 + 1_800_000;

function wantsAfter(...route: EnableEthEventType[]) {
  const { value, context } = reach(...route);
  return enableEthWants(value, context);
}

describe('what an activation task wants', () => {
  it.each([
    ['activateCoin', ['TaskStarted'], activationEnds],
    ['activateCoin', ['TaskStarted', 'FollowHwDeviceInstructions', 'ActivatingCoin'], activationEnds],
    ['requestBalances', ['TaskStarted', 'RequestingWalletBalance'], activationEnds],
    ['registerCoins', ['TaskStarted', 'Finishing'], activationEnds],
    ['connectDevice', ['TaskStarted', 'WaitingForDeviceToConnect'], START + 302_000],
    ['followDevice', ['TaskStarted', 'FollowHwDeviceInstructions'], START + 302_000],
    ['askPin', ['TaskStarted', 'EnterTrezorPin'], START + 302_000],
    ['askPassphrase', ['TaskStarted', 'EnterTrezorPassphrase'], START + 302_000],
    [
      'requestBalances',
      ['TaskStarted', 'RequestingWalletBalance', 'EnterTrezorPin', 'UserActionProvided'],
      activationEnds,
    ],
  ] as const)('is %s after %j', (effect, route, until) => {
    expect(wantsAfter(...route)).toEqual([{ effect, until, params: task }]);
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
    expect(wantsAfter('TaskStarted', 'Completed')).toEqual([]);
    expect(wantsAfter('TaskStarted', 'CancelRequested', 'Cancelled')).toEqual([]);
  });

  it('follows from the log alone, so that a process that starts again wants the same', () => {
    const route = ['TaskStarted', 'RequestingWalletBalance', 'EnterTrezorPin', 'UserActionProvided'] as const;
    const events = eventsOf(route);
    const running = takeAll(events);
    const restarted = takeAll(JSON.parse(JSON.stringify(events)));
    expect(enableEthWants(restarted.value, restarted.context)).toEqual(enableEthWants(running.value, running.context));
  });

  it('follows from the state alone where the log does not hold the request, as that of a machine that never began', () => {
    const nobody = { task_id: null, ticker: null };
    const context = initialEnableEthContext();
    expect(enableEthWants('started', context)).toEqual([{ effect: 'activateCoin', params: nobody }]);
    expect(enableEthWants('wrongUserAction', context)).toEqual([
      {
        effect: 'reportWrongUserAction',
        params: { ...nobody, error_type: 'Internal', error: "RPC 'task' is awaiting 'TrezorPin' user action" },
      },
    ]);
  });
});
