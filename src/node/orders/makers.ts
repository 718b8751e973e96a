import { orderbookTicker } from '../../htlc/lock-times.ts';
import {
  type MakerReserved,
  type MatchBy,
  type OrdersMatched,
  orderTopic,
  type TakerRequest,
} from '../../ports/orders.ts';
import { addFractions, compareFractions, subtractFractions, ZERO_FRACTION } from '../../primitives/fraction.ts';
import type { Millis } from '../../primitives/time.ts';
import { Answers, type Asker, endOfAnswer } from './answers.ts';
import { foldMakerOrder, makerOrderCreated, orderEnded, orderGivenBack, orderTaken, takenOf } from './events.ts';
import { claimOf } from './ids.ts';
import { type Matched, matchRequest } from './match.ts';
import {
  availableAmount,
  MATCH_TIMEOUT,
  type MakerMatch,
  type MakerOrder,
  type MakerTerms,
  MOST_MATCHES_OF_ONE,
  MOST_UNPAID,
  type OrderEnd,
  takerCoins,
} from './model.ts';
import type { OrderCoin, OrderParts } from './parts.ts';
import type { OpenOrder, OrderStreams } from './streams.ts';
import { roundsAway, sendableOf, swapRequestOf } from './swap-request.ts';
import type { Topics } from './topics.ts';

export type MakerDesk = OrderParts & { readonly streams: OrderStreams; readonly topics: Topics };

/** What is remembered of a swap that began, so that a taker that missed it is told again. */
type Begun = Pick<OrdersMatched, 'maker_order_uuid'> & {
  readonly from: string;
  readonly topic: string;
  readonly until: number;
};

/**
 * The maker's side of the hand-shake.
 *
 * - X1: a volume is given once, to whoever connects first, and what a swap takes is in the log before the swap starts. An answer holds nothing, so
 *   asking in many names keeps nobody out.
 * - X2: a repeated question gets the same answer, and a repeated connection the same result; a swap starts once.
 * - X6: no swap gets a uuid that an own order or another own swap has, and none the uuid that proves to be of another key than the asker's.
 * - X8: only so many swaps run at once whose takers have paid nothing; until one of them pays or ends, nobody is answered and none begins.
 */
export class Makers {
  readonly #desk: MakerDesk;
  readonly #orders = new Map<string, MakerOrder>();
  readonly #answers = new Answers();
  /** By the swap. */
  readonly #begun = new Map<string, Begun>();

  constructor(desk: MakerDesk) {
    this.#desk = desk;
  }

  /** With the takers that were answered. */
  list(): readonly MakerOrder[] {
    return [...this.#orders.values()].map((order) => {
      const waiting = this.#answers.of(order.uuid).map((match) => [match.request.uuid, match] as const);
      return { ...order, matches: new Map([...waiting, ...order.matches]) };
    });
  }

  has(uuid: string): boolean {
    return this.#orders.has(uuid);
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
    for (const [swap, from] of order.takers) this.#remember(order, { uuid: swap, from });
    await this.#endIfGiven(uuid);
  }

  /** A taker asks: the oldest order that fits answers. */
  async asked(request: TakerRequest, from: string): Promise<void> {
    const { network, clock } = this.#desk;
    if (from === network.self || claimOf(request.uuid, from) === 'anothers') return;
    const now = clock.now();
    const asker = { uuid: request.uuid, from };
    const known = this.#answers.get(asker);
    if (known !== undefined && this.#stands(known, now)) {
      this.#answers.keep({ ...known, last_updated: now });
      return this.#send(known.reserved);
    }
    this.#answers.drop(asker);
    if (this.#answers.countOf(from) >= MOST_MATCHES_OF_ONE) return;
    for (const order of this.#orders.values()) {
      const matched = matchRequest(order, { request, from, maker: network.self, now });
      const coins = matched === null ? null : this.#coinsFor(order, request);
      if (matched === null || coins === null || roundsAway(matched.rel_amount, coins.taker)) continue;
      if (await this.#isUsed(request.uuid)) return;
      if (await this.#isBeset()) return;
      const reserved = reservedOf(order, { request, matched, ...coins });
      const kept = { ...request, match_by: namedAlone(request.match_by, { uuid: order.uuid, key: network.self }) };
      this.#answers.keep({ request: kept, from, reserved, connected: false, last_updated: now });
      return this.#send(reserved);
    }
  }

  /** The taker takes the answer: the swap starts, and the taker is told. */
  async connected({ taker_order_uuid, maker_order_uuid }: OrdersMatched, from: string): Promise<void> {
    const order = this.#orders.get(maker_order_uuid);
    const reply: OrdersMatched = { kind: 'makerConnected', taker_order_uuid, maker_order_uuid };
    const begun = this.#begun.get(taker_order_uuid);
    if (begun?.from === from && begun.maker_order_uuid === maker_order_uuid) {
      return this.#desk.topics.send(begun.topic, reply);
    }
    if (order === undefined) return;
    if (order.takers.get(taker_order_uuid) === from) return this.#desk.topics.send(topicOf(order), reply);
    const match = this.#answers.get({ uuid: taker_order_uuid, from });
    if (match?.reserved.maker_order_uuid !== maker_order_uuid) return;
    if (endOfAnswer(match) <= this.#desk.clock.now()) return;
    // Others may have been faster, with the volume or with the uuid.
    if (compareFractions(match.reserved.base_amount, availableAmount(order)) > 0) return;
    if (await this.#isUsed(taker_order_uuid)) return;
    if (await this.#isBeset()) return;
    if (!(await this.#start(order, match))) return;
    await this.#desk.topics.send(topicOf(order), reply);
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

  /** Lets go of answers that nobody connected to, and of offers whose time is over. */
  async expire(now: Millis): Promise<void> {
    this.#answers.expire(now);
    for (const [swap, { until }] of this.#begun) {
      if (until > now) continue;
      this.#begun.delete(swap);
      this.#desk.topics.leave(swap);
    }
    const over = [...this.#orders.values()].filter((order) => this.#endOfOffer(order, now) <= now);
    for (const { uuid, takers } of over) await this.end(uuid, takers.size > 0 ? 'Fulfilled' : 'Expired');
  }

  /** When something is due. */
  next(): number {
    const now = this.#desk.clock.now();
    const offers = [...this.#orders.values()].map((order) => this.#endOfOffer(order, now));
    const begun = [...this.#begun.values()].map(({ until }) => until);
    return Math.min(this.#answers.next(), ...offers, ...begun);
  }

  /** Who was answered before it expired can take it for a little longer. */
  #endOfOffer({ uuid, offer }: MakerOrder, now: Millis): number {
    if (offer === null) return Number.POSITIVE_INFINITY;
    if (offer.expires_at > now) return offer.expires_at;
    return Math.max(offer.expires_at, ...this.#answers.of(uuid).map(endOfAnswer));
  }

  #open(order: MakerOrder): void {
    this.#orders.set(order.uuid, order);
    this.#desk.topics.join(order.uuid, topicOf(order));
  }

  /** Whether what was answered would be answered still. */
  #stands({ request, from, reserved }: MakerMatch, now: Millis): boolean {
    const order = this.#orders.get(reserved.maker_order_uuid);
    if (order === undefined || this.#coinsFor(order, request) === null) return false;
    return matchRequest(order, { request, from, maker: this.#desk.network.self, now }) !== null;
  }

  /** Whether something of this node has the uuid, so that no swap can get it. */
  async #isUsed(uuid: string): Promise<boolean> {
    const { hasSwap, streams } = this.#desk;
    for (const role of ['maker', 'taker'] as const) if (await hasSwap({ role, uuid })) return true;
    return streams.isKnown(uuid);
  }

  async #isBeset(): Promise<boolean> {
    return (await this.#desk.unpaidSwaps()) >= MOST_UNPAID;
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

  /** Remembers a swap that began, and listens for its taker though the order may end. */
  #remember(order: MakerOrder, { uuid, from }: Asker): void {
    const topic = topicOf(order);
    const until = this.#desk.clock.now() + MATCH_TIMEOUT * 1000;
    this.#begun.set(uuid, { maker_order_uuid: order.uuid, from, topic, until });
    this.#desk.topics.join(uuid, topic);
  }

  async #start(order: MakerOrder, match: MakerMatch): Promise<boolean> {
    const { request, reserved, from } = match;
    const coins = this.#coinsFor(order, request);
    if (coins === null) return false;
    const { clock, streams, logger } = this.#desk;
    const now = clock.now();
    const taken = { taker_order_uuid: request.uuid, base_amount: sendableOf(reserved.base_amount, coins.maker) };
    await streams.append('maker', order.uuid, { record: orderTaken({ ...taken, taker: from }, now) });
    const given = addFractions(order.given, taken.base_amount);
    const takers = new Map(order.takers).set(request.uuid, from);
    const matches = new Map(order.matches).set(request.uuid, { ...match, connected: true, last_updated: now });
    const whole = { ...order, given, takers, matches };
    this.#orders.set(order.uuid, whole);
    this.#answers.drop({ uuid: request.uuid, from });
    const agreed = { role: 'maker', request, reserved, counterparty: from } as const;
    try {
      await this.#desk.startSwap(
        swapRequestOf({ ...agreed, makerCoin: coins.maker, takerCoin: coins.taker }, this.#desk),
      );
    } catch (error) {
      logger.error('a swap of an order did not start', { order: order.uuid, swap: request.uuid, code: codeOf(error) });
      if (!(await this.#desk.hasSwap({ role: 'maker', uuid: request.uuid }))) {
        await this.#giveBack(whole, taken);
        return false;
      }
    }
    this.#remember(whole, { uuid: request.uuid, from });
    return true;
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

  /** An order of which less is left than anyone may take is done. */
  async #endIfGiven(uuid: string): Promise<void> {
    const order = this.#orders.get(uuid);
    if (order === undefined || order.takers.size === 0) return;
    if (compareFractions(availableAmount(order), order.min_base_vol) < 0) await this.end(uuid, 'Fulfilled');
  }

  #send(reserved: MakerReserved): Promise<void> {
    return this.#desk.topics.send(orderTopic(reserved.base, reserved.rel), reserved);
  }
}

/** Of all that a request names what was found: a request may name hundreds, and each answer keeps its own. */
function namedAlone(match_by: MatchBy, { uuid, key }: { readonly uuid: string; readonly key: string }): MatchBy {
  if (match_by.type === 'Any') return match_by;
  return { ...match_by, data: [match_by.type === 'Orders' ? uuid : key] };
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

function topicOf({ base, rel }: MakerOrder): string {
  return orderTopic(orderbookTicker(base), orderbookTicker(rel));
}

export function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name ?? typeof error);
}
