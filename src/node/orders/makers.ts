import { orderbookTicker } from '../../htlc/lock-times.ts';
import { type MakerReserved, type OrdersMatched, orderTopic, type TakerRequest } from '../../ports/orders.ts';
import { addFractions, compareFractions, subtractFractions, ZERO_FRACTION } from '../../primitives/fraction.ts';
import type { Millis } from '../../primitives/time.ts';
import { foldMakerOrder, makerOrderCreated, orderEnded, orderGivenBack, orderTaken, takenOf } from './events.ts';
import { type Matched, matchRequest } from './match.ts';
import {
  availableAmount,
  isCancellable,
  MATCH_TIMEOUT,
  type MakerMatch,
  type MakerOrder,
  type MakerTerms,
  MOST_MATCHES_OF_ONE,
  type OrderEnd,
  takerCoins,
} from './model.ts';
import type { OrderCoin, OrderParts } from './parts.ts';
import type { OpenOrder, OrderStreams } from './streams.ts';
import { swapRequestOf } from './swap-request.ts';
import type { Topics } from './topics.ts';

export type MakerDesk = OrderParts & { readonly streams: OrderStreams; readonly topics: Topics };

/**
 * The maker's side of the hand-shake.
 *
 * - X1: a volume is given once: what waits for a taker and what swaps have taken is not offered to others, and what a swap takes is in the
 *   log before the swap starts.
 * - X2: who asks again is answered the same again; a swap starts once.
 */
export class Makers {
  readonly #desk: MakerDesk;
  readonly #orders = new Map<string, MakerOrder>();

  constructor(desk: MakerDesk) {
    this.#desk = desk;
  }

  list(): readonly MakerOrder[] {
    return [...this.#orders.values()];
  }

  get(uuid: string): MakerOrder | undefined {
    return this.#orders.get(uuid);
  }

  /** @throws LogError when it could not be written; there is no order then */
  async create(uuid: string, terms: MakerTerms): Promise<MakerOrder> {
    const { clock, streams } = this.#desk;
    const at = clock.now();
    const labels = { makerCoin: terms.base, takerCoin: terms.rel, state: 'open', finished: false };
    await streams.append('maker', uuid, { record: makerOrderCreated(terms, at), ...labels });
    const order = { ...terms, uuid, created_at: at, matches: new Map(), given: ZERO_FRACTION, takers: new Map() };
    this.#open(order);
    return order;
  }

  /** Takes up what an earlier process left. What it had given to a swap that never began can be had again. */
  async restore({ uuid, records }: OpenOrder): Promise<void> {
    let order = foldMakerOrder(uuid, records);
    if (order === null) return;
    this.#open(order);
    for (const [swap, base_amount] of takenOf(records)) {
      if (await this.#desk.hasSwap({ role: 'maker', uuid: swap })) continue;
      order = await this.#giveBack(order, { taker_order_uuid: swap, base_amount });
    }
  }

  /** A taker asks: the oldest order that fits answers, and holds the volume for a while. */
  async asked(request: TakerRequest, from: string): Promise<void> {
    const { network, clock } = this.#desk;
    if (from === network.self) return;
    const known = this.#matchOf(request.uuid);
    if (known !== undefined) {
      if (known.from === from && !known.connected) await this.#send(known.reserved);
      return;
    }
    if (this.#waitingFor(from) >= MOST_MATCHES_OF_ONE) return;
    if (await this.#desk.hasSwap({ role: 'maker', uuid: request.uuid })) return;
    for (const order of this.#orders.values()) {
      const matched = matchRequest(order, { request, from, maker: network.self });
      const coins = matched === null ? null : this.#coinsFor(order, request);
      if (matched === null || coins === null) continue;
      const reserved = reservedOf(order, { request, matched, ...coins });
      this.#match(order, { request, from, reserved, connected: false, last_updated: clock.now() });
      await this.#send(reserved);
      return;
    }
  }

  /** The taker takes the answer: the swap starts, and the taker is told. */
  async connected({ taker_order_uuid, maker_order_uuid }: OrdersMatched, from: string): Promise<void> {
    const order = this.#orders.get(maker_order_uuid);
    if (order === undefined) return;
    const reply: OrdersMatched = { kind: 'makerConnected', taker_order_uuid, maker_order_uuid };
    if (order.takers.get(taker_order_uuid) === from) return this.#sendTo(order, reply);
    const match = order.matches.get(taker_order_uuid);
    if (match === undefined || match.from !== from || match.connected) return;
    if (!(await this.#start(order, match))) return;
    await this.#sendTo(order, reply);
    await this.#endIfGiven(maker_order_uuid);
  }

  /** Ends an order. @returns whether there was one @throws LogError */
  async end(uuid: string, reason: OrderEnd): Promise<boolean> {
    const { clock, streams, topics } = this.#desk;
    if (!this.#orders.has(uuid)) return false;
    await streams.append('maker', uuid, { record: orderEnded(reason, clock.now()), state: reason, finished: true });
    this.#orders.delete(uuid);
    topics.leave(uuid);
    return true;
  }

  /** Lets go of matches that nobody connected to, and of offers whose time is over. */
  async expire(now: Millis): Promise<void> {
    for (const order of this.list()) {
      const kept = [...order.matches].filter(([, match]) => match.connected || endOfMatch(match) > now);
      const current = kept.length === order.matches.size ? order : { ...order, matches: new Map(kept) };
      this.#orders.set(order.uuid, current);
      if (order.offer !== null && order.offer.expires_at <= now && isCancellable(current)) {
        await this.end(order.uuid, order.takers.size > 0 ? 'Fulfilled' : 'Expired');
      } else if (current !== order) await this.#endIfGiven(order.uuid);
    }
  }

  /** When something is due. */
  next(): number {
    const moments = this.list().flatMap(({ matches, offer }) => {
      const waiting = [...matches.values()].filter(({ connected }) => !connected).map(endOfMatch);
      return offer === null || waiting.length > 0 ? waiting : [offer.expires_at];
    });
    return Math.min(...moments, Number.POSITIVE_INFINITY);
  }

  #open(order: MakerOrder): void {
    this.#orders.set(order.uuid, order);
    this.#desk.topics.join(order.uuid, orderTopic(orderbookTicker(order.base), orderbookTicker(order.rel)));
  }

  #matchOf(taker_order_uuid: string): MakerMatch | undefined {
    for (const { matches } of this.#orders.values()) {
      const match = matches.get(taker_order_uuid);
      if (match !== undefined) return match;
    }
    return undefined;
  }

  #waitingFor(taker: string): number {
    let count = 0;
    for (const { matches } of this.#orders.values()) {
      for (const { from, connected } of matches.values()) if (from === taker && !connected) count += 1;
    }
    return count;
  }

  /** Both coins of an order, if both are active and the taker's wallet can be paid on them. */
  #coinsFor({ base, rel }: MakerOrder, request: TakerRequest): Coins | null {
    const maker = this.#desk.coin(base);
    const taker = this.#desk.coin(rel);
    if (maker === undefined || taker === undefined) return null;
    const buys = takerCoins(request).maker === request.base;
    const infoOf = (isMakerCoin: boolean) =>
      isMakerCoin === buys ? request.base_protocol_info : request.rel_protocol_info;
    return maker.supports(infoOf(true)) && taker.supports(infoOf(false)) ? { maker, taker } : null;
  }

  #match(order: MakerOrder, match: MakerMatch): void {
    const matches = new Map(order.matches).set(match.request.uuid, match);
    this.#orders.set(order.uuid, { ...order, matches });
  }

  async #start(order: MakerOrder, match: MakerMatch): Promise<boolean> {
    const { request, reserved, from } = match;
    const coins = this.#coinsFor(order, request);
    if (coins === null) return false;
    const { clock, streams, logger } = this.#desk;
    const now = clock.now();
    const taken = { taker_order_uuid: request.uuid, base_amount: reserved.base_amount };
    await streams.append('maker', order.uuid, { record: orderTaken({ ...taken, taker: from }, now) });
    const given = addFractions(order.given, reserved.base_amount);
    const takers = new Map(order.takers).set(request.uuid, from);
    const whole = { ...order, given, takers };
    this.#match(whole, { ...match, connected: true, last_updated: now });
    const agreed = { role: 'maker', request, reserved, counterparty: from } as const;
    try {
      await this.#desk.startSwap(
        swapRequestOf({ ...agreed, makerCoin: coins.maker, takerCoin: coins.taker }, this.#desk),
      );
      return true;
    } catch (error) {
      logger.error('a swap of an order did not start', { order: order.uuid, swap: request.uuid, code: codeOf(error) });
      await this.#giveBack(this.#orders.get(order.uuid) ?? whole, taken);
      return false;
    }
  }

  async #giveBack(order: MakerOrder, taken: Parameters<typeof orderGivenBack>[0]): Promise<MakerOrder> {
    const { clock, streams } = this.#desk;
    await streams.append('maker', order.uuid, { record: orderGivenBack(taken, clock.now()) });
    const without = <T>(map: ReadonlyMap<string, T>) =>
      new Map([...map].filter(([uuid]) => uuid !== taken.taker_order_uuid));
    const rest = { matches: without(order.matches), takers: without(order.takers) };
    const changed = { ...order, ...rest, given: subtractFractions(order.given, taken.base_amount) };
    this.#orders.set(order.uuid, changed);
    return changed;
  }

  /** An order of which less is left than anybody may take is done. */
  async #endIfGiven(uuid: string): Promise<void> {
    const order = this.#orders.get(uuid);
    if (order === undefined || order.takers.size === 0 || !isCancellable(order)) return;
    if (compareFractions(availableAmount(order), order.min_base_vol) < 0) await this.end(uuid, 'Fulfilled');
  }

  #send(reserved: MakerReserved): Promise<void> {
    return this.#desk.topics.send(orderTopic(reserved.base, reserved.rel), reserved);
  }

  #sendTo({ base, rel }: MakerOrder, message: OrdersMatched): Promise<void> {
    return this.#desk.topics.send(orderTopic(orderbookTicker(base), orderbookTicker(rel)), message);
  }
}

type Coins = { readonly maker: OrderCoin; readonly taker: OrderCoin };

function reservedOf(
  { uuid, base, rel, conf_settings }: MakerOrder,
  { request, matched, maker, taker }: Coins & { readonly request: TakerRequest; readonly matched: Matched },
): MakerReserved {
  return {
    kind: 'makerReserved',
    taker_order_uuid: request.uuid,
    maker_order_uuid: uuid,
    base: orderbookTicker(base),
    rel: orderbookTicker(rel),
    ...matched,
    conf_settings,
    base_protocol_info: maker.protocolInfo,
    rel_protocol_info: taker.protocolInfo,
  };
}

function endOfMatch({ last_updated }: MakerMatch): number {
  return last_updated + MATCH_TIMEOUT * 1000;
}

export function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name ?? typeof error);
}
