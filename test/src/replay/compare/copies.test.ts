import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../src/events/decode-event.ts';
import { compareCopies, isSameStory } from '../../../../src/replay/compare/copies.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const log = buildSwap({ role: 'maker', path: successPath('maker'), seed: 'copies' });

describe('two logs of one side', () => {
  it('are the same story, though a release wrote members of its own beside it', () => {
    const other = { ...log, head: { ...log.head, mm_version: '2.5.0' } };
    const comparison = compareCopies(log, other);
    expect(isSameStory(comparison)).toBe(true);
    expect(comparison.equal).toBe(log.events.length);
    expect(comparison.head.map(({ name, right }) => [name, right])).toEqual([['mm_version', '2.5.0']]);
  });

  it('where one has an event in the middle alone, the others are not called different', () => {
    const without = { ...log, events: log.events.filter(({ type }) => type !== 'TakerPaymentReceived') };
    const comparison = compareCopies(without, log);
    expect(comparison).toMatchObject({ equal: log.events.length - 1, different: [], onlyLeft: [] });
    expect(comparison.onlyRight.map(({ type }) => type)).toEqual(['TakerPaymentReceived']);
    expect(isSameStory(comparison)).toBe(false);
  });

  it('tell each member that differs, and no secret', () => {
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
