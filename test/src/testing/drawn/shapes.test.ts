import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makerSwapChart } from '../../../../machines/maker-swap/machine.ts';
import { takerSwapChart } from '../../../../machines/taker-swap/machine.ts';
import type { Role } from '../../../../src/events/catalog.ts';
import { encodeSavedSwap, savedSwapText } from '../../../../src/events/encode.ts';
import { decodeSavedSwap, type SwapLog } from '../../../../src/events/saved-swap.ts';
import { decodeSwapsText } from '../../../../src/events/wrappers.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../../src/primitives/json.ts';
import { storedText } from '../../../../src/testing/drawn/arbitraries.ts';
import { swapLog } from '../../../../src/testing/drawn/logs.ts';
import { STORED_ORIGINS, simplePaths } from '../../../../src/testing/drawn/paths.ts';
import {
  plainForm,
  type StoredShape,
  storedShapes,
  swapShapes,
  wrappers,
} from '../../../../src/testing/drawn/shapes.ts';
import { buildSwap, buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../../support/draws.ts';

const ROLES: readonly Role[] = ['taker', 'maker'];

/** One path in so many gives a log. */
const STEP = draws({ sample: 60, change: 12 });

function readOne(text: string): SwapLog {
  const [swap, ...others] = decodeSwapsText(text);
  expect(others).toEqual([]);
  if (swap === undefined || !swap.ok) throw swap?.error ?? new Error('nothing read');
  return swap.log;
}

/** The log as it can be compared: in the real node's form, or, where that form cannot hold it, by its known members. */
function expectSameSwap(read: SwapLog, expected: JsonObject): void {
  const kept = decodeSavedSwap(expected);
  expect(read.role).toBe(kept.role);
  const lacks =
    kept.anomalies.length > 0 || /"(?:wait_until|maker_coin_start_block)":null/.test(JSON.stringify(expected));
  if (!lacks) expect(encodeSavedSwap(read, 'kdf')).toEqual(encodeSavedSwap(kept, 'kdf'));
  else expect(read).toMatchObject({ uuid: kept.uuid, events: kept.events });
}

function expectReadable(shape: StoredShape, plain: JsonObject): void {
  const read = readOne(shape.text(plain));
  expectSameSwap(read, shape.keeps(plain));
  expect([...new Set(read.anomalies.map(({ code }) => code))]).toEqual(shape.anomalies);
}

const logs = ROLES.flatMap((role) =>
  [...simplePaths(role === 'taker' ? takerSwapChart : makerSwapChart, { origins: STORED_ORIGINS })]
    .filter((_, index) => index % STEP === 0)
    .map(({ events }, seed) =>
      plainForm(
        buildSwap({ role, path: events, seed, era: (['current', '2021', '2019'] as const)[seed % 3] ?? 'current' }),
      ),
    ),
);

describe('a shape of stored swaps', () => {
  it.each(storedShapes)('is read without loss: $name', (shape) => {
    const fitting = logs.filter((plain) => shape.applies(plain));
    expect(fitting.length).toBeGreaterThan(0);
    for (const plain of fitting) expectReadable(shape, plain);
  });

  it('is read in any mixture of spelling, wrapper and way to write JSON', () => {
    for (const role of ROLES) {
      fc.assert(
        fc.property(storedText(role, { consistent: false }), ({ text, shape, log }) => {
          const read = readOne(text);
          expectSameSwap(read, shape.keeps(plainForm(log)));
          expect(new Set(read.anomalies.map(({ code }) => code))).toEqual(new Set(shape.anomalies));
        }),
        { numRuns: draws({ sample: 20, change: 50, release: 100 }) },
      );
    }
  });

  it('gives an anomaly if the real node refuses it, except for the one shape that the specification has', () => {
    const silent = swapShapes.filter(({ realNode, anomalies }) => realNode === 'refuses' && anomalies.length === 0);
    expect(silent.map(({ name }) => name)).toEqual(['documented-spend-confirmed']);
    const loud = swapShapes.filter(({ anomalies }) => anomalies.length > 0);
    expect(loud.map(({ realNode, anomalies }) => [realNode, ...anomalies])).toEqual(
      Array.from({ length: 5 }, () => ['refuses', 'SHAPE_UPCAST']),
    );
  });

  it('changes the text, changes nothing in place, and is the same each time', () => {
    for (const plain of logs.slice(0, 8)) {
      const before = JSON.stringify(plain);
      for (const shape of storedShapes.filter((one) => one.applies(plain))) {
        const text = shape.text(plain);
        expect(shape.text(plain)).toBe(text);
        expect(JSON.stringify(plain)).toBe(before);
      }
    }
    const [plain] = logs as [JsonObject, ...JsonObject[]];
    const written = storedShapes
      .filter((one) => one.applies(plain) && one.name !== 'kdf')
      .map((one) => one.text(plain));
    expect(written).not.toContain(JSON.stringify(plain));
  });

  it('has a name of its own', () => {
    expect(new Set(storedShapes.map(({ name }) => name)).size).toBe(storedShapes.length);
  });
});

describe('wrappers for several swaps', () => {
  const { taker, maker, terms } = buildSwapPair({ watchers: true });
  const another = buildSwapPair({ seed: 1 }).taker;

  it.each(wrappers.filter(({ holds }) => holds === 'many'))('$name gives back every swap', (wrapper) => {
    const swaps = [taker, another, buildSwapPair({ seed: 2 }).maker].map(plainForm).map(wrapper.prepare);
    const text = JSON.stringify(wrapper.wrap(swaps.map((swap) => ({ swap, written: swap }))));
    const read = decodeSwapsText(text).map((swap) => (swap.ok ? encodeSavedSwap(swap.log, 'kdf') : swap.error));
    expect(read).toEqual(swaps);
  });

  it('that show a swap to others show no secret of the maker', () => {
    const plain = plainForm(maker);
    const beforeItsSpend = { ...plain, events: (plain['events'] as readonly JsonObject[]).slice(0, 8) };
    const shown = new Set(['my_swap_status', 'my_recent_swaps', 'stats_swap_status', 'swapstatus']);
    for (const wrapper of wrappers) {
      const swap = wrapper.prepare(beforeItsSpend);
      const text = JSON.stringify(wrapper.wrap([{ swap, written: swap }]));
      expect(text.includes(bytesToHex(terms.secret))).toBe(!shown.has(wrapper.name));
    }
  });
});

describe('what no release knows', () => {
  const unknownEvent = (at: number, n: number) => ({
    timestamp: at,
    event: { type: `SomethingOf${n}`, data: { deep: [{ n }, null, 'text', 1.5] }, beside: n },
    outside: [n],
  });

  it('survives the way through the form of the specification, members and events alike', () => {
    for (const role of ROLES) {
      fc.assert(
        fc.property(
          swapLog(role, { consistent: false }),
          fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
          // A member that would set a prototype is refused, which has tests of its own.
          fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
          (log, spots, value) => {
            const events = [...(encodeSavedSwap(log)['events'] as JsonObject[])];
            for (const [n, spot] of spots.entries()) {
              const at = Math.min(spot, events.length);
              events.splice(at, 0, unknownEvent(Number(events[Math.max(0, at - 1)]?.['timestamp'] ?? 0), n) as never);
            }
            const swap = { ...encodeSavedSwap(log), events, unknown_beside: value } as unknown as JsonObject;
            const unknown = swapShapes.find(({ name }) => name === 'unknown-members')?.write(swap) ?? swap;
            const text = JSON.stringify(unknown);
            const written = savedSwapText(readOne(text));
            expect(JSON.parse(written)).toEqual(JSON.parse(text));
          },
        ),
        { numRuns: draws({ sample: 10, change: 25, release: 50 }) },
      );
    }
  });
});
