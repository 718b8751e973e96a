import type { EnableEthContext } from '../../../machines/activation/enable-eth/context.ts';
import { dueEvent } from '../../../machines/activation/enable-eth/deadlines.ts';
import { enableEthDefinition } from '../../../machines/activation/enable-eth/definition.ts';
import { type EnableEthEvent, readEnableEthEvent } from '../../events/enable-eth.ts';
import type { TaskKind } from '../../runtime/tasks/kind.ts';
import { taskKind } from './family.ts';

/** How the tasks that activate coins of EVM chains are hosted. */
export const ethKind: TaskKind<EnableEthContext, EnableEthEvent> = taskKind({
  definition: enableEthDefinition,
  read: readEnableEthEvent,
  dueEvent,
  lost: (at) => ({ type: 'SessionLost', at, data: null }),
});
