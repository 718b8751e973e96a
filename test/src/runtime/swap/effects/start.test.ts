import { describe, expect, it } from 'vitest';
import type { ChainFault, Quote } from '../../../../../src/ports/chain.ts';
import type { DecimalText } from '../../../../../src/primitives/decimal.ts';
import type { RuntimeChain, RuntimeOptions } from '../../../../../src/runtime/index.ts';
import { type Coin, createPair, type Pair, requestOf, type Side, UUID } from '../../../../support/swap-pair.ts';

const dec = (text: string) => text as DecimalText;

/** What a record of a side's swap says. */
function dataOf({ nodes }: Pair, side: Side, type: string): unknown {
  const records = nodes[side].log.read(`${side}-swap/${UUID}`);
  if (records instanceof Promise) throw new TypeError('the log answers at once');
  return records.find((record) => record.type === type)?.data;
}

/** Chains of which one answers a quote in its own way. */
function quoting(
  { chains }: RuntimeOptions,
  coin: Coin,
  quote: (real: Quote) => Quote | ChainFault,
): Partial<RuntimeOptions> {
  return {
    chains: chains.map((chain): RuntimeChain => {
      if (chain.traits.coin !== coin) return chain;
      return {
        ...chain,
        quote: async () => {
          const answer = await chain.quote();
          if (!answer.ok) return answer;
          const changed = quote(answer.value);
          return 'kind' in changed ? { ok: false, fault: changed } : { ok: true, value: changed };
        },
      };
    }),
  };
}

async function errorOf(pair: Pair, side: Side): Promise<string> {
  await pair.nodes[side].runtime.startSwap(requestOf(side));
  await pair.until(() => pair.types(side).includes('Finished'), 5);
  expect(pair.types(side)).toEqual(['SwapRequested', 'StartFailed', 'Finished']);
  return (dataOf(pair, side, 'StartFailed') as { readonly error: string }).error;
}

describe('before a swap starts', () => {
  it('a taker whose wallet cannot pay for its claim is refused', async () => {
    const funds = (side: string, coin: Coin) => (side === 'taker' && coin === 'DOC' ? '0' : '1000');
    const pair = createPair({ accounts: ['DOC'], funds });
    expect(await errorOf(pair, 'taker')).toBe(
      '!check_balance_for_taker_swap Not enough DOC for swap: available 0, required at least 0.0000195, locked by swaps Some(BigDecimal("0"))',
    );
  });

  it('a maker whose wallet cannot pay for its claim is refused', async () => {
    const funds = (side: string, coin: Coin) => (side === 'maker' && coin === 'MARTY' ? '0.0006' : '1000');
    const pair = createPair({ accounts: ['MARTY'], funds });
    expect(await errorOf(pair, 'maker')).toBe(
      '!check_balance_for_maker_swap Not enough MARTY for swap: available 0.0006, required at least 0.00065, locked by swaps Some(BigDecimal("0"))',
    );
  });

  it('nobody needs coins of a chain on which the claim pays for itself', async () => {
    const funds = (side: string, coin: Coin) => ((side === 'maker') === (coin === 'DOC') ? '1000' : '0');
    const pair = createPair({ funds });
    for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
    expect(await pair.until(() => pair.types('taker').includes('MakerPaymentSpendConfirmed'), 60)).toBe(true);
  });

  it('an amount that the fee of its claim would eat is refused', async () => {
    const pair = createPair({
      options: (_, given) => quoting(given, 'DOC', (quote) => ({ ...quote, spendFee: dec('1.5') })),
    });
    expect(await errorOf(pair, 'taker')).toBe(
      '!check_balance_for_taker_swap The volume 1.5 of the DOC coin less than minimum transaction amount 1.50000009',
    );
  });

  it('the gas of a token is weighed against the coin that pays it, and not added to the token', async () => {
    const token = (spendable: string) => (quote: Quote) => ({
      ...quote,
      spendable: dec('3.1'),
      paymentFee: dec('0.5'),
      dexFeeFee: dec('0.25'),
      feeCoin: { coin: 'ETH', spendable: dec(spendable) },
    });
    const poor = createPair({ options: (_, given) => quoting(given, 'MARTY', token('0.7')) });
    expect(await errorOf(poor, 'taker')).toBe(
      '!check_balance_for_taker_swap Not enough base coin ETH balance for swap: available 0.7, required at least 0.75, locked by swaps Some(BigDecimal("0"))',
    );
    const rich = createPair({ options: (_, given) => quoting(given, 'MARTY', token('0.75')) });
    await rich.nodes.taker.runtime.startSwap(requestOf('taker'));
    await rich.until(() => rich.types('taker').includes('Started'), 5);
    expect(dataOf(rich, 'taker', 'Started')).toMatchObject({
      fee_to_send_taker_fee: { coin: 'ETH', amount: '0.25', paid_from_trading_vol: false },
      taker_payment_trade_fee: { coin: 'ETH', amount: '0.5', paid_from_trading_vol: false },
    });
  });

  it('what one coin pays on both chains is added up', async () => {
    // MARTY asks 0.00186 for the payment, its refund and the fee, and DOC 0.0000195 for the claim.
    const gas = (quote: Quote): Quote => ({ ...quote, feeCoin: { coin: 'ETH', spendable: dec('0.00187') } });
    const pair = createPair({
      accounts: ['DOC', 'MARTY'],
      options: (_, given) => ({
        ...quoting({ ...given, ...quoting(given, 'DOC', gas) }, 'MARTY', gas),
      }),
    });
    expect(await errorOf(pair, 'taker')).toContain(
      'Not enough base coin ETH balance for swap: available 0.00187, required at least 0.0018795,',
    );
  });

  it('the fee of a claim that pays for itself is stored as paid from the traded amount', async () => {
    const pair = createPair({ accounts: ['DOC'] });
    for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
    await pair.until(() => pair.types('maker').includes('Started') && pair.types('taker').includes('Started'), 5);
    expect(dataOf(pair, 'maker', 'Started')).toMatchObject({
      maker_payment_trade_fee: { coin: 'DOC', paid_from_trading_vol: false },
      taker_payment_spend_trade_fee: { coin: 'MARTY', paid_from_trading_vol: true },
    });
    expect(dataOf(pair, 'taker', 'Started')).toMatchObject({
      maker_payment_spend_trade_fee: { coin: 'DOC', amount: '0.0000195', paid_from_trading_vol: false },
    });
  });
});

describe('a chain that does not answer before the start', () => {
  const silent = (part?: ChainFault['part']): ChainFault => ({
    kind: 'unavailable',
    message: 'no route',
    ...(part === undefined ? {} : { part }),
  });
  const cases: readonly [side: Side, coin: Coin, part: ChainFault['part'], text: string][] = [
    ['taker', 'MARTY', undefined, '!taker_coin.get_fee_to_send_taker_fee'],
    ['taker', 'MARTY', 'dexFeeFee', '!taker_coin.get_fee_to_send_taker_fee'],
    ['taker', 'MARTY', 'paymentFee', '!taker_coin.get_sender_trade_fee'],
    ['taker', 'DOC', undefined, '!maker_coin.get_receiver_trade_fee'],
    ['taker', 'DOC', 'spendFee', '!maker_coin.get_receiver_trade_fee'],
    ['taker', 'MARTY', 'spendable', '!check_balance_for_taker_swap'],
    ['taker', 'DOC', 'spendable', '!check_balance_for_taker_swap'],
    ['taker', 'DOC', 'height', '!maker_coin.current_block'],
    ['taker', 'MARTY', 'height', '!taker_coin.current_block'],
    ['maker', 'DOC', undefined, '!maker_coin.get_sender_trade_fee'],
    ['maker', 'MARTY', undefined, '!taker_coin.get_receiver_trade_fee'],
    ['maker', 'DOC', 'spendable', '!check_balance_for_maker_swap'],
    ['maker', 'DOC', 'height', '!maker_coin.current_block'],
    ['maker', 'MARTY', 'height', '!taker_coin.current_block'],
  ];
  for (const [side, coin, part, text] of cases) {
    it(`fails the ${side}'s start with ${text} when ${coin} cannot tell ${part ?? 'anything'}`, async () => {
      const pair = createPair({ options: (_, given) => quoting(given, coin, () => silent(part)) });
      expect(await errorOf(pair, side)).toBe(`${text} Transport error: no route`);
    });
  }

  it('is named by the first question if both are silent', async () => {
    const pair = createPair({
      options: (_, given) =>
        quoting({ ...given, ...quoting(given, 'DOC', () => silent('spendFee')) }, 'MARTY', () => silent('height')),
    });
    expect(await errorOf(pair, 'taker')).toBe('!maker_coin.get_receiver_trade_fee Transport error: no route');
  });
});
