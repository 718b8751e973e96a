import { readOrderMessage } from '../../peers/read-order-message.ts';
import type { OrderEnvelope } from '../../ports/orders.ts';
import type { Millis } from '../../primitives/time.ts';
import { codeOf, type MakerDesk, Makers } from './makers.ts';
import type { MakerOrder, MakerTerms, ShownTakerOrder, TakerOrder } from './model.ts';
import type { OrderParts } from './parts.ts';
import { OrderRefusal } from './refusal.ts';
import { OrderStreams } from './streams.ts';
import { Takers } from './takers.ts';
import { termsOfTaker } from './terms.ts';
import { Topics } from './topics.ts';

/** Messages that wait for their turn; what comes beyond is dropped, as a network may. */
const MOST_WAITING = 1000;

/** After something failed, such as a log that cannot be written. */
const REST_MS = 5_000;

/**
 * The orders of a node and the hand-shake by which they become swaps (as in the real node). Everything happens one after another, so that a
 * message never meets an order that is half written.
 */
export class OrderDesk {
  readonly #parts: OrderParts;
  readonly #makers: Makers;
  readonly #takers: Takers;
  readonly #desk: MakerDesk;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #closed = false;
  #cancelAlarm: () => void = () => {};
  /** After a failure nothing is tried again before this moment. */
  #restsUntil = 0;

  constructor(parts: OrderParts) {
    this.#parts = parts;
    const topics = new Topics(parts.network, { logger: parts.logger, heard: (envelope) => this.#hear(envelope) });
    this.#desk = { ...parts, topics, streams: new OrderStreams(parts.log) };
    this.#makers = new Makers(this.#desk);
    this.#takers = new Takers(this.#desk);
  }

  /** Takes up the orders of earlier processes. @throws LogError when the log cannot be read */
  open(): Promise<void> {
    return this.#inTurn(async () => {
      for (const order of await this.#desk.streams.open()) {
        const side = order.side === 'maker' ? this.#makers : this.#takers;
        try {
          await side.restore(order);
        } catch (error) {
          this.#parts.logger.error('an order cannot be resumed', { order: order.uuid, code: codeOf(error) });
        }
      }
    });
  }

  makers(): readonly MakerOrder[] {
    return this.#makers.list();
  }

  takers(): readonly ShownTakerOrder[] {
    return this.#takers.list();
  }

  /** Makes a maker's order; with `instead`, in the place of all that give and want the same. @throws LogError */
  make(
    uuid: string,
    { terms, instead }: { readonly terms: MakerTerms; readonly instead: boolean },
  ): Promise<MakerOrder> {
    return this.#inTurn(async () => {
      if (instead) await this.#cancelLike(terms);
      return this.#makers.create(uuid, terms);
    });
  }

  /** Cancels the maker's orders of a pair. @throws LogError */
  cancelPair(pair: Pick<MakerTerms, 'base' | 'rel'>): Promise<void> {
    return this.#inTurn(() => this.#cancelLike(pair));
  }

  /**
   * Asks the network; where an order with this uuid stands it goes on instead.
   *
   * @returns the order that stands
   * @throws OrderRefusal offerInvalid where one has stood; LogError when the order could not be written; nobody was asked then
   */
  take(order: TakerOrder): Promise<TakerOrder> {
    return this.#inTurn(async () => {
      const known = await this.#taken(order.request.uuid);
      if (known === null) await this.#takers.create(order);
      return known ?? order;
    });
  }

  /** The taker's order with this uuid; null where there never was one. @throws OrderRefusal offerInvalid where it has ended; LogError */
  taken(uuid: string): Promise<TakerOrder | null> {
    return this.#inTurn(() => this.#taken(uuid));
  }

  /** @throws OrderRefusal notFound, beingMatched; LogError */
  cancel(uuid: string): Promise<void> {
    return this.#inTurn(async () => {
      if (await this.#makers.end(uuid, 'Cancelled')) return;
      if (this.#takers.isMatching(uuid)) {
        throw new OrderRefusal('beingMatched', `Order ${uuid} is being matched now, can't cancel`);
      }
      if (await this.#takers.end(uuid, 'Cancelled')) return;
      throw new OrderRefusal('notFound', `Order with uuid ${uuid} is not found`);
    });
  }

  /** Ends all orders with a coin on either side. @returns their ids @throws LogError */
  cancelOf(ticker: string): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const ended: string[] = [];
      for (const { uuid, base, rel } of this.#makers.list()) {
        if ((base === ticker || rel === ticker) && (await this.#makers.end(uuid, 'Cancelled'))) ended.push(uuid);
      }
      for (const { request } of this.#takers.list()) {
        if (request.base !== ticker && request.rel !== ticker) continue;
        if (await this.#takers.end(request.uuid, 'Cancelled')) ended.push(request.uuid);
      }
      return ended;
    });
  }

  /** Listens no more; what is in progress is finished. Orders stay open in the log. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelAlarm();
    this.#desk.topics.close();
    await this.#last;
  }

  async #taken(uuid: string): Promise<TakerOrder | null> {
    const known = this.#takers.get(uuid);
    if (known !== undefined) return known;
    if (!(await this.#desk.streams.isKnown(uuid))) return null;
    throw new OrderRefusal('offerInvalid', `The offer was already taken, as order and swap ${uuid}.`);
  }

  async #cancelLike({ base, rel }: Pick<MakerTerms, 'base' | 'rel'>): Promise<void> {
    for (const order of this.#makers.list()) {
      if (order.base === base && order.rel === rel && order.offer === null) {
        await this.#makers.end(order.uuid, 'Cancelled');
      }
    }
  }

  #hear({ message: given, from }: OrderEnvelope): void {
    if (this.#closed || this.#waiting >= MOST_WAITING) return;
    const read = readOrderMessage(given);
    if (!read.ok) return;
    const { message } = read;
    void this.#unasked(async () => {
      switch (message.kind) {
        case 'takerRequest':
          return this.#makers.asked(message, from);
        case 'makerReserved':
          return this.#takers.answered(message, from);
        case 'takerConnect':
          await this.#takers.overheard(message, from);
          return this.#makers.connected(message, from);
        default:
          return this.#takers.connected(message, from);
      }
    });
  }

  async #due(): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#makers.expire(now);
    for (const order of this.#takers.timedOut(now)) await this.#endTaker(order);
    await this.#takers.act(now);
  }

  async #endTaker(order: TakerOrder): Promise<void> {
    const { uuid } = order.request;
    if (order.order_type !== 'GoodTillCancelled') {
      await this.#takers.end(uuid, 'TimedOut');
      return;
    }
    // Made before the other ends, so that a process that dies between the two leaves both and loses neither.
    if (!this.#makers.has(uuid)) await this.#makers.create(uuid, termsOfTaker(order));
    await this.#takers.end(uuid, 'ToMaker');
  }

  /** What nobody waits for: a failure is told in the node's log. */
  #unasked(work: () => Promise<void>): Promise<void> {
    return this.#inTurn(work).catch((error: unknown) => {
      this.#restsUntil = this.#parts.clock.now() + REST_MS;
      this.#parts.logger.error('an order could not continue', { code: codeOf(error) });
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const mine = this.#last.then(work).finally(() => {
      this.#waiting -= 1;
      this.#setAlarm();
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  #setAlarm(): void {
    this.#cancelAlarm();
    this.#cancelAlarm = () => {};
    const at = Math.min(this.#makers.next(), this.#takers.next());
    if (this.#closed || !Number.isFinite(at)) return;
    const from = Math.max(at, this.#restsUntil) as Millis;
    this.#cancelAlarm = this.#parts.clock.wakeAt(from, () => void this.#unasked(() => this.#due()));
  }
}
