import { describe, expect, it } from 'vitest';
import { walletOfPassphrase } from '../../../../src/node/keys.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { Secret } from '../../../../src/primitives/secret.ts';
import { ordersContract } from '../../../../src/testing/contracts/orders-contract.ts';
import { peersContract } from '../../../../src/testing/contracts/peers-contract.ts';
import { eventually, libp2pNode, libp2pStar, settled, type TestNode } from '../../../support/peers/libp2p-nodes.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

async function star() {
  const [relay, alice, bob, carol] = await libp2pStar(['Alice', 'Bob', 'Carol']);
  if (alice === undefined || bob === undefined || carol === undefined) throw new Error('a node is missing');
  const close = async (): Promise<void> => {
    for (const node of [alice, bob, carol, relay]) await node.close();
  };
  return { nodes: [alice, bob, carol] as const, settle: () => settled([alice, bob, carol]), close };
}

describe('the contract of peers', () => {
  const cases = peersContract(async () => {
    const { nodes, ...under } = await star();
    const [alice, bob, carol] = nodes;
    return { peers: [alice.peers, bob.peers, carol.peers], ...under };
  });
  for (const { title, run } of cases) it(title, run);
});

describe('the contract of orders', () => {
  const cases = ordersContract(async () => {
    const { nodes, ...under } = await star();
    const [alice, bob, carol] = nodes;
    return { orders: [alice.orders, bob.orders, carol.orders], ...under };
  });
  for (const { title, run } of cases) it(title, run);
});

describe('a node of the network', () => {
  it('has the identity that seed nodes of the framework make of their key', async () => {
    const node = await libp2pNode('anybody', { identity: sha256(new Uint8Array(32).fill(1)) });
    await node.close();
    expect(node.id).toBe('12D3KooWDMw3TJ2jeLRxeWtVrUkBw5FzKE8T1bMZK9wYsgmKxsTh');
  });

  it('hears through relays that know one another', async () => {
    const first = await libp2pNode('a relay', { relay: true, listen: ['127.0.0.1:0'] });
    const second = await libp2pNode('another', { relay: true, listen: ['127.0.0.1:0'], seeds: [...first.addresses] });
    await eventually(() => [first, second].every(({ links }) => links().some(({ relay }) => relay)));
    const alice = await libp2pNode('Alice', { seeds: [...first.addresses] });
    const bob = await libp2pNode('Bob', { seeds: [...second.addresses] });
    await eventually(() => [alice, bob].every(({ links }) => links().some(({ relay }) => relay)));
    const heard: string[] = [];
    bob.peers.subscribe('swap/x', ({ from }) => void heard.push(from));
    second.peers.subscribe('swap/x', ({ from }) => void heard.push(from));
    await settled([alice, bob, first, second]);
    await alice.peers.send('swap/x', { kind: 'negotiated', accepted: true });
    await settled([alice, bob, first, second]);
    expect(heard).toEqual([alice.peers.self, alice.peers.self]);
    for (const node of [alice, bob, first, second]) await node.close();
  });

  it('comes back to a relay that was away, and is heard again', async () => {
    const clock = virtualClock();
    const relay = await libp2pNode('the relay', { clock, relay: true, listen: ['127.0.0.1:0'] });
    const [address = ''] = relay.addresses;
    const [alice, bob] = [
      await libp2pNode('Alice', { clock, seeds: [address] }),
      await libp2pNode('Bob', { clock, seeds: [address] }),
    ];
    await eventually(() => [alice, bob].every(({ links }) => links().some((link) => link.relay)));
    await settled([alice, bob]);
    await relay.close();
    await eventually(() => [alice, bob].every(({ links }) => links().length === 0));
    const heard: unknown[] = [];
    bob.peers.subscribe('swap/x', ({ message }) => void heard.push(message));
    await alice.peers.send('swap/x', { kind: 'negotiated', accepted: false });
    const again = await libp2pNode('the relay', { clock, relay: true, listen: [address] });
    await clock.advance(10_000);
    await eventually(() => [alice, bob].every(({ links }) => links().some((link) => link.relay)));
    await settled([alice, bob]);
    await alice.peers.send('swap/x', { kind: 'negotiated', accepted: true });
    await settled([alice, bob]);
    expect(heard).toEqual([{ kind: 'negotiated', accepted: true }]);
    for (const node of [alice, bob, again]) await node.close();
    expect(clock.armed()).toBe(0);
  });

  it('hears once what was said about a swap a moment before it listened', async () => {
    const [relay, alice, bob] = await libp2pStar(['Alice', 'Bob']);
    if (alice === undefined || bob === undefined) throw new Error('a node is missing');
    const heard: unknown[] = [];
    await alice.peers.send('swap/x', { kind: 'negotiated', accepted: true });
    await settled([alice, bob]);
    const { close } = bob.peers.subscribe('swap/x', ({ message }) => void heard.push(message));
    await settled([alice, bob]);
    expect(heard).toEqual([{ kind: 'negotiated', accepted: true }]);
    close();
    bob.peers.subscribe('swap/x', ({ message }) => void heard.push(message));
    await settled([alice, bob]);
    expect(heard).toHaveLength(1);
    for (const node of [alice, bob, relay]) await node.close();
  });

  it('cannot listen where another does', async () => {
    const node = await libp2pNode('anybody', { listen: ['127.0.0.1:0'] });
    await expect(libp2pNode('somebody else', { listen: [...node.addresses] })).rejects.toMatchObject({
      code: 'PEER_LISTEN',
      facts: { address: node.addresses[0], reason: 'EADDRINUSE' },
    });
    await node.close();
  });

  it('signs with another own key if asked to, and with no foreign one', async () => {
    const other = walletOfPassphrase(new Secret('another key')).coins;
    const key = bytesToHex(other.key);
    const [relay, bob] = await libp2pStar(['Bob']);
    const alice = await libp2pNode('Alice', {
      seeds: [...relay.addresses],
      signerOf: (wanted) => (wanted === key ? other : undefined),
    });
    await eventually(() => alice.links().some((link) => link.relay));
    const heard: string[] = [];
    bob?.peers.subscribe('swap/x', ({ from }) => void heard.push(from));
    await settled([alice, bob as TestNode]);
    await alice.peers.send('swap/x', { kind: 'negotiated', accepted: true }, { signer: key });
    await settled([alice, bob as TestNode]);
    expect(heard).toEqual([key.slice(2)]);
    const foreign = alice.peers.send(
      'swap/x',
      { kind: 'negotiated', accepted: true },
      { signer: `02${'07'.repeat(32)}` },
    );
    await expect(foreign).rejects.toMatchObject({ code: 'PEER_KEY_UNKNOWN' });
    for (const node of [alice, bob, relay]) await node?.close();
  });

  it('leaves nothing open behind it', async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    await eventually(() => sockets() === 0);
    const nodes = await libp2pStar(['Alice', 'Bob']);
    await settled(nodes.slice(1));
    expect(sockets()).toBe(5);
    for (const node of nodes) await node.close();
    await nodes[0].close();
    await eventually(() => sockets() === 0);
  });
});
