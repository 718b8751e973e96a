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

  it('is told by its events from the first one on, without a secret', async () => {
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

  it('ends well though the taker is down while the maker takes the payment', async () => {
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

  it('is listed by what is asked for', async () => {
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

  it('can be taken over by a node that never knew of it, and be made again from the other side', async () => {
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
});
