import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { ripemd160, sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import {
  evmAmountRule,
  evmCallRule,
  evmContractRule,
  evmSwapIdRule,
  evmTermsRule,
} from '../../../../src/replay/audit/evm-payments.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { judge, notCheckable, verified, violated, withMembers, without } from '../../../support/audited.ts';
import { CONTRACT, contractSwapId, evmSwap, PARTIES, TOKEN_UNITS, WEI } from '../../../support/evm-swap.ts';
import { leftWord, storedEvm, word } from '../../../support/evm-transactions.ts';

const { log, terms, calls } = evmSwap();
const [MAKER_PAYMENT, TAKER_PAYMENT, TAKER_CLAIM, MAKER_CLAIM, REFUND] = [3, 4, 5, 6, 7];
const ALL = [MAKER_PAYMENT, TAKER_PAYMENT, TAKER_CLAIM, MAKER_CLAIM, REFUND] as const;
const RULES = [evmCallRule, evmContractRule, evmSwapIdRule, evmTermsRule, evmAmountRule];

type Parts = Parameters<typeof storedEvm>[0];

function withCall(type: string, parts: Parts, from: SwapLog = log): SwapLog {
  return withMembers(from, type, storedEvm({ to: CONTRACT, ...parts }));
}

describe('the calls that are judged', () => {
  it('are those of EVM chains alone', () => {
    const { taker } = buildSwapPair({ seed: 51 });
    for (const rule of RULES) expect(judge(rule, taker)).toEqual([]);
    const fee = withMembers(taker, 'TakerFeeSent', storedEvm({ to: CONTRACT, data: calls.takerPayment }));
    for (const rule of RULES) expect(judge(rule, fee)).toEqual([]);
  });

  it('have terms only if they are of the kind that the event asks for', () => {
    const other = withCall('MakerPaymentReceived', { data: calls.makerPaymentSpend });
    for (const rule of RULES.slice(1)) {
      expect(judge(rule, other).map(({ seq }) => seq)).not.toContain(MAKER_PAYMENT);
    }
    const unknown = withCall('MakerPaymentReceived', { data: 'deadbeef' });
    for (const rule of RULES.slice(1)) {
      expect(judge(rule, unknown).map(({ seq }) => seq)).not.toContain(MAKER_PAYMENT);
    }
  });
});

describe('the function that a transaction calls', () => {
  it('is that of its event', () => {
    const kinds = ['payment', 'payment', 'claim', 'claim', 'refund'];
    expect(judge(evmCallRule, log)).toEqual(ALL.map((seq, index) => verified(seq, String(kinds[index]))));
    const claimed = withCall('TakerPaymentRefunded', { data: calls.takerPaymentSpend });
    expect(judge(evmCallRule, claimed).at(-1)).toEqual(violated(REFUND, { expected: 'a refund', found: 'a claim' }));
  });

  it('may be one that is not known, or stand in a type of transaction that is not read', () => {
    const unknown = withCall('MakerPaymentReceived', { data: 'deadbeef00' });
    expect(judge(evmCallRule, unknown)[0]).toEqual(
      notCheckable(MAKER_PAYMENT, 'the call deadbeef is none of the plain functions of the swap contract'),
    );
    const blob = withMembers(log, 'MakerPaymentReceived', { tx_hex: '03c0', tx_hash: '11'.repeat(32) });
    expect(judge(evmCallRule, blob)[0]).toEqual(
      notCheckable(MAKER_PAYMENT, 'the transaction is of a type that is not decoded'),
    );
    expect(judge(evmContractRule, blob)[0]?.seq).toBe(TAKER_PAYMENT);
  });
});

describe('the contract that is called', () => {
  it('is the negotiated one', () => {
    expect(judge(evmContractRule, log)).toEqual(ALL.map((seq) => verified(seq, CONTRACT)));
    const found = 'd1'.repeat(20);
    const other = withCall('MakerPaymentReceived', { to: found, data: calls.makerPayment });
    expect(judge(evmContractRule, other)[0]).toEqual(violated(MAKER_PAYMENT, { expected: CONTRACT, found }));
    const created = withCall('MakerPaymentReceived', { to: '', data: calls.makerPayment });
    expect(judge(evmContractRule, created)[0]).toEqual(
      violated(MAKER_PAYMENT, { expected: CONTRACT, found: 'the creation of a contract' }),
    );
  });

  it('may differ from the one in Started, which may be replaced before the swap continues', () => {
    const address = 'd1'.repeat(20);
    const started = withMembers(
      withMembers(log, 'Negotiated', { maker_coin_swap_contract_addr: null, taker_coin_swap_contract_addr: null }),
      'Started',
      { maker_coin_swap_contract_address: address, taker_coin_swap_contract_address: CONTRACT },
    );
    const replaced = `calls ${CONTRACT}; Started names ${address}, which was not negotiated`;
    expect(judge(evmContractRule, started).slice(0, 2)).toEqual([
      notCheckable(MAKER_PAYMENT, replaced),
      verified(TAKER_PAYMENT, CONTRACT),
    ]);
  });

  it('is unknown if the log names none', () => {
    const none = withMembers(log, 'Negotiated', { maker_coin_swap_contract_addr: null });
    expect(judge(evmContractRule, none)[0]).toEqual(
      notCheckable(MAKER_PAYMENT, 'the log names no swap contract for this coin'),
    );
  });
});

describe('the id of the swap in the contract', () => {
  const makerId = contractSwapId(terms.makerLock, terms.secretHash);
  const takerId = contractSwapId(terms.takerLock, terms.secretHash);

  it('is SHA-256 over the lock time and the secret hash of the payment', () => {
    const expected = [makerId, takerId, takerId, makerId, takerId];
    expect(judge(evmSwapIdRule, log)).toEqual(ALL.map((seq, index) => verified(seq, String(expected[index]))));
    const other = withMembers(log, 'Negotiated', { maker_payment_locktime: terms.makerLock + 1 });
    expect(judge(evmSwapIdRule, other)[0]).toEqual(
      violated(MAKER_PAYMENT, { expected: contractSwapId(terms.makerLock + 1, terms.secretHash), found: makerId }),
    );
  });

  it('takes the hash as negotiated, not its 20-byte form', () => {
    const long = sha256(terms.secret);
    const id = contractSwapId(terms.makerLock, long);
    const negotiated = withMembers(log, 'Negotiated', { secret_hash: bytesToHex(long) });
    const changed = withCall('MakerPaymentReceived', { data: calls.makerPayment.replace(makerId, id) }, negotiated);
    expect(judge(evmSwapIdRule, changed)[0]).toEqual(verified(MAKER_PAYMENT, id));
    expect(bytesToHex(ripemd160(long))).toBe(bytesToHex(terms.secretHash));
    expect(judge(evmTermsRule, changed).filter(({ status }) => status !== 'verified')).toEqual([]);
  });

  it('cannot be made without the lock time or the hash, nor of a lock that exceeds four bytes', () => {
    const reason = 'the log does not hold the lock time and the secret hash';
    const members = [
      { maker_payment_locktime: undefined },
      { secret_hash: undefined },
      { maker_payment_locktime: 0xffff_ffff + 1 },
    ];
    for (const change of members) {
      expect(judge(evmSwapIdRule, withMembers(log, 'Negotiated', change))[0]).toEqual(
        notCheckable(MAKER_PAYMENT, reason),
      );
    }
    const last = withMembers(log, 'Negotiated', { maker_payment_locktime: 0xffff_ffff });
    expect(judge(evmSwapIdRule, last)[0]?.expected).toBe(contractSwapId(0xffff_ffff, terms.secretHash));
  });
});

describe('the terms of a call', () => {
  const hash = bytesToHex(terms.secretHash);
  const { maker, taker } = PARTIES;

  it('are the account of the other party, the hash and the lock', () => {
    expect(judge(evmTermsRule, log)).toEqual([
      ...[taker.account, hash, String(terms.makerLock)].map((found) => verified(MAKER_PAYMENT, found)),
      ...[maker.account, hash, String(terms.takerLock)].map((found) => verified(TAKER_PAYMENT, found)),
      verified(TAKER_CLAIM, taker.account),
      verified(MAKER_CLAIM, maker.account),
      ...[maker.account, hash].map((found) => verified(REFUND, found)),
    ]);
  });

  it('contradict the log if one of them differs', () => {
    const changed = calls.makerPayment
      .replace(taker.account, maker.account)
      .replace(leftWord(hash), leftWord('ab'.repeat(20)))
      .replace(word(BigInt(terms.makerLock)), word(7n));
    expect(judge(evmTermsRule, withCall('MakerPaymentReceived', { data: changed })).slice(0, 3)).toEqual([
      violated(MAKER_PAYMENT, { expected: taker.account, found: maker.account }),
      violated(MAKER_PAYMENT, { expected: hash, found: 'ab'.repeat(20) }),
      violated(MAKER_PAYMENT, { expected: String(terms.makerLock), found: '7' }),
    ]);
  });

  it('are judged as far as the log holds them', () => {
    const unknown = withMembers(log, 'Negotiated', {
      secret_hash: undefined,
      maker_payment_locktime: undefined,
      maker_coin_htlc_pubkey: undefined,
      maker_pubkey: undefined,
    });
    const findings = judge(evmTermsRule, unknown);
    expect(findings.filter(({ seq }) => seq === MAKER_PAYMENT)).toEqual([verified(MAKER_PAYMENT, taker.account)]);
    expect(findings.filter(({ seq }) => seq === MAKER_CLAIM)).toEqual([
      notCheckable(MAKER_CLAIM, "the log does not hold the other party's key"),
    ]);
  });
});

describe('the amount of a call', () => {
  it('is that of Started: in 18 decimals for ether, in any for a token', () => {
    const amounts = [WEI, TOKEN_UNITS, TOKEN_UNITS, WEI, TOKEN_UNITS];
    expect(judge(evmAmountRule, log)).toEqual(ALL.map((seq, index) => verified(seq, `${amounts[index]} base units`)));
  });

  it('contradicts the log if it differs', () => {
    const found = WEI + 1n;
    const ether = withCall('MakerPaymentReceived', { value: found, data: calls.makerPayment });
    expect(judge(evmAmountRule, ether)[0]).toEqual(
      violated(MAKER_PAYMENT, { expected: `${WEI} base units (2.4)`, found: `${found} base units` }),
    );
    const millionths = withCall('MakerPaymentReceived', { value: 2_400_000n, data: calls.makerPayment });
    expect(judge(evmAmountRule, millionths)[0]?.status).toBe('violated');
    const data = calls.takerPayment.replace(word(TOKEN_UNITS), word(TOKEN_UNITS + 1n));
    expect(judge(evmAmountRule, withCall('TakerPaymentSent', { data }))[1]).toEqual(
      violated(TAKER_PAYMENT, { expected: 'the digits of 2.4', found: `${TOKEN_UNITS + 1n} base units` }),
    );
  });

  it('of a token whose address starts with zeros is not one of ether', () => {
    const data = calls.takerPayment.replace('70'.repeat(20), `0000${'70'.repeat(18)}`);
    expect(judge(evmAmountRule, withCall('TakerPaymentSent', { data }))[1]?.status).toBe('verified');
  });

  it('of a token may have from 0 to 77 decimals', () => {
    const paid = (units: bigint) => {
      const data = calls.takerPayment.replace(word(TOKEN_UNITS), word(units));
      return judge(evmAmountRule, withCall('TakerPaymentSent', { data }))[1]?.status;
    };
    expect(paid(2n)).toBe('verified');
    expect(paid(24n)).toBe('verified');
    expect(paid(24n * 10n ** 75n)).toBe('verified');
    const small = withMembers(log, 'Started', { taker_amount: '0.24' });
    const longest = calls.takerPayment.replace(word(TOKEN_UNITS), word(24n * 10n ** 75n));
    expect(judge(evmAmountRule, withCall('TakerPaymentSent', { data: longest }, small))[1]?.status).toBe('verified');
    const tooLong = withMembers(log, 'Started', { taker_amount: '0.024' });
    expect(judge(evmAmountRule, withCall('TakerPaymentSent', { data: longest }, tooLong))[1]?.status).toBe('violated');
  });

  it('cannot be judged if the log names none', () => {
    expect(judge(evmAmountRule, withMembers(log, 'Started', { maker_amount: undefined }))[0]).toEqual(
      notCheckable(MAKER_PAYMENT, 'the log does not name the amount'),
    );
    expect(judge(evmAmountRule, without(log, 'MakerPaymentReceived'))).toHaveLength(4);
  });
});
