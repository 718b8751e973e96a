import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type Change, OPERATORS, sameTypeChanges, swappedName, syntaxChanges } from '../support/plants/operators.ts';
import { pageOf, totalsOf } from '../support/plants/page.ts';
import { applied, drawPlaces, type Place } from '../support/plants/places.ts';
import { withProbes } from '../support/plants/probes.ts';
import { readTable } from '../support/plants/table.ts';

const ROOT = join(import.meta.dirname, '../..');

function treeOf(text: string): ts.SourceFile {
  return ts.createSourceFile('a.ts', text, ts.ScriptTarget.ESNext, true);
}

const changed = (text: string, changes: readonly Change[], operator: string) =>
  changes.filter((change) => change.operator === operator).map((change) => applied(text, change));

const planted = (operator: string, text: string) => changed(text, syntaxChanges(treeOf(text)), operator);

describe('a mistake that is planted', () => {
  it('confuses legs and parties word by word', () => {
    expect(swappedName('ownTerms', ['own', 'other'])).toBe('otherTerms');
    expect(swappedName('ifOther', ['own', 'other'])).toBe('ifOwn');
    expect(swappedName('taker_payment_hash', ['maker', 'taker'])).toBe('maker_payment_hash');
    expect(swappedName('MakerPaymentSpentByTaker', ['maker', 'taker'])).toBe('TakerPaymentSpentByMaker');
    for (const name of ['known', 'owner', 'brother', 'others', 'payment']) {
      expect(swappedName(name, ['own', 'other']), name).toBeNull();
    }
  });

  it.each([
    ['own/other', 'f(own.lock, known);', ['f(other.lock, known);']],
    ['own/other', 'g({ own });', ['g({ own: other });']],
    ['maker/taker', "on(pair, 'maker');", ["on(pair, 'taker');"]],
    ['maker/taker', "say('the maker has paid');", []],
    ['argument', 'f(a, b.c, b.c);', ['f(b.c, a, b.c);']],
    ['argument', 'f({ x: a, y: b });', ['f({ x: b, y: a });']],
    ['unit', 'wait(pause * 1000);', ['wait(pause);', 'wait(pause / 1000);']],
    ['unit', 'wait(toMillis(lock));', ['wait((lock as number as Millis));']],
    ['off by one', 'f(a <= b);', ['f(a < b);']],
    ['off by one', 'f(a.at(-1));', ['f(a.at(0));']],
    ['off by one', 'f(a - 1);', ['f(a);', 'f(a - 2);']],
    ['await', 'async () => { await f(); };', ['async () => { void f(); };']],
    ['branch', 'if (a) b(); else c();', ['b();', 'c();']],
    ['branch', 'f(a ?? b);', ['f((a));', 'f((b));']],
    ['branch', 'f(a ? b : c);', ['f((c));', 'f((b));']],
    ['step', 'f(a); g.h = a;', ['; g.h = a;']],
    ['step', '{ g.h = a; }', ['{ ; }']],
  ])('of the kind %s: %s', (operator, text, expected) => {
    expect(planted(operator, text)).toEqual(expected);
  });

  it('spares imports, exports and types', () => {
    const text =
      "import { own } from './maker.ts';\nexport { taker } from './own.ts';\ntype own = { readonly maker: 'maker' };";
    expect(syntaxChanges(treeOf(text))).toEqual([]);
  });

  it('uses another moment or value of the same type', () => {
    const text = `type Millis = number & { readonly unit: 'ms' };
      type Swap = { readonly begun: Millis; readonly over: Millis; readonly coin: { readonly code: string } };
      export function late(swap: Swap, now: Millis, then: Millis) { return now > swap.over; }`;
    const host = ts.createCompilerHost({});
    const read = host.getSourceFile;
    host.getSourceFile = (name, ...rest) => (name === 'a.ts' ? treeOf(text) : read(name, ...rest));
    const program = ts.createProgram(['a.ts'], { noLib: true }, host);
    const file = program.getSourceFile('a.ts') as ts.SourceFile;
    const changes = changed(text, sameTypeChanges(file, program.getTypeChecker()), 'clock').map((now) =>
      now.slice(now.indexOf('return')),
    );
    expect(changes).toEqual(['return then > swap.over; }', 'return now > swap.begun; }']);
  });
});

describe('a draw', () => {
  const placesOf = (count: number, file = 'machines/taker-swap/context.ts'): Place[] =>
    Array.from({ length: count }, (_, index) => ({
      operator: OPERATORS[index % 4] as Place['operator'],
      start: index,
      end: index,
      text: '',
      before: '',
      id: `${file}-${index}`,
      room: file.startsWith('machines') ? 'machines of swaps' : 'hash time locks',
      file,
      line: Math.floor(index / 2),
    }));
  const draw = (places: readonly Place[], seed = 7) =>
    drawPlaces(places, { seed, count: 12, compiles: ({ start }) => start % 3 > 0 });
  const ids = (places: readonly Place[]) => places.map(({ id }) => id);

  it('gives the same for a seed, and another for another', () => {
    const places = [...placesOf(60), ...placesOf(30, 'src/htlc/spend.ts')];
    expect(ids(draw(places))).toEqual(ids(draw(places)));
    expect(ids(draw(places, 8))).not.toEqual(ids(draw(places)));
  });

  it('gives each room its share and each kind its turn, and takes only what compiles, never two from a line', () => {
    const drawn = draw([...placesOf(60), ...placesOf(30, 'src/htlc/spend.ts')]);
    const rooms = drawn.map(({ room }) => room);
    expect([rooms.length, rooms.filter((room) => room === 'hash time locks').length]).toEqual([12, 4]);
    expect(new Set(drawn.slice(0, 4).map(({ operator }) => operator)).size).toBe(4);
    expect(drawn.filter(({ start }) => start % 3 === 0)).toEqual([]);
    expect(new Set(drawn.map(({ file, line }) => `${file}:${line}`)).size).toBe(12);
  });
});

describe('a probe', () => {
  const probed = (text: string, part: string): readonly string[] => {
    const start = text.indexOf(part);
    const place = { start, end: start + part.length, id: 'x' } as Place;
    const script = ts.transpile(withProbes('a.ts', text, [place]));
    const scope = { passed: undefined as Set<string> | undefined };
    new Function('globalThis', script)(scope);
    return [...(scope.passed ?? [])];
  };

  it.each([
    ['if (1 > 2) { void 5; }', '5', false],
    ['if (1 < 2) void 5;', '5', true],
    ['const f = (a: number) => a + 5;', '5', false],
    ['const f = (a: number) => a + 5; f(1);', '5', true],
    ['switch (3 as number) { case 3: void 5; }', '5', true],
    ['switch (3 as number) { case 4: void 5; }', '5', false],
  ])('in %s says whether the place is passed', (text, part, passed) => {
    expect(probed(text, part)).toEqual(passed ? ['x'] : []);
  });
});

describe('the table of drawn plants', () => {
  const table = readTable(join(ROOT, 'test/support/plants/table.json'));
  const byHand = readTable(join(ROOT, 'test/support/plants/finality.json'));
  if (table === null || byHand === null) throw new Error('there is no table');

  it('is what the page shows', () => {
    expect(readFileSync(join(ROOT, 'docs/explanation/planted-bugs.md'), 'utf8')).toBe(pageOf(table, byHand));
  });

  it('says of each plant that a swap passes and no run shows why that is so, and who finds each handmade one', () => {
    for (const { id, equivalent, reached, finders, unseen } of table.plants) {
      const isOpen = equivalent === undefined && reached.length > 0 && finders.every(({ by }) => by === 'suite');
      expect(isOpen && unseen === undefined, id).toBe(false);
    }
    for (const { id, file, before, finders } of byHand.plants) {
      expect(finders, id).not.toEqual([]);
      expect(readFileSync(join(ROOT, file), 'utf8').split(before).length, id).toBe(2);
    }
  });

  it('holds at least 80 plants of every kind and room, without those that change nothing', () => {
    const real = table.plants.filter(({ equivalent }) => equivalent === undefined);
    expect(real.length).toBeGreaterThanOrEqual(80);
    expect(new Set(real.map(({ operator }) => operator)).size).toBe(OPERATORS.length);
    expect(new Set(table.plants.map(({ id }) => id)).size).toBe(table.plants.length);
    expect(totalsOf(table).real).toBe(real.length);
  });
});
