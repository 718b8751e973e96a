import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { BURN_KEY, DEX_FEE_KEY_HASH } from '../../../../src/htlc/dex-fee.ts';
import { ERC20_TRANSFER } from '../../../../src/htlc/evm-calls.ts';
import { evmAddress } from '../../../../src/htlc/evm-transaction.ts';
import { FREE_NETWORK, KDF_NETWORK, type NetworkProfile } from '../../../../src/htlc/network-profile.ts';
import { p2pkhScript } from '../../../../src/htlc/script.ts';
import type { TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { auditSwap } from '../../../../src/replay/audit/audit-swap.ts';
import { DEX_FEE_ACCOUNT, dexFeeRule } from '../../../../src/replay/audit/fees.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import {
  judge,
  notCheckable,
  verified,
  violated,
  withMembers,
  without,
  withTransaction,
} from '../../../support/audited.ts';
import { storedEvm, word } from '../../../support/evm-transactions.ts';

// 2.4 coins make 308880.3 satoshi of 1/777, and 277992.2 of 9/7770.
const { taker, maker } = buildSwapPair({ seed: 31 });
const FEE = 2;
const YOUNG = 'not by the rule of 2025; releases from 2026 on have other rates and another address';
const FIRST_YOUNG = 1_767_225_600;

function withOutputs(change: (outputs: readonly TransactionOutput[]) => readonly TransactionOutput[], log = taker) {
  return withTransaction(log, 'TakerFeeSent', ({ outputs }) => ({ outputs: change(outputs) }));
}

const paying = (value: bigint, log: SwapLog = taker) =>
  withOutputs((outputs) => outputs.map((output, index) => (index === 0 ? { ...output, value } : output)), log);

const startedAt = (log: SwapLog, started_at: unknown) => withMembers(log, 'Started', { started_at });

describe('the fee of a taker on a UTXO chain', () => {
  it('is 1/777 of the amount, in the logs of both parties', () => {
    expect(judge(dexFeeRule, taker)).toEqual([verified(FEE, '308880 base units')]);
    expect(judge(dexFeeRule, maker)).toEqual([verified(3, '308880 base units')]);
  });

  it('is 9/7770 where KMD is bought', () => {
    const komodo = buildSwapPair({ seed: 31, makerCoin: 'KMD' });
    expect(judge(dexFeeRule, komodo.taker)).toEqual([verified(FEE, '277992 base units')]);
  });

  it('burns a quarter where KMD is sold', () => {
    const komodo = buildSwapPair({ seed: 31, takerCoin: 'KMD' });
    expect(judge(dexFeeRule, komodo.taker)).toEqual([verified(FEE, '208494 base units and 69498 burned')]);
  });

  it('is wrong when it is less, more, burned by another measure, or paid to somebody else', () => {
    const expected = '308880 base units to the fee address';
    expect(judge(dexFeeRule, paying(308_879n))).toEqual([
      violated(FEE, {
        expected,
        found: '308879 base units',
        reason: 'output 0 pays less than the formula asks for',
      }),
    ]);
    expect(judge(dexFeeRule, paying(1_000_001n))).toEqual([
      violated(FEE, {
        expected,
        found: '1000001 base units',
        reason: 'output 0 pays more than the formula asks for',
      }),
    ]);
    const other = withOutputs((outputs) =>
      outputs.map((output) => ({ ...output, script: p2pkhScript(new Uint8Array(20)) })),
    );
    expect(judge(dexFeeRule, other)).toEqual([
      violated(FEE, { expected, found: '308880 base units', reason: 'output 0 does not pay the fee address' }),
    ]);
    const komodo = buildSwapPair({ seed: 31, takerCoin: 'KMD' }).taker;
    const burnt = withOutputs(
      (outputs) => outputs.map((out) => (out.value === 69_498n ? { ...out, value: 69_499n } : out)),
      komodo,
    );
    expect(judge(dexFeeRule, burnt)).toEqual([
      violated(FEE, {
        expected: '208494 base units and 69498 burned to the fee address',
        found: '208494 base units and 69499 burned',
        reason: 'the burned amount is not the one of the formula',
      }),
    ]);
  });
});

describe('the fee of a taker on a UTXO chain that breaks the formula', () => {
  it('may be the minimum of the coin, which no log stores', () => {
    expect(judge(dexFeeRule, paying(1_000_000n))).toEqual([
      notCheckable(FEE, "more than the formula asks for, which may be the coin's own minimum"),
    ]);
  });

  it('is not judged if it is shielded or a token', () => {
    const hidden = withTransaction(taker, 'TakerFeeSent', () => ({ outputs: [] }));
    expect(judge(dexFeeRule, hidden)).toEqual([notCheckable(FEE, 'the fee is paid to a shielded address')]);
    const token = withOutputs(() => [{ value: 0n, script: Uint8Array.of(0x6a, 4, 0x53, 0x4c, 0x50, 0) }]);
    expect(judge(dexFeeRule, token)).toEqual([
      notCheckable(FEE, 'the fee is paid in a token, whose amount is not the value of an output'),
    ]);
  });

  it('may follow other rates from 2026 on, or if the start is unknown', () => {
    const wrong = paying(308_879n);
    expect(judge(dexFeeRule, startedAt(wrong, FIRST_YOUNG - 1))[0]?.status).toBe('violated');
    for (const start of [FIRST_YOUNG, FIRST_YOUNG + 1, undefined]) {
      expect(judge(dexFeeRule, startedAt(wrong, start))).toEqual([notCheckable(FEE, YOUNG)]);
      expect(judge(dexFeeRule, startedAt(taker, start))[0]?.status).toBe('verified');
    }
  });
});

describe('a fee that cannot be checked against the formula', () => {
  it('is in a log without the coins or the amount', () => {
    for (const member of ['taker_coin', 'maker_coin', 'taker_amount']) {
      expect(judge(dexFeeRule, withMembers(taker, 'Started', { [member]: undefined }))).toEqual([
        notCheckable(FEE, 'the log does not name the coins and the amount'),
      ]);
    }
  });

  it('is not there at all: the burn key alone pays none', () => {
    const none = withMembers(taker, 'TakerFeeSent', { tx_hex: '', tx_hash: '' });
    const reason = 'no fee transaction is stored; by the known rules the burn key alone pays none';
    expect(judge(dexFeeRule, none)).toEqual([notCheckable(FEE, reason)]);
    const burning = withMembers(none, 'Started', { taker_coin_htlc_pubkey: BURN_KEY });
    expect(judge(dexFeeRule, burning)).toEqual([verified(FEE, 'no fee, which the burn key need not pay')]);
    const keys = { taker_coin_htlc_pubkey: undefined, maker_coin_htlc_pubkey: undefined, my_persistent_pub: undefined };
    expect(judge(dexFeeRule, withMembers(none, 'Started', keys))).toEqual([notCheckable(FEE, reason)]);
  });

  it('is half there: an id without bytes, or bytes without an id', () => {
    expect(judge(dexFeeRule, withMembers(taker, 'TakerFeeSent', { tx_hash: '' }))).toEqual([
      verified(FEE, '308880 base units'),
    ]);
    expect(judge(dexFeeRule, withMembers(taker, 'TakerFeeSent', { tx_hex: '' }))).toEqual([
      notCheckable(FEE, 'the stored bytes are no transaction that can be read'),
    ]);
  });

  it('is looked for in fee events alone', () => {
    expect(judge(dexFeeRule, without(taker, 'TakerFeeSent'))).toEqual([]);
  });
});

// 2.4 / 777 in 18 decimals, by hand: 2400000000000000000 / 777.
const WEI = 2_400_000_000_000_000_000n / 777n;
const inEther = (parts: Parameters<typeof storedEvm>[0], log = taker) =>
  withMembers(log, 'TakerFeeSent', storedEvm(parts));
const inToken = (amount: bigint, to = DEX_FEE_ACCOUNT) =>
  inEther({ to: 'ab'.repeat(20), data: `${ERC20_TRANSFER}${word(to)}${word(amount)}` });

describe('the fee of a taker on an EVM chain', () => {
  it('goes to the account of the fee key', () => {
    expect(DEX_FEE_KEY_HASH).toHaveLength(40);
    expect(hexToBytes(DEX_FEE_ACCOUNT)).toHaveLength(20);
    expect(judge(dexFeeRule, inEther({ to: DEX_FEE_ACCOUNT, value: WEI }))).toEqual([
      verified(FEE, `${WEI} base units`),
    ]);
    const other = inEther({ to: '11'.repeat(20), value: WEI });
    expect(judge(dexFeeRule, other)).toEqual([
      violated(FEE, { expected: DEX_FEE_ACCOUNT, found: '11'.repeat(20), reason: 'the receiver of the fee' }),
    ]);
    expect(judge(dexFeeRule, startedAt(other, FIRST_YOUNG))).toEqual([notCheckable(FEE, YOUNG)]);
    const young = startedAt(inEther({ to: DEX_FEE_ACCOUNT, value: WEI }), FIRST_YOUNG);
    expect(judge(dexFeeRule, young)).toEqual([verified(FEE, `${WEI} base units`)]);
  });

  it('of another amount proves nothing, because releases differ in the last digits', () => {
    for (const value of [WEI + 1n, WEI - 1n, 308_880n, 0n]) {
      expect(judge(dexFeeRule, inEther({ to: DEX_FEE_ACCOUNT, value }))).toEqual([
        notCheckable(FEE, `paid to the fee account; the amount of ${value} cannot be derived here`),
      ]);
    }
  });

  it('of a token fits any count of decimals up to 18', () => {
    for (const decimals of [3n, 6n, 8n, 18n]) {
      const amount = (24n * 10n ** (decimals - 1n)) / 777n;
      expect(judge(dexFeeRule, inToken(amount))).toEqual([verified(FEE, `${amount} base units`)]);
    }
    for (const amount of [(24n * 10n ** 18n) / 777n, 12_345n]) {
      expect(judge(dexFeeRule, inToken(amount))[0]?.status).toBe('notCheckable');
    }
    expect(judge(dexFeeRule, inToken(3n, '22'.repeat(20)))[0]).toMatchObject({ found: '22'.repeat(20) });
  });

  it('was at least a ten-thousandth of a coin in releases before the burn', () => {
    const minimum = 10n ** 14n;
    const small = (amount: string) => withMembers(taker, 'Started', { taker_amount: amount });
    const paid = (amount: string) => judge(dexFeeRule, inEther({ to: DEX_FEE_ACCOUNT, value: minimum }, small(amount)));
    expect(paid('0.05')).toEqual([verified(FEE, '100000000000000 base units')]);
    expect(paid('0.0777')).toEqual([verified(FEE, '100000000000000 base units')]);
    expect(paid('0.0778')[0]?.status).toBe('notCheckable');
    expect(paid('2.4')[0]?.status).toBe('notCheckable');
    const token = withMembers(small('0.05'), 'TakerFeeSent', {
      ...storedEvm({ to: 'ab'.repeat(20), data: `${ERC20_TRANSFER}${word(DEX_FEE_ACCOUNT)}${word(minimum)}` }),
    });
    expect(judge(dexFeeRule, token)[0]?.status).toBe('notCheckable');
  });

  it('is no fee when the transaction transfers nothing', () => {
    for (const parts of [{ value: 5n }, { to: DEX_FEE_ACCOUNT, data: 'deadbeef' }]) {
      expect(judge(dexFeeRule, inEther(parts))).toEqual([
        notCheckable(FEE, 'the transaction is no transfer of a coin or token'),
      ]);
    }
  });
});

describe('on a network of its own', () => {
  const own: NetworkProfile = {
    ...KDF_NETWORK,
    name: 'own',
    tradingFee: {
      ...(KDF_NETWORK.tradingFee as NonNullable<NetworkProfile['tradingFee']>),
      rate: { over: 2n, under: 777n },
      thresholdBeforeBurn: null,
    },
  };
  const { taker } = buildSwapPair({ seed: 9, amounts: { maker: '0.7', taker: '77.7' } });
  const feeOf = (log: SwapLog, network?: NetworkProfile) =>
    auditSwap(log, network === undefined ? {} : { network }).checks.filter(({ check }) => check === 'dex-fee');

  it('a fee is checked against its rate, and none is right if trading is free', () => {
    expect(feeOf(taker)).toMatchObject([{ status: 'verified' }]);
    expect(feeOf(taker, own)).toMatchObject([
      { status: 'violated', expected: '20000000 base units to the fee address' },
    ]);
    expect(feeOf(taker, FREE_NETWORK)).toMatchObject([{ status: 'violated' }]);
    const none = withMembers(taker, 'TakerFeeSent', { tx_hex: '', tx_hash: '' });
    expect(feeOf(none, FREE_NETWORK)).toMatchObject([{ status: 'verified' }]);
    expect(feeOf(none)).toMatchObject([{ status: 'notCheckable' }]);
  });

  it('the account of the fee key is paid on EVM chains', () => {
    expect(evmAddress(hexToBytes(KDF_NETWORK.tradingFee?.feeKey ?? ''))).toBe(DEX_FEE_ACCOUNT);
  });
});
