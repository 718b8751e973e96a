import type { Invariant } from '../../definition.ts';
import { type EnableEthContext, limitOf } from './context.ts';
import { phaseOf } from './status.ts';
import { holdsCoin } from './wants.ts';

/** Names under which a secret could get into a context. The key policy names a kind of key, not a key. */
const SECRET_NAME = /^(pin|passphrase|password|userpass|mnemonic|seed|secret|session|session_topic|priv_?key)$/i;
const CREDENTIALS_IN_URL = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#\s]*@/i;

function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return CREDENTIALS_IN_URL.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => SECRET_NAME.test(name) || holdsSecret(member));
}

const statusOfState: Readonly<Record<string, string>> = {
  started: 'ActivatingCoin',
  sessionLost: 'ActivatingCoin',
  activatingCoin: 'ActivatingCoin',
  requestingBalance: 'RequestingWalletBalance',
  finishing: 'Finishing',
  waitingForDevice: 'WaitingForDeviceToConnect',
  followingDevice: 'FollowHwDeviceInstructions',
};

function statusFits(state: string, context: EnableEthContext): boolean {
  const status = statusOfState[state];
  if (state === 'created') return context.status === null;
  return status === undefined ? context.status !== null : context.status === status;
}

function awaitingFits(state: string, context: EnableEthContext): boolean {
  if (phaseOf(state) !== 'awaiting') return context.awaiting === null;
  const { awaiting, status, waitingSince } = context;
  const asked = state === 'awaitingPin' ? 'EnterTrezorPin' : 'EnterTrezorPassphrase';
  return awaiting === asked && status !== null && status !== 'Finishing' && waitingSince !== null;
}

/** A state in which the task has an outcome: it finished, or it finished and was forgotten. */
function hasOutcome(state: string): boolean {
  return phaseOf(state) === 'finished' || wasForgotten(state);
}

function wasForgotten(state: string): boolean {
  return ['kept', 'keptReduced', 'keptPassive', 'forgotten'].includes(state);
}

function outcomeFits(state: string, { result, error }: EnableEthContext): boolean {
  if (!hasOutcome(state)) return result === null && error === null;
  if (holdsCoin(state) || state === 'released') return result !== null && error === null;
  return state === 'forgotten' ? (result === null) !== (error === null) : result === null && error !== null;
}

function endFits(state: string, { endedAt, forgottenAt, lastEventAt }: EnableEthContext): boolean {
  const ended = hasOutcome(state) || state === 'cancelled';
  if ((endedAt !== null) !== ended || (forgottenAt !== null) !== wasForgotten(state)) return false;
  const since = state === 'keptReduced' || state === 'keptPassive' ? forgottenAt : endedAt;
  if (['released', 'reduced', 'passive', 'keptReduced', 'keptPassive'].includes(state))
    return since !== null && lastEventAt !== null && lastEventAt >= since;
  return !ended || lastEventAt === (wasForgotten(state) ? forgottenAt : endedAt);
}

const limitOfState = {
  userActionTimedOut: 'user_action',
  deviceConnectTimedOut: 'device_connect',
  activationTimedOut: 'activation',
} as const;

function waitedLongEnough(state: string, context: EnableEthContext): boolean {
  if (!Object.hasOwn(limitOfState, state)) return true;
  const limit = limitOfState[state as keyof typeof limitOfState];
  const since = limit === 'activation' ? context.startedAt : context.waitingSince;
  const seconds = limitOf(context, limit);
  return seconds !== null && since !== null && context.endedAt !== null && context.endedAt >= since + seconds * 1000;
}

function wrongActionFits(state: string, { wrongAction }: EnableEthContext): boolean {
  if (wrongAction === null) return state !== 'wrongUserAction';
  if (wrongAction.expected === wrongAction.given) return false;
  return hasOutcome(state) || ['wrongUserAction', 'cancelling', 'cancelled'].includes(state);
}

function passiveFits(state: string, { passive, resumes, result }: EnableEthContext): boolean {
  if (state === 'passive' || state === 'keptPassive') return passive;
  return !passive || resumes || result !== null;
}

/** What holds after every event of an ETH activation task. */
export const enableEthInvariants: readonly Invariant<EnableEthContext>[] = [
  {
    id: 'I1',
    text: 'A task holds a result or an error, never both, and neither before it finished.',
    holds: outcomeFits,
  },
  {
    id: 'I2',
    text: 'A task that awaits a user action knows what is asked, since when, and the status that it will return to.',
    holds: awaitingFits,
  },
  {
    id: 'I3',
    text: 'A cancelled task holds no result and no error, and was asked to stop.',
    holds: (state, { result, error, cancelRequestedAt }) =>
      state !== 'cancelled' || (result === null && error === null && cancelRequestedAt !== null),
  },
  {
    id: 'I4',
    text: 'After the end nothing but forgetting follows, and the loss of the coin or of the process that holds it.',
    holds: endFits,
  },
  {
    id: 'I5',
    text: 'No PIN, passphrase, session or credential is in the context.',
    holds: (_, context) => !holdsSecret(context),
  },
  { id: 'I6', text: 'The status in progress is the one that the state bears.', holds: statusFits },
  { id: 'I7', text: 'No wait is ended before its limit.', holds: waitedLongEnough },
  { id: 'I8', text: 'An answer of the wrong kind never leads back to work.', holds: wrongActionFits },
  {
    id: 'I9',
    text: 'Every task that exists has its request.',
    holds: (state, { started, startedAt }) =>
      (state === 'created') === (started === null) && (state === 'created') === (startedAt === null),
  },
  {
    id: 'I10',
    text: 'A task whose coin was taken out alone had it in use before.',
    holds: passiveFits,
  },
];
