import { describe, expect, it } from 'vitest';
import type { EnableEthContext } from '../../../../machines/activation/enable-eth/context.ts';
import { enableEthInvariants } from '../../../../machines/activation/enable-eth/invariants.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { limits, reach, START, walletResult } from './support.ts';

type Facts = Partial<EnableEthContext>;

const running = reach('TaskStarted').context;
const { error } = reach('TaskStarted', 'Failed').context;
const result = walletResult as unknown as EnableEthContext['result'];
const FINISHED = ['completed', 'failed', 'userActionTimedOut', 'deviceConnectTimedOut', 'activationTimedOut'];

/** Whether the invariant holds for a task that works, but for the given facts. */
function holds(id: string, state: string, facts: Facts = {}): boolean {
  const invariant = enableEthInvariants.find((one) => one.id === id);
  if (invariant === undefined) throw new Error(`there is no ${id}`);
  return invariant.holds(state, { ...running, ...facts });
}

describe('I1: a task holds a result or an error, never both, and neither before it finished', () => {
  it.each(['created', 'started', 'awaitingPin', 'cancelling', 'cancelled'])('%s: neither', (state) => {
    expect(holds('I1', state)).toBe(true);
    expect(holds('I1', state, { result })).toBe(false);
    expect(holds('I1', state, { error })).toBe(false);
  });

  it('completed: the result alone', () => {
    expect(holds('I1', 'completed', { result })).toBe(true);
    expect(holds('I1', 'completed')).toBe(false);
    expect(holds('I1', 'completed', { result, error })).toBe(false);
  });

  it.each(FINISHED.slice(1))('%s: the error alone', (state) => {
    expect(holds('I1', state, { error })).toBe(true);
    expect(holds('I1', state)).toBe(false);
    expect(holds('I1', state, { result, error })).toBe(false);
  });

  it('kept: a result', () => {
    expect(holds('I1', 'kept', { result })).toBe(true);
    expect(holds('I1', 'kept', { error })).toBe(false);
    expect(holds('I1', 'kept')).toBe(false);
  });

  it('forgotten: one of them', () => {
    expect(holds('I1', 'forgotten', { result })).toBe(true);
    expect(holds('I1', 'forgotten', { error })).toBe(true);
    expect(holds('I1', 'forgotten')).toBe(false);
    expect(holds('I1', 'forgotten', { result, error })).toBe(false);
  });
});

describe('I2: a task that awaits a user action knows what is asked, since when, and where it returns', () => {
  it.each([
    ['awaitingPin', 'EnterTrezorPin', 'EnterTrezorPassphrase'],
    ['awaitingPassphrase', 'EnterTrezorPassphrase', 'EnterTrezorPin'],
  ] as const)('%s', (state, awaiting, another) => {
    const asked: Facts = { awaiting, waitingSince: START };
    expect(holds('I2', state, asked)).toBe(true);
    expect(holds('I2', state, { ...asked, awaiting: another })).toBe(false);
    expect(holds('I2', state, { ...asked, status: null })).toBe(false);
    expect(holds('I2', state, { ...asked, status: 'Finishing' })).toBe(false);
    expect(holds('I2', state, { ...asked, waitingSince: null })).toBe(false);
    expect(holds('I2', 'started', asked)).toBe(false);
  });
});

describe('I3: a cancelled task holds no outcome, and was asked to stop', () => {
  it('breaks by each of them', () => {
    const cancelled: Facts = { cancelRequestedAt: START };
    expect(holds('I3', 'cancelled', cancelled)).toBe(true);
    expect(holds('I3', 'cancelled', { ...cancelled, result })).toBe(false);
    expect(holds('I3', 'cancelled', { ...cancelled, error })).toBe(false);
    expect(holds('I3', 'cancelled')).toBe(false);
    expect(holds('I3', 'failed', { error })).toBe(true);
  });
});

describe('I4: after the end nothing but forgetting follows', () => {
  const later = millisOf(START + 1);
  const ended: Facts = { endedAt: START, lastEventAt: START };

  it.each([...FINISHED, 'cancelled'])('%s: the end is known, and is the last that happened', (state) => {
    expect(holds('I4', state, ended)).toBe(true);
    expect(holds('I4', state, { endedAt: null })).toBe(false);
    expect(holds('I4', state, { ...ended, lastEventAt: later })).toBe(false);
    expect(holds('I4', state, { ...ended, forgottenAt: START })).toBe(false);
  });

  it.each(['reduced', 'passive'])('%s: what was removed was removed after the end', (state) => {
    expect(holds('I4', state, { ...ended, lastEventAt: later })).toBe(true);
    expect(holds('I4', state, { endedAt: later, lastEventAt: START })).toBe(false);
    expect(holds('I4', state, { ...ended, forgottenAt: START })).toBe(false);
  });

  it.each(['keptReduced', 'keptPassive'])('%s: what was removed was removed after the forgetting', (state) => {
    const forgotten: Facts = { endedAt: START, forgottenAt: START, lastEventAt: later };
    expect(holds('I4', state, forgotten)).toBe(true);
    expect(holds('I4', state, { ...forgotten, forgottenAt: later, lastEventAt: START })).toBe(false);
    expect(holds('I4', state, { ...forgotten, forgottenAt: null })).toBe(false);
  });

  it.each(['kept', 'forgotten'])('%s: the forgetting is the last that happened', (state) => {
    const forgotten: Facts = { endedAt: START, forgottenAt: later, lastEventAt: later };
    expect(holds('I4', state, forgotten)).toBe(true);
    expect(holds('I4', state, { ...forgotten, lastEventAt: START })).toBe(false);
    expect(holds('I4', state, { ...forgotten, forgottenAt: null })).toBe(false);
    expect(holds('I4', state, { ...forgotten, endedAt: null })).toBe(false);
  });

  it('a task that continues has no end', () => {
    expect(holds('I4', 'started')).toBe(true);
    expect(holds('I4', 'started', ended)).toBe(false);
    expect(holds('I4', 'started', { forgottenAt: START })).toBe(false);
  });
});

describe('I5: no PIN, passphrase, session or credential is in the context', () => {
  const names = ['pin', 'PASSPHRASE', 'password', 'userpass', 'mnemonic', 'seed', 'secret', 'session'];
  it.each([...names, 'session_topic', 'privkey', 'priv_key'])('breaks by a member %s', (name) => {
    expect(holds('I5', 'started', { started: { [name]: '' } } as unknown as Facts)).toBe(false);
  });

  it.each(['priv_key_policy', 'spinner', 'seeds', 'session_id'])('holds with a member %s', (name) => {
    expect(holds('I5', 'started', { started: { [name]: '' } } as unknown as Facts)).toBe(true);
  });

  it.each([
    ['https://user:password@node.example', false],
    ['WSS://user@node.example/path', false],
    ['cannot reach https://user:password@node.example: refused', false],
    ['cannot reach https://node.example for me@home', true],
    ['https://node.example/@user', true],
    ['https://node.example?a=@', true],
    ['https://node.example#@', true],
    ['mail@node.example', true],
  ])('looks for credentials in urls: %s', (url, fine) => {
    expect(holds('I5', 'started', { started: { nodes: [{ url }] } } as unknown as Facts)).toBe(fine);
  });
});

describe('I6: the status in progress is the one of the state', () => {
  it.each([
    ['started', 'ActivatingCoin'],
    ['activatingCoin', 'ActivatingCoin'],
    ['requestingBalance', 'RequestingWalletBalance'],
    ['finishing', 'Finishing'],
    ['waitingForDevice', 'WaitingForDeviceToConnect'],
    ['followingDevice', 'FollowHwDeviceInstructions'],
  ] as const)('%s: %s', (state, status) => {
    expect(holds('I6', state, { status })).toBe(true);
    expect(holds('I6', state, { status: status === 'Finishing' ? 'ActivatingCoin' : 'Finishing' })).toBe(false);
    expect(holds('I6', state, { status: null })).toBe(false);
  });

  it('any other state keeps the status that it came from, and a task that never was has none', () => {
    expect(holds('I6', 'awaitingPin', { status: 'RequestingWalletBalance' })).toBe(true);
    expect(holds('I6', 'awaitingPin', { status: null })).toBe(false);
    expect(holds('I6', 'created', { status: null })).toBe(true);
    expect(holds('I6', 'created')).toBe(false);
  });
});

describe('I7: no wait ends before its limit', () => {
  const since = millisOf(START + 5000);
  it.each([
    ['userActionTimedOut', { waitingSince: since }, 'user_action'],
    ['deviceConnectTimedOut', { waitingSince: since }, 'device_connect'],
    ['activationTimedOut', { startedAt: since }, 'activation'],
  ] as const)('%s', (state, wait, limit) => {
    const each = { user_action: 20, device_connect: 30, activation: 40 };
    const started = running.started === null ? null : { ...running.started, limits: each };
    const ended = (seconds: number) => millisOf(since + seconds * 1000);
    const facts: Facts = { started, ...wait, endedAt: ended(each[limit]) };
    expect(holds('I7', state, facts)).toBe(true);
    expect(holds('I7', state, { ...facts, endedAt: millisOf(ended(each[limit]) - 1) })).toBe(false);
    expect(holds('I7', state, { ...facts, endedAt: null })).toBe(false);
    expect(holds('I7', state, { ...facts, startedAt: null, waitingSince: null })).toBe(false);
    expect(holds('I7', 'failed', { ...facts, endedAt: since })).toBe(true);
  });

  it('the activation does not time out if it has no limit', () => {
    const started = running.started === null ? null : { ...running.started, limits: { ...limits, activation: null } };
    expect(holds('I7', 'activationTimedOut', { started, endedAt: millisOf(START + 9_000_000) })).toBe(false);
  });
});

describe('I8: an answer of the wrong kind never leads back to work', () => {
  const wrongAction = { expected: 'TrezorPin', given: 'TrezorPassphrase' } as const;

  it.each([...FINISHED, 'forgotten', 'wrongUserAction', 'cancelling', 'cancelled'])(
    'may be in the log of %s',
    (state) => {
      expect(holds('I8', state, { wrongAction })).toBe(true);
      expect(holds('I8', state, { wrongAction: { ...wrongAction, given: 'TrezorPin' } })).toBe(false);
    },
  );

  it('is in no log of a task that works, and in that of every task that is about to fail because of it', () => {
    for (const state of ['started', 'awaitingPin', 'finishing'])
      expect(holds('I8', state, { wrongAction })).toBe(false);
    expect(holds('I8', 'wrongUserAction')).toBe(false);
    expect(holds('I8', 'started')).toBe(true);
  });
});

describe('I9: every task that exists has its request', () => {
  it('breaks with each member that is missing, or there too early', () => {
    expect(holds('I9', 'started')).toBe(true);
    expect(holds('I9', 'started', { started: null })).toBe(false);
    expect(holds('I9', 'started', { startedAt: null })).toBe(false);
    expect(holds('I9', 'created', { started: null, startedAt: null })).toBe(true);
    expect(holds('I9', 'created', { started: null })).toBe(false);
    expect(holds('I9', 'created', { startedAt: null })).toBe(false);
  });
});

describe('I10: a task whose coin alone was removed had it in use before', () => {
  it.each(['passive', 'keptPassive'])('%s: it is out', (state) => {
    expect(holds('I10', state, { passive: true, result })).toBe(true);
    expect(holds('I10', state, { passive: false, result })).toBe(false);
  });

  it('and is brought back, or was, by the same task', () => {
    expect(holds('I10', 'sessionLost', { passive: true, resumes: true })).toBe(true);
    expect(holds('I10', 'sessionLost', { passive: true })).toBe(false);
    expect(holds('I10', 'completed', { passive: true, result })).toBe(true);
    expect(holds('I10', 'started')).toBe(true);
  });
});
