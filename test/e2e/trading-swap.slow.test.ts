import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAIR_UUID, type PairSide, type TradingPair, tradingPair } from '../support/trading-pair.ts';

type Status = {
  readonly type: string;
  readonly events: readonly { readonly event: { readonly type: string; readonly data: Record<string, unknown> } }[];
  readonly is_finished: boolean;
  readonly is_success?: boolean;
};

const PARAMS = { params: { uuid: PAIR_UUID } };

describe('a swap of two trading nodes', () => {
  let pair: TradingPair;

  beforeAll(async () => {
    pair = await tradingPair();
    await pair.parties.maker.activate();
    await pair.parties.taker.activate();
  });
  afterAll(() => pair.close());

  const statusOf = async (side: PairSide): Promise<Status> =>
    (await pair.parties[side].call({ method: 'my_swap_status', ...PARAMS }))['result'] as Status;
  const has = (side: PairSide, type: string) => async () =>
    (await statusOf(side)).events.some(({ event }) => event.type === type);

  it('is reported by its events from the first one on, without a secret', async () => {
    const { maker, taker } = pair.parties;
    await pair.start();
    expect(await pair.until(has('taker', 'TakerPaymentSent'))).toBe(true);
    const status = await statusOf('maker');
    expect(status).toMatchObject({ type: 'Maker', is_finished: false, recoverable: false });
    expect(status).not.toHaveProperty('is_success');
    expect(status.events[0]?.event.data).toMatchObject({
      maker_coin: 'MAK',
      secret: '0'.repeat(64),
      p2p_privkey: null,
    });
    const v2 = await maker.call({ mmrpc: '2.0', method: 'my_swap_status', ...PARAMS });
    expect(v2['result']).toMatchObject({ swap_type: 'MakerV1', swap_data: { uuid: PAIR_UUID } });
    const [request] = await maker.node().log.read(`maker-swap/${PAIR_UUID}`);
    const { secret } = (request?.data ?? {}) as { readonly secret: string };
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const active = await maker.call({ method: 'active_swaps', include_status: true });
    expect(active).toMatchObject({ uuids: [PAIR_UUID], statuses: { [PAIR_UUID]: { type: 'Maker' } } });
    expect(JSON.stringify([status, v2, active, maker.lines])).not.toContain(secret);
    expect(await taker.call({ method: 'active_swaps' })).toEqual({ http: 200, uuids: [PAIR_UUID], statuses: null });
    expect((await maker.call({ method: 'recover_funds_of_swap', ...PARAMS }))['error']).toMatch(
      /Swap must be finished before recover funds attempt$/,
    );
    expect((await taker.call({ method: 'stats_swap_status', ...PARAMS }))['error']).toMatch(/swap data is not found$/);
  });

  it('ends well though the taker is down while the maker claims the payment', async () => {
    const { maker, taker } = pair.parties;
    await taker.node().close();
    expect(await pair.until(has('maker', 'TakerPaymentSpent'))).toBe(true);
    // Blocks go by in which nobody tells the taker anything.
    await pair.until(() => false, 8);
    await taker.reopen();
    expect(await taker.call({ method: 'coins_needed_for_kick_start' })).toEqual({ http: 200, result: ['MAK', 'TAK'] });
    expect((await taker.call({ method: 'active_swaps' }))['uuids']).toEqual([]);
    await taker.activate('TAK');
    expect(await taker.call({ method: 'coins_needed_for_kick_start' })).toEqual({ http: 200, result: ['MAK'] });
    await taker.activate('MAK');
    expect(await pair.until(async () => (await statusOf('taker')).is_finished)).toBe(true);
    expect(await pair.until(async () => (await statusOf('maker')).is_finished)).toBe(true);
    expect([(await statusOf('maker')).is_success, (await statusOf('taker')).is_success]).toEqual([true, true]);
    expect((await maker.call({ method: 'my_balance', coin: 'TAK' }))['balance']).toMatch(/^2\.29\d+$/);
    expect((await taker.call({ method: 'my_balance', coin: 'MAK' }))['balance']).toMatch(/^1\.4999\d+$/);
    expect((await taker.call({ method: 'my_swap_status', ...PARAMS }))['result']).toMatchObject({
      my_info: { my_coin: 'TAK', other_coin: 'MAK', my_amount: '2.299999', other_amount: '1.50000007' },
    });
  });

  it('is listed by the requested filters', async () => {
    const { maker, taker } = pair.parties;
    const recent = await maker.call({ method: 'my_recent_swaps', my_coin: 'MAK', limit: 3 });
    expect(Object.keys(recent['result'] as object)).toEqual([
      ...['swaps', 'from_uuid', 'skipped', 'limit', 'total', 'page_number', 'total_pages', 'found_records'],
    ]);
    expect(recent['result']).toMatchObject({
      swaps: [{ uuid: PAIR_UUID, is_success: true }],
      ...{ from_uuid: null, skipped: 0, limit: 3, total: 1, page_number: 1, total_pages: 1, found_records: 1 },
    });
    const none = await maker.call({ method: 'all_swaps_uuids_by_filter', my_coin: 'TAK' });
    expect(none['result']).toEqual({
      ...{ found_records: 0, uuids: [], my_coin: 'TAK', other_coin: null, from_timestamp: null, to_timestamp: null },
    });
    const v2 = { mmrpc: '2.0', method: 'my_recent_swaps' };
    const page = await taker.call({ ...v2, params: { my_coin: 'TAK', from_uuid: PAIR_UUID } });
    expect(page['result']).toMatchObject({ swaps: [], skipped: 1, total: 1, found_records: 0 });
    const absent = '00000000-0000-4000-8000-000000000001';
    expect(await taker.call({ ...v2, params: { from_uuid: absent } })).toMatchObject({
      ...{ http: 400, error_type: 'FromUuidSwapNotFound', error_data: absent },
    });
    expect(await taker.call({ ...v2, params: { page_number: 0 } })).toMatchObject({ error_type: 'InvalidRequest' });
    expect((await taker.call({ method: 'my_recent_swaps', from_uuid: 'x' }))['error']).toMatch(/UUID parsing failed/);
  });

  it('leaves nothing to recover, and says so in the real node’s words', async () => {
    const { maker, taker } = pair.parties;
    const askedOf = async (party: typeof maker) => {
      const { http, error } = await party.call({ method: 'recover_funds_of_swap', ...PARAMS });
      return `${http} ${String(error).split('] ').at(-1)}`;
    };
    expect(await askedOf(taker)).toBe('500 Maker payment is spent and confirmed, swap is not recoverable');
    expect(await askedOf(maker)).toBe('500 Taker payment spend transaction has been sent and confirmed');
  });

  it('can be taken over by a node that never knew of it, and be recreated from the other side', async () => {
    const { maker, taker } = pair.parties;
    const saved = (await taker.call({ method: 'my_swap_status', ...PARAMS }))['result'];
    const imported = await maker.call({ method: 'import_swaps', swaps: [saved] });
    expect(imported['result']).toEqual({ imported: [PAIR_UUID], skipped: {} });
    const stats = (await maker.call({ method: 'stats_swap_status', ...PARAMS }))['result'] as Record<string, object>;
    expect(stats).toMatchObject({ maker: { uuid: PAIR_UUID }, taker: { uuid: PAIR_UUID } });
    expect(stats['maker']).not.toHaveProperty('type');
    const bad = await maker.call({ method: 'import_swaps', swaps: [saved, { type: 'Taker', uuid: PAIR_UUID }] });
    expect(bad.http).toBe(500);
    const again = await maker.call({ mmrpc: '2.0', method: 'recreate_swap_data', params: { swap: saved } });
    expect(again['result']).toMatchObject({ swap: { type: 'Maker', uuid: PAIR_UUID } });
    const refused = await maker.call({
      mmrpc: '2.0',
      method: 'recreate_swap_data',
      params: { swap: { ...(saved as object), events: [] } },
    });
    expect(refused).toMatchObject({ http: 400, error_type: 'SwapIsNotStarted' });
  });

  describe('what a swap brought leaves the node', () => {
    const TO = 'RFDdnAVrWxzFk9T6j2gbHgnMMQ7qphuNMz';
    const wanted = { method: 'withdraw', coin: 'MAK', to: TO };
    type Signed = Record<'tx_hex' | 'tx_hash' | 'spent_by_me' | 'received_by_me' | 'my_balance_change', string> & {
      readonly fee_details: { readonly type: string; readonly amount: string };
    };
    const sats = (text: string) => Math.round(Number(text) * 1e8);

    it('with exact reports of what it pays, takes and brings back', async () => {
      const { maker } = pair.parties;
      const answer = await maker.call({ ...wanted, amount: '1.23456789' });
      expect(Object.keys(answer).slice(1)).toEqual([
        ...['tx_hex', 'tx_hash', 'from', 'to', 'total_amount', 'spent_by_me', 'received_by_me', 'my_balance_change'],
        ...['block_height', 'timestamp', 'fee_details', 'coin', 'internal_id', 'transaction_type', 'memo'],
      ]);
      const { spent_by_me, received_by_me, fee_details, tx_hex, tx_hash } = answer as unknown as Signed;
      expect(sats(spent_by_me) - sats(received_by_me)).toBe(123_456_789 + sats(fee_details.amount));
      // Coins that are spoken for go into no other one.
      const other = (await maker.call({ ...wanted, amount: '0.5' })) as unknown as Signed;
      expect(other.tx_hash).toBeDefined();
      expect(await maker.call({ method: 'send_raw_transaction', coin: 'MAK', tx_hex })).toEqual({ http: 200, tx_hash });
      expect(await maker.call({ method: 'send_raw_transaction', coin: 'MAK', tx_hex: other.tx_hex })).toMatchObject({
        http: 200,
      });
    });

    it('unless something else was signed for the same coins since', async () => {
      const { taker } = pair.parties;
      const first = (await taker.call({ ...wanted, amount: '0.7' })) as unknown as Signed;
      expect((await taker.call({ ...wanted, amount: '0.7' }))['error']).toMatch(
        /Not enough MAK to withdraw: available 0,/,
      );
      // Nobody has sent it for ten minutes.
      await pair.clock.advance(600_000);
      const second = (await taker.call({ ...wanted, amount: '0.6' })) as unknown as Signed;
      const late = await taker.call({ method: 'send_raw_transaction', coin: 'MAK', tx_hex: first.tx_hex });
      expect(late['error']).toContain(`${second.tx_hash} spends the same coins`);
      const sent = await taker.call({ method: 'send_raw_transaction', coin: 'MAK', tx_hex: second.tx_hex });
      expect(sent).toEqual({ http: 200, tx_hash: second.tx_hash });
    });

    it('except what a swap still needs, of which max leaves as much as it holds', async () => {
      const { maker } = pair.parties;
      await pair.until(() => false, 2);
      const coin = maker.node().coins.get('MAK');
      coin?.chain.hold?.({ swap: 'another', amount: '2.5' as never });
      const most = sats(String((await maker.call({ method: 'my_balance', coin: 'MAK' }))['balance']));
      const above = ((most - 249_999_999) / 1e8).toFixed(8);
      expect((await maker.call({ ...wanted, amount: above }))['error']).toMatch(/Not enough MAK to withdraw/);
      const all = (await maker.call({ ...wanted, max: true })) as unknown as Signed;
      expect(all.received_by_me).toBe('2.5');
      const { tx_hex } = all;
      const none =
        /Not enough MAK to withdraw: available 0, .*; [\d.]+ are in transactions that were signed and not yet sent$/;
      expect((await maker.call({ ...wanted, max: true }))['error']).toMatch(none);
      // Of two that take the same coins the node sends the one that was signed for first.
      expect((await maker.call({ method: 'send_raw_transaction', coin: 'MAK', tx_hex })).http).toBe(200);
      coin?.chain.hold?.({ swap: 'another', amount: '0' as never });
      expect((await maker.call({ ...wanted, amount: '2.5' }))['error']).toMatch(/Not enough MAK/);
      const fixed = await maker.call({ ...wanted, amount: '2.4', fee: { type: 'UtxoFixed', amount: '0.00012345' } });
      expect((fixed as unknown as Signed).fee_details.amount).toBe('0.00012345');
    });

    it.each([
      [{ to: 'LQsiNa9ppmYiZJpuUBKnaNVWyXWyeqBgLJ', amount: '0.1' }, /Invalid address/],
      [{ to: 'nonsense', amount: '0.1' }, /Invalid address/],
      [{ amount: '0.00000999' }, /too small/],
      [{ amount: '0.000000001' }, /more than 8 digits/],
      [{ amount: '-1' }, /expected a decimal amount/],
      [{}, /missing field `amount`/],
      [{ amount: '0.1', fee: { type: 'EthGas', amount: '1' } }, /fee policy/],
      [{ amount: '0.1', from: { derivation_path: "m/44'/141'/0'/0/7" } }, /Unexpected 'from' address/],
    ])('%o is refused', async (change, text) => {
      const { taker } = pair.parties;
      expect((await taker.call({ ...wanted, ...change }))['error']).toMatch(text);
    });

    it.each([
      [{ coin: 'NONE', amount: '0.1' }, 404, 'NoSuchCoin', { coin: 'NONE' }],
      [{ to: 'nonsense', amount: '0.1' }, 400, 'InvalidAddress', 'nonsense'],
      [{ amount: '0.00000999' }, 400, 'AmountTooLow', { amount: '0.00000999', threshold: '0.00001' }],
      [
        { amount: '1000' },
        400,
        'NotSufficientBalance',
        { coin: 'MAK', available: expect.stringMatching(/^\d/), required: expect.stringMatching(/^1000\.0000\d+$/) },
      ],
      [
        { amount: '0.1', fee: { type: 'UtxoFixed', amount: '0.00000001' } },
        ...([400, 'InvalidFee', { reason: 'nodes relay no transaction with so low a fee' }] as const),
      ],
      [
        { amount: '0.1', fee: { type: 'EthGas', amount: '1' } },
        ...([400, 'InvalidFeePolicy', "Expected 'UtxoFixed' or 'UtxoPerKbyte' fee types, found EthGas"] as const),
      ],
    ] as const)('%o is refused with the data of the real node', async (change, http, error_type, error_data) => {
      const { method, ...params } = { ...wanted, ...change };
      const refused = await pair.parties.taker.call({ mmrpc: '2.0', method, params });
      expect(refused).toMatchObject({ http, error_type, error_data });
    });
  });
});
