import { describe, expect, it } from 'vitest';
import { standardLists } from '../../../../src/events/event-lists.ts';
import { recreateSwap } from '../../../../src/replay/recreate.ts';
import { buildSwap, buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';

const { taker, maker } = buildSwapPair({ seed: 'head', amounts: { maker: '2.4', taker: '3' } });
/** The order of a taker has the id of its swap, but a log from elsewhere may say otherwise. */
const ORDER = '11111111-2222-4333-8444-555555555555';
const priced = {
  ...taker,
  head: { ...taker.head, my_order_uuid: ORDER, maker_coin_usd_price: '1.5', taker_coin_usd_price: '0.2' },
} as typeof taker;

describe('the head of a recreated log', () => {
  it("is the source's, with the other role, its event lists and the node that writes it", () => {
    const { log } = recreateSwap(priced, { gui: 'desk', mmVersion: '2.1' });
    expect(log).toMatchObject({ role: 'maker', uuid: taker.uuid, roleGiven: true, anomalies: [] });
    expect(log.head).toEqual({
      type: 'Maker',
      uuid: taker.uuid,
      my_order_uuid: ORDER,
      maker_amount: '2.4',
      maker_coin: 'DOC',
      maker_coin_usd_price: '1.5',
      taker_amount: '3',
      taker_coin: 'MARTY',
      taker_coin_usd_price: '0.2',
      gui: 'desk',
      mm_version: '2.1',
      success_events: standardLists('maker').success,
      error_events: standardLists('maker').error,
    });
  });

  it("of a taker has the swap's id as that of its order, never that of the maker's", () => {
    const { log } = recreateSwap(maker);
    expect(maker.head.my_order_uuid).not.toBe(maker.uuid);
    expect(log.role).toBe('taker');
    expect(log.head).toMatchObject({ type: 'Taker', my_order_uuid: maker.uuid, gui: null, mm_version: null });
    expect(log.head.success_events).toEqual(standardLists('taker').success);
  });

  it('says first how sure the id of the order is', () => {
    expect([recreateSwap(maker).inferred[0], recreateSwap(taker).inferred[0]]).toMatchInlineSnapshot(`
      [
        {
          "because": "The order of a taker has the id of its swap.",
          "certainty": "certain",
          "event": null,
          "from": "uuid",
          "member": "my_order_uuid",
          "seq": null,
        },
        {
          "because": "It is the taker's; the maker's order had another id.",
          "certainty": "unknown",
          "event": null,
          "from": "my_order_uuid",
          "member": "my_order_uuid",
          "seq": null,
        },
      ]
    `);
  });

  it('belongs to the form of the real node unless another is asked for', () => {
    const noFee = buildSwap({ role: 'maker', path: ['Started', 'Negotiated', 'TakerFeeValidateFailed'] });
    const last = (options: Parameters<typeof recreateSwap>[1]) => recreateSwap(noFee, options).log.events.at(-2)?.type;
    expect(last({})).toBe('MakerPaymentValidateFailed');
    expect(last({ form: 'kdf' })).toBe('MakerPaymentValidateFailed');
    expect(last({ form: 'replayable' })).toBe('TakerFeeSendFailed');
  });
});

describe('a log to recreate', () => {
  it("needs the maker's coin if the secret must be read, and no coin otherwise", () => {
    const asked: string[] = [];
    const hasCoin = (ticker: string) => {
      asked.push(ticker);
      return true;
    };
    recreateSwap(taker, { hasCoin });
    expect(asked).toEqual([]);
    recreateSwap(maker, { hasCoin });
    expect(asked).toEqual(['DOC']);
    expect(() => recreateSwap(maker, { hasCoin: () => false })).toThrow('No such coin DOC');
  });

  it('shows its secret as the caller reads it', () => {
    const { log } = recreateSwap(maker, { extractSecret: () => new Uint8Array(32).fill(7) });
    expect(log.events.at(-1)?.data).toMatchObject({ secret: '07'.repeat(32) });
  });
});
