import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makerSwap } from '../../../../machines/maker-swap/definition.ts';
import { takerSwap } from '../../../../machines/taker-swap/definition.ts';
import { catalog } from '../../../../src/events/catalog.ts';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import { compile } from '../../../../src/replay/compile.ts';
import { fold } from '../../../../src/replay/fold.ts';
import { arbitraryEvents, damagedText, mutation, storedText } from '../../../../src/testing/drawn/arbitraries.ts';
import { legalPath } from '../../../../src/testing/drawn/legal-path.ts';
import { swapLog } from '../../../../src/testing/drawn/logs.ts';
import { LIVE_ORIGINS } from '../../../../src/testing/drawn/paths.ts';
import { draws } from '../../../support/draws.ts';

const definitions = [takerSwap, makerSwap] as const;

describe.each(definitions)('random legal paths of $id', (definition) => {
  const machine = compile(definition as typeof takerSwap);

  it('are accepted by the machine, and end where they say', () => {
    fc.assert(
      fc.property(swapLog(definition.role), ({ events }) => {
        expect(() => fold(machine, events as never[])).not.toThrow();
      }),
    );
    fc.assert(
      fc.property(legalPath(definition), ({ events, states }) => {
        expect(states).toHaveLength(events.length + 1);
        expect(states[0]).toBe('created');
      }),
    );
  });

  it('reach the end if asked to, and stop anywhere if not', () => {
    fc.assert(
      fc.property(legalPath(definition, { complete: true, maxLength: 8 }), ({ states }) => {
        expect(states.at(-1)).toBe('finished');
      }),
    );
    const ends = fc
      .sample(legalPath(definition), { numRuns: draws({ sample: 200, change: 250, release: 500 }), seed: 1 })
      .map(({ states }) => states.at(-1));
    expect(new Set(ends).size).toBeGreaterThan(20);
  });

  it('stay on edges of the requested origins', () => {
    const live = machine.edges.filter(({ meta }) => meta?.origin.some((origin) => LIVE_ORIGINS.includes(origin)));
    const known = new Set(
      live.map(({ from, type, to }) => [machine.states[from], machine.types[type], machine.states[to]].join(' ')),
    );
    fc.assert(
      fc.property(legalPath(definition, { origins: LIVE_ORIGINS, complete: true }), ({ events, states }) => {
        for (const [index, type] of events.entries()) {
          expect(known).toContain([states[index], type, states[index + 1]].join(' '));
        }
      }),
    );
  });

  it('come as logs that are never empty', () => {
    fc.assert(fc.property(swapLog(definition.role, { maxLength: 2 }), ({ events }) => events.length > 0));
  });
});

describe.each(definitions)('arbitrary events of $id', (definition) => {
  it('carry payloads of their type, in the order of time', () => {
    fc.assert(
      fc.property(arbitraryEvents(definition as typeof takerSwap), (events) => {
        for (const [index, { type, at, data }] of events.entries()) {
          expect(catalog[definition.role].get(type)?.payload.safeParse(data).success).toBe(true);
          expect(at).toBeGreaterThanOrEqual(events[index - 1]?.at ?? 0);
        }
      }),
    );
  });

  it('are mostly illegal, and hold every type', () => {
    const machine = compile(definition as typeof takerSwap);
    const drawn = draws({ sample: 100, change: 150, release: 300 });
    const samples = fc.sample(arbitraryEvents(definition as typeof takerSwap), { numRuns: drawn, seed: 1 });
    const refused = samples.filter((events) => {
      let illegal = false;
      fold(machine, events as never[], () => {
        illegal = true;
        return undefined;
      });
      return illegal;
    });
    expect(refused.length).toBeGreaterThan(drawn / 1.5);
    expect(new Set(samples.flat().map(({ type }) => type))).toEqual(new Set(definition.eventTypes));
  });
});

describe('other arbitraries', () => {
  it('no payloads are made up for a machine that is not a swap', () => {
    expect(() => arbitraryEvents({ id: 'watcher', eventTypes: ['Seen'] })).toThrow(RangeError);
  });

  it('stored texts come in very many shapes', () => {
    const samples = fc.sample(storedText('maker'), { numRuns: 400, seed: 1 });
    expect(new Set(samples.map(({ shape }) => shape.name)).size).toBeGreaterThan(100);
  });

  it('a mutation changes its swap', () => {
    fc.assert(
      fc.property(mutation('taker'), ({ swap, change }) => {
        const [before, after] = [JSON.stringify(swap), JSON.stringify(change.apply())];
        expect(JSON.stringify(swap)).toBe(before);
        return change.kind === 'duplicate' || after !== before;
      }),
    );
  });

  it('the reader meets a damaged text with a swap or a typed error', () => {
    fc.assert(
      fc.property(damagedText('taker'), (text) => {
        for (const swap of decodeSwapsText(text)) expect(swap.ok || swap.error instanceof SwapfoldError).toBe(true);
      }),
      { numRuns: draws({ sample: 80, change: 150, release: 300 }) },
    );
  });
});
