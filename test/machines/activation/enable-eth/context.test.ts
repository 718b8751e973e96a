import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  enableEthReducers,
  initialEnableEthContext,
  tokensHeld,
} from '../../../../machines/activation/enable-eth/context.ts';
import { limitOf } from '../../../../machines/activation/task/context.ts';
import type { EnableEthEvent } from '../../../../src/events/enable-eth.ts';
import { eventsOf, initialSnapshot, legalTypes, nextEvent, reach, take } from './support.ts';

type Recipe = (draft: unknown, event: EnableEthEvent) => void;

/** Runs the recipes directly on one private object, without the chart. */
function foldDirectly(events: readonly EnableEthEvent[]) {
  const context = initialEnableEthContext();
  for (const event of events) (enableEthReducers[event.type] as Recipe)(context, event);
  return context;
}

describe('the recipes', () => {
  it('give the same context on a private object as through the chart', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 15 }), (picks) => {
        let snapshot = initialSnapshot();
        const events: EnableEthEvent[] = [];
        for (const pick of picks) {
          const types = legalTypes(snapshot);
          const type = types[pick % Math.max(1, types.length)];
          if (type === undefined) break;
          const event = nextEvent(snapshot, type);
          events.push(event);
          snapshot = take(snapshot, event);
        }
        expect(foldDirectly(events)).toEqual(snapshot.context);
      }),
      { numRuns: 100 },
    );
  });

  it('are total: none throws on the context of any other state', () => {
    const route = ['TaskStarted', 'EnterTrezorPin', 'UserActionProvided', 'Completed', 'Forgotten'] as const;
    const events = [
      ...eventsOf(route),
      ...eventsOf(['TaskStarted', 'WaitingForDeviceToConnect', 'DeviceConnectTimedOut']),
      ...eventsOf(['TaskStarted', 'EnterTrezorPassphrase', 'WrongUserActionProvided', 'Failed']),
      ...eventsOf(['TaskStarted', 'FollowHwDeviceInstructions', 'UserActionTimedOut']),
      ...eventsOf(['TaskStarted', 'RequestingWalletBalance', 'Finishing', 'ActivationTimedOut']),
      ...eventsOf(['TaskStarted', 'CancelRequested', 'Cancelled']),
    ];
    for (const event of events) expect(() => foldDirectly([event])).not.toThrow();
    expect(() => foldDirectly([...events].reverse())).not.toThrow();
  });

  it('remember what was expected if an answer was of the wrong kind', () => {
    const { context } = reach('TaskStarted', 'EnterTrezorPassphrase', 'WrongUserActionProvided');
    expect(context.wrongAction).toEqual({ expected: 'TrezorPassphrase', given: 'TrezorPin' });
  });

  it.each(['UserActionProvided', 'WrongUserActionProvided', 'CancelRequested'] as const)(
    'wait for no answer after %s, which is the last that happened',
    (type) => {
      const asked = reach('TaskStarted', 'EnterTrezorPassphrase');
      const event = { ...nextEvent(asked, type), at: 1_700_000_123_456 } as EnableEthEvent;
      expect(asked.context).toMatchObject({ awaiting: 'EnterTrezorPassphrase', waitingSince: expect.any(Number) });
      expect(take(asked, event).context).toMatchObject({ awaiting: null, waitingSince: null, lastEventAt: event.at });
    },
  );

  it('hold the tokens of the request that were not removed, each once, and remember that the coin was', () => {
    const passive = reach('TaskStarted', 'Completed', 'CoinPassivated');
    expect([passive.context.passive, tokensHeld(passive.context)]).toEqual([true, ['PGX-PLG20']]);
    const again = [
      'TaskStarted',
      'Completed',
      'ResultForgotten',
      'KeptCoinPassivated',
      'SessionLost',
      'Completed',
    ] as const;
    expect(reach(...again).context).toMatchObject({ passive: true, resumes: true, released: [] });
    expect(tokensHeld(reach('TaskStarted', 'Completed', 'CoinPassivated', 'TokenReleased').context)).toEqual([]);
    expect(tokensHeld(initialEnableEthContext())).toEqual([]);
  });

  it("take the limits that the task was started with, and the real node's before it started", () => {
    expect(limitOf(reach('TaskStarted').context, 'activation')).toBe(1800);
    expect(limitOf(initialEnableEthContext(), 'activation')).toBeNull();
    expect(limitOf(initialEnableEthContext(), 'user_action')).toBe(300);
  });
});
