import type { Want } from '../../definition.ts';
import { wrongUserAction } from '../task/errors.ts';
import { reportWant, type TaskEffect, taskWants } from '../task/wants.ts';
import type { EnableEthContext } from './context.ts';
import { phaseOf } from './status.ts';

/**
 * Effects of an activation task. The host abandons an effect that is no longer wanted, with everything that it holds.
 */
export type EnableEthEffect = TaskEffect | 'reportWrongUserAction';

const common = taskWants('enable_eth', phaseOf);

/**
 * What the task wants done, from its state only. The work stays one want while the device asks and the user answers,
 * because it holds the device's session, which a prompt must not end.
 */
export function enableEthWants(state: string, context: EnableEthContext): readonly Want[] {
  if (state !== 'wrongUserAction') return common(state, context);
  const error = wrongUserAction(context.wrongAction?.expected ?? 'TrezorPin');
  return [reportWant('reportWrongUserAction' satisfies EnableEthEffect, error, context)];
}
