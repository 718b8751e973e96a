import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/primitives/hex.ts';
import { PAIR_UUID, type PairSide, type TradingPair, tradingPair } from '../support/trading-pair.ts';

const WORDS = {
  maker: `${'abandon '.repeat(11)}about`,
  taker: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
};
const PARAMS = { params: { uuid: PAIR_UUID } };

type Status = {
  readonly events: readonly { readonly event: { readonly type: string; readonly data: Record<string, unknown> } }[];
  readonly is_finished: boolean;
  readonly is_success?: boolean;
};

describe('a swap of two nodes whose coins have keys of their own', () => {
  let pair: TradingPair;

  beforeAll(async () => {
    pair = await tradingPair({}, { words: WORDS });
  });
  afterAll(() => pair.close());

  const statusOf = async (side: PairSide): Promise<Status> =>
    (await pair.parties[side].call({ method: 'my_swap_status', ...PARAMS }))['result'] as Status;
  const has = (side: PairSide, type: string) => async () =>
    (await statusOf(side)).events.some(({ event }) => event.type === type);

  it('has an address of the requested path, and its coins only there', async () => {
    const { maker } = pair.parties;
    const path_to_address = { account_id: 0, chain: 'External', address_id: 1 };
    const other = await maker.call({ method: 'enable', coin: 'MAK', path_to_address });
    expect(other).toMatchObject({ result: 'success', balance: '0' });
    await maker.call({ method: 'disable_coin', coin: 'MAK' });
    const first = await maker.call({ method: 'enable', coin: 'MAK' });
    expect(first).toMatchObject({ result: 'success', balance: '29.62962963' });
    expect(first['address']).not.toBe(other['address']);
    await maker.activate('TAK');
    await pair.parties.taker.activate();
  });

  it('is under the keys of its coins', async () => {
    await pair.start();
    expect(await pair.until(has('taker', 'TakerPaymentSent'))).toBe(true);
    for (const side of ['maker', 'taker'] as const) {
      const party = pair.parties[side];
      const { data } = (await statusOf(side)).events[0]?.event ?? { data: {} };
      expect(data).toMatchObject({
        my_persistent_pub: bytesToHex(party.key),
        maker_coin_htlc_pubkey: bytesToHex(party.funded('MAK')),
        taker_coin_htlc_pubkey: bytesToHex(party.funded('TAK')),
      });
    }
  });

  it('continues after a restart under the same keys, and refuses a coin under others while it runs', async () => {
    const { taker } = pair.parties;
    await taker.reopen();
    const path_to_address = { account_id: 1 };
    for (const coin of ['MAK', 'TAK']) {
      const answer = await taker.call({ method: 'enable', coin, path_to_address });
      expect(answer).toMatchObject({
        http: 500,
        error: expect.stringContaining(`path_to_address: swap ${PAIR_UUID} started with another key of ${coin}`),
      });
    }
    await taker.activate();
    for (const side of ['maker', 'taker'] as const) {
      expect(await pair.until(async () => (await statusOf(side)).is_finished)).toBe(true);
      expect((await statusOf(side)).is_success).toBe(true);
    }
    expect((await taker.call({ method: 'my_balance', coin: 'MAK' }))['balance']).toMatch(/^1\.4999\d+$/);
  });

  it('is reported without any of the words', () => {
    const lines = [...pair.parties.maker.lines, ...pair.parties.taker.lines].join('\n');
    for (const word of ['abandon', 'sausage', 'yellow']) expect(lines).not.toContain(word);
  });
});
