import { orderbookTicker } from '../../htlc/lock-times.ts';
import { type MakerReserved, type OrdersMatched, orderTopic, type TakerRequest } from '../../ports/orders.ts';
import type { Millis } from '../../primitives/time.ts';
import { foldTakerOrder, orderEnded, takerOrderCreated } from './events.ts';
import { codeOf, type MakerDesk } from './makers.ts';
import { byPrice, matchReserved } from './match.ts';
import { MATCH_TIMEOUT, type OrderEnd, type TakerOrder, takerCoins } from './model.ts';
import type { OrderCoin } from './parts.ts';
import type { OpenOrder } from './streams.ts';
import { swapRequestOf } from './swap-request.ts';

/** How long a taker compares answers, from the first one on. */
const CHOICE_MS = 3_000;

/** Between two repeats of what nobody has answered. The real node says everything once. */
const RESEND_MS = 5_000;

/** Answers that are kept to be compared: the cheapest. */
const MOST_ANSWERS = 100;

type Answer = { readonly reserved: MakerReserved; readonly from: string };

type Waiting = {
  order: TakerOrder;
  /** To be compared. */
  answers: Answer[];
  /** When they are; infinite before the first one. */
  chooseAt: number;
  sendAt: number;
};

/**
 * The taker's side of the hand-shake.
 *
 * - X3: one answer is taken, the cheapest that fits; the swap starts when the maker that gave it says so, and once.
 */
export class Takers {
  readonly #desk: MakerDesk;
  readonly #orders = new Map<string, Waiting>();

  constructor(desk: MakerDesk) {
    this.#desk = desk;
  }

  list(): readonly TakerOrder[] {
    return [...this.#orders.values()].map(({ order }) => order);
  }

  get(uuid: string): TakerOrder | undefined {
    return this.#orders.get(uuid)?.order;
  }

  /** @throws LogError when it could not be written; nobody was asked then */
  async create(order: TakerOrder): Promise<void> {
    const { maker, taker } = takerCoins(order.request);
    const labels = { makerCoin: maker, takerCoin: taker, state: 'open', finished: false };
    await this.#desk.streams.append('taker', order.request.uuid, { record: takerOrderCreated(order), ...labels });
    await this.#open(order);
  }

  /** Takes up what an earlier process left; one whose swap began is done. */
  async restore({ uuid, records }: OpenOrder): Promise<void> {
    const order = foldTakerOrder(uuid, records);
    if (order === null) return;
    if (!(await this.#desk.hasSwap({ role: 'taker', uuid }))) return this.#open(order);
    await this.#write(uuid, 'Fulfilled');
  }

  /** A maker answers. */
  async answered(reserved: MakerReserved, from: string): Promise<void> {
    const waiting = this.#orders.get(reserved.taker_order_uuid);
    if (waiting === undefined || waiting.order.match !== null || from === this.#desk.network.self) return;
    // Anybody can name a maker's order, and be first.
    const isKnown = ({ from: maker, reserved: { maker_order_uuid } }: Answer): boolean =>
      maker === from && maker_order_uuid === reserved.maker_order_uuid;
    if (waiting.answers.some(isKnown)) return;
    if (!matchReserved(waiting.order, { reserved, from }) || this.#coinsFor(waiting.order, reserved) === null) return;
    const isFirst = waiting.answers.length === 0;
    waiting.answers = [...waiting.answers, { reserved, from }]
      .toSorted((left, right) => byPrice(left.reserved, right.reserved))
      .slice(0, MOST_ANSWERS);
    if (!isFirst) return;
    const now = this.#desk.clock.now();
    // Whoever takes one certain order has nothing to compare.
    const isCertain =
      waiting.order.request.match_by.type === 'Orders' && waiting.order.request.match_by.data.length === 1;
    waiting.chooseAt = isCertain ? now : now + CHOICE_MS;
    if (isCertain) await this.act(now);
  }

  /** The maker says that the swap begins. */
  async connected({ taker_order_uuid, maker_order_uuid }: OrdersMatched, from: string): Promise<void> {
    const waiting = this.#orders.get(taker_order_uuid);
    const match = waiting?.order.match ?? null;
    if (waiting === undefined || match === null) return;
    if (match.from !== from || match.reserved.maker_order_uuid !== maker_order_uuid) return;
    const coins = this.#coinsFor(waiting.order, match.reserved);
    if (coins === null) return;
    const { request } = waiting.order;
    const agreed = { role: 'taker', request, reserved: match.reserved, counterparty: from, ...coins } as const;
    try {
      await this.#desk.startSwap(swapRequestOf(agreed, this.#desk));
    } catch (error) {
      this.#desk.logger.error('a swap of an order did not start', { order: taker_order_uuid, code: codeOf(error) });
      await this.end(taker_order_uuid, 'TimedOut');
      return;
    }
    await this.end(taker_order_uuid, 'Fulfilled');
  }

  /** Ends an order. @returns whether there was one @throws LogError */
  async end(uuid: string, reason: OrderEnd): Promise<boolean> {
    if (!this.#orders.has(uuid)) return false;
    await this.#write(uuid, reason);
    this.#orders.delete(uuid);
    this.#desk.topics.leave(uuid);
    return true;
  }

  /** Chooses among answers, and says again what nobody has answered. */
  async act(now: Millis): Promise<void> {
    for (const waiting of [...this.#orders.values()]) {
      if (waiting.chooseAt <= now) await this.#choose(waiting, now);
      else if (waiting.sendAt <= now) await this.#say(waiting, now);
    }
  }

  /** Orders whose time is over. */
  timedOut(now: Millis): readonly TakerOrder[] {
    return this.list().filter((order) => endOf(order) <= now);
  }

  /** When something is due. */
  next(): number {
    const moments = [...this.#orders.values()].map(({ order, chooseAt, sendAt }) => {
      return Math.min(chooseAt, sendAt, endOf(order));
    });
    return Math.min(...moments, Number.POSITIVE_INFINITY);
  }

  async #open(order: TakerOrder): Promise<void> {
    const now = this.#desk.clock.now();
    const waiting: Waiting = { order, answers: [], chooseAt: Number.POSITIVE_INFINITY, sendAt: now };
    this.#orders.set(order.request.uuid, waiting);
    this.#desk.topics.join(order.request.uuid, topicOf(order));
    await this.#say(waiting, now);
  }

  async #choose(waiting: Waiting, now: Millis): Promise<void> {
    const [best] = waiting.answers;
    waiting.answers = [];
    waiting.chooseAt = Number.POSITIVE_INFINITY;
    if (best === undefined) return;
    waiting.order = { ...waiting.order, match: { ...best, last_updated: now } };
    await this.#say(waiting, now);
  }

  async #say(waiting: Waiting, now: Millis): Promise<void> {
    const { order } = waiting;
    waiting.sendAt = now + RESEND_MS;
    const { match, request } = order;
    // A maker that was started anew has forgotten what it answered: it is asked again before it is told again.
    const isForgotten = match !== null && order.maker !== null && now >= match.last_updated + MATCH_TIMEOUT * 1000;
    if (match === null || isForgotten) await this.#desk.topics.send(topicOf(order), asNetworkSees(request));
    if (match === null) return;
    const { maker_order_uuid } = match.reserved;
    const message = { kind: 'takerConnect', taker_order_uuid: request.uuid, maker_order_uuid } as const;
    await this.#desk.topics.send(topicOf(order), message);
  }

  /** Both own coins, if both are active and the maker's wallet can be paid on them. */
  #coinsFor({ request }: TakerOrder, reserved: MakerReserved): Coins | null {
    const { maker, taker } = takerCoins(request);
    const makerCoin = this.#desk.coin(maker);
    const takerCoin = this.#desk.coin(taker);
    if (makerCoin === undefined || takerCoin === undefined) return null;
    const supported = makerCoin.supports(reserved.base_protocol_info) && takerCoin.supports(reserved.rel_protocol_info);
    return supported ? { makerCoin, takerCoin } : null;
  }

  #write(uuid: string, reason: OrderEnd): Promise<void> {
    const { streams, clock } = this.#desk;
    const record = orderEnded(reason, clock.now());
    return streams.append('taker', uuid, { record, state: reason, finished: true });
  }
}

type Coins = { readonly makerCoin: OrderCoin; readonly takerCoin: OrderCoin };

/** Under the tickers of the order book. */
function asNetworkSees(request: TakerRequest): TakerRequest {
  return { ...request, base: orderbookTicker(request.base), rel: orderbookTicker(request.rel) };
}

function endOf({ created_at, timeout }: TakerOrder): number {
  return created_at + timeout * 1000;
}

function topicOf({ request: { base, rel } }: TakerOrder): string {
  return orderTopic(orderbookTicker(base), orderbookTicker(rel));
}
