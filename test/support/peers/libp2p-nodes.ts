import { walletOfPassphrase } from '../../../src/node/keys.ts';
import { type Libp2pNetwork, type Libp2pOptions, openLibp2pNetwork } from '../../../src/peers/libp2p/network.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { OrderEnvelope } from '../../../src/ports/orders.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { systemClock } from '../../../src/runtime/host/clock-system.ts';

export type TestNode = Libp2pNetwork & { readonly lines: readonly string[] };

/** A node on loopback, on a free port where it listens, with a key of its own. */
export async function libp2pNode(name: string, options: Partial<Libp2pOptions> = {}): Promise<TestNode> {
  const lines: string[] = [];
  const line =
    (level: string): Logger['info'] =>
    (message, fields) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const network = await openLibp2pNetwork({
    signer: walletOfPassphrase(new Secret(`the passphrase of ${name}`)).coins,
    clock: systemClock(),
    logger: { info: line('info'), warn: line('warn'), error: line('error') },
    ...options,
  });
  return { ...network, lines };
}

/** A relay on a free port, and nodes that know it alone. */
export async function libp2pStar(names: readonly string[]): Promise<readonly [relay: TestNode, ...nodes: TestNode[]]> {
  const relay = await libp2pNode('the relay', { relay: true, listen: ['127.0.0.1:0'] });
  const nodes: TestNode[] = [];
  for (const name of names) nodes.push(await libp2pNode(name, { seeds: [...relay.addresses] }));
  await eventually(() => nodes.every(({ links }) => links().some((link) => link.relay)));
  return [relay, ...nodes];
}

const BARRIER = 'orbk/BARRIER:OF';
let drawn = 0;

/**
 * Returns when everything that each of them sent before has reached the others. Streams keep the order: a word that arrives says that all
 * before it has, and that its sender's subscriptions are known. So whoever hears a new word says its own again, for those whose
 * subscription came late.
 */
export async function settled(nodes: readonly Libp2pNetwork[]): Promise<void> {
  drawn += 1;
  const words = nodes.map(
    (_, index) => `00000000-0000-4000-8000-${(drawn * 1000 + index).toString(16).padStart(12, '0')}`,
  );
  const say = (index: number): void => {
    const id = words[index] as string;
    void nodes[index]?.orders.send(BARRIER, { kind: 'takerConnect', taker_order_uuid: id, maker_order_uuid: id });
  };
  const heard = nodes.map((_, index) => new Set([words[index]]));
  await new Promise<void>((resolve) => {
    const subscriptions = nodes.map(({ orders }, index) =>
      orders.subscribe(BARRIER, ({ message }: OrderEnvelope) => {
        const word = message.kind === 'takerConnect' ? message.taker_order_uuid : '';
        if (!words.includes(word) || heard[index]?.has(word) === true) return;
        heard[index]?.add(word);
        say(index);
        if (heard.some(({ size }) => size < nodes.length)) return;
        for (const { close } of subscriptions) close();
        resolve();
      }),
    );
    for (const index of nodes.keys()) say(index);
  });
}

/** Returns when it holds. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
