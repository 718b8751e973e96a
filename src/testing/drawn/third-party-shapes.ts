import type { JsonObject } from '../../primitives/json.ts';
import { transactionDetails, withDetails } from './historical-shapes.ts';
import { hasEvent, mapEvents, mapPayloads, type SwapShape, shape, withNulls, without } from './shape.ts';

// Programs with one record type for all events store swaps again with every member of every payload in each event, zero
// or empty where it does not belong.

const NO_DETAILS = transactionDetails({}, '');

const UNION_2020: JsonObject = {
  lock_duration: 0,
  maker_amount: '',
  maker_coin: '',
  maker_coin_start_block: 0,
  maker_payment_confirmations: 0,
  maker_payment_lock: 0,
  my_persistent_pub: '',
  secret: '',
  started_at: 0,
  taker: '',
  taker_amount: '',
  taker_coin: '',
  taker_coin_start_block: 0,
  taker_payment_confirmations: 0,
  uuid: '',
  taker_payment_locktime: 0,
  taker_pubkey: '',
  ...NO_DETAILS,
  fee_details: null,
  from: null,
  to: null,
  my_balance_change: '',
  spent_by_me: '',
  received_by_me: '',
  total_amount: '',
  maker: '',
  maker_payment_wait: 0,
  taker_payment_lock: 0,
  maker_payment_locktime: 0,
  maker_pubkey: '',
  secret_hash: '',
  transaction: null,
  error: '',
};

/** Members that came later than the programs; they drop them. */
const UNKNOWN_IN_2020 = [
  'maker_payment_requires_nota',
  'taker_payment_requires_nota',
  'fee_to_send_taker_fee',
  'taker_payment_trade_fee',
  'maker_payment_spend_trade_fee',
  'maker_payment_trade_fee',
  'taker_payment_spend_trade_fee',
  'maker_coin_swap_contract_addr',
  'taker_coin_swap_contract_addr',
  'maker_coin_htlc_pubkey',
  'taker_coin_htlc_pubkey',
  'p2p_privkey',
];

const UNKNOWN_HEAD_IN_2020 = [
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

const WAITS = ['TakerPaymentWaitRefundStarted', 'MakerPaymentWaitRefundStarted'];

function rewritten2020(swap: JsonObject): JsonObject {
  const coin = String(swap['taker_coin'] ?? '');
  const united = mapPayloads(swap, (data) => ({
    ...UNION_2020,
    ...withDetails(without(data, ...UNKNOWN_IN_2020, 'wait_until'), coin),
  }));
  const { type, uuid, success_events, error_events, ...rest } = mapEvents(united, (event) => ({
    data: event.data ?? null,
    type: event.type,
  }));
  return { error_events, events: rest['events'], my_info: null, success_events, type, uuid, recoverable: false };
}

function left2020(swap: JsonObject): JsonObject {
  return withNulls(
    mapPayloads(swap, (data) => withNulls(data, ...UNKNOWN_IN_2020, 'wait_until')),
    ...UNKNOWN_HEAD_IN_2020,
  );
}

const plainPayloads = (swap: JsonObject) => !hasEvent(swap, 'WatcherMessageSent');

export const thirdPartyShapes: readonly SwapShape[] = [
  shape({
    name: 'union',
    summary: 'every member of every payload in each event, zero or empty where it does not belong',
    write: (swap) => mapPayloads(swap, (data) => ({ ...UNION_2020, wait_until: 0, p2p_privkey: null, ...data })),
  }),
  shape({
    name: 'union-2020',
    summary: 'the same by a program of 2020, which drops the members that came later',
    applies: (swap) => plainPayloads(swap) && !hasEvent(swap, ...WAITS),
    write: rewritten2020,
    keeps: left2020,
  }),
  shape({
    name: 'union-2020-without-wait',
    summary: 'the same where the program drops `wait_until` too',
    realNode: 'refuses',
    anomalies: ['SHAPE_UPCAST'],
    applies: (swap) => plainPayloads(swap) && hasEvent(swap, ...WAITS),
    write: rewritten2020,
    keeps: left2020,
  }),
];
