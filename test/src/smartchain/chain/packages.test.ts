import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseByPackage, type Weighed } from '../../../../src/smartchain/chain/packages.ts';
import { draws } from '../../../support/draws.ts';

/** Each with the places of those before it that it waits for. */
const families = fc
  .array(
    fc.record({
      fee: fc.bigInt({ min: 0n, max: 50_000n }),
      size: fc.integer({ min: 60, max: 2000 }),
      checks: fc.integer({ min: 0, max: 5 }),
      behind: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 2 }),
    }),
    { maxLength: 14 },
  )
  .map((drafts) =>
    drafts.map(({ behind, ...draft }, place): Weighed => {
      const parents = place === 0 ? [] : behind.map((part) => `${Math.floor(part * place)}`);
      return { ...draft, txid: `${place}`, parents: new Set(parents) };
    }),
  );

const rate = ({ fee, size }: { readonly fee: bigint; readonly size: number }): number => Number(fee) / size;

/** The same told once more, without anything that is kept from one step to the next. */
function chosenSlowly(waiting: readonly Weighed[], room: { room: number; checks: number; least: bigint }) {
  const byId = new Map(waiting.map((each) => [each.txid, each]));
  const chosen = new Set<string>();
  const failed = new Set<string>();
  let [left, checks] = [room.room, room.checks];
  const missing = (each: Weighed, found = new Set<Weighed>()): Set<Weighed> => {
    found.add(each);
    for (const id of each.parents) if (!chosen.has(id)) missing(byId.get(id) as Weighed, found);
    return found;
  };
  for (;;) {
    const packages = waiting.flatMap((of) => {
      if (chosen.has(of.txid)) return [];
      const parts = [...missing(of)];
      const fee = parts.reduce((sum, part) => sum + part.fee, 0n);
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      const asked = parts.reduce((sum, part) => sum + part.checks, 0);
      const key = parts.map(({ txid }) => txid).join();
      return failed.has(`${of.txid}:${key}`) ? [] : [{ of, parts, fee, size, asked, key }];
    });
    packages.sort((one, other) => Math.min(rate(other), rate(other.of)) - Math.min(rate(one), rate(one.of)));
    const [best] = packages;
    if (best === undefined || best.fee * 1000n < room.least * BigInt(best.size)) return chosen;
    if (best.size > left || best.asked > checks) {
      failed.add(`${best.of.txid}:${best.key}`);
      continue;
    }
    left -= best.size;
    checks -= best.asked;
    for (const { txid } of best.parts) chosen.add(txid);
  }
}

describe('what a miner takes', () => {
  it('is again and again the package that pays most, as far as there is room', () => {
    const rooms = fc.record({
      room: fc.integer({ min: 0, max: 20_000 }),
      checks: fc.integer({ min: 0, max: 40 }),
      least: fc.bigInt({ min: 0n, max: 30_000n }),
    });
    fc.assert(
      fc.property(families, rooms, (waiting, room) => {
        const rates = waiting.map(rate);
        // Of what pays exactly the same either is right.
        fc.pre(new Set(rates).size === rates.length);
        expect([...chooseByPackage(waiting, room)].sort()).toEqual([...chosenSlowly(waiting, room)].sort());
      }),
      { numRuns: draws({ sample: 300, change: 1500 }) },
    );
  });

  it('is a cheap parent with its dear child, and no cheap child of a dear parent', () => {
    const one = (txid: string, fee: bigint, parents: readonly string[] = []): Weighed => {
      return { txid, fee, size: 200, checks: 1, parents: new Set(parents) };
    };
    const waiting = [
      one('cheap', 200n),
      one('dear child', 7800n, ['cheap']),
      one('dear', 9000n),
      one('late', 100n, ['dear']),
    ];
    const of = (least: bigint) => [...chooseByPackage(waiting, { room: 10_000, checks: 100, least })].sort();
    expect(of(20_000n)).toEqual(['cheap', 'dear', 'dear child']);
    expect(of(20_001n)).toEqual(['dear']);
    expect([...chooseByPackage(waiting, { room: 400, checks: 100 })].sort()).toEqual(['cheap', 'dear']);
  });
});
