import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/host/clock-system.ts';
import { ordersContract } from '../../../../src/testing/contracts/orders-contract.ts';
import { peersContract } from '../../../../src/testing/contracts/peers-contract.ts';
import { openFramework } from '../../../support/peers/framework/open.ts';
import { eventually, libp2pNode, settled, type TestNode } from '../../../support/peers/libp2p-nodes.ts';

const hasRelay = ({ links }: TestNode): boolean => links().some(({ relay }) => relay);

/** Three nodes that a relay of the framework connects. */
async function star() {
  const relay = await openFramework({ role: 'relay', clock: systemClock() });
  const nodes: TestNode[] = [];
  for (const name of ['Alice', 'Bob', 'Carol']) nodes.push(await libp2pNode(name, { seeds: [relay.address] }));
  await eventually(() => nodes.every(hasRelay));
  await eventually(() => relay.includedBy().length === nodes.length);
  const [alice, bob, carol] = nodes as [TestNode, TestNode, TestNode];
  const close = async (): Promise<void> => {
    for (const node of nodes) await node.close();
    expect(relay.faults).toEqual([]);
    await relay.close();
  };
  return { nodes: [alice, bob, carol] as const, settle: () => settled(nodes), close };
}

describe('the contract of peers over a relay of the framework', () => {
  const cases = peersContract(async () => {
    const { nodes, ...under } = await star();
    const [alice, bob, carol] = nodes;
    return { peers: [alice.peers, bob.peers, carol.peers], ...under };
  });
  for (const { title, run } of cases) it(title, run);
});

describe('the contract of orders over a relay of the framework', () => {
  const cases = ordersContract(async () => {
    const { nodes, ...under } = await star();
    const [alice, bob, carol] = nodes;
    return { orders: [alice.orders, bob.orders, carol.orders], ...under };
  });
  for (const { title, run } of cases) it(title, run);
});
