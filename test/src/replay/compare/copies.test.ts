import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import type { JournalRecord } from '../../../../src/events/journal.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { compareCopies, isSameStory } from '../../../../src/replay/compare/copies.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const log = buildSwap({ role: 'maker', path: successPath('maker'), seed: 'copies' });

describe('two logs of one side', () => {
  it('are the same story, although a release added members of its own', () => {
    const other = { ...log, head: { ...log.head, mm_version: '2.5.0' } };
    const comparison = compareCopies(log, other);
    expect(isSameStory(comparison)).toBe(true);
    expect(comparison.equal).toBe(log.events.length);
    expect(comparison.head.map(({ name, right }) => [name, right])).toEqual([['mm_version', '2.5.0']]);
  });

  it('if only one has an event in the middle, do not count as different in the others', () => {
    const without = { ...log, events: log.events.filter(({ type }) => type !== 'TakerPaymentReceived') };
    const comparison = compareCopies(without, log);
    expect(comparison).toMatchObject({ equal: log.events.length - 1, different: [], onlyLeft: [] });
    expect(comparison.onlyRight.map(({ type }) => type)).toEqual(['TakerPaymentReceived']);
    expect(isSameStory(comparison)).toBe(false);
  });

  it('name each member that differs, and no secret', () => {
    const events = log.events.map((event, seq) =>
      seq === 0
        ? ({ ...event, data: { ...(event.data as object), secret: '11'.repeat(32), maker_coin: 'XYZ' } } as StoredEvent)
        : event,
    );
    const { different } = compareCopies(log, { ...log, events });
    expect(different).toHaveLength(1);
    expect(different[0]).toMatchObject({ left: 0, right: 0, type: 'Started' });
    expect(different[0]?.members.map(({ name }) => name)).toEqual(['maker_coin', 'secret']);
    const secret = /"secret":"([0-9a-f]{64})"/.exec(JSON.stringify(log.events[0]))?.[1] ?? '';
    expect(secret).toMatch(/[1-9a-f]/);
    expect(JSON.stringify(different)).not.toContain(secret);
    expect(JSON.stringify(different)).not.toContain('11'.repeat(32));
  });

  it('put long lists side by side by position, in time that grows with their length', () => {
    const many = { ...log, events: Array.from({ length: 5_000 }, () => log.events[1] as StoredEvent) };
    expect(compareCopies(many, { ...many, events: many.events.slice(1) })).toMatchObject({ equal: 4_999 });
  });
});

describe('the journals of two logs of one side', () => {
  const secret = '5a'.repeat(32);
  const record = (before: number, type: JournalRecord['type'], data: object): JournalRecord => ({
    ...{ before, type, data },
    at: millisOf(1_700_000_000_000 + before),
  });
  const records = [
    record(0, 'SwapRequested', { request: { secret, maker_coin: 'DOC' } }),
    record(2, 'TransactionPrepared', { purpose: 'payment', tx_hash: 'aa' }),
    record(2, 'BroadcastAttempted', { purpose: 'payment', tx_hash: 'aa' }),
    record(2, 'BroadcastAccepted', { purpose: 'payment', tx_hash: 'aa' }),
  ];
  const withJournal = (own: readonly JournalRecord[]) => ({ ...log, journal: { importedAt: null, records: own } });
  const whole = withJournal(records);

  it('are compared only if both have one', () => {
    expect(compareCopies(whole, log).journal).toBeNull();
    expect(compareCopies(whole, withJournal([])).journal).toBeNull();
    expect(isSameStory(compareCopies(whole, log))).toBe(true);
  });

  it('are the same story if every record is', () => {
    const comparison = compareCopies(whole, withJournal([...records]));
    expect(comparison.journal).toEqual({ equal: 4, different: [], onlyLeft: [], onlyRight: [] });
    expect(isSameStory(comparison)).toBe(true);
  });

  it('are not if one engine sent what the other did not, which the public events do not show', () => {
    const comparison = compareCopies(withJournal(records.slice(0, 2)), whole);
    expect([comparison.equal, comparison.onlyRight]).toEqual([log.events.length, []]);
    expect(comparison.journal?.onlyRight.map(({ type, seq }) => [type, seq])).toEqual([
      ['BroadcastAttempted', 2],
      ['BroadcastAccepted', 3],
    ]);
    expect(isSameStory(comparison)).toBe(false);
  });

  it('name each member that differs, and its place among the events, and no secret', () => {
    const changed = [
      record(0, 'SwapRequested', { request: { secret: '6b'.repeat(32), maker_coin: 'DOC' } }),
      record(1, 'TransactionPrepared', { purpose: 'payment', tx_hash: 'bb' }),
      ...records.slice(2),
    ];
    const { journal } = compareCopies(whole, withJournal(changed));
    expect(journal?.different.map(({ type, members }) => [type, members.map(({ name }) => name)])).toEqual([
      ['SwapRequested', ['request']],
      ['TransactionPrepared', ['public events before it', 'timestamp', 'tx_hash']],
    ]);
    expect(journal?.different[1]?.members.at(-1)).toEqual({ name: 'tx_hash', left: 'aa', right: 'bb' });
    expect(JSON.stringify(journal)).not.toMatch(/5a5a5a5a|6b6b6b6b/);
  });
});
