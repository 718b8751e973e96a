import { describe, expect, it } from 'vitest';
import type { MachineEvent } from '../../../machines/definition.ts';
import { SwapfoldError } from '../../../src/primitives/error.ts';
import { compile } from '../../../src/replay/compile.ts';
import { fold, type OnRefused, refuse, step } from '../../../src/replay/fold.ts';
import { happening, type SmallContext, smallMachine, to } from '../../support/small-machine.ts';

const machine = compile(
  smallMachine({
    events: ['Go', 'Open', 'Pass', 'End'],
    states: {
      off: { on: { Go: to('on', 'Go') } },
      on: { on: { Open: to('on', 'Open'), Pass: { ...to('passed', 'Pass'), guard: 'isOpen' } } },
      passed: { on: { End: to('done', 'End') } },
      done: { type: 'final' },
    },
    guards: { isOpen: ({ isOpen }) => isOpen },
  }),
);

const errorOf = (act: () => unknown): Pick<SwapfoldError, 'code' | 'shortMessage' | 'facts' | 'next'> | undefined => {
  try {
    act();
  } catch (error) {
    if (!(error instanceof SwapfoldError)) throw error;
    const { code, shortMessage, facts, next } = error;
    return { code, shortMessage, facts, next };
  }
  return undefined;
};

describe('a fold', () => {
  it('begins where the chart begins, with a context of its own', () => {
    expect(fold(machine, [])).toEqual({ state: 'off', context: { taken: [], isOpen: false } });
    expect(fold(machine, []).context).not.toBe(fold(machine, []).context);
  });

  it('follows the edges, those with a guard by the context at that moment', () => {
    const types = ['Go', 'Open', 'Pass', 'End'];
    expect(fold(machine, happening(types))).toEqual({ state: 'done', context: { taken: types, isOpen: true } });
    expect(errorOf(() => fold(machine, happening(['Go', 'Pass'])))?.facts['event']).toBe('Pass');
  });

  it('refuses an event that the state cannot accept, and says which may come', () => {
    expect(errorOf(() => fold(machine, happening(['Go', 'Go'])))).toEqual({
      code: 'ILLEGAL_EVENT',
      shortMessage: 'The log holds an event that its state cannot take.',
      facts: { machine: 'small', seq: 1, event: 'Go', state: 'on', allowed: 'Open' },
      next: 'Replay the log with `swapfold replay` to see what is missing or misplaced.',
    });
    const allowed = (...types: string[]) => errorOf(() => fold(machine, happening(types)))?.facts['allowed'];
    expect(allowed('Go', 'Open', 'Go')).toBe('Open, Pass');
    expect(allowed('Go', 'Open', 'Pass', 'End', 'Go')).toBe('none');
    expect(allowed('Unheard')).toBe('Go');
  });
});

describe('an event that was refused', () => {
  const told: unknown[] = [];
  const answer =
    (state: number | undefined): OnRefused<SmallContext, MachineEvent> =>
    (event, seq, position) => {
      told.push([event.type, seq, machine.states[position.state]]);
      return state;
    };
  const folded = (types: readonly string[], state: number | undefined) => {
    told.length = 0;
    return fold(machine, happening(types), answer(state));
  };

  it('is ignored if nobody says where to continue', () => {
    expect(folded(['End', 'Go'], undefined)).toEqual({ state: 'on', context: { taken: ['Go'], isOpen: false } });
    expect(told).toEqual([['End', 0, 'off']]);
  });

  it('is still taken from where the answer says', () => {
    const passed = machine.states.indexOf('passed');
    expect(folded(['Go', 'Pass', 'End'], passed)).toEqual({
      state: 'done',
      context: { taken: ['Go', 'Pass', 'End'], isOpen: false },
    });
    expect(told).toEqual([['Pass', 1, 'on']]);
    expect(folded(['End'], 0)).toEqual({ state: 'off', context: { taken: ['End'], isOpen: false } });
  });

  it('changes nothing if no recipe handles it, whatever the answer', () => {
    expect(folded(['Unheard'], 1)).toEqual({ state: 'off', context: { taken: [], isOpen: false } });
    expect(told).toEqual([['Unheard', 0, 'off']]);
  });
});

describe('a step', () => {
  const stepped = (type: string, onRefused: OnRefused<SmallContext, MachineEvent> = () => undefined) => {
    const position = { state: 1, context: { taken: [], isOpen: false } as SmallContext };
    const [event] = happening([type]);
    const taken = step(machine, position, { event: event as MachineEvent, seq: 7, onRefused });
    return [taken, machine.states[position.state], position.context.taken];
  };

  it('says whether the state accepted the event as it came', () => {
    expect(stepped('Open')).toEqual([true, 'on', ['Open']]);
    expect(stepped('Pass')).toEqual([false, 'on', []]);
    expect(stepped('Pass', () => 2)).toEqual([false, 'passed', ['Pass']]);
    expect(stepped('Unheard', () => 2)).toEqual([false, 'on', []]);
  });

  it('names the position of what it refuses', () => {
    expect(errorOf(() => stepped('Go', refuse(machine)))?.facts['seq']).toBe(7);
  });
});
