import { describe, expect, it } from 'vitest';
import { createOrderNetwork } from '../../../../src/peers/in-process/index.ts';
import { type OrderMessage, type Orders, orderTopic } from '../../../../src/ports/orders.ts';
import { ordersContract } from '../../../../src/testing/contracts/orders-contract.ts';
import { CONNECT, REQUEST } from '../../../support/order-messages.ts';

const [ALICE, BOB, CAROL] = ['a1'.repeat(32), 'b2'.repeat(32), 'c3'.repeat(32)] as const;
const TOPIC = orderTopic('MARTY', 'DOC');
const nodes = (network = createOrderNetwork()): readonly [Orders, Orders, Orders] => [
  network.node(ALICE),
  network.node(BOB),
  network.node(CAROL),
];

describe('the contract of the port', () => {
  for (const { title, run } of ordersContract(async () => ({ orders: nodes(), settle: async () => {} }))) {
    it(title, run);
  }
});

describe('the contract notices', () => {
  const broken = async (orders: readonly [Orders, Orders, Orders]) => {
    const results = await Promise.allSettled(
      ordersContract(async () => ({ orders, settle: async () => {} })).map(({ run }) => run()),
    );
    return results.filter(({ status }) => status === 'rejected').length;
  };

  it('a network that delivers nothing', async () => {
    expect(await broken(nodes(createOrderNetwork({ policy: () => {} })))).toBeGreaterThanOrEqual(4);
  });

  it('a network that says that another sent it', async () => {
    const [alice, bob, carol] = nodes();
    expect(await broken([{ ...alice, self: 'd4'.repeat(32) }, bob, carol])).toBeGreaterThanOrEqual(1);
  });

  it('a network whose listeners share what they hear', async () => {
    const [alice, bob, carol] = nodes();
    const all: ((envelope: never) => void)[] = [];
    const shared = (node: Orders): Orders => ({
      ...node,
      send: (topic, message) => all.forEach((hand) => void hand({ topic, from: ALICE, message } as never)),
      subscribe: (_, onMessage) => {
        all.push(onMessage);
        return { close: () => {} };
      },
    });
    const cases = ordersContract(async () => ({
      orders: [shared(alice), shared(bob), shared(carol)],
      settle: async () => {},
    }));
    await expect(cases.find(({ title }) => title.includes('changes it'))?.run()).rejects.toThrow('had changed');
  });
});

it('the delivery policy decides when, whether and how often each copy arrives', () => {
  const held: (() => void)[] = [];
  const [alice, bob] = nodes(createOrderNetwork({ policy: ({ deliver }) => void held.push(deliver) }));
  const heard: OrderMessage[] = [];
  bob.subscribe(TOPIC, ({ message }) => void heard.push(message));
  alice.send(TOPIC, REQUEST);
  expect(heard).toEqual([]);
  held[0]?.();
  held[0]?.();
  expect(heard).toEqual([REQUEST, REQUEST]);
});

it('what is not a message arrives nowhere', () => {
  const [alice, bob] = nodes();
  const heard: unknown[] = [];
  bob.subscribe(TOPIC, (envelope) => void heard.push(envelope));
  alice.send(TOPIC, { ...REQUEST, base: 'M'.repeat(65) });
  alice.send(TOPIC, null as unknown as OrderMessage);
  alice.send(TOPIC, CONNECT);
  expect(heard).toEqual([{ topic: TOPIC, from: ALICE, message: CONNECT }]);
});

it('accepts no invalid key', () => {
  for (const key of ['', 'a1', 'A1'.repeat(32), `02${ALICE}`]) {
    expect(() => createOrderNetwork().node(key)).toThrow(RangeError);
  }
});
