import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, initialTransition, transition } from 'xstate';
import type { MachineDefinition, MachineEvent } from '../../machines/definition.ts';
import {
  enableEthChart,
  enableEthDefinition,
  enableTendermintChart,
  enableTendermintDefinition,
  finalStates,
  graphOf,
  makerSwap,
  makerSwapChart,
  takerSwap,
  takerSwapChart,
  watcherChart,
  watcherDefinition,
} from '../../machines/index.ts';
import type { EnableEthEventType } from '../../src/events/enable-eth.ts';
import type { EnableTendermintEventType } from '../../src/events/enable-tendermint.ts';
import { compile } from '../../src/replay/compile.ts';
import { fold, step } from '../../src/replay/fold.ts';
import { chartEdges } from '../../src/testing/drawn/paths.ts';
import { initialSnapshot, nextEvent } from '../machines/activation/enable-eth/support.ts';
import {
  nextEvent as tendermintEvent,
  initialSnapshot as tendermintSnapshot,
} from '../machines/activation/enable-tendermint/support.ts';
import { eventsOf as watcherEvents } from '../machines/watcher/support.ts';
import { syntheticEvents } from '../support/synthetic-events.ts';

type Any = MachineDefinition<unknown, MachineEvent>;

type Case = {
  readonly definition: Any;
  readonly chart: AnyStateMachine;
  readonly events: (types: readonly string[]) => readonly MachineEvent[];
};

const taskEvents = (types: readonly EnableEthEventType[]) => types.map((type) => nextEvent(initialSnapshot(), type));

const tendermintEvents = (types: readonly EnableTendermintEventType[]) =>
  types.map((type) => tendermintEvent(tendermintSnapshot(), type));

const cases = [
  { definition: takerSwap, chart: takerSwapChart, events: syntheticEvents },
  { definition: makerSwap, chart: makerSwapChart, events: syntheticEvents },
  { definition: watcherDefinition, chart: watcherChart, events: watcherEvents },
  { definition: enableEthDefinition, chart: enableEthChart, events: taskEvents },
  { definition: enableTendermintDefinition, chart: enableTendermintChart, events: tendermintEvents },
] as unknown as readonly Case[];

for (const { definition, chart, events: eventsFor } of cases) {
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
        step(machine, position, { event: eventsFor([type])[0] as MachineEvent, seq: 0, onRefused: leaveAside });
        return type;
      });
    });

    it('have the same edges and final states', () => {
      const read = graphOf(chart);
      expect(chartEdges(read)).toEqual(chartEdges(definition));
      expect(finalStates(read)).toEqual(finalStates(definition.graph));
      expect(read.initial).toBe(definition.graph.initial);
    });

    it('give the same state and context after every event, legal or not', () => {
      fc.assert(
        fc.property(fc.oneof(types, walks), (sequence) => {
          const events = eventsFor(sequence);
          const position = { state: machine.initial, context: definition.initialContext() };
          let [snapshot] = initialTransition(chart);
          for (const [seq, event] of events.entries()) {
            const legal = snapshot.can(event);
            if (legal) [snapshot] = transition(chart, snapshot, event);
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
      const misplaced = machine.types.find(
        (_, type) => machine.cells[machine.initial * machine.types.length + type] === -1,
      );
      const allowed = machine.types.filter(
        (_, type) => machine.cells[machine.initial * machine.types.length + type] !== -1,
      );
      const text = new RegExp(`\\[ILLEGAL_EVENT\\][\\s\\S]*allowed +${allowed.join(', ')}\\n`);
      expect(() => fold(machine, eventsFor([misplaced as string]))).toThrow(text);
    });

    it('folds the same events to the same context every time, and leaves the events alone', () => {
      fc.assert(
        fc.property(walks, (sequence) => {
          const events = eventsFor(sequence);
          const before = structuredClone(events);
          const first = fold(machine, events, leaveAside);
          expect(fold(machine, events, leaveAside)).toEqual(first);
          expect(events).toEqual(before);
        }),
      );
    });
  });
}
