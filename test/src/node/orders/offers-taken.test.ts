import { describe, expect, it } from 'vitest';
import type { OfferAsk } from '../../../../src/node/orders/asks.ts';
import { uuidOfKey } from '../../../../src/node/orders/ids.ts';
import { keyText, type Offer, offerText, withoutParity } from '../../../../src/node/orders/offer.ts';
import { fractionOf } from '../../../../src/primitives/fraction.ts';
import { millisOf } from '../../../../src/primitives/time.ts';
import { settle } from '../../../support/orders/desk.ts';
import { buyer, CONFS, world } from '../../../support/orders/market.ts';
import { openShop, type Shop, type ShopOptions, signerOf } from '../../../support/orders/shop.ts';

const TOPIC = 'orbk/DOC:MARTY';

/** 3 DOC for 7 MARTY, within ten minutes. */
const ASK: OfferAsk = {
  ...{
    base: 'DOC',
    rel: 'MARTY',
    base_amount: fractionOf(3n),
    rel_amount: fractionOf(7n),
    expires_in: 600,
    taker: null,
  },
  ...{ base_confs: 2, base_nota: false, rel_confs: 5, rel_nota: false },
};

function market() {
  const all = world();
  const open = (name: number, given: Partial<ShopOptions> = {}): Shop =>
    openShop(name, { clock: all.clock, network: all.network.node, ...given });
  return { ...all, open };
}

/** An offer as its maker signs it, whatever it says. */
function signed(maker: number, change: Partial<Offer> = {}): Promise<string> {
  const signer = signerOf(maker);
  const offer: Offer = {
    ...{ uuid: '66666666-6666-4666-8666-666666666666', maker: keyText(signer), base: 'DOC', rel: 'MARTY' },
    ...{ base_amount: fractionOf(3n), rel_amount: fractionOf(7n), conf_settings: CONFS },
    ...{ expires_at: millisOf(1_800_000_600_000), taker: null },
    ...change,
  };
  return offerText(offer, signer);
}

describe('an offer that is taken twice', () => {
  it('by one taker is one order and one swap, at once and later and after a restart', async () => {
    const { open, pass, clock, network } = market();
    const maker = open(1);
    const taker = open(2, { holdsFunds: true });
    const { text } = await maker.orders.offer(ASK);
    const takes = [taker.orders.take(text), taker.orders.take(` ${text}\n`), taker.orders.take(text)];
    await settle();
    taker.release();
    const uuids = new Set((await Promise.all(takes)).map(({ request }) => request.uuid));
    expect(uuids.size).toBe(1);
    const [uuid = ''] = uuids;
    await pass(1);
    expect((await taker.log.read(`taker-order/${uuid}`)).map(({ type }) => type)).toEqual([
      'TakerOrderCreated',
      'TakerConnecting',
      'OrderEnded',
    ]);
    expect(taker.swaps).toMatchObject([{ uuid, taker_amount: '7' }]);
    const refusal = { kind: 'offerInvalid', message: `The offer was already taken, as order and swap ${uuid}.` };
    await expect(taker.orders.take(text)).rejects.toMatchObject(refusal);
    await taker.orders.close();
    const again = openShop(2, { clock, network: network.node, log: taker.log, swaps: taker.swaps });
    await again.orders.open();
    await expect(again.orders.take(text)).rejects.toMatchObject(refusal);
    await pass(60);
    expect(maker.swaps).toHaveLength(1);
    expect(again.swaps).toHaveLength(1);
  });

  it('by two takers at once begins one swap; the other taker gives up when it expires', async () => {
    const { open, pass } = market();
    const maker = open(1);
    const takers = [open(2), open(3)];
    const { text } = await maker.orders.offer(ASK);
    await Promise.all(takers.map(({ orders }) => orders.take(text)));
    await pass(601);
    expect(maker.swaps).toHaveLength(1);
    expect(takers.map(({ swaps }) => swaps.length).toSorted()).toEqual([0, 1]);
    for (const { orders } of takers) expect(orders.takers()).toEqual([]);
    expect(maker.orders.makers()).toEqual([]);
  });

  it('by two takers, the second after a restart of the maker', async () => {
    const { open, pass } = market();
    const maker = open(1);
    const [first, second] = [open(2), open(3)];
    const { text } = await maker.orders.offer(ASK);
    await first.orders.take(text);
    await pass(5);
    await maker.orders.close();
    const again = open(1, { log: maker.log, swaps: maker.swaps });
    await again.orders.open();
    await second.orders.take(text);
    await pass(60);
    expect(again.swaps).toHaveLength(1);
    expect(second.swaps).toEqual([]);
  });
});

describe('an offer', () => {
  it('is not taken once its time is over, neither by its text nor by a request that names it', async () => {
    const { open, pass, network } = market();
    const maker = open(1);
    const taker = open(2);
    const { text, offer } = await maker.orders.offer(ASK);
    await pass(600);
    await expect(taker.orders.take(text)).rejects.toMatchObject({ kind: 'offerExpired' });
    const asker = network.node('aa'.repeat(32));
    const amounts = { base_amount: fractionOf(3n), rel_amount: fractionOf(7n) };
    await asker.send(TOPIC, buyer({ ...amounts, match_by: { type: 'Orders', data: [offer.uuid] } }).request);
    await asker.send(TOPIC, {
      kind: 'takerConnect',
      taker_order_uuid: buyer().request.uuid,
      maker_order_uuid: offer.uuid,
    });
    await pass(1);
    expect(maker.swaps).toEqual([]);
  });

  it('is found only by callers that name it', async () => {
    const { open, pass, network, seen } = market();
    const maker = open(1);
    await maker.orders.offer(ASK);
    const amounts = { base_amount: fractionOf(3n), rel_amount: fractionOf(9n) };
    const by = { type: 'Pubkeys', data: [maker.orders.self] } as const;
    await network.node('aa'.repeat(32)).send(TOPIC, buyer(amounts).request);
    await network.node('ab'.repeat(32)).send(TOPIC, buyer({ ...amounts, match_by: by }).request);
    await pass(1);
    expect(seen.filter(({ message }) => message.kind === 'makerReserved')).toEqual([]);
  });

  it('for one taker is answered to no other, although it says what the text says', async () => {
    const { open, pass, network } = market();
    const maker = open(1);
    const named = withoutParity(keyText(signerOf(2)));
    const { offer, text } = await maker.orders.offer({ ...ASK, taker: named });
    await expect(open(3).orders.take(text)).rejects.toMatchObject({ kind: 'offerInvalid' });
    const amounts = { base_amount: fractionOf(3n), rel_amount: fractionOf(7n) };
    const other = network.node('aa'.repeat(32));
    await other.send(TOPIC, buyer({ ...amounts, match_by: { type: 'Orders', data: [offer.uuid] } }).request);
    await other.send(TOPIC, {
      kind: 'takerConnect',
      taker_order_uuid: buyer().request.uuid,
      maker_order_uuid: offer.uuid,
    });
    await pass(1);
    expect(maker.swaps).toEqual([]);
  });

  it('is accepted as it is: of two with one id the second is refused, and no stranger can replace it', async () => {
    const { open } = market();
    const taker = open(2);
    await taker.orders.take(await signed(1));
    await expect(taker.orders.take(await signed(1, { rel_amount: fractionOf(8n) }))).rejects.toMatchObject({
      kind: 'offerInvalid',
      message: expect.stringMatching(/^The offer cannot be taken: its maker gave its id to another offer/),
    });
    // The same id under another key is another offer, so that a stranger's keeps nobody from the maker's.
    const orders = [await taker.orders.take(await signed(3)), await taker.orders.take(await signed(1))];
    expect(new Set(orders.map(({ request }) => request.uuid)).size).toBe(2);
    expect(orders.map(({ maker }) => maker)).toEqual([3, 1].map((name) => withoutParity(keyText(signerOf(name)))));
    // And an id that proves to be the maker's cannot be a stranger's at all.
    const uuid = uuidOfKey(withoutParity(keyText(signerOf(1))), new Uint8Array(8).fill(9));
    await expect(taker.orders.take(await signed(3, { uuid }))).rejects.toThrow('its uuid belongs to another node');
  });

  it('is not the own one, and one without end is asked for at most thirty days', async () => {
    const { open } = market();
    const taker = open(2);
    await expect(taker.orders.take(await signed(2))).rejects.toMatchObject({ kind: 'offerInvalid' });
    const { timeout } = await taker.orders.take(await signed(1, { expires_at: millisOf(Number.MAX_SAFE_INTEGER) }));
    expect(timeout).toBe(30 * 86_400);
  });
});
