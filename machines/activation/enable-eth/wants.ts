import type { Millis } from '../../../src/primitives/time.ts';
import type { Want } from '../../definition.ts';
import type { EnableEthContext, InProgressStatus } from './context.ts';
import { enableEthDeadlines } from './deadlines.ts';
import { wrongUserAction } from './errors.ts';

/** Effects of an activation task. An effect that is no longer wanted is given up, with all that it holds. */
export type EnableEthEffect =
  | 'activateCoin'
  | 'requestBalances'
  | 'registerCoins'
  | 'connectDevice'
  | 'followDevice'
  | 'askPin'
  | 'askPassphrase'
  | 'reportWrongUserAction'
  | 'abortActivation';

const effectOf: Readonly<Record<InProgressStatus, EnableEthEffect>> = {
  ActivatingCoin: 'activateCoin',
  RequestingWalletBalance: 'requestBalances',
  Finishing: 'registerCoins',
  WaitingForDeviceToConnect: 'connectDevice',
  FollowHwDeviceInstructions: 'followDevice',
};

/**
 * What the task wants done, by state alone, so that a process that starts again knows it from the log. The asking effects
 * open the device's session again where it was lost: the device then asks once more, and the answer is not in the log.
 */
export function enableEthWants(state: string, context: EnableEthContext): readonly Want[] {
  switch (state) {
    case 'started':
    case 'activatingCoin':
    case 'requestingBalance':
    case 'finishing':
    case 'waitingForDevice':
    case 'followingDevice':
    case 'userActionProvided':
      return [want(effectOf[context.status ?? 'ActivatingCoin'], { state, context })];
    case 'awaitingPin':
      return [want('askPin', { state, context })];
    case 'awaitingPassphrase':
      return [want('askPassphrase', { state, context })];
    case 'wrongUserAction':
      return [reportWrongAction(context)];
    case 'cancelling':
      return [want('abortActivation', { state, context })];
    default:
      return [];
  }
}

type Place = { readonly state: string; readonly context: EnableEthContext };

function want(effect: EnableEthEffect, { state, context }: Place): Want {
  const ends = enableEthDeadlines(state, context).map(({ at }) => at);
  const until = ends.length === 0 ? {} : { until: Math.min(...ends) as Millis };
  return { effect, ...until, params: taskOf(context) };
}

/** The worker appends `Failed` with this error. */
function reportWrongAction(context: EnableEthContext): Want {
  const { error, error_type } = wrongUserAction(context.wrongAction?.expected ?? 'TrezorPin');
  const effect: EnableEthEffect = 'reportWrongUserAction';
  return { effect, params: { ...taskOf(context), error_type, error } };
}

function taskOf(context: EnableEthContext) {
  return { task_id: context.started?.task_id ?? null, ticker: context.started?.params.ticker ?? null };
}
