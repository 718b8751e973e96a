import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { AppendBatch, EventLog } from '../../../../src/ports/event-log.ts';
import type { OrderEnvelope, OrderMessage } from '../../../../src/ports/orders.ts';
import { type Fraction, fractionOf } from '../../../../src/primitives/fraction.ts';
import { openDesk, settle } from '../../../support/orders/desk.ts';
import { buyer, CONFS, ORDER, SWAP, TERMS, world } from '../../../support/orders/market.ts';

const TOPIC = 'orbk/DOC:MARTY';

/** A trade that went well, all that was said in it, and a way to say it again as it was signed. */
async function traded() {
  const all = world();
  const maker = openDesk(all.network, 1, all);
  const taker = openDesk(all.network, 2, all);
  await maker.desk.make(ORDER, { terms: TERMS, instead: true });
  await taker.desk.take(buyer());
  await all.pass(5);
  const said = [...new Map(all.seen.map((envelope) => [envelope.message.kind, envelope])).values()];
  const again = async (envelopes: readonly OrderEnvelope[]): Promise<void> => {
    for (const { topic, from, message } of envelopes) await all.network.node(from).send(topic, message);
    await settle();
  };
  return { ...all, maker, taker, said, again };
}

type SlowLog = EventLog & { hold: Promise<void> };

/** A log whose writer waits where a test says so. */
function slowLog(): SlowLog {
  const log = createMemoryLog();
  const slowed: SlowLog = Object.assign(Object.create(log) as EventLog, {
    hold: Promise.resolve(),
    async append(batch: AppendBatch) {
      await slowed.hold;
      return log.append(batch);
    },
  });
  return slowed;
}

/** All orders in which some things can be said. */
function orders<T>(values: readonly T[]): readonly (readonly T[])[] {
  if (values.length === 0) return [[]];
  return values.flatMap((value, at) => orders(values.toSpliced(at, 1)).map((rest) => [value, ...rest]));
}

describe('messages that anyone who heard them repeats', () => {
  it('start nothing while the swap runs, in any order', async () => {
    const { maker, taker, said, again, pass } = await traded();
    expect(said.map(({ message }) => message.kind)).toEqual([
      'takerRequest',
      'makerReserved',
      'takerConnect',
      'makerConnected',
    ]);
    for (const order of orders(said)) await again(order);
    await pass(120);
    for (const order of orders(said)) await again(order);
    expect(maker.swaps).toHaveLength(1);
    expect(taker.swaps).toHaveLength(1);
  });

  it('begin nothing after both nodes were restarted', async () => {
    const { network, clock, maker, taker, said, again, pass } = await traded();
    await maker.desk.close();
    await taker.desk.close();
    const makerAgain = openDesk(network, 1, { clock, log: maker.log, swaps: maker.swaps });
    const takerAgain = openDesk(network, 2, { clock, log: taker.log, swaps: taker.swaps });
    await makerAgain.desk.open();
    await takerAgain.desk.open();
    for (const order of orders(said)) await again(order);
    await pass(60);
    for (const order of orders(said)) await again(order);
    expect(makerAgain.swaps).toHaveLength(1);
    expect(takerAgain.swaps).toHaveLength(1);
    expect(makerAgain.desk.makers()[0]).toMatchObject({ given: { numer: 3n, denom: 1n } });
  });

  it('begin nothing of a later order of the same two', async () => {
    const { maker, taker, said, again, pass, lost } = await traded();
    const second = '55555555-5555-4555-8555-555555555555';
    lost.add('takerConnect');
    await taker.desk.take(buyer({ uuid: second, base_amount: fractionOf(2n), rel_amount: fractionOf(4n) }));
    await pass(4);
    lost.clear();
    for (const order of orders(said)) await again(order);
    expect([...maker.swaps, ...taker.swaps].filter(({ uuid }) => uuid === second)).toEqual([]);
    await pass(6);
    for (const { swaps } of [maker, taker]) expect(swaps.map(({ uuid }) => uuid)).toEqual([SWAP, second]);
  });

  it('begin nothing with a taker whose order is over', async () => {
    const all = world();
    const taker = openDesk(all.network, 2, all);
    const maker = openDesk(all.network, 1, all);
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    all.lost.add('makerConnected');
    await taker.desk.take(buyer());
    await all.pass(29.9);
    expect(taker.swaps).toEqual([]);
    await all.pass(0.2);
    all.lost.clear();
    const word = { kind: 'makerConnected', taker_order_uuid: SWAP, maker_order_uuid: ORDER } as const;
    await all.network.node(maker.key.slice(2)).send(TOPIC, word);
    await settle();
    expect(taker.swaps).toEqual([]);
  });

  it('connect nobody to an expired answer', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    const asker = network.node('aa'.repeat(32));
    await asker.send(TOPIC, buyer().request);
    await pass(30);
    await asker.send(TOPIC, { kind: 'takerConnect', taker_order_uuid: SWAP, maker_order_uuid: ORDER });
    await settle();
    expect(maker.swaps).toEqual([]);
  });

  it('find nothing if they come in time but wait for their turn until it is over', async () => {
    const { clock, network, pass } = world();
    const log = slowLog();
    const maker = openDesk(network, 1, { clock, log });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    const far = network.node('aa'.repeat(32));
    const later = '55555555-5555-4555-8555-555555555555';
    await far.send(TOPIC, buyer({ uuid: later }).request);
    await settle();
    // It is busy with another order while the word waits.
    let release = (): void => {};
    log.hold = new Promise((resolve) => {
      release = resolve;
    });
    const other = maker.desk.make(later.replace('5', '6'), { terms: TERMS, instead: false });
    await far.send(TOPIC, { kind: 'takerConnect', taker_order_uuid: later, maker_order_uuid: ORDER });
    await pass(31);
    release();
    await other;
    await settle();
    expect(maker.swaps).toEqual([]);
  });

  it('tell a taker again that its swap has begun, although the order was filled completely and has ended', async () => {
    const { clock, network, lost, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: { ...TERMS, max_base_vol: fractionOf(3n) }, instead: true });
    lost.add('makerConnected');
    await taker.desk.take(buyer());
    await pass(4);
    expect(maker.swaps).toHaveLength(1);
    expect(maker.desk.makers()).toEqual([]);
    lost.clear();
    await pass(5);
    expect(taker.swaps).toHaveLength(1);
  });
});

describe('own messages that come back', () => {
  it('never make a node answer itself', async () => {
    const { clock, network, seen, pass } = world();
    const both = openDesk(network, 1, { clock });
    await both.desk.make(ORDER, { terms: TERMS, instead: true });
    await both.desk.take(buyer());
    const echo = network.node(both.key.slice(2));
    const ids = { taker_order_uuid: SWAP, maker_order_uuid: ORDER };
    await echo.send(TOPIC, buyer().request);
    const terms = { base: 'DOC', rel: 'MARTY', base_amount: fractionOf(3n), rel_amount: fractionOf(3n) };
    const infos = { conf_settings: CONFS, base_protocol_info: null, rel_protocol_info: null };
    await echo.send(TOPIC, { kind: 'makerReserved', ...ids, ...terms, ...infos });
    await pass(4);
    await echo.send(TOPIC, { kind: 'takerConnect', ...ids });
    await echo.send(TOPIC, { kind: 'makerConnected', ...ids });
    await pass(4);
    expect(both.swaps).toEqual([]);
    expect(both.desk.takers()[0]?.match).toBeNull();
    expect(seen.filter(({ message }) => message.kind === 'makerReserved')).toHaveLength(1);
  });
});

describe('amounts at their bounds', () => {
  const LARGEST = 2n ** 512n - 1n;
  const asked: readonly (readonly [string, Fraction, Fraction, 'Buy' | 'Sell'])[] = [
    ['a request for all there can be', fractionOf(LARGEST), fractionOf(LARGEST), 'Buy'],
    ['a request for next to nothing', fractionOf(1n, LARGEST), fractionOf(LARGEST), 'Buy'],
    ['a sale of next to nothing', fractionOf(1n, LARGEST), fractionOf(1n, LARGEST), 'Sell'],
    ['a sale of all there can be', fractionOf(LARGEST), fractionOf(1n, LARGEST), 'Sell'],
    ['one unit more than there is', fractionOf(1_000_000_001n, 100_000_000n), fractionOf(100n), 'Buy'],
    ['one unit less than the least', fractionOf(49_999_999n, 100_000_000n), fractionOf(100n), 'Buy'],
    ['a price just below the own', fractionOf(3n), fractionOf(9n * 2n ** 500n - 1n, 2n ** 501n), 'Buy'],
  ];
  it.each(asked)('%s is not answered', async (_what, base_amount, rel_amount, action) => {
    const { clock, network, seen } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    const pair = action === 'Buy' ? { base: 'DOC', rel: 'MARTY' } : { base: 'MARTY', rel: 'DOC' };
    const { request } = buyer({ ...pair, base_amount, rel_amount, action });
    await network.node('aa'.repeat(32)).send(TOPIC, request);
    await settle();
    expect(seen.map(({ message }) => message.kind)).toEqual(['takerRequest']);
  });

  it('exactly the rest, at exactly the own price, becomes a swap', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await taker.desk.take(buyer({ base_amount: fractionOf(10n), rel_amount: fractionOf(15n) }));
    await pass(4);
    expect(taker.swaps).toMatchObject([{ maker_amount: '10', taker_amount: '15' }]);
    expect(maker.desk.makers()).toEqual([]);
  });

  it('an answer whose swap cannot begin costs a taker only that answer', async () => {
    const { clock, network, pass } = world();
    const rogue = network.node('cc'.repeat(32));
    const reply = (message: OrderMessage): OrderMessage | null => {
      const ids = { taker_order_uuid: SWAP, maker_order_uuid: '77777777-7777-4777-8777-777777777777' };
      if (message.kind === 'takerConnect' && message.maker_order_uuid === ids.maker_order_uuid)
        return { kind: 'makerConnected', ...ids };
      if (message.kind !== 'takerRequest') return null;
      const amounts = { base_amount: fractionOf(LARGEST), rel_amount: message.base_amount };
      const infos = { conf_settings: CONFS, base_protocol_info: null, rel_protocol_info: null };
      return { kind: 'makerReserved', ...ids, base: 'DOC', rel: 'MARTY', ...amounts, ...infos };
    };
    rogue.subscribe(TOPIC, ({ message }) => {
      const answer = reply(message);
      if (answer !== null) void rogue.send(TOPIC, answer);
    });
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    // As the runtime does with more digits than an amount has.
    taker.onStart = ({ maker_amount }) => {
      if (maker_amount.length > 100) throw new Error('no swap has this amount');
    };
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    const sells = { action: 'Sell', base: 'MARTY', rel: 'DOC' } as const;
    await taker.desk.take(buyer({ ...sells, base_amount: fractionOf(6n), rel_amount: fractionOf(3n) }));
    await pass(5);
    expect(taker.swaps).toMatchObject([{ maker_amount: '4', taker_amount: '6', counterparty: maker.key.slice(2) }]);
  });
});
