import type { EnableEthContext } from '../../../machines/activation/enable-eth/context.ts';
import { dueEvent } from '../../../machines/activation/enable-eth/deadlines.ts';
import { enableEthDefinition } from '../../../machines/activation/enable-eth/definition.ts';
import { finalStates } from '../../../machines/definition.ts';
import { type EnableEthEvent, readEnableEthEvent } from '../../events/enable-eth.ts';
import { compile } from '../../replay/compile.ts';
import type { TaskKind } from '../../runtime/tasks/kind.ts';

const OVER: ReadonlySet<string> = new Set(finalStates(enableEthDefinition.chart));

/** How the tasks that activate coins of EVM chains are hosted. */
export const ethKind: TaskKind<EnableEthContext, EnableEthEvent> = {
  machine: compile(enableEthDefinition),
  read: readEnableEthEvent,
  due: ({ state, context }, at) => dueEvent(state, { context, at }),
  lost: (at) => ({ type: 'SessionLost', at, data: null }),
  labels: ({ state }) => ({
    state,
    finished: OVER.has(state),
  }),
};

const PREFIX = `${enableEthDefinition.id}/`;

/** The stream of a task. */
export function ethStream(id: number): string {
  return `${PREFIX}${id}`;
}

/** The id of a task, by its stream. */
export function ethTaskId(stream: string): number {
  return Number(stream.slice(PREFIX.length));
}
