import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LockedAmounts, SwapHold } from '../../../src/htlc/locked-amount.ts';
import { type DecimalText, toBigNumber } from '../../../src/primitives/decimal.ts';
import { createHeldLedger, type HeldSince, NOBODY } from '../../../src/runtime/held.ts';

const COINS = ['DOC', 'MARTY', 'ETH'];
const STREAMS = ['a', 'b', 'c', 'd'];

const amounts = fc
  .dictionary(fc.constantFrom(...COINS), fc.integer({ min: 1, max: 1_000_000 }), { maxKeys: 3 })
  .map((given) => new Map(Object.entries(given).map(([coin, units]) => [coin, `${units / 1000}` as DecimalText])));
const moves = fc.array(fc.record({ stream: fc.constantFrom(...STREAMS), amounts }), { maxLength: 30 });

/** Amounts by coin, as texts. */
const holding = (given: Readonly<Record<string, string>>, fees: SwapHold['fees'] = new Map()): SwapHold => ({
  amounts: new Map(Object.entries(given) as [string, DecimalText][]),
  fees,
});
const plain = (given: LockedAmounts): SwapHold => ({ amounts: given, fees: new Map() });

const units = (text: string) => Math.round(Number(text) * 1000);

describe('what the swaps of a wallet hold', () => {
  it('is for each of them the sum of the others, after any movement', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const ledger = createHeldLedger();
        const model = new Map<string, ReadonlyMap<string, DecimalText>>();
        for (const step of steps) {
          ledger.set(step.stream, plain(step.amounts));
          model.set(step.stream, step.amounts);
          for (const coin of COINS) {
            const sumWithout = (left: string | null) =>
              [...model].reduce(
                (sum, [stream, held]) => (stream === left ? sum : sum + units(held.get(coin) ?? '0')),
                0,
              );
            for (const stream of STREAMS) {
              const others = ledger.others(stream);
              expect(units(others.held(coin, others.since()).toFixed())).toBe(sumWithout(stream));
            }
            expect(units(ledger.all().get(coin) ?? '0')).toBe(sumWithout(null));
          }
        }
        for (const stream of STREAMS) ledger.forget(stream);
        expect(ledger.all().size).toBe(0);
      }),
    );
  });

  it('counts against an earlier balance everything that was held at any moment since', () => {
    fc.assert(
      fc.property(moves, fc.nat({ max: 30 }), (steps, at) => {
        const ledger = createHeldLedger();
        let since: HeldSince | null = null;
        const most = new Map<string, number>();
        steps.forEach((step, index) => {
          ledger.set(step.stream, plain(step.amounts));
          if (index === Math.min(at, steps.length - 1)) since = ledger.others('none').since();
          if (since === null) return;
          for (const coin of COINS) {
            const now = units(ledger.all().get(coin) ?? '0');
            most.set(coin, Math.max(most.get(coin) ?? 0, now));
          }
        });
        for (const coin of COINS) {
          const held = units(ledger.others('none').held(coin, since).toFixed());
          expect(held).toBeGreaterThanOrEqual(most.get(coin) ?? 0);
        }
      }),
    );
  });
});

it('never shrinks while a start is being written', () => {
  const ledger = createHeldLedger();
  ledger.set('a', holding({ DOC: '5' }));
  ledger.atLeast('a', holding({ DOC: '3', MARTY: '1' }));
  expect(Object.fromEntries(ledger.all())).toEqual({ DOC: '5', MARTY: '1' });
  expect(ledger.others('a').held('DOC', null)).toEqual(toBigNumber('0' as DecimalText));
});

describe('what was freed since a moment', () => {
  it('counts with what is held now, and alone', () => {
    fc.assert(
      fc.property(moves, moves, (before, later) => {
        const ledger = createHeldLedger();
        for (const { stream, amounts: given } of before) ledger.set(stream, plain(given));
        const since = ledger.others('none').since();
        const held = new Map(before.map((step) => [step.stream, step.amounts]));
        const freed = new Map<string, number>();
        for (const { stream, amounts: given } of later) {
          for (const coin of COINS) {
            const less = units(held.get(stream)?.get(coin) ?? '0') - units(given.get(coin) ?? '0');
            freed.set(coin, (freed.get(coin) ?? 0) + Math.max(0, less));
          }
          held.set(stream, given);
          ledger.set(stream, plain(given));
        }
        for (const coin of COINS) {
          const now = units(ledger.all().get(coin) ?? '0');
          const expected = now + (freed.get(coin) ?? 0);
          expect(units(ledger.others('none').held(coin, since).toFixed())).toBe(expected);
        }
      }),
    );
  });

  it('grows with each coin that is given back, even if it is taken again', () => {
    const ledger = createHeldLedger();
    const others = ledger.others('b');
    ledger.set('a', holding({ DOC: '5' }));
    const since = others.since();
    ledger.set('a', holding({ DOC: '2' }));
    const between = others.since();
    ledger.set('a', holding({ DOC: '4' }));
    ledger.forget('a');
    const heldBy = (moment: HeldSince | null) => others.held('DOC', moment).toFixed();
    expect([since, between, others.since(), null].map(heldBy)).toEqual(['7', '4', '0', '0']);
    expect(others.held('MARTY', since).toFixed()).toBe('0');
  });

  it('is the same moment as long as nothing was released', () => {
    const ledger = createHeldLedger();
    const { since } = ledger.others('b');
    const first = since();
    ledger.set('a', holding({}));
    ledger.set('a', holding({ DOC: '5', MARTY: '1' }));
    ledger.set('a', holding({ DOC: '5', MARTY: '1' }));
    ledger.atLeast('a', holding({ DOC: '5', MARTY: '0.5' }));
    ledger.set('a', holding({ DOC: '5.5', MARTY: '1.0' }));
    expect(since()).toBe(first);
    expect(first).toEqual(new Map());
    ledger.set('a', holding({ DOC: '5.5', MARTY: '0.9' }));
    expect(since()).not.toBe(first);
    expect(Object.fromEntries([...(since() ?? [])].map(([coin, sum]) => [coin, sum.toFixed()]))).toEqual({
      MARTY: '0.1',
    });
    expect(first).toEqual(new Map());
  });
});

describe('what all streams hold', () => {
  const all = (ledger: ReturnType<typeof createHeldLedger>) => Object.fromEntries(ledger.all());

  it('follows a stream from one coin to another, to fewer coins and to none', () => {
    const ledger = createHeldLedger();
    ledger.set('a', holding({ DOC: '1' }));
    ledger.set('a', holding({ MARTY: '1' }));
    expect(all(ledger)).toEqual({ MARTY: '1' });
    ledger.set('a', holding({ MARTY: '1', DOC: '2' }));
    ledger.set('a', holding({ DOC: '2' }));
    expect(all(ledger)).toEqual({ DOC: '2' });
    ledger.set('b', holding({ DOC: '0.5' }));
    ledger.set('a', holding({}));
    expect(all(ledger)).toEqual({ DOC: '0.5' });
    expect(ledger.others('a').held('DOC', null).toFixed()).toBe('0.5');
    expect(ledger.others('b').held('DOC', null).toFixed()).toBe('0');
    ledger.set('a', holding({ DOC: '3' }));
    expect(all(ledger)).toEqual({ DOC: '3.5' });
  });

  it('is exact, in plain digits', () => {
    const ledger = createHeldLedger();
    ledger.set('a', holding({ DOC: '0.1', MARTY: '0.00000001' }));
    ledger.set('b', holding({ DOC: '0.2', ETH: '123456789012345678901234567890' }));
    expect(all(ledger)).toEqual({ DOC: '0.3', MARTY: '0.00000001', ETH: '123456789012345678901234567890' });
  });

  it('is raised by a start that is being written, coin by coin, and by a stream that was unknown', () => {
    const ledger = createHeldLedger();
    ledger.atLeast('a', holding({ DOC: '2' }));
    ledger.atLeast('a', holding({ DOC: '1', MARTY: '1' }));
    ledger.atLeast('a', holding({ DOC: '3' }));
    expect(all(ledger)).toEqual({ DOC: '3', MARTY: '1' });
  });
});

it('a swap that has a wallet to itself finds nothing held, at any moment', () => {
  expect(NOBODY.since()).toBeNull();
  expect(NOBODY.held('DOC', null).toFixed()).toBe('0');
});
