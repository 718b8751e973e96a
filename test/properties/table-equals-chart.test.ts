import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialTransition, transition } from 'xstate';
import type { MachineDefinition, MachineEvent } from '../../machines/definition.ts';
import { makerSwap, takerSwap } from '../../machines/index.ts';
import { compile } from '../../src/replay/compile.ts';
import { fold, step } from '../../src/replay/fold.ts';
import { syntheticEvent, syntheticEvents } from '../support/synthetic-events.ts';

type Any = MachineDefinition<unknown, MachineEvent>;

const definitions = [takerSwap, makerSwap] as unknown as readonly Any[];

for (const definition of definitions) {
  const machine = compile(definition);
  const leaveAside = () => undefined;

  describe(`${definition.id}: the table and the chart's own transition`, () => {
    const types = fc.array(fc.constantFrom(...definition.eventTypes), { maxLength: 25 });
    // Mostly legal sequences: from the state reached so far one of the allowed events is drawn by its rank.
    const walks = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 9 })), { maxLength: 30 }).map((draws) => {
      const position = { state: machine.initial, context: definition.initialContext() };
      return draws.map(([rank, oddity]) => {
        const allowed = machine.types.filter(
          (_, type) => machine.cells[position.state * machine.types.length + type] !== -1,
        );
        const pool = oddity === 0 || allowed.length === 0 ? machine.types : allowed;
        const type = pool[rank % pool.length] as string;
        step(machine, position, { event: syntheticEvent(type, 0), seq: 0, onRefused: leaveAside });
        return type;
      });
    });

    it('give the same state and context after every event, legal or not', () => {
      fc.assert(
        fc.property(fc.oneof(types, walks), (sequence) => {
          const events = syntheticEvents(sequence);
          const position = { state: machine.initial, context: definition.initialContext() };
          let [snapshot] = initialTransition(definition.chart);
          for (const [seq, event] of events.entries()) {
            const legal = snapshot.can(event);
            if (legal) [snapshot] = transition(definition.chart, snapshot, event);
            const taken = step(machine, position, { event, seq, onRefused: leaveAside });
            expect(taken).toBe(legal);
            expect(machine.states[position.state]).toBe(snapshot.value);
            expect(position.context).toEqual(snapshot.context);
          }
        }),
        { numRuns: 300 },
      );
    });

    it('refuses an illegal event by default, naming place and allowed events', () => {
      expect(() => fold(machine, syntheticEvents(['Finished']))).toThrow(
        /\[ILLEGAL_EVENT\][\s\S]*allowed +Started, StartFailed/,
      );
    });

    it('folds the same events to the same context every time, and leaves the events alone', () => {
      fc.assert(
        fc.property(walks, (sequence) => {
          const events = syntheticEvents(sequence);
          const before = structuredClone(events);
          const first = fold(machine, events, leaveAside);
          expect(fold(machine, events, leaveAside)).toEqual(first);
          expect(events).toEqual(before);
        }),
      );
    });
  });
}
