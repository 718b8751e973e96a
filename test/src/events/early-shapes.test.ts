import { describe, expect, it } from 'vitest';
import { savedSwapText } from '../../../src/events/encode.ts';
import { decodeSavedSwap } from '../../../src/events/saved-swap.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../src/primitives/json.ts';
import { replaySwap } from '../../../src/replay/swaps.ts';
import { buildSwap, successPath } from '../../../src/testing/logs/swap-builder.ts';

const ID = '7c'.repeat(16) + '19'.repeat(16);
const UUID = '7c7c7c7c-7c7c-7c7c-7c7c-7c7c7c7c7c7c';
/** 2019-04-05 UTC. */
const APRIL = 1_554_422_400;

/** A swap as the first releases stored it: an order id, satoshi, lists, bare errors, no start blocks. */
function early(path: readonly string[], startedAt = APRIL): JsonObject {
  const log = buildSwap({ role: 'taker', path, era: '2019', seed: 'early' });
  const { events, ...head } = parseJson(savedSwapText(log, 'kdf')) as JsonObject;
  const { my_order_uuid: _, ...rest } = head;
  return { ...rest, uuid: ID, events: (events as readonly JsonObject[]).map((saved) => earlyEvent(saved, startedAt)) };
}

function earlyEvent(saved: JsonObject, startedAt: number): JsonObject {
  const event = saved['event'] as { readonly type: string; readonly data?: JsonObject };
  const { type, data = {} } = event;
  const shapes: Readonly<Record<string, unknown>> = {
    Started: startedOf(data, startedAt),
    Negotiated: [data['maker_payment_locktime'], data['maker_pubkey'], data['secret_hash']],
    TakerPaymentSpent: [data['transaction'], data['secret']],
    TakerPaymentWaitForSpendFailed: data['error'],
  };
  return {
    ...saved,
    event: Object.hasOwn(shapes, type) ? { type, data: shapes[type] as JsonObject } : event,
  } as JsonObject;
}

function startedOf(data: JsonObject, started_at: number): JsonObject {
  const { maker_coin_start_block: _, taker_coin_start_block: __, ...rest } = data;
  return { ...rest, uuid: ID, started_at, maker_amount: 240_000_001, taker_amount: 7 };
}

describe('a log of spring 2019', () => {
  const path = successPath('taker', { era: '2019', watchers: false });

  it('is read, with amounts in coins, and each shape named', () => {
    const log = decodeSavedSwap(early(path));
    expect(log.uuid).toBe(UUID);
    expect(log.head).toMatchObject({ uuid: UUID, early_id: ID });
    expect(log.events[0]?.data).toMatchObject({ uuid: UUID, maker_amount: '2.40000001', taker_amount: '0.00000007' });
    const { outcome, anomalies } = replaySwap(log);
    expect(outcome).toBe('completed');
    expect(new Set(anomalies.map(({ code }) => code))).toEqual(new Set(['SHAPE_UPCAST']));
    expect(anomalies[0]).toMatchObject({ seq: null, found: ID, message: expect.stringContaining(UUID) });
    const told = anomalies.map(({ message }) => message).join(' ');
    for (const step of ['Started/4', 'Started/5', 'Negotiated/2']) expect(told).toContain(`taker.${step}`);
  });

  it('has its errors, which were bare texts', () => {
    const failed = [...path.slice(0, path.indexOf('TakerPaymentSent') + 1), 'TakerPaymentWaitForSpendFailed'];
    const last = decodeSavedSwap(early(failed)).events.at(-1)?.data;
    expect(isJsonObject(last) && typeof last['error']).toBe('string');
  });

  it('is refused if whole amounts may be coins', () => {
    expect(() => decodeSavedSwap(early(path, 1_558_915_200))).toThrow(/FIELD_|absent|no release/);
  });
});
