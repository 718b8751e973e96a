import { orderbookTicker } from '../../htlc/lock-times.ts';
import { type MakerReserved, type OrdersMatched, orderTopic, type TakerRequest } from '../../ports/orders.ts';
import type { Millis } from '../../primitives/time.ts';
import { foldTakerOrder, orderEnded, takerConnecting, takerOrderCopied, takerOrderCreated } from './events.ts';
import { claimOf } from './ids.ts';
import { codeOf, type MakerDesk } from './makers.ts';
import { byPrice, matchReserved } from './match.ts';
import {
  MATCH_TIMEOUT,
  type OrderEnd,
  type ShownTakerOrder,
  type TakerMatch,
  type TakerOrder,
  takerCoins,
} from './model.ts';
import type { OrderCoin } from './parts.ts';
import type { OpenOrder } from './streams.ts';
import { roundsAway, swapRequestOf } from './swap-request.ts';

/** How long a taker compares answers, from the first one on. */
const CHOICE_MS = 3_000;

/** Between two repeats of what nobody has answered. The real node says everything once. */
const RESEND_MS = 5_000;

/**
 * How long a maker may leave a taker waiting that has another answer: a maker answers in a moment, and this is time enough for a second try.
 * Within the 30 s of a usual order three makers have their turn. The real node waits for one until the order's end.
 */
export const PATIENCE_MS = 9_000;

/** How long an answer is good for: its maker keeps it for {@link MATCH_TIMEOUT}, and must still have it when it is told. */
const GOOD_FOR_MS = MATCH_TIMEOUT * 1000 - RESEND_MS;

/** Answers that are kept to be compared: the cheapest. */
const MOST_ANSWERS = 100;

type Answer = { readonly reserved: MakerReserved; readonly from: string; readonly heardAt: Millis };

type Waiting = {
  order: TakerOrder;
  /** Of makers that were not told yet, the cheapest first. */
  answers: readonly Answer[];
  /** When one of them is chosen; infinite where there are none. */
  chooseAt: number;
  sendAt: number;
  /** From when on the maker that was told may be given up. */
  patientUntil: number;
};

/**
 * The taker's side of the hand-shake.
 *
 * - X3: the taker accepts one answer at a time, the cheapest that fits, and it is in the log before its maker hears of it; the swap starts when this
 *   maker says so, and once.
 * - X4: a silent maker is given up for the next best answer, and has no say from then on, even after a restart.
 * - X7: where someone else connects under the same uuid, the word that the swap begins may be for that one. It counts only of a maker whose
 *   order proves that its node tells the two apart, also after a restart.
 */
export class Takers {
  readonly #desk: MakerDesk;
  readonly #orders = new Map<string, Waiting>();

  constructor(desk: MakerDesk) {
    this.#desk = desk;
  }

  list(): readonly ShownTakerOrder[] {
    return [...this.#orders.values()].map(({ order }) => ({
      ...order,
      cancellable: !this.isMatching(order.request.uuid),
    }));
  }

  get(uuid: string): TakerOrder | undefined {
    return this.#orders.get(uuid)?.order;
  }

  /** Whether a maker was told a moment ago, so that the swap may begin. */
  isMatching(uuid: string): boolean {
    const waiting = this.#orders.get(uuid);
    return waiting !== undefined && waiting.order.match !== null && waiting.patientUntil > this.#desk.clock.now();
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

  async answered(reserved: MakerReserved, from: string): Promise<void> {
    const now = this.#desk.clock.now();
    const waiting = this.#orders.get(reserved.taker_order_uuid);
    if (waiting === undefined || from === this.#desk.network.self || endOf(waiting.order) <= now) return;
    const { match, givenUp } = waiting.order;
    if (match?.from === from || givenUp.includes(from)) return;
    if (!this.#fits(waiting, { reserved, from })) return;
    // Anyone can name a maker's order, and be first.
    const isKnown = ({ from: maker, reserved: { maker_order_uuid } }: Answer): boolean =>
      maker === from && maker_order_uuid === reserved.maker_order_uuid;
    waiting.answers = [...waiting.answers.filter((answer) => !isKnown(answer)), { reserved, from, heardAt: now }]
      .toSorted((left, right) => byPrice(left.reserved, right.reserved))
      .slice(0, MOST_ANSWERS);
    if (Number.isFinite(waiting.chooseAt)) return;
    // A taker of one certain order has nothing to compare.
    const { match_by } = waiting.order.request;
    const isCertain = match_by.type === 'Orders' && match_by.data.length === 1;
    waiting.chooseAt = Math.max(isCertain ? now : now + CHOICE_MS, waiting.patientUntil);
    if (waiting.chooseAt <= now) await this.act(now);
  }

  /** Someone takes the answer of a maker. Under the uuid of an own order no one else does who means well. */
  async overheard({ taker_order_uuid }: OrdersMatched, from: string): Promise<void> {
    const { network, streams, clock } = this.#desk;
    const waiting = this.#orders.get(taker_order_uuid);
    if (waiting === undefined || waiting.order.copied || from === network.self) return;
    // In this process it holds though it could not be written.
    waiting.order = { ...waiting.order, copied: true };
    await streams.append('taker', taker_order_uuid, { record: takerOrderCopied(from, clock.now()) });
  }

  /** The maker says that the swap begins. */
  async connected({ taker_order_uuid, maker_order_uuid }: OrdersMatched, from: string): Promise<void> {
    const waiting = this.#orders.get(taker_order_uuid);
    const match = waiting?.order.match ?? null;
    if (waiting === undefined || match === null) return;
    if (match.from !== from || match.reserved.maker_order_uuid !== maker_order_uuid) return;
    if (endOf(waiting.order) <= this.#desk.clock.now() || !this.#fits(waiting, match)) return;
    const coins = this.#coinsFor(waiting.order, match.reserved);
    if (coins === null) return;
    const { request } = waiting.order;
    const agreed = { role: 'taker', request, reserved: match.reserved, counterparty: from, ...coins } as const;
    try {
      await this.#desk.startSwap(swapRequestOf(agreed, this.#desk));
    } catch (error) {
      this.#desk.logger.error('a swap of an order did not start', { order: taker_order_uuid, code: codeOf(error) });
      if (!(await this.#desk.hasSwap({ role: 'taker', uuid: taker_order_uuid }))) return this.#goOn(waiting);
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
      if (endOf(waiting.order) <= now) continue;
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
    const patientUntil = order.match === null ? now : now + PATIENCE_MS;
    const chooseAt = Number.POSITIVE_INFINITY;
    const waiting: Waiting = { order, answers: [], chooseAt, sendAt: now, patientUntil };
    this.#orders.set(order.request.uuid, waiting);
    this.#desk.topics.join(order.request.uuid, topicOf(order));
    if (endOf(order) > now) await this.#say(waiting, now);
  }

  /** The maker that was told will not do: it can be given up at once. */
  async #goOn(waiting: Waiting): Promise<void> {
    const now = this.#desk.clock.now();
    waiting.patientUntil = now;
    if (waiting.answers.length > 0) waiting.chooseAt = now;
    await this.act(now);
  }

  async #choose(waiting: Waiting, now: Millis): Promise<void> {
    const { order } = waiting;
    const good = waiting.answers.filter((answer) => answer.heardAt + GOOD_FOR_MS > now && this.#fits(waiting, answer));
    const [best] = good;
    if (best === undefined) {
      waiting.answers = [];
      waiting.chooseAt = Number.POSITIVE_INFINITY;
      return;
    }
    const match = { reserved: best.reserved, from: best.from, last_updated: now };
    const givenUp = order.match === null ? order.givenUp : [...order.givenUp, order.match.from];
    await this.#desk.streams.append('taker', order.request.uuid, { record: takerConnecting(match) });
    waiting.order = { ...order, match, givenUp };
    waiting.answers = good.filter(({ from }) => from !== best.from);
    waiting.patientUntil = now + PATIENCE_MS;
    waiting.chooseAt = waiting.answers.length > 0 ? waiting.patientUntil : Number.POSITIVE_INFINITY;
    waiting.sendAt = now + RESEND_MS;
    await this.#connect(waiting.order, match);
  }

  /** Asks everyone, and tells the maker that was chosen: one that was started anew has forgotten what it answered. */
  async #say(waiting: Waiting, now: Millis): Promise<void> {
    const { order } = waiting;
    waiting.sendAt = now + RESEND_MS;
    await this.#desk.topics.send(topicOf(order), asNetworkSees(order.request));
    if (order.match !== null) await this.#connect(order, order.match);
  }

  async #connect(order: TakerOrder, { reserved: { maker_order_uuid } }: TakerMatch): Promise<void> {
    const message = { kind: 'takerConnect', taker_order_uuid: order.request.uuid, maker_order_uuid } as const;
    await this.#desk.topics.send(topicOf(order), message);
  }

  /** Whether an answer can be taken. */
  #fits({ order }: Waiting, { reserved, from }: Pick<Answer, 'reserved' | 'from'>): boolean {
    const claim = claimOf(reserved.maker_order_uuid, from);
    if (claim === 'anothers' || (order.copied && claim !== 'theirs')) return false;
    const coins = this.#coinsFor(order, reserved);
    if (coins === null || roundsAway(reserved.base_amount, coins.makerCoin)) return false;
    return matchReserved(order, { reserved, from });
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
