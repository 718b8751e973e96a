import { createMachine } from 'xstate';
import { graphOf } from '../../machines/chart.ts';
import type { Guards, MachineDefinition, MachineEvent } from '../../machines/definition.ts';
import type { EdgeMeta, EdgeOrigin } from '../../machines/graph.ts';
import type { Millis } from '../../src/primitives/time.ts';

/** What a made-up machine remembers: the types of the events that it took, and a switch for guards. */
export type SmallContext = { readonly taken: string[]; isOpen: boolean };

export type SmallMachine = {
  /** States as XState takes them. Actions and guards go by name. */
  readonly states: Readonly<Record<string, unknown>>;
  /** Event types in order; `Open` also turns the switch on. */
  readonly events: readonly string[];
  readonly initial?: string;
  readonly guards?: Guards<SmallContext>;
};

/** A machine of a few states for tests about charts and tables. */
export function smallMachine(given: SmallMachine): MachineDefinition<SmallContext, MachineEvent> {
  const { states, events, guards, initial = Object.keys(states)[0] } = given;
  const chart = createMachine({ id: 'small', initial, states } as Parameters<typeof createMachine>[0]);
  const reduce = (draft: SmallContext, { type }: MachineEvent) => {
    draft.taken.push(type);
    if (type === 'Open') draft.isOpen = true;
  };
  return {
    ...{ id: 'small', version: 1, graph: graphOf(chart), eventTypes: events },
    initialContext: () => ({ taken: [], isOpen: false }),
    reducers: Object.fromEntries(events.map((type) => [type, reduce])),
    ...(guards === undefined ? {} : { guards }),
    wants: () => [],
    deadlines: () => [],
  };
}

/** An edge to a state, by the reducer of its event. */
export function to(target: string, event: string, meta?: EdgeMeta): object {
  return { target, actions: event, ...(meta === undefined ? {} : { meta }) };
}

export function from(...origin: readonly EdgeOrigin[]): EdgeMeta {
  return { origin };
}

/** Events one second apart, from the given moment on. */
export function happening(types: readonly string[], start = 0): MachineEvent[] {
  return types.map((type, index) => ({ type, at: (start + index * 1000) as Millis, data: null }));
}
