import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { type TakerAsk, takerAsk } from '../../../../src/node/orders/asks.ts';
import type { OrderCoin } from '../../../../src/node/orders/parts.ts';
import { readAs } from '../../../../src/node/serde.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import type { MakerReserved, OrderMessage, Orders, TakerRequest } from '../../../../src/ports/orders.ts';
import { fractionOf, fractionText } from '../../../../src/primitives/fraction.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { COINS, openDesk, START, settle } from '../../../support/orders/desk.ts';
import { buyer, CONFS, ORDER, SWAP, TERMS, world } from '../../../support/orders/market.ts';
import { openShop } from '../../../support/orders/shop.ts';

const TOPIC = 'orbk/DOC:MARTY';
const CHEAP = 'cc'.repeat(32);
const OTHER_ORDER = '77777777-7777-4777-8777-777777777777';

/** What a maker that asks for 1 MARTY a DOC answers a buyer: nobody is cheaper. */
function cheapest(change: Partial<MakerReserved> = {}): MakerReserved {
  return {
    ...{ kind: 'makerReserved', taker_order_uuid: SWAP, maker_order_uuid: OTHER_ORDER, base: 'DOC', rel: 'MARTY' },
    ...{ base_amount: fractionOf(3n), rel_amount: fractionOf(3n), conf_settings: CONFS },
    ...{ base_protocol_info: null, rel_protocol_info: null },
    ...change,
  };
}

const connect = (maker_order_uuid = ORDER, taker_order_uuid = SWAP) =>
  ({ kind: 'takerConnect', taker_order_uuid, maker_order_uuid }) as const;
const connected = (maker_order_uuid = ORDER, taker_order_uuid = SWAP) =>
  ({ kind: 'makerConnected', taker_order_uuid, maker_order_uuid }) as const;

/** Answers each message of a kind at once, before anybody who listens later hears it. */
function whenever<K extends OrderMessage['kind']>(
  node: Orders,
  kind: K,
  answer: (message: Extract<OrderMessage, { kind: K }>) => OrderMessage | null,
): void {
  node.subscribe(TOPIC, ({ message, from }) => {
    if (message.kind !== kind || from === node.self) return;
    const reply = answer(message as Extract<OrderMessage, { kind: K }>);
    if (reply !== null) void node.send(TOPIC, reply);
  });
}

describe('a stranger that repeats a taker’s request under its uuid', () => {
  it('X5: costs the taker nothing, though it is heard first and asks for everything', async () => {
    const { clock, network, pass } = world();
    const stranger = network.node('aa'.repeat(32));
    whenever(stranger, 'takerRequest', (message) => ({
      ...message,
      ...{ base_amount: fractionOf(10n), rel_amount: fractionOf(20n) },
    }));
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await taker.desk.take(buyer());
    await pass(5);
    expect(maker.swaps.map(({ counterparty }) => counterparty)).toEqual([taker.key.slice(2)]);
    expect(taker.swaps).toMatchObject([{ maker_amount: '3', taker_amount: '4.5' }]);
  });

  it('X7: begins no second swap of that uuid, and none in which the taker mistakes the message for its own', async () => {
    const { clock, network, pass } = world();
    const stranger = network.node('aa'.repeat(32));
    whenever(stranger, 'takerRequest', (message) => message);
    // In the moment in which the taker waits for the word of the maker.
    whenever(stranger, 'takerConnect', (message) => message);
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await taker.desk.take(buyer());
    await pass(29);
    // Its uuid proves nothing, so that the one who is first has it; the taker sees that, and begins nothing with this maker.
    expect(maker.swaps.map(({ counterparty }) => counterparty)).toEqual(['aa'.repeat(32)]);
    expect(taker.swaps).toEqual([]);
  });

  it('X6: begins one swap though both connect', async () => {
    const { clock, network } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    const askers = ['aa', 'bb'].map((name) => network.node(name.repeat(32)));
    for (const asker of askers) await asker.send(TOPIC, buyer().request);
    for (const asker of askers) await asker.send(TOPIC, connect());
    await settle();
    expect(maker.swaps.map(({ counterparty }) => counterparty)).toEqual(['aa'.repeat(32)]);
    expect(maker.desk.makers()[0]).toMatchObject({ given: { numer: 3n, denom: 1n } });
  });

  it('lets the taker continue with a maker that is not confused', async () => {
    const { clock, network, pass } = world();
    const stranger = network.node('aa'.repeat(32));
    whenever(stranger, 'takerRequest', (message) => message);
    whenever(stranger, 'makerReserved', ({ maker_order_uuid }) =>
      maker_order_uuid === ORDER ? connect(maker_order_uuid) : null,
    );
    const confused = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    const maker = openDesk(network, 3, { clock });
    const own = maker.uuid();
    await confused.desk.make(ORDER, { terms: TERMS, instead: true });
    await maker.desk.make(own, { terms: { ...TERMS, price: fractionOf(8n, 5n) }, instead: true });
    await taker.desk.take(buyer());
    await pass(29);
    expect(taker.swaps).toMatchObject([{ counterparty: maker.key.slice(2), taker_amount: '4.8' }]);
    expect(maker.swaps).toMatchObject([{ counterparty: taker.key.slice(2), taker_amount: '4.8' }]);
  });

  it('is not answered if the uuid proves its owner, whatever it connects to', async () => {
    const { clock, network, pass } = world();
    const stranger = network.node('aa'.repeat(32));
    whenever(stranger, 'takerRequest', (message) => message);
    whenever(stranger, 'makerReserved', ({ maker_order_uuid, taker_order_uuid }) =>
      connect(maker_order_uuid, taker_order_uuid),
    );
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    const [own, swap] = [maker.uuid(), taker.uuid()];
    await maker.desk.make(own, { terms: TERMS, instead: true });
    await taker.desk.take(buyer({ uuid: swap }));
    await pass(5);
    expect(maker.swaps).toMatchObject([{ uuid: swap, counterparty: taker.key.slice(2) }]);
    expect(taker.swaps).toMatchObject([{ uuid: swap, counterparty: maker.key.slice(2) }]);
  });

  it('X6: gets no swap under a uuid that an own order or another own swap has', async () => {
    const { clock, network, pass } = world();
    const node = openDesk(network, 1, { clock });
    await node.desk.make(ORDER, { terms: TERMS, instead: true });
    await node.desk.take(buyer({ base: 'MARTY', rel: 'DOC' }));
    node.swaps.push({ role: 'taker', uuid: OTHER_ORDER } as (typeof node.swaps)[0]);
    const stranger = network.node('aa'.repeat(32));
    for (const uuid of [SWAP, ORDER, OTHER_ORDER]) {
      await stranger.send(TOPIC, buyer({ uuid }).request);
      await stranger.send(TOPIC, connect(ORDER, uuid));
    }
    await pass(31);
    expect(node.swaps.filter(({ role }) => role === 'maker')).toEqual([]);
  });
});

describe('a maker that answers best and then keeps silent', () => {
  /** A taker that asks, an honest maker, and one that answers better. */
  async function rivals() {
    const { clock, network, lost, pass } = world();
    const rogue = network.node(CHEAP);
    whenever(rogue, 'takerRequest', () => cheapest());
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await taker.desk.take(buyer());
    return { rogue, maker, taker, lost, pass };
  }

  it('costs the taker twelve seconds: it continues with the next best, and starts one swap', async () => {
    const { rogue, maker, taker, pass } = await rivals();
    await pass(11.9);
    expect(taker.desk.takers()[0]?.match?.from).toBe(CHEAP);
    await pass(0.2);
    expect(taker.swaps).toMatchObject([{ counterparty: maker.key.slice(2), taker_amount: '4.5' }]);
    await rogue.send(TOPIC, connected(OTHER_ORDER));
    await pass(30);
    expect(taker.swaps).toHaveLength(1);
    expect(maker.swaps).toHaveLength(1);
  });

  it('X4: has no say any more once the taker went on, also before the next one speaks', async () => {
    const { rogue, maker, taker, lost, pass } = await rivals();
    await pass(11);
    lost.add('makerConnected');
    await pass(2);
    lost.clear();
    await rogue.send(TOPIC, connected(OTHER_ORDER));
    await settle();
    expect(taker.swaps).toEqual([]);
    await pass(6);
    expect(taker.swaps).toMatchObject([{ counterparty: maker.key.slice(2) }]);
    expect(maker.swaps).toHaveLength(1);
  });

  it('keeps a taker that has no other answer, and its word still counts', async () => {
    const { clock, network, pass } = world();
    const slow = network.node(CHEAP);
    whenever(slow, 'takerRequest', () => cheapest());
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer());
    await pass(25);
    await slow.send(TOPIC, connected(OTHER_ORDER));
    await settle();
    expect(taker.swaps).toMatchObject([{ counterparty: CHEAP, taker_amount: '3' }]);
  });

  it('X4: is not chosen again, however cheap its later answers are', async () => {
    const { clock, network, seen, pass } = world();
    const rogue = network.node(CHEAP);
    whenever(rogue, 'takerRequest', () => cheapest());
    // It is silent as well, so that the taker would be glad of any other.
    whenever(network.node('dd'.repeat(32)), 'takerRequest', () =>
      cheapest({ maker_order_uuid: ORDER, rel_amount: fractionOf(4n) }),
    );
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer());
    await pass(29);
    const told = seen.flatMap(({ message }) => (message.kind === 'takerConnect' ? [message.maker_order_uuid] : []));
    expect(told.slice(0, 2)).toEqual([OTHER_ORDER, OTHER_ORDER]);
    expect(new Set(told.slice(2))).toEqual(new Set([ORDER]));
  });

  it('is left for one that answers once, as the real node does', async () => {
    const { clock, network, pass } = world();
    const answered = new Set<string>();
    const once = network.node('dd'.repeat(32));
    const silent = network.node(CHEAP);
    for (const [node, reply] of [
      [silent, cheapest()],
      [once, cheapest({ maker_order_uuid: ORDER, rel_amount: fractionOf(4n) })],
    ] as const) {
      whenever(node, 'takerRequest', () => {
        if (answered.has(node.self)) return null;
        answered.add(node.self);
        return reply;
      });
    }
    whenever(once, 'takerConnect', ({ maker_order_uuid }) => (maker_order_uuid === ORDER ? connected() : null));
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer());
    await pass(13);
    expect(taker.swaps).toMatchObject([{ counterparty: 'dd'.repeat(32), taker_amount: '4' }]);
  });

  it('is left for a maker that comes later', async () => {
    const { clock, network, pass } = world();
    whenever(network.node(CHEAP), 'takerRequest', () => cheapest());
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer());
    await pass(14);
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await pass(10);
    expect(taker.swaps).toMatchObject([{ counterparty: maker.key.slice(2) }]);
  });

  it('does not keep an order from standing as a maker’s when its time is over', async () => {
    const { clock, network, pass } = world();
    whenever(network.node(CHEAP), 'takerRequest', () => cheapest());
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer({}, { order_type: 'GoodTillCancelled' }));
    await pass(31);
    expect(taker.desk.takers()).toEqual([]);
    expect(taker.desk.makers()).toMatchObject([{ uuid: SWAP, base: 'MARTY', rel: 'DOC' }]);
  });

  it('keeps an order from being cancelled for as long as the swap may begin, and no longer', async () => {
    const { clock, network, pass } = world();
    whenever(network.node(CHEAP), 'takerRequest', () => cheapest());
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer());
    const shown = (): boolean | undefined => taker.desk.takers()[0]?.cancellable;
    expect(shown()).toBe(true);
    await pass(4);
    expect(shown()).toBe(false);
    await expect(taker.desk.cancel(SWAP)).rejects.toMatchObject({ kind: 'beingMatched' });
    await pass(9);
    expect(shown()).toBe(true);
    await taker.desk.cancel(SWAP);
    expect(taker.desk.takers()).toEqual([]);
  });
});

describe('an order that remains as a maker’s', () => {
  it('survives a process that dies between the two', async () => {
    const { clock, network, pass } = world();
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer({}, { order_type: 'GoodTillCancelled' }));
    // The first of the two records is stored, and nothing after it.
    let kept = 1;
    const dying: EventLog = {
      ...taker.log,
      append: (batch) => {
        kept -= 1;
        return kept < 0 ? Promise.reject(new Error('killed')) : taker.log.append(batch);
      },
    };
    await taker.desk.close();
    const last = openDesk(network, 2, { clock, log: dying });
    await last.desk.open();
    await pass(31);
    await last.desk.close();
    const again = openDesk(network, 2, { clock, log: taker.log });
    await again.desk.open();
    await pass(10);
    expect(again.desk.takers()).toEqual([]);
    expect(again.desk.makers()).toMatchObject([{ uuid: SWAP, base: 'MARTY', rel: 'DOC' }]);
    const made = (await taker.log.read(`maker-order/${SWAP}`)).map(({ type }) => type);
    expect(made).toEqual(['MakerOrderCreated']);
  });
});

describe('a log whose answer was lost', () => {
  /** A log that holds what it is given and says of the next record of a type that it may not. */
  function losing(log: EventLog) {
    const lost = new Set<string>();
    const wrapped: EventLog = {
      ...log,
      append: async (batch) => {
        const written = await log.append(batch);
        if (lost.delete(batch.records[0]?.type ?? '')) throw new Error('nobody answered');
        return written;
      },
    };
    return { wrapped, lost };
  }

  it('lets an order be cancelled all the same', async () => {
    const { clock, network } = world();
    const { wrapped, lost } = losing(createMemoryLog());
    const maker = openDesk(network, 1, { clock, log: wrapped });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    lost.add('OrderEnded');
    await expect(maker.desk.cancel(ORDER)).rejects.toThrow('nobody answered');
    await maker.desk.cancel(ORDER);
    expect(maker.desk.makers()).toEqual([]);
    expect((await wrapped.read(`maker-order/${ORDER}`)).map(({ type }) => type)).toEqual([
      ...['MakerOrderCreated', 'OrderEnded'],
    ]);
  });

  it('lets an order go on with its next taker', async () => {
    const { clock, network, pass } = world();
    const { wrapped, lost } = losing(createMemoryLog());
    const maker = openDesk(network, 1, { clock, log: wrapped });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    lost.add('OrderTaken');
    await taker.desk.take(buyer());
    await pass(25);
    expect(maker.swaps).toMatchObject([{ uuid: SWAP, maker_amount: '3' }]);
    expect(maker.desk.makers()).toMatchObject([{ given: { numer: 3n, denom: 1n } }]);
    const taken = (await wrapped.read(`maker-order/${ORDER}`)).filter(({ type }) => type === 'OrderTaken');
    expect(taken).toHaveLength(1);
  });
});

describe('a taker that is killed while it connects', () => {
  async function connecting() {
    const all = world();
    const { clock, network, lost, pass } = all;
    whenever(network.node(CHEAP), 'takerRequest', () => cheapest());
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await taker.desk.take(buyer());
    lost.add('makerConnected');
    return { ...all, maker, taker, restarted: () => openDesk(network, 2, { clock, log: taker.log }), pass };
  }

  it('continues with the maker to which it had connected', async () => {
    const { taker, restarted, lost, network, pass } = await connecting();
    await pass(4);
    await taker.desk.close();
    lost.clear();
    const again = restarted();
    await again.desk.open();
    expect(again.desk.takers()[0]?.match?.from).toBe(CHEAP);
    await network.node(CHEAP).send(TOPIC, connected(OTHER_ORDER));
    await settle();
    expect(again.swaps).toMatchObject([{ counterparty: CHEAP, taker_amount: '3' }]);
  });

  it('X7: remembers that another node connected under its uuid, and starts nothing on a message that may be for that node', async () => {
    const { taker, restarted, lost, network, pass } = await connecting();
    await pass(4);
    await network.node('aa'.repeat(32)).send(TOPIC, connect(OTHER_ORDER));
    await network.node('ab'.repeat(32)).send(TOPIC, connect(OTHER_ORDER));
    await settle();
    const told = (await taker.log.read(`taker-order/${SWAP}`)).map(({ type }) => type);
    expect(told).toEqual(['TakerOrderCreated', 'TakerConnecting', 'TakerOrderCopied']);
    await taker.desk.close();
    lost.clear();
    const again = restarted();
    await again.desk.open();
    await network.node(CHEAP).send(TOPIC, connected(OTHER_ORDER));
    await settle();
    expect(again.swaps).toEqual([]);
  });

  it('does not go back to the one that it had given up', async () => {
    const { taker, maker, restarted, lost, network, pass } = await connecting();
    await pass(13);
    expect(maker.swaps).toHaveLength(1);
    await taker.desk.close();
    lost.clear();
    lost.add('takerConnect');
    const again = restarted();
    await again.desk.open();
    await network.node(CHEAP).send(TOPIC, connected(OTHER_ORDER));
    await settle();
    expect(again.swaps).toEqual([]);
    lost.clear();
    await pass(6);
    expect(again.swaps).toMatchObject([{ counterparty: maker.key.slice(2), taker_amount: '4.5' }]);
    expect(maker.swaps).toHaveLength(1);
  });
});

describe('a message that comes late', () => {
  it.each([
    ['a moment before the end of the order begins the swap', 29_999, 1],
    ['at its end begins none, though it is heard before the order ends', 30_000, 0],
  ])('%s', async (_, after, swaps) => {
    const { clock, network, pass } = world();
    const maker = network.node(CHEAP);
    whenever(maker, 'takerRequest', () => cheapest());
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer());
    await pass(4);
    const sent = maker.send(TOPIC, connected(OTHER_ORDER));
    clock.advanceTo(millisOf(START + after));
    await sent;
    await settle();
    expect(taker.swaps).toHaveLength(swaps);
  });
});

describe('a node that sells what it buys', () => {
  it('answers no request of its own', async () => {
    const { clock, network, pass, seen } = world();
    const both = openDesk(network, 1, { clock });
    await both.desk.make(ORDER, { terms: TERMS, instead: true });
    const uuid = both.uuid();
    await both.desk.take(buyer({ uuid }));
    // Nor one that somebody brings back to it.
    await network.node(both.key.slice(2)).send(TOPIC, buyer({ uuid: both.uuid() }).request);
    await pass(29);
    expect(seen.filter(({ message }) => message.kind === 'makerReserved')).toEqual([]);
    expect(both.swaps).toEqual([]);
  });
});

describe('strangers that connect and never pay', () => {
  const MOST = 64;
  const named = (index: number): string => `55555555-5555-4555-8555-5555555555${index + 10}`;
  const keyed = (index: number): string => (index + 1).toString(16).padStart(64, 'b');
  const LEAST = { base_amount: fractionOf(1n, 2n), rel_amount: fractionOf(1n) };

  /** A maker with 100 DOC, of which strangers have taken half a DOC each, in more swaps than may stand unpaid. */
  async function beset() {
    const all = world();
    const maker = openDesk(all.network, 1, all);
    await maker.desk.make(ORDER, { terms: { ...TERMS, max_base_vol: fractionOf(100n) }, instead: true });
    for (let index = 0; index < MOST + 6; index++) {
      const stranger = all.network.node(keyed(index));
      await stranger.send(TOPIC, buyer({ uuid: named(index), ...LEAST }).request);
      await stranger.send(TOPIC, connect(ORDER, named(index)));
      await settle();
    }
    return { ...all, maker };
  }

  it('X8: begin no more swaps than may stand unpaid at a time, and take no more of the order', async () => {
    const { maker } = await beset();
    expect(maker.swaps).toHaveLength(MOST);
    expect(maker.desk.makers()[0]).toMatchObject({ given: { numer: 32n, denom: 1n } });
  });

  it('X8: begin none by connecting to what they were answered before', async () => {
    const { clock, network } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: { ...TERMS, max_base_vol: fractionOf(100n) }, instead: true });
    const strangers = Array.from({ length: MOST + 6 }, (_, index) => ({
      uuid: named(index),
      node: network.node(keyed(index)),
    }));
    for (const { uuid, node } of strangers) await node.send(TOPIC, buyer({ uuid, ...LEAST }).request);
    await settle();
    for (const { uuid, node } of strangers) {
      await node.send(TOPIC, connect(ORDER, uuid));
      await settle();
    }
    expect(maker.swaps).toHaveLength(MOST);
  });

  it('X8: leave room for a taker as soon as one has paid or its swap is over', async () => {
    const { clock, network, maker, pass } = await beset();
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer({}, { timeout: 60 }));
    await pass(20);
    expect(taker.swaps).toEqual([]);
    maker.paid.add(named(3));
    await pass(12);
    expect(taker.swaps).toMatchObject([{ counterparty: maker.key.slice(2), maker_amount: '3' }]);
    expect(maker.swaps).toHaveLength(MOST + 1);
  });
});

describe('amounts that a coin of few digits cannot send', () => {
  /** A coin of 0 digits, such as a token for a thing. */
  const whole = (node: ReturnType<typeof openDesk>): void => {
    const [known, least] = [node.coins.get('MARTY'), fractionOf(10n)];
    if (known !== undefined) node.coins.set('MARTY', { ...known, decimals: 0, minTradingVolume: least });
  };

  it.each([
    // 22 MARTY at 1.5 each are 33; a little less than 22.67 DOC would be 33.99 and is paid with 33.
    ['nearly a whole unit less than its price', fractionOf(2266n, 100n), []],
    ['exactly its price', fractionOf(22n), [{ maker_amount: '22', taker_amount: '33' }]],
    [
      'less than a thousandth below its price',
      fractionOf(7333n, 10n),
      [{ maker_amount: '733.3', taker_amount: '1099' }],
    ],
  ])('a maker that is offered %s', async (_, base_amount, swaps) => {
    const { clock, network } = world();
    const maker = openDesk(network, 1, { clock });
    whole(maker);
    await maker.desk.make(ORDER, { terms: { ...TERMS, max_base_vol: fractionOf(1000n) }, instead: true });
    const stranger = network.node(CHEAP);
    await stranger.send(TOPIC, buyer({ base_amount, rel_amount: fractionOf(5000n) }).request);
    await stranger.send(TOPIC, connect());
    await settle();
    expect(maker.swaps).toMatchObject(swaps);
    expect(maker.swaps).toHaveLength(swaps.length);
  });

  it('a taker that buys or sells an amount that cannot be sent is told so', async () => {
    const { clock, network } = world();
    const coins = { ...COINS, MARTY: { ...(COINS['MARTY'] as OrderCoin), decimals: 0 } };
    const { orders } = openShop(3, { clock, network: network.node, coins });
    const ask = (volume: string) =>
      readAs(takerAsk, { base: 'MARTY', rel: 'DOC', price: '0.5', volume }) as { readonly value: TakerAsk };
    for (const act of [orders.buy, orders.sell]) {
      await expect(act(ask('10.9').value)).rejects.toThrow(
        '10.9 MARTY cannot be sent: at most 0 digits after the point',
      );
      await expect(act(ask('11').value)).resolves.toMatchObject({ order_type: 'GoodTillCancelled' });
    }
  });

  it('a taker that would get nearly a whole unit less than it pays for begins nothing', async () => {
    const { clock, network, pass } = world();
    const rogue = network.node(CHEAP);
    const asked = fractionOf(1099n, 100n);
    whenever(rogue, 'takerRequest', () =>
      cheapest({ base: 'MARTY', rel: 'DOC', base_amount: asked, rel_amount: fractionOf(3n) }),
    );
    whenever(rogue, 'takerConnect', () => connected(OTHER_ORDER));
    const taker = openDesk(network, 2, { clock });
    whole(taker);
    // Sells 3 DOC for 10.99 MARTY at least, of which 10 would come.
    await taker.desk.take(buyer({ action: 'Sell', base_amount: fractionOf(3n), rel_amount: asked }));
    await pass(29);
    expect(taker.swaps).toEqual([]);
  });
});

describe('takers that ask for amounts of very many digits', () => {
  it('X1: make an order count what the coin can send, so that its numbers stay short', async () => {
    const { clock, network } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: { ...TERMS, max_base_vol: fractionOf(100n) }, instead: true });
    const swaps = Array.from({ length: 40 }, (_, index) => `66666666-6666-4666-8666-6666666666${index + 10}`);
    for (const [index, uuid] of swaps.entries()) {
      const stranger = network.node((index + 1).toString(16).padStart(64, 'b'));
      // A little more than 0.50000001, of which the other coin could not send the last digits, with a denominator that has nothing in common with the others.
      const denom = 2n ** 500n - 1n - 2n * BigInt(index);
      const base_amount = fractionOf((denom * 50_000_001n) / 100_000_000n + 1n, denom);
      await stranger.send(TOPIC, buyer({ uuid, base_amount, rel_amount: fractionOf(1n) }).request);
      await stranger.send(TOPIC, connect(ORDER, uuid));
      await settle();
    }
    expect(maker.swaps.map(({ maker_amount }) => maker_amount)).toEqual(swaps.map(() => '0.50000001'));
    expect(maker.desk.makers()[0]?.given).toEqual(fractionOf(200_000_004n, 10_000_000n));
    const again = openDesk(network, 1, { clock, log: maker.log, swaps: maker.swaps });
    await again.desk.open();
    expect(again.desk.makers()[0]?.given).toEqual(fractionOf(200_000_004n, 10_000_000n));
  });
});

describe('strangers that ask and never connect', () => {
  const named = (index: number, round = 10): string => `44444444-4444-4444-8444-44444444${round}${index + 10}`;
  const keyed = (index: number): string => (index + 1).toString(16).padStart(64, 'b');
  const strangers = async (
    network: ReturnType<typeof world>['network'],
    { round, ...change }: Partial<TakerRequest> & { readonly round?: number },
  ): Promise<void> => {
    for (let index = 0; index < 60; index++) {
      const { request } = buyer({ uuid: named(index, round), ...change });
      await network.node(keyed(index)).send(TOPIC, request);
    }
    await settle();
  };

  it('X1: hold nothing: the first to connect gets the volume', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await strangers(network, { base_amount: fractionOf(10n), rel_amount: fractionOf(20n) });
    const taker = openDesk(network, 2, { clock });
    await taker.desk.take(buyer());
    await pass(4);
    expect(maker.swaps).toMatchObject([{ counterparty: taker.key.slice(2), maker_amount: '3' }]);
    expect(taker.swaps).toHaveLength(1);
    // What is given is given: those whose requests no longer fit are not connected to.
    for (let index = 0; index < 60; index++) {
      await network.node(keyed(index)).send(TOPIC, connect(ORDER, named(index)));
    }
    await settle();
    expect(maker.swaps).toHaveLength(1);
    const [order] = maker.desk.makers();
    expect(order && fractionText(order.given)).toBe('3');
  });

  it('do not keep a maker from cancelling its order', async () => {
    const { clock, network } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await strangers(network, {});
    await maker.desk.cancel(ORDER);
    expect(maker.desk.makers()).toEqual([]);
    await network.node(keyed(0)).send(TOPIC, connect(ORDER, named(0)));
    await settle();
    expect(maker.swaps).toEqual([]);
  });

  it('do not keep an offer open beyond its time', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const offer = { expires_at: (clock.now() + 60_000) as ReturnType<typeof clock.now>, taker: null };
    const whole = { max_base_vol: fractionOf(3n), min_base_vol: fractionOf(3n) };
    await maker.desk.make(ORDER, { terms: { ...TERMS, ...whole, offer }, instead: false });
    for (let round = 10; round < 20; round++) {
      await strangers(network, { match_by: { type: 'Orders', data: [ORDER] }, round });
      await pass(10);
    }
    expect(maker.desk.makers()).toEqual([]);
  });
});
