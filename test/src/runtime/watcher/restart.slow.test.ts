import { describe, expect, it } from 'vitest';
import { drive } from './drive.ts';
import { cases } from './scenarios.ts';

describe('a watcher that dies and comes back', () => {
  it.each(cases)('after any append goes on the same: $name', ({ watched, script }) => {
    const whole = drive(watched, script);
    const appends = whole.records.length;
    for (let crash = 1; crash <= appends; crash += 1) {
      const { events, reason } = drive(watched, script, { crashAfter: { appends: crash } });
      expect({ crash, events, reason }).toEqual({ crash, events: whole.events, reason: whole.reason });
    }
  });

  it.each(cases)('after any command comes to the same end, and sends nothing twice: $name', ({ watched, script }) => {
    const whole = drive(watched, script);
    // A long wait repeats the same few commands: a sample of them will do.
    const step = Math.max(1, Math.floor(whole.commands / 20));
    for (let crash = 1; crash <= whole.commands; crash += crash < 20 ? 1 : step) {
      const { reason, records } = drive(watched, script, { crashAfter: { commands: crash } });
      expect({ crash, reason }).toEqual({ crash, reason: whole.reason });
      const prepared = records
        .filter(({ type }) => type === 'TransactionPrepared')
        .map(({ data }) => JSON.stringify(data));
      expect(prepared).toEqual([...new Set(prepared)]);
    }
  });
});
