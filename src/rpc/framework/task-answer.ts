import type { StatusResult } from '../../../machines/activation/enable-eth/status.ts';
import type { TendermintStatus } from '../../../machines/activation/enable-tendermint/status.ts';
import type { TaskAnswer } from '../../../machines/activation/task/decide.ts';
import { activationError } from '../../../machines/activation/task/errors.ts';
import { isJsonObject, type JsonObject } from '../../primitives/json.ts';

/** What `status` of a family of tasks answers. */
export type ToldStatus = StatusResult | TendermintStatus;

type Result = Extract<TaskAnswer<ToldStatus>, { readonly ok: true }>['result'] | ToldStatus;

/**
 * A status in the form of the real node: the error of a task lies one level higher, waiting for a device has the device's name, and a wait that was too
 * long is an internal error.
 */
export function statusAsThere(result: Result): unknown {
  if (typeof result === 'string' || !('status' in result)) return result;
  if (result.status === 'Error') return { ...result, details: errorAsThere(result.details.result) };
  if (result.details === 'WaitingForDeviceToConnect') return { ...result, details: 'WaitingForTrezorToConnect' };
  return result;
}

function errorAsThere(error: JsonObject | object): object {
  const { error_type, error_data } = error as { readonly error_type?: string; readonly error_data?: unknown };
  if (error_type !== 'TaskTimedOut' || !isJsonObject(error_data) || !isJsonObject(error_data['duration'])) return error;
  return activationError('Internal', `RPC task timeout '${String(error_data['duration']['secs'])}s'`);
}
