import { describe, expect, it } from 'vitest';
import type { EnableEthContext } from '../../../../machines/activation/enable-eth/context.ts';
import { enableEthInvariants } from '../../../../machines/activation/enable-eth/invariants.ts';
import { brokenInvariants, reach, type TaskSnapshot } from './support.ts';

function doctored(snapshot: TaskSnapshot, change: (context: EnableEthContext) => object): string[] {
  const context = { ...snapshot.context, ...change(snapshot.context) };
  return enableEthInvariants.filter(({ holds }) => !holds(snapshot.value, context)).map(({ id }) => id);
}

const completed = reach('TaskStarted', 'Completed');
const failed = reach('TaskStarted', 'Failed');
const awaitingPin = reach('TaskStarted', 'EnterTrezorPin');
const cancelled = reach('TaskStarted', 'CancelRequested', 'Cancelled');
const timedOut = reach('TaskStarted', 'EnterTrezorPin', 'UserActionTimedOut');

describe('invariants of an activation task', () => {
  it('hold for what the tests below change', () => {
    expect([completed, failed, awaitingPin, cancelled, timedOut].flatMap(brokenInvariants)).toEqual([]);
  });

  it('have different ids', () => {
    expect(new Set(enableEthInvariants.map(({ id }) => id)).size).toBe(enableEthInvariants.length);
  });

  it('I1: find a result beside an error, a finished task without outcome, and an early outcome', () => {
    expect(doctored(completed, () => ({ error: failed.context.error }))).toEqual(['I1']);
    expect(doctored(completed, () => ({ result: null }))).toEqual(['I1']);
    expect(doctored(awaitingPin, () => ({ result: completed.context.result }))).toEqual(['I1']);
  });

  it('I2: find a wait without a status to return to, or a question without a wait', () => {
    expect(doctored(awaitingPin, () => ({ status: null }))).toEqual(['I2', 'I6']);
    expect(doctored(awaitingPin, () => ({ awaiting: 'EnterTrezorPassphrase' }))).toEqual(['I2']);
    expect(doctored(awaitingPin, () => ({ waitingSince: null }))).toEqual(['I2']);
    expect(doctored(completed, () => ({ awaiting: 'EnterTrezorPin' }))).toEqual(['I2']);
  });

  it('I3: find an outcome of a cancelled task, and a cancellation that nobody asked for', () => {
    expect(doctored(cancelled, () => ({ result: completed.context.result }))).toEqual(['I1', 'I3']);
    expect(doctored(cancelled, () => ({ cancelRequestedAt: null }))).toEqual(['I3']);
  });

  it('I4: find whatever follows the end', () => {
    expect(doctored(completed, ({ endedAt }) => ({ lastEventAt: (endedAt ?? 0) + 1 }))).toEqual(['I4']);
    expect(doctored(completed, ({ endedAt }) => ({ forgottenAt: endedAt }))).toEqual(['I4']);
    expect(doctored(awaitingPin, ({ lastEventAt }) => ({ endedAt: lastEventAt }))).toEqual(['I4']);
  });

  it('I4: find a coin that was removed before the task had ended', () => {
    const released = reach('TaskStarted', 'Completed', 'CoinReleased');
    expect(brokenInvariants(released)).toEqual([]);
    expect(doctored(released, () => ({ endedAt: null }))).toEqual(['I4']);
    expect(doctored(released, ({ endedAt }) => ({ lastEventAt: (endedAt ?? 0) - 1 }))).toEqual(['I4']);
    expect(doctored(released, () => ({ result: null }))).toEqual(['I1']);
  });

  it('I5: find secrets by name and credentials in urls, however deep', () => {
    expect(doctored(awaitingPin, () => ({ pin: '123' }))).toEqual(['I5']);
    expect(doctored(awaitingPin, ({ started }) => ({ started: { ...started, more: [{ passphrase: '' }] } }))).toEqual([
      'I5',
    ]);
    const nodes = [{ url: 'https://user:password@node.example' }];
    expect(doctored(awaitingPin, ({ started }) => ({ started: { ...started, params: { nodes } } }))).toEqual(['I5']);
  });

  it("I6: find a status that is not the state's", () => {
    expect(doctored(reach('TaskStarted', 'Finishing'), () => ({ status: 'ActivatingCoin' }))).toEqual(['I6']);
  });

  it('I7: find a wait that ended before its limit', () => {
    const early = ({ endedAt }: EnableEthContext) => ({ endedAt: (endedAt ?? 0) - 1, lastEventAt: (endedAt ?? 0) - 1 });
    expect(doctored(timedOut, early)).toEqual(['I7']);
    const device = reach('TaskStarted', 'WaitingForDeviceToConnect', 'DeviceConnectTimedOut');
    expect(doctored(device, early)).toEqual(['I7']);
    expect(doctored(reach('TaskStarted', 'ActivationTimedOut'), early)).toEqual(['I7']);
  });

  it('I8: find work after an answer of the wrong kind', () => {
    const wrongAction = { expected: 'TrezorPin', given: 'TrezorPassphrase' };
    expect(doctored(reach('TaskStarted', 'Finishing'), () => ({ wrongAction }))).toEqual(['I8']);
  });

  it('I9: find a task without its request', () => {
    expect(doctored(completed, () => ({ started: null }))).toEqual(['I9']);
  });
});
