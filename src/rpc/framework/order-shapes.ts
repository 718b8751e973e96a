import { orderbookTicker } from '../../htlc/lock-times.ts';
import {
  availableAmount,
  type MakerMatch,
  type MakerOrder,
  type ShownTakerOrder,
  type TakerMatch,
  type TakerOrder,
} from '../../node/orders/model.ts';
import type { MakerReserved, TakerRequest } from '../../ports/orders.ts';
import { type Fraction, fractionText } from '../../primitives/fraction.ts';
import type { JsonObject, JsonValue } from '../../primitives/json.ts';

// Orders as the real node shows them (`lp_ordermatch`, the structs that end in `ForRpc`), members in its order.

const WORD = 2n ** 32n;
const ZERO_KEY = '0'.repeat(64);

/** A ratio of big integers as `[sign, [digits of 32 bits, least first]]`. */
export function ratioJson({ numer, denom }: Fraction): JsonValue {
  return [bigInteger(numer), bigInteger(denom)];
}

function bigInteger(value: bigint): JsonValue {
  const digits: number[] = [];
  for (let rest = value < 0n ? -value : value; rest > 0n; rest /= WORD) digits.push(Number(rest % WORD));
  return [value < 0n ? -1 : value > 0n ? 1 : 0, digits];
}

/** A number three times: as a decimal, and as a ratio. */
function detailed(name: string, value: Fraction): JsonObject {
  return { [name]: fractionText(value), [`${name}_rat`]: ratioJson(value) };
}

/** The ticker under which a coin stands in the order book where that is another one. */
function bookTicker(ticker: string): string | null {
  const shown = orderbookTicker(ticker);
  return shown === ticker ? null : shown;
}

/** Who a message is from and for; zeros where it is for everybody. */
export type Ends = { readonly sender: string; readonly dest: string };

export function requestJson(request: TakerRequest, sender: string): JsonObject {
  return {
    base: request.base,
    rel: request.rel,
    ...detailed('base_amount', request.base_amount),
    ...detailed('rel_amount', request.rel_amount),
    action: request.action,
    uuid: request.uuid,
    method: 'request',
    sender_pubkey: sender,
    dest_pub_key: ZERO_KEY,
    match_by: request.match_by as JsonObject,
    conf_settings: request.conf_settings,
  };
}

function reservedJson(reserved: MakerReserved, { sender, dest }: Ends): JsonObject {
  return {
    base: reserved.base,
    rel: reserved.rel,
    ...detailed('base_amount', reserved.base_amount),
    ...detailed('rel_amount', reserved.rel_amount),
    taker_order_uuid: reserved.taker_order_uuid,
    maker_order_uuid: reserved.maker_order_uuid,
    sender_pubkey: sender,
    dest_pub_key: dest,
    conf_settings: reserved.conf_settings,
    method: 'reserved',
  };
}

function connectJson(method: 'connect' | 'connected', reserved: MakerReserved, { sender, dest }: Ends): JsonObject {
  const { taker_order_uuid, maker_order_uuid } = reserved;
  return { taker_order_uuid, maker_order_uuid, method, sender_pubkey: sender, dest_pub_key: dest };
}

function makerMatchJson({ request, from, reserved, connected, last_updated }: MakerMatch, self: string): JsonObject {
  const toMaker = { sender: from, dest: self };
  const toTaker = { sender: self, dest: from };
  return {
    request: requestJson(request, from),
    reserved: reservedJson(reserved, toTaker),
    connect: connected ? connectJson('connect', reserved, toMaker) : null,
    connected: connected ? connectJson('connected', reserved, toTaker) : null,
    last_updated,
  };
}

/** @param self the own key without parity, in hex. */
export function makerOrderJson(order: MakerOrder, self: string): JsonObject {
  return {
    base: order.base,
    rel: order.rel,
    ...detailed('price', order.price),
    ...detailed('max_base_vol', order.max_base_vol),
    ...detailed('min_base_vol', order.min_base_vol),
    created_at: order.created_at,
    updated_at: order.created_at,
    matches: Object.fromEntries([...order.matches].map(([uuid, match]) => [uuid, makerMatchJson(match, self)])),
    started_swaps: [...order.takers.keys()],
    uuid: order.uuid,
    conf_settings: order.conf_settings,
    base_orderbook_ticker: bookTicker(order.base),
    rel_orderbook_ticker: bookTicker(order.rel),
  };
}

/** As `my_orders` shows it. */
export function ownMakerOrderJson(order: MakerOrder, self: string): JsonObject {
  const available_amount = fractionText(availableAmount(order));
  return { ...makerOrderJson(order, self), cancellable: true, available_amount };
}

function takerMatchJson({ reserved, from, last_updated }: TakerMatch, self: string): JsonObject {
  return {
    reserved: reservedJson(reserved, { sender: from, dest: self }),
    connect: connectJson('connect', reserved, { sender: self, dest: from }),
    connected: null,
    last_updated,
  };
}

/** As `my_orders` shows it. */
export function ownTakerOrderJson(order: ShownTakerOrder, self: string): JsonObject {
  const { request, created_at, order_type, match, cancellable } = order;
  return {
    created_at,
    request: requestJson(request, self),
    matches: match === null ? {} : { [match.reserved.maker_order_uuid]: takerMatchJson(match, self) },
    order_type: { type: order_type },
    cancellable,
    base_orderbook_ticker: bookTicker(request.base),
    rel_orderbook_ticker: bookTicker(request.rel),
  };
}

/** As `buy` and `sell` answer. */
export function takerOrderJson({ request, order_type, min_volume }: TakerOrder, self: string): JsonObject {
  const { numer, denom } = min_volume;
  return {
    ...requestJson(request, self),
    order_type: { type: order_type },
    min_volume: fractionText(min_volume),
    min_volume_fraction: { numer: String(numer), denom: String(denom) },
    min_volume_rat: ratioJson(min_volume),
    base_orderbook_ticker: bookTicker(request.base),
    rel_orderbook_ticker: bookTicker(request.rel),
  };
}
