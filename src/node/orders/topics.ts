import type { Logger } from '../../ports/logger.ts';
import type { OrderEnvelope, OrderMessage, Orders } from '../../ports/orders.ts';

/** Which topics the orders of a node listen to, and who sends there. A topic is listened to while an order wants it. */
export class Topics {
  readonly #network: Orders;
  readonly #logger: Logger;
  readonly #heard: (envelope: OrderEnvelope) => void;
  readonly #open = new Map<string, { readonly close: () => void; readonly orders: Set<string> }>();
  readonly #byOrder = new Map<string, string>();

  constructor(network: Orders, parts: { readonly logger: Logger; readonly heard: (envelope: OrderEnvelope) => void }) {
    this.#network = network;
    this.#logger = parts.logger;
    this.#heard = parts.heard;
  }

  join(order: string, topic: string): void {
    this.#byOrder.set(order, topic);
    const known = this.#open.get(topic);
    if (known !== undefined) known.orders.add(order);
    else {
      const { close } = this.#network.subscribe(topic, this.#heard);
      this.#open.set(topic, { close, orders: new Set([order]) });
    }
  }

  leave(order: string): void {
    const topic = this.#byOrder.get(order);
    const known = topic === undefined ? undefined : this.#open.get(topic);
    this.#byOrder.delete(order);
    if (topic === undefined || known === undefined) return;
    known.orders.delete(order);
    if (known.orders.size > 0) return;
    known.close();
    this.#open.delete(topic);
  }

  /** A message that could not be handed over is one that got lost: nobody relies on any. */
  async send(topic: string, message: OrderMessage): Promise<void> {
    try {
      await this.#network.send(topic, message);
    } catch {
      this.#logger.warn('a message of an order was not sent', { topic, kind: message.kind });
    }
  }

  close(): void {
    for (const { close } of this.#open.values()) close();
    this.#open.clear();
    this.#byOrder.clear();
  }
}
