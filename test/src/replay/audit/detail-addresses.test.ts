import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { DEX_FEE_KEY_HASH } from '../../../../src/htlc/dex-fee.ts';
import { OP_RETURN, p2pkhScript, p2shScript, pushData } from '../../../../src/htlc/script.ts';
import type { TransactionOutput } from '../../../../src/htlc/transaction.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { detailAddressesRule } from '../../../../src/replay/audit/detail-addresses.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { paymentScript } from '../../../../src/testing/logs/swap-transactions.ts';
import { base58Address } from '../../../support/addresses.ts';
import {
  judge,
  notCheckable,
  ONE_JOIN_SPLIT,
  verified,
  violated,
  withMembers,
  withTransaction,
} from '../../../support/audited.ts';
import { storedEvm, word } from '../../../support/evm-transactions.ts';

const { taker, terms } = buildSwapPair({ seed: 171 });
const FEE = 2;
const own = bytesToHex(hash160(terms.taker.takerCoin));
const foreign = '5a'.repeat(20);
const FROM = base58Address(own);
const TO = base58Address(DEX_FEE_KEY_HASH);

function listed(members: object, log = taker, type = 'TakerFeeSent') {
  return judge(detailAddressesRule, withMembers(log, type, { coin: 'MARTY', ...members }));
}

describe('the addresses beside a transaction', () => {
  it('are those of its inputs and outputs', () => {
    expect(listed({ from: [FROM], to: [TO] })).toEqual([
      verified(FEE, 'from, 1 addresses'),
      verified(FEE, 'to, 1 addresses'),
    ]);
    expect(listed({ to: [TO, FROM] })).toEqual([verified(FEE, 'to, 2 addresses')]);
    expect(listed({ from: [TO] })).toEqual([
      violated(FEE, { expected: `an address of ${own}`, found: TO, reason: 'from' }),
    ]);
    const other = base58Address(foreign);
    expect(listed({ to: [TO, other] })).toEqual([
      violated(FEE, { expected: `an address of ${DEX_FEE_KEY_HASH} or ${own}`, found: other, reason: 'to' }),
    ]);
  });

  it('have a version of one or two bytes, which belongs to the coin', () => {
    expect(listed({ from: [base58Address(own, { version: 0 })] })[0]?.status).toBe('verified');
    expect(listed({ from: [base58Address(`b8${own}`, { version: 0x1c })] })[0]?.status).toBe('verified');
  });

  it('have a right checksum, except on chains with one of another hash', () => {
    const checksum = Uint8Array.of(1, 2, 3, 4);
    const wrong = base58Address(own, { checksum });
    expect(listed({ from: [wrong] })).toEqual([
      violated(FEE, { expected: `an address of ${own}`, found: wrong, reason: 'from' }),
    ]);
    for (const coin of ['GRS', 'SMART']) expect(listed({ coin, from: [wrong] })[0]?.status).toBe('verified');
    expect(listed({ coin: 'GRS', from: [base58Address(foreign)] })[0]?.status).toBe('violated');
  });

  it('may be of a form that is not read', () => {
    const reason = 'from holds an address of another form';
    for (const form of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '', 7, null, base58Address('5a'.repeat(19))]) {
      expect(listed({ from: [FROM, form] })).toEqual([notCheckable(FEE, reason)]);
    }
    const other = base58Address(foreign);
    expect(listed({ from: ['bc1q', other] })[0]).toMatchObject({ status: 'violated', found: other });
  });

  it('may be absent', () => {
    for (const none of [undefined, null, [], 'text', {}]) expect(listed({ from: none, to: none })).toEqual([]);
    expect(judge(detailAddressesRule, taker)).toEqual([]);
  });
});

describe('the outputs whose addresses are known', () => {
  const paying = (...scripts: readonly Uint8Array[]) => {
    const outputs: readonly TransactionOutput[] = scripts.map((script) => ({ value: 1n, script }));
    return withTransaction(taker, 'TakerFeeSent', () => ({ outputs }));
  };
  const key = p2pkhScript(hexToBytes(own));

  it('pay to the hash of a key or of a script; OP_RETURN and empty ones pay to nobody', () => {
    const script = Uint8Array.of(0x51);
    const log = paying(p2shScript(script), key, Uint8Array.of(OP_RETURN), new Uint8Array());
    const hash = bytesToHex(hash160(script));
    expect(listed({ to: [base58Address(hash), FROM] }, log)).toEqual([verified(FEE, 'to, 2 addresses')]);
    expect(listed({ to: [TO] }, log)[0]).toMatchObject({ expected: `an address of ${hash} or ${own}` });
  });

  it('are all known, or none is judged', () => {
    const bare = concatBytes([pushData(terms.taker.takerCoin), Uint8Array.of(0xac)]);
    expect(listed({ to: [TO] }, paying(key, bare))).toEqual([]);
    const lookalike = Uint8Array.from(key, (byte, index) => (index === 24 ? 0xad : byte));
    expect(listed({ to: [TO] }, paying(key, lookalike))).toEqual([]);
  });
});

describe('the inputs whose addresses are known', () => {
  const signedWith = (...parts: readonly Uint8Array[]) =>
    withTransaction(taker, 'TakerFeeSent', ({ inputs }) => ({
      inputs: inputs.map((input) => ({ ...input, scriptSig: concatBytes(parts) })),
    }));
  const signature = pushData(new Uint8Array(71).fill(0x30));

  it('show a compressed or a whole key', () => {
    const whole = Uint8Array.of(4, ...new Uint8Array(64).fill(9));
    const log = signedWith(signature, pushData(whole));
    expect(listed({ from: [base58Address(bytesToHex(hash160(whole)))] }, log)[0]?.status).toBe('verified');
    for (const length of [32, 34, 64, 66]) {
      expect(listed({ from: [FROM] }, signedWith(signature, pushData(new Uint8Array(length))))).toEqual([]);
    }
    const key = pushData(terms.taker.takerCoin);
    expect(listed({ from: [FROM] }, signedWith(signature, key, key))).toEqual([]);
    expect(listed({ from: [FROM] }, signedWith(key))).toEqual([]);
    expect(listed({ from: [FROM] }, signedWith(Uint8Array.of(0x4c)))).toEqual([]);
  });

  it('of a claim take the address of the redeem script', () => {
    const lock = bytesToHex(hash160(paymentScript(terms, 'maker')));
    const [finding] = listed({ from: [base58Address(lock, { version: 85 })] }, taker, 'MakerPaymentSpent');
    expect(finding).toEqual(verified(9, 'from, 1 addresses'));
  });

  it('are hidden in transactions with a witness or a shielded part', () => {
    const segwit = withTransaction(taker, 'TakerFeeSent', ({ inputs }) => ({
      format: 'segwit',
      version: 1,
      inputs: inputs.map((input) => ({ ...input, witness: [Uint8Array.of(1)] })),
    }));
    const shielded = ONE_JOIN_SPLIT;
    const hidden = withTransaction(taker, 'TakerFeeSent', () => ({ shielded }));
    for (const log of [segwit, hidden, withMembers(taker, 'TakerFeeSent', { tx_hex: '00' })]) {
      expect(listed({ from: [base58Address(foreign)], to: [base58Address(foreign)] }, log)).toEqual([]);
    }
  });
});

describe('the addresses beside a transaction of an EVM chain', () => {
  const to = 'ab'.repeat(20);
  const transfer = storedEvm({ to, value: 5n });
  const token = storedEvm({ to, data: `a9059cbb${word(foreign)}${word(5n)}` });

  it('are the receiver, and the token that moves', () => {
    expect(listed({ ...transfer, to: [`0x${to.toUpperCase()}`] })).toEqual([verified(FEE, 'to, 1 addresses')]);
    expect(listed({ ...token, to: [`0x${foreign}`, `0x${to}`] })).toEqual([verified(FEE, 'to, 2 addresses')]);
    const found = `0x${'11'.repeat(20)}`;
    expect(listed({ ...token, to: [found] })).toEqual([
      violated(FEE, { expected: `an address of ${foreign} or ${to}`, found, reason: 'to' }),
    ]);
  });

  it('are unknown for the sender, who is in the signature, and for other calls', () => {
    const found = [`0x${'11'.repeat(20)}`];
    expect(listed({ ...transfer, from: found })).toEqual([]);
    expect(listed({ ...storedEvm({ to, data: 'deadbeef' }), to: found })).toEqual([]);
    expect(listed({ ...storedEvm({ value: 5n }), to: found })).toEqual([]);
  });
});
