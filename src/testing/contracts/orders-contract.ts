import { type OrderEnvelope, type OrderMessage, type Orders, orderTopic } from '../../ports/orders.ts';
import { type ContractCase, canonical, casesOn, type Steps } from './contract-case.ts';

/** A network under test, on which nothing is lost while the suite runs. */
export type OrdersUnderTest = {
  /** At least three nodes with different keys. */
  readonly orders: readonly [Orders, Orders, Orders];
  /** Returns when everything that was sent has arrived. */
  readonly settle: () => Promise<void>;
  readonly close?: () => Promise<void>;
};

export type OrdersContractCase = ContractCase;

const TAKER = '41383f43-46a5-478c-9386-3b2cce0aca20';
const MAKER = '0b1d2e3f-5a6b-4c7d-8e9f-a0b1c2d3e4f5';
const TOPIC = orderTopic('MARTY', 'DOC');
const OTHER = orderTopic('MARTY', 'RICK');
const REQUEST = {
  kind: 'takerRequest',
  uuid: TAKER,
  base: 'MARTY',
  rel: 'DOC',
  base_amount: { numer: 1n, denom: 3n },
  rel_amount: { numer: 340_282_366_920_938_463_463_374_607_431_768_211_457n, denom: 1_000_000_007n },
  action: 'Sell',
  match_by: { type: 'Any' },
  conf_settings: { base_confs: 1, base_nota: false, rel_confs: 70_000, rel_nota: true },
  base_protocol_info: '91a87374616e64617264',
  rel_protocol_info: '',
} as const satisfies OrderMessage;

/** One message of each kind, and of each way to say whose orders are wanted. */
const MESSAGES: readonly OrderMessage[] = [
  REQUEST,
  { ...REQUEST, action: 'Buy', match_by: { type: 'Orders', data: [MAKER, TAKER] } },
  { ...REQUEST, match_by: { type: 'Pubkeys', data: ['07'.repeat(32), 'fe'.repeat(32)] } },
  {
    kind: 'makerReserved',
    taker_order_uuid: TAKER,
    maker_order_uuid: MAKER,
    base: 'DOC',
    rel: 'MARTY',
    base_amount: { numer: 10n, denom: 1n },
    rel_amount: { numer: 1n, denom: 2n },
    conf_settings: { base_confs: 3, base_nota: true, rel_confs: 0, rel_nota: false },
    base_protocol_info: '',
    rel_protocol_info: '91a6736567776974',
  },
  { kind: 'takerConnect', taker_order_uuid: TAKER, maker_order_uuid: MAKER },
  { kind: 'makerConnected', taker_order_uuid: TAKER, maker_order_uuid: MAKER },
];

const HELLO: OrderMessage = { kind: 'takerConnect', taker_order_uuid: MAKER, maker_order_uuid: TAKER };

/**
 * What every adapter of the Orders port must do. Each case asks for a network of its own.
 *
 * @example
 * ```ts
 * import { createOrderNetwork } from 'swapfold/peers/in-process';
 * import { ordersContract } from 'swapfold/testing';
 *
 * const cases = ordersContract(async () => {
 *   const network = createOrderNetwork();
 *   const node = (byte: string) => network.node(byte.repeat(32));
 *   return { orders: [node('a1'), node('b2'), node('c3')], settle: async () => {} };
 * });
 * const broken: string[] = [];
 * for (const { title, run } of cases) await run().catch(() => broken.push(title));
 * broken; // → []
 * ```
 */
export function ordersContract(create: () => Promise<OrdersUnderTest>): readonly OrdersContractCase[] {
  return casesOn(create, CASES);
}

const CASES: readonly (readonly [title: string, steps: Steps<OrdersUnderTest>])[] = [
  [
    'the own key has 32 bytes in lower-case hex and differs for each node',
    async ({ orders }) => {
      for (const { self } of orders) check(/^[0-9a-f]{64}$/.test(self), `a key like ${self}`);
      check(new Set(orders.map(({ self }) => self)).size === orders.length, 'two nodes have the same key');
    },
  ],
  [
    "a message of every kind arrives as it was sent, with its sender's key",
    async ({ orders: [alice, bob], settle }) => {
      const heard = listen(bob, TOPIC);
      await settle();
      for (const message of MESSAGES) await alice.send(TOPIC, message);
      await settle();
      // A network may repeat and reorder: each is looked for by itself.
      const found = new Set(heard.map((envelope) => canonical(envelope)));
      for (const message of MESSAGES) {
        const wanted = canonical({ topic: TOPIC, from: alice.self, message });
        check(found.has(wanted), `${wanted} did not arrive, but ${[...found].join(', ') || 'nothing'}`);
      }
      check(found.size === MESSAGES.length, 'a message arrived that nobody had sent');
    },
  ],
  [
    'every subscriber of a pair receives a message, and subscribers of another pair do not',
    async ({ orders: [alice, bob, carol], settle }) => {
      const heard = { bob: listen(bob, TOPIC), again: listen(bob, TOPIC), carol: listen(carol, TOPIC) };
      const other = listen(bob, OTHER);
      const prefix = listen(carol, 'orbk');
      await settle();
      await alice.send(TOPIC, HELLO);
      await settle();
      for (const [name, envelopes] of Object.entries(heard)) check(envelopes.length > 0, `${name} heard nothing`);
      check(other.length === 0 && prefix.length === 0, 'a message on another topic');
    },
  ],
  [
    'a listener that changes a message changes it for nobody else',
    async ({ orders: [alice, bob, carol], settle }) => {
      bob.subscribe(TOPIC, ({ message }) => void Object.assign(message, { taker_order_uuid: MAKER.toUpperCase() }));
      const heard = [listen(bob, TOPIC), listen(carol, TOPIC)];
      await settle();
      const message = { ...HELLO };
      await alice.send(TOPIC, message);
      await settle();
      for (const [envelope] of heard) {
        check(canonical(envelope?.message) === canonical(HELLO), 'a message that another listener had changed');
      }
      check(canonical(message) === canonical(HELLO), 'a listener changed what was sent');
    },
  ],
  [
    'a node does not receive its own messages',
    async ({ orders: [alice, bob], settle }) => {
      const own = listen(alice, TOPIC);
      const heard = listen(bob, TOPIC);
      await settle();
      await alice.send(TOPIC, HELLO);
      await settle();
      check(heard.length > 0, 'the message did not arrive');
      check(own.length === 0, 'the sender received its own message');
    },
  ],
  [
    'sending to a pair without subscribers succeeds',
    async ({ orders: [alice] }) => void (await alice.send(OTHER, HELLO)),
  ],
  [
    'a closed subscription receives nothing more, and the others still do',
    async ({ orders: [alice, bob], settle }) => {
      const closed: OrderEnvelope[] = [];
      const subscription = bob.subscribe(TOPIC, (envelope) => void closed.push(envelope));
      const still = listen(bob, TOPIC);
      await settle();
      subscription.close();
      subscription.close();
      await settle();
      await alice.send(TOPIC, HELLO);
      await settle();
      check(closed.length === 0, 'a closed subscription was called');
      check(still.length > 0, 'another subscription was closed with it');
    },
  ],
];

function listen(orders: Orders, topic: string): OrderEnvelope[] {
  const heard: OrderEnvelope[] = [];
  orders.subscribe(topic, (envelope) => void heard.push(envelope));
  return heard;
}

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`the contract of Orders is broken: ${otherwise}`);
}
