import { describe, expect, it } from 'vitest';
import { tradeFeeCoinRule } from '../../../../src/replay/audit/trade-fees.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withMembers, without } from '../../../support/audited.ts';

const { taker, maker } = buildSwapPair({ seed: 151 });

/** The payment that each fee moves is in the first or the second coin. */
const MEMBERS = {
  taker: [
    ['fee_to_send_taker_fee', 'MARTY', 'TakerPaymentSent', 'taker'],
    ['taker_payment_trade_fee', 'MARTY', 'TakerPaymentSent', 'taker'],
    ['maker_payment_spend_trade_fee', 'DOC', 'MakerPaymentReceived', 'maker'],
  ],
  maker: [
    ['maker_payment_trade_fee', 'DOC', 'MakerPaymentSent', 'maker'],
    ['taker_payment_spend_trade_fee', 'MARTY', 'TakerPaymentReceived', 'taker'],
  ],
} as const;

describe.each(['taker', 'maker'] as const)('the miner fees that a %s foresees', (role) => {
  const log = role === 'taker' ? taker : maker;
  const withCoin = (member: string, coin: unknown) =>
    withMembers(log, 'Started', { [member]: { coin, amount: '0.00001', paid_from_trading_vol: false } });

  it('are in the coin that is moved', () => {
    expect(judge(tradeFeeCoinRule, log)).toEqual(
      MEMBERS[role].map(([member, coin]) => verified(0, `${member} in ${coin}`)),
    );
  });

  it('contradict the payment if that is of a UTXO chain', () => {
    for (const [index, [member, expected]] of MEMBERS[role].entries()) {
      expect(judge(tradeFeeCoinRule, withCoin(member, 'ETH'))[index]).toEqual(
        violated(0, { expected, found: 'ETH', reason: member }),
      );
    }
  });

  it('may be in the coin of the platform if no payment shows whether a token is moved', () => {
    for (const [index, [member, , event, payer]] of MEMBERS[role].entries()) {
      expect(judge(tradeFeeCoinRule, without(withCoin(member, 'ETH'), event))[index]).toEqual(
        notCheckable(0, `${member} in ETH; the log holds no payment of the ${payer}`),
      );
    }
  });

  it('may be absent', () => {
    for (const [member] of MEMBERS[role]) {
      const others = MEMBERS[role].length - 1;
      expect(judge(tradeFeeCoinRule, withMembers(log, 'Started', { [member]: null }))).toHaveLength(others);
      expect(judge(tradeFeeCoinRule, withCoin(member, ''))).toHaveLength(others);
    }
    expect(judge(tradeFeeCoinRule, without(log, 'Started'))).toEqual([]);
  });

  it('cannot be in a coin that the log does not name', () => {
    const coinless = withMembers(log, 'Started', { maker_coin: undefined, taker_coin: undefined });
    expect(judge(tradeFeeCoinRule, coinless)[0]).toMatchObject({ status: 'violated', expected: 'no coin' });
  });
});
