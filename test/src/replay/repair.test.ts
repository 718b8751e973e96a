import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/replay/compile.ts';
import { nearestRepair } from '../../../src/replay/repair.ts';
import { from, smallMachine, to } from '../../support/small-machine.ts';

/** A way of six events, a short cut that only this engine takes, and one that asks for more than the state. */
const machine = compile(
  smallMachine({
    events: ['A', 'B', 'C', 'D', 'E', 'F', 'Cut', 'Guarded', 'Lost'],
    states: {
      s0: { on: { A: to('s1', 'A', from('live')) } },
      s1: {
        on: {
          A: to('s1', 'A'),
          B: to('s2', 'B'),
          Cut: to('s4', 'Cut', from('engine')),
          Guarded: { ...to('s5', 'Guarded'), guard: 'never' },
        },
      },
      s2: { on: { C: to('s3', 'C') } },
      s3: { on: { D: to('s4', 'D', from('engine', 'live')) } },
      s4: { on: { E: to('s5', 'E') } },
      s5: { on: { F: to('s6', 'F') } },
      s6: {},
      s7: { on: { Lost: to('s6', 'Lost') } },
    },
    guards: { never: () => false },
  }),
);

const repair = (state: string, type: string, ownLog = false) =>
  nearestRepair(machine, { state: machine.states.indexOf(state), type: machine.types.indexOf(type), seq: 9, ownLog });

describe('the nearest repair', () => {
  it('restores the fewest events after which the misplaced one is legal', () => {
    expect(repair('s0', 'B')).toBe('restore the missing A before B at 9');
    expect(repair('s0', 'C')).toBe('restore the missing A, B before C at 9');
    expect(repair('s1', 'E')).toBe('restore the missing B, C, D before E at 9');
  });

  it('restores four events at most; with five missing the misplaced one is the likelier fault', () => {
    expect(repair('s0', 'E')).toBe('restore the missing A, B, C, D before E at 9');
    expect(repair('s0', 'F')).toBe('remove F at 9');
  });

  it('removes what no way leads to', () => {
    expect(repair('s6', 'A')).toBe('remove A at 9');
    expect(repair('s0', 'Lost')).toBe('remove Lost at 9');
  });

  it('uses an order that only this engine emits only in a log of this engine', () => {
    expect(repair('s1', 'E', true)).toBe('restore the missing Cut before E at 9');
    expect(repair('s0', 'F', true)).toBe('restore the missing A, Cut, E before F at 9');
  });

  it('never takes a path that needs more than the state', () => {
    expect(repair('s1', 'F', true)).toBe('restore the missing Cut, E before F at 9');
  });
});
