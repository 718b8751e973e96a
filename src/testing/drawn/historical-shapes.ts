import { isJsonObject, type JsonObject, type JsonValue, LosslessNumber } from '../../primitives/json.ts';
import {
  eventsOf,
  hasEvent,
  isTaker,
  mapEvents,
  mapPayloads,
  type SwapShape,
  shape,
  withNulls,
  without,
} from './shape.ts';

// What older releases and the documentation wrote.

const START_BLOCKS = ['maker_coin_start_block', 'taker_coin_start_block'];
const LATER_HEAD = [
  'my_order_uuid',
  'maker_amount',
  'maker_coin',
  'maker_coin_usd_price',
  'taker_amount',
  'taker_coin',
  'taker_coin_usd_price',
  'gui',
  'mm_version',
];

const UPCAST = { realNode: 'refuses', anomalies: ['SHAPE_UPCAST'] } as const;

/** The whole details of a transaction around its bytes, in the order in which releases until 2020-11 wrote them. */
export function transactionDetails(transaction: JsonObject, coin: string): JsonObject {
  const { tx_hex, tx_hash } = transaction;
  return {
    block_height: 0,
    coin,
    fee_details: { amount: '0.00001' },
    from: ['RSenderSenderSenderSenderSenderSen'],
    internal_id: tx_hash ?? '',
    my_balance_change: new LosslessNumber('-1.00001'),
    received_by_me: 0,
    spent_by_me: '1.00001',
    timestamp: 0,
    to: ['RReceiverReceiverReceiverReceiverR'],
    total_amount: new LosslessNumber('1.00001'),
    tx_hash: tx_hash ?? '',
    tx_hex: tx_hex ?? '',
  };
}

/** Members of the payload with details around each transaction in it. */
export function withDetails(data: JsonObject, coin: string): JsonObject {
  if (isJsonObject(data['transaction'])) return { ...data, transaction: transactionDetails(data['transaction'], coin) };
  return Object.hasOwn(data, 'tx_hex') ? transactionDetails(data, coin) : data;
}

function rename(data: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key === from ? to : key, value]));
}

function preimages(event: { readonly type: string; readonly data?: JsonValue }): readonly JsonValue[] | undefined {
  return event.type === 'WatcherMessageSent' && Array.isArray(event.data) ? event.data : undefined;
}

function secretOf(swap: JsonObject): JsonValue {
  const started = eventsOf(swap).find(({ event }) => event.type === 'Started')?.event.data;
  return (isJsonObject(started) ? started['secret'] : undefined) ?? '';
}

export const historicalShapes: readonly SwapShape[] = [
  shape({
    name: 'transaction-details-2019',
    summary: 'until 2020-11: transactions with all of their details',
    write: (swap) => mapPayloads(swap, (data) => withDetails(data, String(swap['taker_coin'] ?? 'KMD'))),
  }),
  shape({
    name: 'bare-head-2019',
    summary: 'until 2019-10: nothing beside the events but `type`, `uuid` and the name lists',
    write: (swap) => without(swap, ...LATER_HEAD),
    keeps: (swap) => withNulls(swap, ...LATER_HEAD),
  }),
  shape({
    name: 'htlc-private-keys-2022',
    summary: 'until 2022-06: private keys of the hash time locks in Started',
    applies: (swap) => hasEvent(swap, 'Started'),
    write: (swap) =>
      mapPayloads(swap, (data) => ({ ...data, maker_coin_htlc_privkey: null, taker_coin_htlc_privkey: null }), {
        only: ['Started'],
      }),
  }),
  shape({
    name: 'no-start-blocks-2019',
    summary: 'until 2019-06: Started without the heights of both chains',
    ...UPCAST,
    applies: (swap) => hasEvent(swap, 'Started'),
    write: (swap) => mapPayloads(swap, (data) => without(data, ...START_BLOCKS), { only: ['Started'] }),
    keeps: (swap) => mapPayloads(swap, (data) => withNulls(data, ...START_BLOCKS), { only: ['Started'] }),
  }),
  shape({
    name: 'renamed-counterparty-2025-02',
    summary: 'five days of 2025-02: `maker_pubkey` or `taker_pubkey` for `maker` or `taker` in Started',
    ...UPCAST,
    applies: (swap) => hasEvent(swap, 'Started'),
    write: (swap) => {
      const name = isTaker(swap) ? 'maker' : 'taker';
      return mapPayloads(swap, (data) => rename(data, name, `${name}_pubkey`), { only: ['Started'] });
    },
  }),
  shape({
    name: 'single-preimage-2022',
    summary: '2022-09 to 2022-10: WatcherMessageSent with the preimage of the spend alone',
    ...UPCAST,
    applies: (swap) => isTaker(swap) && hasEvent(swap, 'WatcherMessageSent'),
    write: (swap) => mapEvents(swap, (event) => ({ ...event, ...dataOf(preimages(event)?.[0]) })),
    keeps: (swap) =>
      mapEvents(swap, (event) => {
        const list = preimages(event);
        return list === undefined ? event : { ...event, data: [list[0] ?? null, null] };
      }),
  }),
  shape({
    name: 'documented-maker-spend',
    summary: "the documentation's sample of a maker's TakerPaymentSpent, with the taker's members",
    ...UPCAST,
    applies: (swap) => !isTaker(swap) && hasEvent(swap, 'TakerPaymentSpent'),
    write: (swap) =>
      mapPayloads(swap, (data) => ({ secret: secretOf(swap), transaction: data }), { only: ['TakerPaymentSpent'] }),
  }),
  shape({
    name: 'documented-spend-confirmed',
    summary: 'MakerPaymentSpendConfirmed with the transaction that it confirms, as the specification has it',
    realNode: 'refuses',
    applies: (swap) =>
      hasEvent(swap, 'MakerPaymentSpendConfirmed') && hasEvent(swap, 'MakerPaymentSpent', 'MakerPaymentSpentByWatcher'),
    write: (swap) => {
      const spends = eventsOf(swap).filter(({ event }) => event.type.startsWith('MakerPaymentSpent'));
      return mapEvents(swap, (event) =>
        event.type === 'MakerPaymentSpendConfirmed' ? { ...event, data: spends[0]?.event.data ?? null } : event,
      );
    },
  }),
];

function dataOf(data: JsonValue | undefined): JsonObject {
  return data === undefined ? {} : { data };
}
