import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecimalText, toBigNumber } from '../../../src/primitives/decimal.ts';
import { createHeldLedger, type HeldSince } from '../../../src/runtime/held.ts';

const COINS = ['DOC', 'MARTY', 'ETH'];
const STREAMS = ['a', 'b', 'c', 'd'];

const amounts = fc
  .dictionary(fc.constantFrom(...COINS), fc.integer({ min: 1, max: 1_000_000 }), { maxKeys: 3 })
  .map((given) => new Map(Object.entries(given).map(([coin, units]) => [coin, `${units / 1000}` as DecimalText])));
const moves = fc.array(fc.record({ stream: fc.constantFrom(...STREAMS), amounts }), { maxLength: 30 });

const units = (text: string) => Math.round(Number(text) * 1000);

describe('what the swaps of a wallet hold', () => {
  it('is for each of them the sum of the others, whatever moves', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const ledger = createHeldLedger();
        const model = new Map<string, ReadonlyMap<string, DecimalText>>();
        for (const step of steps) {
          ledger.set(step.stream, step.amounts);
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

  it('counts against a balance that was asked for earlier all that was held at any moment since', () => {
    fc.assert(
      fc.property(moves, fc.nat({ max: 30 }), (steps, at) => {
        const ledger = createHeldLedger();
        let since: HeldSince | null = null;
        const most = new Map<string, number>();
        steps.forEach((step, index) => {
          ledger.set(step.stream, step.amounts);
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

  it('never shrinks while a start is being written', () => {
    const ledger = createHeldLedger();
    ledger.set('a', new Map([['DOC', '5' as DecimalText]]));
    ledger.atLeast(
      'a',
      new Map([
        ['DOC', '3' as DecimalText],
        ['MARTY', '1' as DecimalText],
      ]),
    );
    expect(Object.fromEntries(ledger.all())).toEqual({ DOC: '5', MARTY: '1' });
    expect(ledger.others('a').held('DOC', null)).toEqual(toBigNumber('0' as DecimalText));
  });
});
