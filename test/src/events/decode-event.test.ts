import { describe, expect, it } from 'vitest';
import type { Anomaly } from '../../../src/events/anomaly.ts';
import type { Role } from '../../../src/events/catalog.ts';
import { decodeStoredEvent } from '../../../src/events/decode-event.ts';
import { parseJson } from '../../../src/primitives/json.ts';

function decode(type: string, data: string, role: Role = 'taker') {
  const anomalies: Anomaly[] = [];
  const body = data === '' ? '' : `,"data":${data}`;
  const value = parseJson(`{"timestamp":1,"event":{"type":"${type}"${body}}}`);
  return { event: decodeStoredEvent(value, { role, seq: 3, path: '/events/3' }, anomalies), anomalies };
}

describe('payloads that the real node reads', () => {
  it('as the array of their members, also if they are optional or nested', () => {
    expect(decode('StartFailed', '["text"]').event.data).toEqual({ error: 'text' });
    expect(decode('TakerPaymentRefunded', '["00","11"]').event.data).toEqual({ tx_hex: '00', tx_hash: '11' });
    expect(decode('MakerPaymentRefunded', '["00","11"]', 'maker').event.data).toEqual({ tx_hex: '00', tx_hash: '11' });
    expect(decode('TakerPaymentSpent', `[["AA","bb"],"${'0'.repeat(64)}"]`).event.data).toEqual({
      transaction: { tx_hex: 'aa', tx_hash: 'bb' },
      secret: '0'.repeat(64),
    });
    expect(decode('TakerPaymentSpent', `{"transaction":["AA","bb"],"secret":"${'0'.repeat(64)}"}`).event.data).toEqual({
      transaction: { tx_hex: 'aa', tx_hash: 'bb' },
      secret: '0'.repeat(64),
    });
  });

  it('without data if data may be null', () => {
    expect(decode('TakerPaymentRefunded', '').event.data).toBeNull();
    expect(decode('TakerPaymentInstructionsReceived', 'null').event.data).toBeNull();
  });
});

describe('payloads that the real node refuses', () => {
  it('data on an event without data is kept aside and reported', () => {
    const { event, anomalies } = decode('Finished', '{"a":1}');
    expect(event).toEqual({ type: 'Finished', at: 1, data: null, known: true, extra: { event: { data: { a: 1 } } } });
    expect(anomalies.map(({ seq, code }) => ({ seq, code }))).toEqual([{ seq: 3, code: 'UNEXPECTED_DATA' }]);
  });

  it('a short watcher message is reported', () => {
    expect(decode('WatcherMessageSent', '[1,2]').anomalies.map(({ code }) => code)).toEqual(['SHAPE_UPCAST']);
    expect(() => decode('WatcherMessageSent', '[[1,2]]')).toThrow('[FIELD_INVALID]');
    expect(() => decode('WatcherMessageSent', '[[1,256],null]')).toThrow('/events/3/event/data/0/1');
  });
});

describe('a member that no release wrote', () => {
  it('is named with its place, what was expected and what came, without its value', () => {
    expect(() => decode('TakerFeeSent', '{"tx_hex":"0xab","tx_hash":"00"}')).toThrowErrorMatchingInlineSnapshot(`
      [DecodeError: [FIELD_INVALID] A member of the stored swap has a value that no release ever wrote.

        place     /events/3/event/data/tx_hex
        event     TakerFeeSent
        seq       3
        expected  bytes as an even count of hex digits
        found     text with the prefix 0x (4 characters)

      Compare the log with the node's answer to my_swap_status.

      Docs: docs/reference/errors.md#field_invalid]
    `);
  });

  it('is told apart from a missing one', () => {
    expect(() => decode('TakerFeeSent', '{"tx_hex":"ab"}')).toThrow(
      /\[FIELD_MISSING\][\s\S]*\/events\/3\/event\/data\/tx_hash/,
    );
  });

  it('an amount beyond the bounds is refused, whether text or number', () => {
    const started = (amount: string) => () => decode('TakerPaymentInstructionsReceived', `{"WatcherReward":${amount}}`);
    for (const amount of ['1e999', '"1e1025"', '"1e1024"', `"1.${'1'.repeat(1000)}e-100"`, '"NaN"', 'true']) {
      expect(started(amount), amount).toThrow('[FIELD_INVALID]');
    }
    expect(started('0.1')().event.data).toEqual({ WatcherReward: '0.1' });
  });
});
