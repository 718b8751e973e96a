import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import { redactLog } from '../../../../src/events/redact.ts';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { decimalOf } from '../../../../src/primitives/decimal.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import { violationsOf } from '../../../../src/replay/explain/violations.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const log = buildSwap({ role: 'maker', path: successPath('maker'), seed: 'violated' });

function altered(type: string, members: object): SwapLog {
  const events = log.events.map((event) =>
    event.type === type ? ({ ...event, data: { ...(event.data as object), ...members } } as StoredEvent) : event,
  );
  return { ...log, events };
}

describe('what the audit violates', () => {
  it('is nothing in a sound log, whether its secrets are shown or not', () => {
    expect([violationsOf(log), violationsOf(redactLog(log))]).toEqual([[], []]);
  });

  it('is reported with both values, and the same for a log without its secrets', () => {
    const lied = altered('Started', { maker_amount: decimalOf('7') });
    const found = auditSwap(lied)
      .checks.filter(({ status }) => status === 'violated')
      .map(({ check, seq }) => ({ check, seq }));
    const told = violationsOf(redactLog(lied));
    expect(found.map(({ check }) => check)).toContain('payment-amount');
    expect(told.map(({ check, seq }) => ({ check, seq }))).toEqual(found);
    const amount = told.find(({ check }) => check === 'payment-amount');
    expect(amount?.cosmetic).toBe(false);
    expect(amount?.sentence).toMatch(
      /^event \d+: the log says \d+ base units, the rest of it asks for 700000000 base units \(7\)\. \[payment-amount\]$/,
    );
  });

  it('is called cosmetic if nothing about coins follows from it', () => {
    const lied = { ...log, head: { ...log.head, recoverable: true } };
    const told = violationsOf(lied);
    expect(told.map(({ check, cosmetic }) => [check, cosmetic])).toEqual([['printed-flags', true]]);
    expect(told[0]?.sentence).toContain('Cosmetic: nothing about the coins follows from it.');
  });
});
