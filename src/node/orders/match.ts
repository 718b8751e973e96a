import { orderbookTicker } from '../../htlc/lock-times.ts';
import type { ConfirmationSettings, MakerReserved, TakerRequest } from '../../ports/orders.ts';
import {
  compareFractions,
  divideFractions,
  type Fraction,
  multiplyFractions,
  sameFraction,
} from '../../primitives/fraction.ts';
import type { Millis } from '../../primitives/time.ts';
import { availableAmount, type MakerOrder, type TakerOrder, takerCoins } from './model.ts';

/** What a maker gives and gets. */
export type Matched = { readonly base_amount: Fraction; readonly rel_amount: Fraction };

export type Asked = {
  readonly request: TakerRequest;
  /** The taker's signing key without parity, in hex. */
  readonly from: string;
  /** The own one. */
  readonly maker: string;
  readonly now: Millis;
};

/**
 * What a maker's order answers a request with; null where the two do not match. The price is the maker's, whatever the taker would pay
 * as in the real node.
 */
export function matchRequest(order: MakerOrder, { request, from, maker, now }: Asked): Matched | null {
  if (!isAskedFor(request, { uuid: order.uuid, key: maker })) return null;
  if (order.offer !== null && !isOfferedTo(order.offer, { request, from, now })) return null;
  if (request.base_amount.numer <= 0n || request.rel_amount.numer <= 0n) return null;
  const coins = takerCoins(request);
  if (!isSameCoin(order.base, coins.maker) || !isSameCoin(order.rel, coins.taker)) return null;
  const matched = amountsFor(order, request);
  const taker = request.action === 'Buy' ? request.rel_amount : request.base_amount;
  const wanted = request.action === 'Buy' ? request.base_amount : request.rel_amount;
  if (compareFractions(divideFractions(taker, wanted), order.price) < 0) return null;
  if (compareFractions(matched.base_amount, order.min_base_vol) < 0) return null;
  if (compareFractions(matched.base_amount, availableAmount(order)) > 0) return null;
  return matched;
}

/** An offer is for anyone who has its text, and who thus names it: nobody finds it by asking for any order. */
function isOfferedTo(
  { expires_at, taker }: NonNullable<MakerOrder['offer']>,
  { request, from, now }: Omit<Asked, 'maker'>,
): boolean {
  return request.match_by.type === 'Orders' && expires_at > now && (taker === null || taker === from);
}

/** A buyer says how much it gets, a seller how much it gives. */
function amountsFor({ price }: MakerOrder, { action, base_amount }: TakerRequest): Matched {
  return action === 'Buy'
    ? { base_amount, rel_amount: multiplyFractions(base_amount, price) }
    : { base_amount: divideFractions(base_amount, price), rel_amount: base_amount };
}

/** Whether a taker takes a maker's answer. */
export function matchReserved(
  { request, maker }: TakerOrder,
  { reserved, from }: { readonly reserved: MakerReserved; readonly from: string },
): boolean {
  if (maker !== null && maker !== from) return false;
  if (!isAskedFor(request, { uuid: reserved.maker_order_uuid, key: from })) return false;
  const coins = takerCoins(request);
  if (!isSameCoin(coins.maker, reserved.base) || !isSameCoin(coins.taker, reserved.rel)) return false;
  if (reserved.base_amount.numer <= 0n || reserved.rel_amount.numer <= 0n) return false;
  return request.action === 'Buy'
    ? sameFraction(request.base_amount, reserved.base_amount) &&
        compareFractions(reserved.rel_amount, request.rel_amount) <= 0
    : sameFraction(request.base_amount, reserved.rel_amount) &&
        compareFractions(request.rel_amount, reserved.base_amount) <= 0;
}

function isAskedFor(
  { match_by }: TakerRequest,
  { uuid, key }: { readonly uuid: string; readonly key: string },
): boolean {
  if (match_by.type === 'Orders') return match_by.data.includes(uuid);
  return match_by.type === 'Any' || match_by.data.includes(key);
}

/** A coin and its form with segwit addresses are one coin of the order book. */
function isSameCoin(one: string, other: string): boolean {
  return one === other || orderbookTicker(one) === orderbookTicker(other);
}

/** The cheapest answer first. */
export function byPrice(
  left: Pick<MakerReserved, 'base_amount' | 'rel_amount'>,
  right: Pick<MakerReserved, 'base_amount' | 'rel_amount'>,
): number {
  return compareFractions(
    divideFractions(left.rel_amount, left.base_amount),
    divideFractions(right.rel_amount, right.base_amount),
  );
}

/** Confirmations of both payments of one swap, as one side will hold to them. */
export type SwapConfirmations = {
  readonly maker: { readonly confirmations: number; readonly nota: boolean };
  readonly taker: { readonly confirmations: number; readonly nota: boolean };
};

/**
 * What each side waits for. A side decides on the other's payment; on its own it takes what the other side asks for where that is less
 * (`lp_ordermatch`, `choose_maker_confs_and_notas` and `choose_taker_confs_and_notas`).
 *
 * @param maker the settings of the maker's order, whose `base` is the maker coin.
 */
export function confirmationsOf(
  role: 'maker' | 'taker',
  { request, maker }: { readonly request: TakerRequest; readonly maker: ConfirmationSettings },
): SwapConfirmations {
  const { conf_settings: settings, action } = request;
  const base = { confirmations: settings.base_confs, nota: settings.base_nota };
  const rel = { confirmations: settings.rel_confs, nota: settings.rel_nota };
  const taker = action === 'Buy' ? { maker: base, taker: rel } : { maker: rel, taker: base };
  const own = {
    maker: { confirmations: maker.base_confs, nota: maker.base_nota },
    taker: { confirmations: maker.rel_confs, nota: maker.rel_nota },
  };
  return role === 'maker'
    ? { maker: lesser(own.maker, taker.maker), taker: own.taker }
    : { maker: taker.maker, taker: lesser(taker.taker, own.taker) };
}

type Wait = SwapConfirmations['maker'];

function lesser(own: Wait, other: Wait): Wait {
  return { confirmations: Math.min(own.confirmations, other.confirmations), nota: own.nota && other.nota };
}
