import { beforeEach, describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../../machines/definition.ts';
import { SwapfoldError } from '../../../src/primitives/error.ts';
import {
  allowedTypes,
  type CompiledMachine,
  compile,
  hasOnly,
  nextState,
  REFUSED,
} from '../../../src/replay/compile.ts';
import { from, type SmallContext, type SmallMachine, smallMachine, to } from '../../support/small-machine.ts';

const doors = {
  events: ['Go', 'Open', 'End'],
  states: {
    off: { on: { Go: to('on', 'Go', from('live')), End: to('done', 'End') } },
    on: { on: { Go: to('on', 'Go'), Open: to('off', 'Open'), End: to('done', 'End') } },
    done: { type: 'final' },
  },
};

describe('a table', () => {
  let machine: CompiledMachine<SmallContext, MachineEvent>;
  beforeEach(() => {
    machine = compile(smallMachine(doors));
  });

  it('holds for each state and event type the state that follows', () => {
    const [off, on, done] = [0, 1, 2];
    expect(machine.states).toEqual(['off', 'on', 'done']);
    expect(machine.types).toEqual(['Go', 'Open', 'End']);
    expect([...machine.typeIndex]).toEqual([
      ['Go', 0],
      ['Open', 1],
      ['End', 2],
    ]);
    expect([...machine.cells]).toEqual([on, REFUSED, done, on, off, done, REFUSED, REFUSED, REFUSED]);
    expect(machine.candidates).toEqual([]);
    expect(machine.final).toEqual([false, false, true]);
    const { reducers } = machine.definition;
    expect(machine.reducers).toEqual(['Go', 'Open', 'End'].map((type) => reducers[type]));
  });

  it('begins where the chart begins', () => {
    expect(machine.initial).toBe(0);
    expect(compile(smallMachine({ ...doors, initial: 'on' })).initial).toBe(1);
  });

  it('keeps the edges with why they are there', () => {
    expect(machine.edges.map(({ from, type, to, meta }) => [from, type, to, meta?.origin])).toEqual([
      [0, 0, 1, ['live']],
      [0, 2, 2, undefined],
      [1, 0, 1, undefined],
      [1, 1, 0, undefined],
      [1, 2, 2, undefined],
    ]);
  });

  it('names the one state to which an event type leads, or none', () => {
    expect([...machine.landing]).toEqual([1, 0, 2]);
    const split = { ...doors.states, on: { on: { Go: to('off', 'Go') } } };
    expect([...compile(smallMachine({ ...doors, states: split })).landing]).toEqual([-1, -1, 2]);
  });

  it('says which events a state accepts', () => {
    const context = { taken: [], isOpen: false };
    expect(allowedTypes(machine, { state: 0, context })).toEqual(['Go', 'End']);
    expect(allowedTypes(machine, { state: 1, context })).toEqual(['Go', 'Open', 'End']);
    expect(allowedTypes(machine, { state: 2, context })).toEqual([]);
  });

  it('takes the reducer from the entry of a state as well as from its edge, by name or by object', () => {
    const states = {
      a: { on: { Go: 'b', Open: { target: 'c', actions: { type: 'Open' } } } },
      b: { entry: 'Go' },
      c: {},
    };
    expect(compile(smallMachine({ ...doors, states })).edges.map(({ to }) => to)).toEqual([1, 2]);
  });
});

describe('an edge with a guard', () => {
  const guards = { isOpen: ({ isOpen }: { readonly isOpen: boolean }) => isOpen };
  const guarded = (target: string) => ({ ...to(target, 'Go'), guard: 'isOpen' });
  const states = {
    a: { on: { Go: [guarded('b'), to('c', 'Go')] } },
    b: { on: { Go: { ...to('c', 'Go'), guard: { type: 'isOpen' } } } },
    c: {},
  };
  let machine: CompiledMachine<SmallContext, MachineEvent>;
  beforeEach(() => {
    machine = compile(smallMachine({ events: ['Go'], states, guards }));
  });
  const next = (state: number, isOpen: boolean) =>
    nextState(machine, { state, type: 0, context: { taken: [], isOpen } });

  it('is followed if the context allows it, and the first of several that are possible', () => {
    expect([...machine.cells]).toEqual([-2, -3, REFUSED]);
    expect(machine.candidates.map((list) => list.map((edge) => edge.to))).toEqual([[1, 2], [2]]);
    expect([next(0, true), next(0, false)]).toEqual([1, 2]);
  });

  it('is refused if no guard holds', () => {
    expect([next(1, true), next(1, false)]).toEqual([2, REFUSED]);
    expect(next(2, true)).toBe(REFUSED);
    const context = { taken: [], isOpen: false };
    expect(allowedTypes(machine, { state: 1, context })).toEqual([]);
    expect(allowedTypes(machine, { state: 1, context: { ...context, isOpen: true } })).toEqual(['Go']);
  });
});

describe('a chart that no table can hold', () => {
  const refused = (changes: Partial<SmallMachine>) => {
    try {
      compile(smallMachine({ ...doors, ...changes }));
    } catch (error) {
      if (!(error instanceof SwapfoldError)) throw error;
      const { code, facts, shortMessage, next } = error;
      expect({ code, next }).toEqual({
        code: 'CHART_UNSUPPORTED',
        next: 'Keep charts flat, with one reducer per event, and derive timers and effects from the state.',
      });
      return `${facts['machine']}.${facts['state']}: ${shortMessage}`;
    }
    return undefined;
  };
  const holds = (what: string) => `small.a: The chart holds what a table cannot: ${what}.`;
  const state = (a: object) => refused({ states: { a, b: {} } });

  it.each([
    ['a compound state', { initial: 'x', states: { x: {} } }],
    ['a parallel state', { type: 'parallel', states: { x: {} } }],
    ['an invoked actor', { invoke: { src: 'other' } }],
    ['a timer', { after: { 1000: 'b' } }],
    ['a transition without event', { always: 'b' }],
    ['an exit action', { exit: 'Go' }],
    ['an event that the machine does not declare: Unheard', { on: { Unheard: to('b', 'Unheard') } }],
    ['no target for Go', { on: { Go: { actions: 'Go' } } }],
    ['actions of Go other than its own reducer: ', { on: { Go: 'b' } }],
    ['actions of Go other than its own reducer: Open', { on: { Go: to('b', 'Open') } }],
    ['actions of Go other than its own reducer: Go, Open', { on: { Go: { target: 'b', actions: ['Go', 'Open'] } } }],
    [
      'actions of Go other than its own reducer: an anonymous action',
      { on: { Go: { target: 'b', actions: () => 1 } } },
    ],
    ['a guard that the machine does not name: isOpen', { on: { Go: { ...to('b', 'Go'), guard: 'isOpen' } } }],
    ['a guard that the machine does not name: isOpen', { on: { Go: { ...to('b', 'Go'), guard: { type: 'isOpen' } } } }],
    ['a guard without a name', { on: { Go: { ...to('b', 'Go'), guard: () => true } } }],
  ])('is refused for %s', (what, a) => {
    expect(state(a)).toBe(holds(what));
  });

  it('is none where all is flat', () => {
    expect(state({ on: { Go: to('b', 'Go') } })).toBeUndefined();
    expect(refused({ guards: { other: () => true } })).toBeUndefined();
  });
});

describe('the reasons for an edge', () => {
  it('are one alone where all of them are the same', () => {
    expect(hasOnly(from('legacy'), 'legacy')).toBe(true);
    expect(hasOnly(from('legacy', 'live'), 'legacy')).toBe(false);
    expect(hasOnly(from('live'), 'legacy')).toBe(false);
    expect(hasOnly(from(), 'legacy')).toBe(false);
    expect(hasOnly(undefined, 'legacy')).toBe(false);
  });
});
