import type { OrderEnvelope, Orders } from '../../ports/orders.ts';
import { readOrderMessage } from '../read-order-message.ts';
import { checkedKey, createTopics, type Delivery, type DeliveryPolicy, deliverNow } from './topics.ts';

/** One copy of a message about orders on its way to one node. */
export type OrderDelivery = Delivery<OrderEnvelope>;

/** Decides the fate of each copy: delivered now, later, more than once, or never. */
export type OrderDeliveryPolicy = DeliveryPolicy<OrderEnvelope>;

export type OrderNetworkOptions = {
  /** @defaultValue every copy is delivered at once */
  readonly policy?: OrderDeliveryPolicy;
};

export type OrderNetwork = {
  /**
   * A node on the network.
   *
   * @param key its signing key without the parity byte, 32 bytes in hex.
   * @throws RangeError for anything else.
   */
  readonly node: (key: string) => Orders;
};

/**
 * The network of orders inside one process, for tests, simulations and nodes that share one. Whoever listens gets a copy of what was
 * sent, in the form of the port; what is no message, or holds more than one may, arrives nowhere, as on the real network. A node does
 * not hear itself.
 *
 * @example
 * ```ts
 * import { createOrderNetwork } from 'swapfold/peers/in-process';
 *
 * const network = createOrderNetwork();
 * const heard: string[] = [];
 * network.node('b2'.repeat(32)).subscribe('orbk/A:B', ({ message }) => heard.push(message.kind));
 * const alice = network.node('a1'.repeat(32));
 * const ids = { taker_order_uuid: '3447b727-fe93-4357-8e5a-8cf2699b7e86', maker_order_uuid: '' };
 * alice.send('orbk/A:B', { kind: 'takerConnect', ...ids });
 * heard; // → []
 * alice.send('orbk/A:B', { kind: 'takerConnect', ...ids, maker_order_uuid: ids.taker_order_uuid });
 * heard; // → ['takerConnect']
 * ```
 */
export function createOrderNetwork({ policy = deliverNow }: OrderNetworkOptions = {}): OrderNetwork {
  const topics = createTopics(policy);
  return {
    node(key) {
      const self: Orders = {
        self: checkedKey(key),
        send: (topic, message) => {
          const read = readOrderMessage(message);
          if (read.ok) topics.publish(self, { topic, from: key, message: read.message });
        },
        subscribe: (topic, onMessage) =>
          topics.subscribe(self, { topic, onMessage: (envelope) => onMessage(structuredClone(envelope)) }),
      };
      return self;
    },
  };
}
