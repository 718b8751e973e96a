import type { PeerEnvelope, Peers } from '../../ports/peers.ts';
import {
  checkedKey,
  createTopics,
  type Delivery as DeliveryOf,
  type DeliveryPolicy as DeliveryPolicyOf,
  deliverNow,
} from './topics.ts';

/** One copy of a message on its way to one peer. */
export type Delivery = DeliveryOf<PeerEnvelope>;

/** Decides the fate of each copy: delivered now, later, more than once, or never. */
export type DeliveryPolicy = DeliveryPolicyOf<PeerEnvelope>;

export type InProcessNetworkOptions = {
  /** @defaultValue every copy is delivered at once */
  readonly policy?: DeliveryPolicy;
};

export type InProcessNetwork = {
  /**
   * A node on the network.
   *
   * @param key its signing key without the parity byte, 32 bytes in hex.
   * @throws RangeError for anything else.
   */
  readonly peer: (key: string) => Peers;
};

/**
 * A network inside one process, for tests, simulations and nodes that share one. A node does not hear itself. Neither the sender nor other receivers
 * notice a receiver's error.
 *
 * @example
 * ```ts
 * import { createInProcessNetwork } from 'swapfold/peers/in-process';
 *
 * const network = createInProcessNetwork();
 * const [alice, bob] = [network.peer('a1'.repeat(32)), network.peer('b2'.repeat(32))];
 * const heard: string[] = [];
 * alice.subscribe('swap/3447b727', () => heard.push('alice'));
 * bob.subscribe('swap/3447b727', ({ from }) => heard.push(`bob, of ${from.slice(0, 2)}`));
 * alice.send('swap/3447b727', { kind: 'negotiated', accepted: true });
 * heard; // → ['bob, of a1']
 * network.peer('A1'.repeat(32)); // throws RangeError
 * ```
 */
export function createInProcessNetwork({ policy = deliverNow }: InProcessNetworkOptions = {}): InProcessNetwork {
  const topics = createTopics(policy);
  return {
    peer(key) {
      const self: Peers = {
        self: checkedKey(key),
        // Everyone is trusted here: naming a key signs with it.
        send: (topic, message, { signer } = {}) =>
          topics.publish(self, { topic, from: signer === undefined ? key : signer.slice(2).toLowerCase(), message }),
        subscribe: (topic, onMessage) => topics.subscribe(self, { topic, onMessage }),
      };
      return self;
    },
  };
}
