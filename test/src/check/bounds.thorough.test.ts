import { describe, expect, it } from 'vitest';
import type { BoundsChanges } from '../../../src/check/bounds.ts';
import { check } from '../../../src/check/check.ts';
import { publishedBounds, thoroughBounds } from '../../../src/check/published.ts';
import { renderViolation } from '../../../src/check/render.ts';
import { NEVER } from '../../../src/runtime/command.ts';
import { type Behaviour, SOUND } from '../../../src/sim/world/node.ts';
import { documentedRows, rowOf } from './table.ts';

/** Public events that need more than the bounds allow: a start that fails, and money that is lost. */
const UNREACHED: ReadonlySet<string> = new Set([
  'maker/StartFailed',
  'maker/TakerPaymentSpendConfirmFailed',
  'maker/MakerPaymentRefundFailed',
  'taker/StartFailed',
  'taker/MakerPaymentSpendFailed',
  'taker/MakerPaymentSpendConfirmFailed',
  'taker/TakerPaymentRefundFailed',
]);

const WAITING = {
  wait_taker_payment: 0,
  wait_maker_payment_spend_factor: 1,
  refund_start_factor: 1.5,
  search_interval: 300,
  give_up_after: 21_600,
};

describe('the engines of the product', () => {
  const events = new Set<string>();

  it.each(publishedBounds)('break no rule within the published bounds: $name', (named) => {
    const result = check(named.bounds);
    for (const event of result.events) events.add(event);
    expect(result.violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(result.complete).toBe(true);
    expect(documentedRows('The published bounds')).toContain(rowOf(named, result));
  });

  it('append within the published bounds what they can append at all', () => {
    expect([...UNREACHED].filter((event) => events.has(event))).toEqual([]);
    const rare = [
      'taker/MakerPaymentSpentByWatcher',
      'taker/TakerPaymentRefundedByWatcher',
      'maker/TakerPaymentSpendFailed',
    ];
    for (const event of rare) {
      expect(events).toContain(event);
    }
    for (const type of ['TakerPaymentRefundedByTaker', 'MakerPaymentSpentByTaker', 'MakerPaymentSpent', 'Stopped']) {
      expect(events).toContain(`watcher/${type}`);
    }
  });

  it.each(thoroughBounds)('break no rule within the thorough bounds: $name', (named) => {
    const result = check(named.bounds);
    expect(result.violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(result.complete).toBe(true);
    expect(documentedRows('The thorough bounds')).toContain(rowOf(named, result));
  });

  it('need a watcher that acts when the taker is away', () => {
    const idle: Behaviour = {
      ...SOUND,
      decide: (runner) => {
        const watch = runner.facts.inbox.get('watcher');
        if (runner.length > 0 || watch?.kind !== 'watcher') return { kind: 'wait', until: NEVER };
        const data = { watch: watch.watch, timing: WAITING };
        return { kind: 'append', events: [{ type: 'WatchRequested', data }] };
      },
    };
    const bounds: BoundsChanges = { adversary: 'maker', watcher: 'engine', crashes: 1 };
    const { violations } = check(bounds, { behaviours: { watcher: idle }, maxViolations: 9 });
    const broken = violations.map(({ rule, party }) => `${rule} ${party}`);
    expect(broken).toContain('R7 taker');
  });
});
