import { expect, it } from 'vitest';
import type { OrderMessage } from '../../../../src/ports/orders.ts';
import { type DeskNode, deskClock, openDesk, settle } from '../../../support/orders/desk.ts';
import { buyer, ORDER, SWAP, TERMS } from '../../../support/orders/market.ts';
import { eventually, libp2pStar, settled, type TestNode } from '../../../support/peers/libp2p-nodes.ts';
import { stranger } from '../../../support/peers/stranger.ts';

const TOPIC = 'orbk/DOC:MARTY';
const KINDS: readonly OrderMessage['kind'][] = ['takerRequest', 'makerReserved', 'takerConnect', 'makerConnected'];

/** Each kind of message that a node has heard of others, as often as it came. */
function heardBy({ orders }: TestNode): string[] {
  const heard: string[] = [];
  orders.subscribe(TOPIC, ({ message, from }) => void heard.push(`${message.kind} ${from}`));
  return heard;
}

it('signed messages of an old hand-shake that a stranger sends again through a relay begin nothing, also after a restart', async () => {
  const [relay, alice, bob] = await libp2pStar(['Alice', 'Bob']);
  if (alice === undefined || bob === undefined) throw new Error('a node is missing');
  const clock = deskClock();
  const desk = (name: number, { orders }: TestNode, before?: DeskNode): DeskNode =>
    openDesk({ node: () => orders }, name, { clock, ...(before === undefined ? {} : before) });
  const eve = await stranger(relay);
  eve.frame({ subscriptions: [{ subscribe: true, topic: TOPIC }], included: { included: true, meshSize: 1 } });
  const [atAlice, atBob] = [heardBy(alice), heardBy(bob)];
  const maker = desk(1, alice);
  const taker = desk(2, bob);
  await maker.desk.make(ORDER, { terms: TERMS, instead: true });
  await settled([alice, bob]);
  await taker.desk.take(buyer());
  await eventually(() => atBob.length === 1);
  await settle();
  clock.advanceTo((clock.now() + 3_000) as ReturnType<typeof clock.now>);
  await eventually(() => taker.swaps.length === 1);
  const said = (): readonly Uint8Array[] => [
    ...new Map(
      eve.heard
        .flatMap(({ publications }) => publications)
        .filter(({ topic }) => topic === TOPIC)
        .map(({ data }) => [Buffer.from(data).toString('hex'), data]),
    ).values(),
  ];
  await eventually(() => said().length === KINDS.length);
  const again = async (): Promise<void> => {
    const [alices, bobs] = [atAlice.length, atBob.length];
    // Each as it was signed, under a number of its own, in its order and in the reverse.
    for (const data of [...said(), ...said().toReversed()]) eve.publish({ topic: TOPIC, data });
    // A maker that hears from the taker of a swap that it has begun says so again.
    await eventually(() => atAlice.length >= alices + 2 * KINDS.length && atBob.length >= bobs + 2 * KINDS.length);
    await settle();
  };
  await again();
  expect(atAlice).toContain(`makerConnected ${alice.orders.self}`);
  expect([maker.swaps.length, taker.swaps.length]).toEqual([1, 1]);
  await maker.desk.close();
  await taker.desk.close();
  const makerAgain = desk(1, alice, maker);
  const takerAgain = desk(2, bob, taker);
  await makerAgain.desk.open();
  await takerAgain.desk.open();
  await again();
  clock.advanceTo((clock.now() + 60_000) as ReturnType<typeof clock.now>);
  await again();
  expect(makerAgain.swaps.map(({ uuid }) => uuid)).toEqual([SWAP]);
  expect(takerAgain.swaps.map(({ uuid }) => uuid)).toEqual([SWAP]);
  expect(makerAgain.desk.makers()).toMatchObject([{ uuid: ORDER, given: { numer: 3n, denom: 1n } }]);
  expect(takerAgain.desk.takers()).toEqual([]);
  await makerAgain.desk.close();
  await takerAgain.desk.close();
  await eve.close();
  for (const node of [alice, bob, relay]) await node.close();
});
