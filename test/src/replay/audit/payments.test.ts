import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { OP_RETURN, p2shScript, pushData } from '../../../../src/htlc/script.ts';
import { sha256 } from '../../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import { paymentAmountRule, paymentHashOutputRule, paymentScriptRule } from '../../../../src/replay/audit/payments.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { paymentScript } from '../../../../src/testing/logs/swap-transactions.ts';
import {
  judge,
  notCheckable,
  transactionOf,
  verified,
  violated,
  withMembers,
  without,
  withTransaction,
} from '../../../support/audited.ts';
import { storedEvm } from '../../../support/evm-transactions.ts';

const { taker, maker, terms } = buildSwapPair({ seed: 41 });
const [MAKER, TAKER] = [4, 7];
const hash = bytesToHex(terms.secretHash);
const scriptOf = (payer: 'maker' | 'taker') => bytesToHex(p2shScript(paymentScript(terms, payer)));
const RULES = [paymentScriptRule, paymentAmountRule, paymentHashOutputRule];

function withSecondOutput(script: Uint8Array, log: SwapLog = taker): SwapLog {
  return withTransaction(log, 'MakerPaymentReceived', ({ outputs }) => ({
    outputs: outputs.map((output, index) => (index === 1 ? { ...output, script } : output)),
  }));
}

describe('which payments are judged', () => {
  it('is both, as each party stored them', () => {
    for (const rule of RULES) {
      expect(judge(rule, taker).map(({ seq, status }) => [seq, status])).toEqual([
        [MAKER, 'verified'],
        [TAKER, 'verified'],
      ]);
      expect(judge(rule, maker).map(({ seq, status }) => [seq, status])).toEqual([
        [4, 'verified'],
        [5, 'verified'],
      ]);
      expect(judge(rule, without(taker, 'MakerPaymentReceived', 'TakerPaymentSent'))).toEqual([]);
    }
  });

  it('leaves out EVM chains, whose payments have checks of their own', () => {
    const ether = withMembers(taker, 'MakerPaymentReceived', storedEvm({ to: 'aa'.repeat(20), value: 1n }));
    for (const rule of RULES) expect(judge(rule, ether).map(({ seq }) => seq)).toEqual([TAKER]);
  });

  it('is not checkable if the bytes are not those of a UTXO chain, or move a token', () => {
    const unreadable = withMembers(taker, 'MakerPaymentReceived', { tx_hex: '00' });
    const token = withTransaction(taker, 'MakerPaymentReceived', () => ({
      outputs: [{ value: 0n, script: Uint8Array.of(OP_RETURN) }],
    }));
    for (const rule of RULES) {
      expect(judge(rule, unreadable)[0]).toEqual(
        notCheckable(MAKER, 'the stored bytes are no transaction that can be read'),
      );
      expect(judge(rule, token)[0]).toEqual(
        notCheckable(MAKER, 'the payment moves a token, whose terms are not in an output of its own'),
      );
    }
  });
});

describe('the script of a payment', () => {
  it('pays to the hash of the redeem script of the terms (BIP 16)', () => {
    expect(judge(paymentScriptRule, taker)).toEqual([
      verified(MAKER, scriptOf('maker')),
      verified(TAKER, scriptOf('taker')),
    ]);
  });

  it('contradicts a log with other terms', () => {
    const other = withMembers(taker, 'Negotiated', { maker_payment_locktime: terms.makerLock + 1 });
    const [finding, second] = judge(paymentScriptRule, other);
    expect(finding).toMatchObject({ seq: MAKER, status: 'violated', found: scriptOf('maker') });
    expect(finding?.expected).toMatch(/^a914[0-9a-f]{40}87$/);
    expect(finding?.expected).not.toBe(finding?.found);
    expect(second?.status).toBe('verified');
  });

  it('cannot be made of incomplete terms, nor of ones that no script can hold', () => {
    const incomplete = withMembers(taker, 'Negotiated', { maker_payment_locktime: undefined });
    expect(judge(paymentScriptRule, incomplete)[0]).toEqual(
      notCheckable(MAKER, "the log does not say until when the maker's payment is locked"),
    );
    const impossible = withMembers(taker, 'Negotiated', { secret_hash: 'ab'.repeat(21) });
    const [finding, second] = judge(paymentScriptRule, impossible);
    expect(finding).toEqual(
      violated(MAKER, {
        expected: 'terms that fit a redeem script',
        found: 'the secret hash has 21 bytes, not 20 or 32',
      }),
    );
    expect(second?.status).toBe('violated');
  });
});

describe('the amount of a payment', () => {
  const paid = (amount: string) => judge(paymentAmountRule, withMembers(taker, 'Started', { maker_amount: amount }))[0];

  it('is that of Started, to the base unit', () => {
    expect(judge(paymentAmountRule, taker)).toEqual([
      verified(MAKER, '240000000 base units'),
      verified(TAKER, '240000000 base units'),
    ]);
    for (const [amount, units] of [
      ['2.40000001', '240000001'],
      ['2.39999999', '239999999'],
    ]) {
      expect(paid(String(amount))).toEqual(
        violated(MAKER, { expected: `${units} base units (${amount})`, found: '240000000 base units' }),
      );
    }
  });

  it('is cut off below one base unit', () => {
    expect(paid('2.400000009999999')).toEqual(verified(MAKER, '240000000 base units'));
    expect(paid('2.400000010')?.status).toBe('violated');
  });

  it('may be counted in millionths, as Peercoin is', () => {
    expect(paid('240')).toEqual(verified(MAKER, '240000000 base units'));
    expect(paid('24')?.status).toBe('violated');
    expect(paid('2400')?.status).toBe('violated');
  });

  it('cannot be judged if the log does not name it', () => {
    expect(judge(paymentAmountRule, withMembers(taker, 'Started', { maker_amount: undefined }))[0]).toEqual(
      notCheckable(MAKER, 'the log does not name the amount'),
    );
  });
});

describe('the OP_RETURN of a payment', () => {
  const carrying = (data: Uint8Array) => concatBytes([Uint8Array.of(OP_RETURN), pushData(data)]);

  it('carries the secret hash', () => {
    expect(judge(paymentHashOutputRule, taker)).toEqual([verified(MAKER, hash), verified(TAKER, hash)]);
    const other = withSecondOutput(carrying(new Uint8Array(20)));
    expect(judge(paymentHashOutputRule, other)[0]).toEqual(violated(MAKER, { expected: hash, found: '00'.repeat(20) }));
  });

  it('carries the hash as negotiated, even if the script holds a shorter one', () => {
    const long = bytesToHex(sha256(terms.secret));
    const negotiated = withMembers(withSecondOutput(carrying(sha256(terms.secret))), 'Negotiated', {
      secret_hash: long,
    });
    expect(judge(paymentHashOutputRule, negotiated)[0]).toEqual(verified(MAKER, long));
    expect(judge(paymentScriptRule, negotiated)[0]?.status).toBe('verified');
  });

  it('may carry the whole redeem script, as Pirate does', () => {
    const script = paymentScript(terms, 'maker');
    const pirate = withSecondOutput(carrying(script));
    expect(judge(paymentHashOutputRule, pirate)[0]).toEqual(verified(MAKER, bytesToHex(script)));
    const unknown = withMembers(pirate, 'Negotiated', { maker_payment_locktime: undefined });
    expect(judge(paymentHashOutputRule, unknown)[0]?.status).toBe('violated');
  });

  it('is looked for in all outputs after the first', () => {
    const moved = withTransaction(taker, 'MakerPaymentReceived', ({ outputs: [first, second, third] }) => ({
      outputs: [first, third, second].flatMap((output) => output ?? []),
    }));
    expect(transactionOf(moved, 'MakerPaymentReceived').outputs[2]?.script[0]).toBe(OP_RETURN);
    expect(judge(paymentHashOutputRule, moved)[0]).toEqual(verified(MAKER, hash));
  });

  it('is absent from payments before December 2020, and from some later ones', () => {
    const none = withSecondOutput(Uint8Array.of(0x51));
    const at = (started_at: unknown) => judge(paymentHashOutputRule, withMembers(none, 'Started', { started_at }))[0];
    const OLD = 'the payment carries no OP_RETURN, as payments before December 2020';
    expect(at(1_607_817_599)).toEqual(notCheckable(MAKER, OLD));
    expect(at(undefined)).toEqual(notCheckable(MAKER, OLD));
    expect(at(1_607_817_600)).toEqual(notCheckable(MAKER, 'the payment carries no OP_RETURN'));
    expect(at(1_734_566_400)).toEqual(notCheckable(MAKER, 'the payment carries no OP_RETURN'));
  });

  it('cannot be checked in a log without hash and secret', () => {
    const unknown = withMembers(taker, 'Negotiated', { secret_hash: undefined });
    const log = without(unknown, 'TakerPaymentSpent', 'MakerPaymentSpent');
    expect(judge(paymentHashOutputRule, log)).toEqual([
      notCheckable(MAKER, 'the log holds neither the secret hash nor the secret'),
      notCheckable(TAKER, 'the log holds neither the secret hash nor the secret'),
    ]);
  });
});
