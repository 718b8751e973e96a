import { expect, it } from 'vitest';
import { eventually, libp2pNode, type TestNode } from '../../../support/peers/libp2p-nodes.ts';

const NODES = 100;
const TOPIC = 'swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
const READY = 'orbk/READY:OF';
const ID = '00000000-0000-4000-8000-000000000001';
const WORD = { kind: 'takerConnect', taker_order_uuid: ID, maker_order_uuid: ID } as const;

it('a hundred nodes on one seed node hear one another, each message once', async () => {
  const seed = await libp2pNode('the seed', {
    ...{ relay: true, listen: ['127.0.0.1:0'] },
    limits: { perSecond: 2 * NODES },
  });
  const nodes: TestNode[] = [];
  const heard: Map<string, number>[] = [];
  for (let index = 0; index < NODES; index++) {
    const node = await libp2pNode(`node ${index}`, { seeds: [...seed.addresses] });
    const from = new Map<string, number>();
    node.peers.subscribe(TOPIC, (envelope) => void from.set(envelope.from, (from.get(envelope.from) ?? 0) + 1));
    nodes.push(node);
    heard.push(from);
  }
  await eventually(() => nodes.every(({ links }) => links().some(({ relay }) => relay)));
  // Streams keep the order: whose word the seed node has heard, it knows for a listener.
  const ready = new Set<string>();
  seed.orders.subscribe(READY, ({ from }) => void ready.add(from));
  for (const { orders } of nodes) await orders.send(READY, WORD);
  await eventually(() => ready.size === NODES);
  for (const { peers } of nodes) await peers.send(TOPIC, { kind: 'negotiated', accepted: true });
  await eventually(() => heard.every(({ size }) => size >= NODES - 1));
  const counts = new Set(heard.flatMap((from) => [...from.values()]));
  expect([...counts]).toEqual([1]);
  expect([seed.links().length, seed.lines.filter((line) => !line.startsWith('info'))]).toEqual([NODES, []]);
  for (const node of [...nodes, seed]) await node.close();
}, 300_000);
