import type { Invariant } from '../../definition.ts';
import { limitOf, type TaskContext } from './context.ts';
import { holdsCoin, type TaskPhase } from './status.ts';

/** Names under which a secret could enter a context. The key policy names a kind of key, not a key. */
const SECRET_NAME = /^(pin|passphrase|password|userpass|mnemonic|seed|secret|session|session_topic|priv_?key)$/i;
const CREDENTIALS_IN_URL = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#\s]*@/i;

export function holdsSecret(value: unknown): boolean {
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

function statusFits(state: string, context: Pick<TaskContext, 'status'>): boolean {
  const status = statusOfState[state];
  if (state === 'created') return context.status === null;
  return status === undefined ? context.status !== null : context.status === status;
}

function wasForgotten(state: string): boolean {
  return ['kept', 'keptReduced', 'keptPassive', 'forgotten'].includes(state);
}

const AFTER_END = ['released', 'reduced', 'passive', 'keptReduced', 'keptPassive'];

function passiveFits(state: string, { passive, resumes, result }: TaskContext): boolean {
  if (state === 'passive' || state === 'keptPassive') return passive;
  return !passive || resumes || result !== null;
}

/** A state in which the task has an outcome: it finished, or it finished and was forgotten. */
export function outcomeIn(phaseOf: (state: string) => TaskPhase) {
  return (state: string): boolean => phaseOf(state) === 'finished' || wasForgotten(state);
}

/** What holds for tasks of all families after every event, under the same number in each family. */
export function taskInvariants(phaseOf: (state: string) => TaskPhase) {
  const hasOutcome = outcomeIn(phaseOf);
  const outcomeFits = (state: string, { result, error }: TaskContext): boolean => {
    if (!hasOutcome(state)) return result === null && error === null;
    if (holdsCoin(state) || state === 'released') return result !== null && error === null;
    return state === 'forgotten' ? (result === null) !== (error === null) : result === null && error !== null;
  };
  const endFits = (state: string, { endedAt, forgottenAt, lastEventAt }: TaskContext): boolean => {
    const ended = hasOutcome(state) || state === 'cancelled';
    if ((endedAt !== null) !== ended || (forgottenAt !== null) !== wasForgotten(state)) return false;
    const since = state === 'keptReduced' || state === 'keptPassive' ? forgottenAt : endedAt;
    if (AFTER_END.includes(state)) return since !== null && lastEventAt !== null && lastEventAt >= since;
    return !ended || lastEventAt === (wasForgotten(state) ? forgottenAt : endedAt);
  };
  return {
    I1: {
      id: 'I1',
      text: 'A task holds a result or an error, never both, and neither before it has finished.',
      holds: outcomeFits,
    },
    I3: {
      id: 'I3',
      text: 'A canceled task holds no result and no error, and was asked to stop.',
      holds: (state, { result, error, cancelRequestedAt }) =>
        state !== 'cancelled' || (result === null && error === null && cancelRequestedAt !== null),
    },
    I4: {
      id: 'I4',
      text: 'After the end, a task can only be forgotten, or lose its coin or the process that holds it.',
      holds: endFits,
    },
    I5: {
      id: 'I5',
      text: 'The context holds no PIN, passphrase, session or credential.',
      holds: (_, context) => !holdsSecret(context),
    },
    I6: { id: 'I6', text: 'The status in progress is the status of the state.', holds: statusFits },
    I9: {
      id: 'I9',
      text: 'Every task that exists has its request.',
      holds: (state, { started, startedAt }) =>
        (state === 'created') === (started === null) && (state === 'created') === (startedAt === null),
    },
    I10: {
      id: 'I10',
      text: 'A task whose coin alone was disabled had it in use before.',
      holds: passiveFits,
    },
  } as const satisfies Readonly<Record<string, Invariant<TaskContext>>>;
}

/** Whether an ended wait lasted until its limit. */
export function waitedLongEnough(
  context: TaskContext,
  { limit, since }: { readonly limit: Parameters<typeof limitOf>[1]; readonly since: number | null },
): boolean {
  const seconds = limitOf(context, limit);
  return seconds !== null && since !== null && context.endedAt !== null && context.endedAt >= since + seconds * 1000;
}
