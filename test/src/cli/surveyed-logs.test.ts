import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSurveyedLogs, MOST_APART } from '../../../src/cli/surveyed-logs.ts';
import type { Role } from '../../../src/events/catalog.ts';
import type { Uuid } from '../../../src/primitives/ids.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';
import { draws } from '../../support/draws.ts';

type Drawn = { readonly id: number; readonly role: Role; readonly events: number; readonly file: string };
type Numbered = Drawn & { readonly number: number };

const uuidOf = (id: number) => `${id.toString(16).padStart(8, '0')}-fe93-4357-8e5a-8cf2699b7e86` as Uuid;
const BUILT = {
  maker: buildSwap({ role: 'maker', path: successPath('maker') }),
  taker: buildSwap({ role: 'taker', path: successPath('taker') }),
};

function readOf({ id, role, events, file }: Drawn) {
  const log = BUILT[role];
  return { ok: true as const, file, log: { ...log, uuid: uuidOf(id), events: log.events.slice(0, events) } };
}

const logs = fc.array(
  fc.record<Drawn>({
    id: fc.integer({ min: 1, max: 6 }),
    role: fc.constantFrom('maker', 'taker'),
    events: fc.integer({ min: 1, max: 3 }),
    file: fc.constantFrom('a.json', 'b.json', 'c/d.json'),
  }),
  { minLength: 1, maxLength: 30 },
);

/** The same from a list of all logs. */
function modelOf(drawn: readonly Drawn[]) {
  const all = drawn.map((log, number): Numbered => ({ ...log, number }));
  const ids = [...new Set(all.map(({ id }) => id))];
  const sideOf = (id: number, role: Role) => all.filter((log) => log.id === id && log.role === role);
  const most = (side: readonly Numbered[]) => side.toSorted((left, right) => right.events - left.events)[0];
  const pairs = ids.flatMap((id) => {
    const [maker, taker] = [most(sideOf(id, 'maker')), most(sideOf(id, 'taker'))];
    return maker === undefined || taker === undefined
      ? []
      : [{ uuid: uuidOf(id), numbers: [maker.number, taker.number] }];
  });
  const copies = ids.flatMap((id) =>
    (['maker', 'taker'] as const).flatMap((role) => {
      const side = sideOf(id, role);
      const files = side.map(({ file }) => file).slice(0, 3);
      return side.length < 2 ? [] : [{ uuid: uuidOf(id), role, logs: side.length, files }];
    }),
  );
  return { swaps: ids.length, pairs, copies };
}

describe('what is remembered of many logs', () => {
  it('is what a list of all of them tells', () => {
    fc.assert(
      fc.property(logs, (drawn) => {
        const [surveyed, model] = [createSurveyedLogs(), modelOf(drawn)];
        for (const log of drawn) surveyed.add(readOf(log));
        expect(surveyed.swaps()).toBe(model.swaps);
        expect(surveyed.pairs(20)).toEqual({
          together: { named: model.pairs.map(({ uuid }) => uuid), all: model.pairs.length },
          apart: { named: [], all: 0 },
        });
        expect(surveyed.copies({ most: 20, files: 3 })).toEqual({ named: model.copies, all: model.copies.length });
        for (const [number, log] of drawn.entries()) {
          const pair = model.pairs.find(({ numbers }) => numbers.includes(number))?.numbers;
          const part = pair === undefined ? null : Math.max(...pair) === number ? 'second' : 'first';
          expect(surveyed.pairOf(number, readOf(log))).toBe(part);
        }
      }),
      { numRuns: draws({ sample: 100, change: 500, release: 1000 }) },
    );
  });

  it('names no more than is asked for, of those that come first', () => {
    const surveyed = createSurveyedLogs();
    const drawn = (id: number, role: Role): Drawn => ({ id, role, events: 1, file: `${role}-${id}.json` });
    for (let id = 200; id > 0; id--)
      for (const role of ['maker', 'taker'] as const) surveyed.add(readOf(drawn(id, role)));
    for (let id = 1; id <= 200; id++) surveyed.add(readOf({ ...drawn(id, 'maker'), file: 'again.json' }));
    const { named, all } = surveyed.copies({ most: 2, files: 3 });
    expect(all).toBe(200);
    expect(named).toEqual(
      [200, 199].map((id) => ({ uuid: uuidOf(id), role: 'maker', logs: 2, files: [`maker-${id}.json`, 'again.json'] })),
    );
    expect(surveyed.pairs(2).together).toEqual({ named: [uuidOf(200), uuidOf(199)], all: 200 });
  });

  it.each([
    [MOST_APART - 1, 'second'],
    [MOST_APART, null],
  ] as const)('keeps no first side of a pair with %i logs between both', (between, part) => {
    const surveyed = createSurveyedLogs();
    const [maker, taker] = (['maker', 'taker'] as const).map((role) =>
      readOf({ id: 1, role, events: 2, file: 'a.json' }),
    ) as [ReturnType<typeof readOf>, ReturnType<typeof readOf>];
    surveyed.add(maker);
    for (let id = 0; id < between; id++) surveyed.add(readOf({ id: id + 2, role: 'maker', events: 1, file: 'a.json' }));
    surveyed.add(taker);
    expect(surveyed.pairOf(between + 1, taker)).toBe(part);
    expect(surveyed.pairOf(0, maker)).toBe(part === null ? null : 'first');
    expect(surveyed.pairs(1)[part === null ? 'apart' : 'together']).toEqual({ named: [uuidOf(1)], all: 1 });
  });
});
