import { describe, expect, it } from 'vitest';
import { availableAmount } from '../../../../src/node/orders/model.ts';
import { fractionOf, fractionText } from '../../../../src/primitives/fraction.ts';
import { openDesk, settle } from '../../../support/orders/desk.ts';
import { buyer, CONFS, ORDER, SWAP, TERMS, world } from '../../../support/orders/market.ts';

describe('two nodes that agree on a swap', () => {
  it('start the same swap, at the price of the maker and with what each waits for', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await taker.desk.take(buyer());
    await pass(2.9);
    expect(taker.swaps).toEqual([]);
    await pass(0.2);
    const shared = {
      uuid: SWAP,
      maker_coin: 'DOC',
      taker_coin: 'MARTY',
      maker_amount: '3',
      taker_amount: '4.5',
      // The taker asks for notarisation, which makes the locks longer for both.
      lock_duration: 31_200,
      secret: null,
    };
    expect(maker.swaps).toEqual([
      {
        ...shared,
        role: 'maker',
        my_order_uuid: ORDER,
        counterparty: taker.key.slice(2),
        my_persistent_pub: maker.key,
        maker_payment_confirmations: 4,
        maker_payment_requires_nota: false,
        taker_payment_confirmations: 1,
        taker_payment_requires_nota: false,
        use_watchers: false,
      },
    ]);
    expect(taker.swaps).toEqual([
      {
        ...shared,
        role: 'taker',
        my_order_uuid: SWAP,
        counterparty: maker.key.slice(2),
        my_persistent_pub: taker.key,
        maker_payment_confirmations: 7,
        maker_payment_requires_nota: true,
        taker_payment_confirmations: 1,
        taker_payment_requires_nota: false,
        use_watchers: true,
      },
    ]);
    expect(taker.desk.takers()).toEqual([]);
    const [order] = maker.desk.makers();
    expect(order && fractionText(order.given)).toBe('3');
  });

  it('agree on what a seller gives, rounded down to what the coins can send', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: { ...TERMS, price: fractionOf(3n) }, instead: true });
    const sells = { action: 'Sell', base: 'MARTY', rel: 'DOC' } as const;
    await taker.desk.take(buyer({ ...sells, base_amount: fractionOf(10n), rel_amount: fractionOf(3n) }));
    await pass(4);
    expect(maker.swaps[0]).toMatchObject({ maker_amount: '3.33333333', taker_amount: '10' });
    expect(taker.swaps[0]).toMatchObject({ maker_amount: '3.33333333', taker_amount: '10' });
  });

  it('agree on what a buyer gives, rounded down by the digits of its own coin', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: { ...TERMS, price: fractionOf(1n, 3n) }, instead: true });
    await taker.desk.take(buyer({ base_amount: fractionOf(2n), rel_amount: fractionOf(1n) }));
    await pass(4);
    expect(maker.swaps[0]).toMatchObject({ maker_amount: '2', taker_amount: '0.666666' });
    expect(taker.swaps[0]).toMatchObject({ maker_amount: '2', taker_amount: '0.666666' });
  });

  it('choose the cheapest of the answers that come within three seconds', async () => {
    const { clock, network, pass } = world();
    const prices = [fractionOf(19n, 10n), fractionOf(16n, 10n), fractionOf(17n, 10n)];
    const makers = prices.map((_, index) => openDesk(network, index + 1, { clock }));
    for (const [index, { desk }] of makers.entries()) {
      const price = prices[index] as (typeof prices)[0];
      await desk.make(ORDER.replaceAll('1', String(index + 3)).replace('-3', '-4'), {
        terms: { ...TERMS, price },
        instead: true,
      });
    }
    const taker = openDesk(network, 9, { clock });
    await taker.desk.take(buyer());
    await pass(4);
    expect(makers.map(({ swaps }) => swaps.length)).toEqual([0, 1, 0]);
    expect(taker.swaps[0]).toMatchObject({ taker_amount: '4.8', counterparty: makers[1]?.key.slice(2) });
  });

  it('choose the cheapest however many strangers answer before, even in the name of the maker’s order', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 9, { clock });
    const price = fractionOf(16n, 10n);
    // It hears the request after all strangers have answered.
    network.node('aa'.repeat(32)).subscribe('orbk/DOC:MARTY', ({ message }) => {
      if (message.kind !== 'takerRequest') return;
      for (let index = 0; index < 150; index++) {
        const stranger = network.node(index.toString(16).padStart(64, 'b'));
        void stranger.send('orbk/DOC:MARTY', {
          ...{
            kind: 'makerReserved',
            taker_order_uuid: message.uuid,
            maker_order_uuid: ORDER,
            base: 'DOC',
            rel: 'MARTY',
          },
          ...{ base_amount: message.base_amount, rel_amount: message.rel_amount, conf_settings: message.conf_settings },
          ...{ base_protocol_info: null, rel_protocol_info: null },
        });
      }
    });
    await maker.desk.make(ORDER, { terms: { ...TERMS, price }, instead: true });
    await taker.desk.take(buyer());
    await pass(4);
    expect(taker.swaps[0]).toMatchObject({ taker_amount: '4.8', counterparty: maker.key.slice(2) });
  });

  it.each(['takerConnect', 'makerConnected', 'takerRequest', 'makerReserved'] as const)(
    'start one swap each when every %s is lost at first',
    async (kind) => {
      const { clock, network, lost, pass } = world();
      const maker = openDesk(network, 1, { clock });
      const taker = openDesk(network, 2, { clock });
      await maker.desk.make(ORDER, { terms: TERMS, instead: true });
      lost.add(kind);
      await taker.desk.take(buyer());
      await pass(9);
      expect(taker.swaps).toHaveLength(0);
      lost.clear();
      await pass(9);
      expect(taker.swaps).toHaveLength(1);
      expect(maker.swaps).toHaveLength(1);
    },
  );
});

describe('a maker’s order', () => {
  it('X1: gives no volume twice: of takers that want more than it has, the first to connect get it', async () => {
    const { clock, network, lost, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const takers = [2, 3, 4].map((name) => openDesk(network, name, { clock }));
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    for (const [index, { desk }] of takers.entries()) {
      const uuid = SWAP.replaceAll('2', String(index + 5)).replace('-5', '-4');
      await desk.take(buyer({ uuid, base_amount: fractionOf(4n), rel_amount: fractionOf(8n) }));
    }
    await pass(10);
    expect(maker.swaps.map(({ maker_amount }) => maker_amount)).toEqual(['4', '4']);
    expect(lost.size).toBe(0);
    const [order] = maker.desk.makers();
    expect(order && fractionText(order.given)).toBe('8');
  });

  it('X1: keeps a limited number of answers for a taker that never connects, for half a minute, and holds nothing', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    const rogue = network.node('ee'.repeat(32));
    for (let index = 0; index < 12; index++) {
      const uuid = `33333333-3333-4333-8333-3333333333${String(index + 10)}`;
      const { request } = buyer({ uuid, base_amount: fractionOf(1n), rel_amount: fractionOf(2n) });
      await rogue.send('orbk/DOC:MARTY', request);
    }
    await settle();
    const [order] = maker.desk.makers();
    expect(order?.matches.size).toBe(8);
    expect(order && fractionText(availableAmount(order))).toBe('10');
    await pass(31);
    expect(maker.desk.makers()[0]?.matches.size).toBe(0);
  });

  it('X2: starts a swap only for the taker that asked, and once', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    const asker = network.node('aa'.repeat(32));
    const other = network.node('bb'.repeat(32));
    await asker.send('orbk/DOC:MARTY', buyer().request);
    await pass(1);
    const connect = { kind: 'takerConnect', taker_order_uuid: SWAP, maker_order_uuid: ORDER } as const;
    await other.send('orbk/DOC:MARTY', connect);
    await settle();
    expect(maker.swaps).toEqual([]);
    for (let times = 0; times < 3; times++) await asker.send('orbk/DOC:MARTY', connect);
    await settle();
    expect(maker.swaps.map(({ counterparty }) => counterparty)).toEqual(['aa'.repeat(32)]);
  });

  it('answers no request whose swap it has begun under another order', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: { ...TERMS, max_base_vol: fractionOf(3n) }, instead: true });
    await taker.desk.take(buyer());
    await pass(4);
    expect(maker.desk.makers()).toEqual([]);
    await maker.desk.make(ORDER.replace('1', '9'), { terms: TERMS, instead: true });
    await network.node(taker.key.slice(2)).send('orbk/DOC:MARTY', buyer().request);
    await settle();
    expect(maker.desk.makers()[0]?.matches.size).toBe(0);
  });

  it('has the volume back when the swap does not start, and tells the taker nothing', async () => {
    const { clock, network, seen, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    maker.onStart = () => {
      throw new Error('no');
    };
    await taker.desk.take(buyer());
    await pass(40);
    expect(seen.some(({ message }) => message.kind === 'makerConnected')).toBe(false);
    expect(maker.desk.makers()[0]).toMatchObject({ given: { numer: 0n, denom: 1n } });
    expect(taker.swaps).toEqual([]);
  });

  it('stands unchanged after a restart; volume for which no swap began is available again', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    await taker.desk.take(buyer());
    await pass(4);
    await maker.desk.close();
    const again = openDesk(network, 1, { clock, log: maker.log, swaps: maker.swaps });
    await again.desk.open();
    const [order] = again.desk.makers();
    expect(order).toMatchObject({ uuid: ORDER, ...TERMS, given: { numer: 3n, denom: 1n } });
    await again.desk.close();
    const without = openDesk(network, 1, { clock, log: maker.log });
    await without.desk.open();
    expect(without.desk.makers()[0]).toMatchObject({ uuid: ORDER, given: { numer: 0n, denom: 1n } });
    await without.desk.close();
    const third = openDesk(network, 1, { clock, log: maker.log });
    await third.desk.open();
    expect(third.desk.makers()[0]).toMatchObject({ uuid: ORDER, given: { numer: 0n, denom: 1n } });
  });

  it('matches nothing while one of its coins is not active', async () => {
    const { clock, network, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    maker.coins.delete('MARTY');
    await taker.desk.take(buyer());
    await pass(10);
    expect(maker.swaps).toEqual([]);
  });

  it('replaces an earlier one of its pair, and ends with a coin', async () => {
    const { clock, network } = world();
    const { desk } = openDesk(network, 1, { clock });
    await desk.make(ORDER, { terms: TERMS, instead: true });
    const second = ORDER.replace('1', '7');
    await desk.make(second, { terms: TERMS, instead: true });
    const third = ORDER.replace('1', '8');
    await desk.make(third, { terms: TERMS, instead: false });
    expect(desk.makers().map(({ uuid }) => uuid)).toEqual([second, third]);
    expect(await desk.cancelOf('MARTY')).toEqual([second, third]);
    expect(desk.makers()).toEqual([]);
  });

  it('can be cancelled while a taker is about to connect, who then finds no order', async () => {
    const { clock, network } = world();
    const { desk, swaps } = openDesk(network, 1, { clock });
    await desk.make(ORDER, { terms: TERMS, instead: true });
    const asker = network.node('aa'.repeat(32));
    await asker.send('orbk/DOC:MARTY', buyer().request);
    await settle();
    await desk.cancel(ORDER);
    await asker.send('orbk/DOC:MARTY', { kind: 'takerConnect', taker_order_uuid: SWAP, maker_order_uuid: ORDER });
    await settle();
    expect(swaps).toEqual([]);
    await expect(desk.cancel(ORDER)).rejects.toMatchObject({ kind: 'notFound' });
  });
});

describe('a taker’s order', () => {
  it('continues as a maker’s order if nobody took it in time, at the inverse price', async () => {
    const { clock, network, pass } = world();
    const { desk } = openDesk(network, 1, { clock });
    await desk.take(buyer({}, { order_type: 'GoodTillCancelled' }));
    await pass(31);
    expect(desk.takers()).toEqual([]);
    expect(desk.makers()).toMatchObject([
      {
        uuid: SWAP,
        base: 'MARTY',
        rel: 'DOC',
        price: { numer: 1n, denom: 2n },
        max_base_vol: { numer: 6n, denom: 1n },
        min_base_vol: { numer: 1n, denom: 1n },
        conf_settings: { base_confs: 6, base_nota: true, rel_confs: 7, rel_nota: true },
      },
    ]);
  });

  it('cannot be cancelled while the chosen maker may begin the swap, and can be once that one is silent', async () => {
    const { clock, network, lost, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    lost.add('takerConnect');
    await taker.desk.take(buyer());
    await pass(4);
    await expect(taker.desk.cancel(SWAP)).rejects.toMatchObject({ kind: 'beingMatched' });
    await pass(9);
    await taker.desk.cancel(SWAP);
    lost.clear();
    await pass(30);
    expect([...taker.swaps, ...maker.swaps]).toEqual([]);
  });

  it('X3: accepts no answer that costs more, gives less, or comes from another maker than it asked for', async () => {
    const { clock, network, pass } = world();
    const taker = openDesk(network, 2, { clock });
    const rogue = network.node('cc'.repeat(32));
    await taker.desk.take(buyer({ match_by: { type: 'Orders', data: [ORDER] } }, { maker: 'dd'.repeat(32) }));
    const reserved = {
      kind: 'makerReserved',
      taker_order_uuid: SWAP,
      maker_order_uuid: ORDER,
      base: 'DOC',
      rel: 'MARTY',
      base_amount: fractionOf(3n),
      rel_amount: fractionOf(6n),
      conf_settings: CONFS,
      base_protocol_info: null,
      rel_protocol_info: null,
    } as const;
    const honest = network.node('dd'.repeat(32));
    await rogue.send('orbk/DOC:MARTY', reserved);
    await honest.send('orbk/DOC:MARTY', { ...reserved, rel_amount: fractionOf(61n, 10n) });
    await honest.send('orbk/DOC:MARTY', { ...reserved, base_amount: fractionOf(29n, 10n) });
    await honest.send('orbk/DOC:MARTY', { ...reserved, maker_order_uuid: ORDER.replace('1', '4') });
    await pass(5);
    expect(taker.desk.takers()[0]?.match).toBeNull();
    await honest.send('orbk/DOC:MARTY', reserved);
    await pass(5);
    expect(taker.desk.takers()[0]?.match).toMatchObject({ from: 'dd'.repeat(32) });
    const connected = { kind: 'makerConnected', taker_order_uuid: SWAP, maker_order_uuid: ORDER } as const;
    await rogue.send('orbk/DOC:MARTY', connected);
    await settle();
    expect(taker.swaps).toEqual([]);
    await honest.send('orbk/DOC:MARTY', connected);
    await honest.send('orbk/DOC:MARTY', connected);
    await settle();
    expect(taker.swaps).toHaveLength(1);
  });

  it('is done after a restart if its swap had begun, and otherwise keeps asking', async () => {
    const { clock, network, lost, pass } = world();
    const maker = openDesk(network, 1, { clock });
    const taker = openDesk(network, 2, { clock });
    await maker.desk.make(ORDER, { terms: TERMS, instead: true });
    lost.add('takerRequest');
    await taker.desk.take(buyer());
    await pass(2);
    await taker.desk.close();
    lost.clear();
    const again = openDesk(network, 2, { clock, log: taker.log });
    await again.desk.open();
    await pass(4);
    expect(again.swaps).toHaveLength(1);
    await again.desk.close();
    const third = openDesk(network, 2, { clock, log: taker.log, swaps: again.swaps });
    await third.desk.open();
    expect(third.desk.takers()).toEqual([]);
  });
});
