import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../src/htlc/byte-writer.ts';
import {
  completeSpendPreimage,
  htlcInputOfHex,
  htlcInputScripts,
  type InputScripts,
  parseHtlcInput,
} from '../../../src/htlc/htlc-input.ts';
import { type HtlcTerms, htlcRedeemScript, pushData, type ScriptScheme } from '../../../src/htlc/script.ts';
import { type DecodedTransaction, FINAL_SEQUENCE } from '../../../src/htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../../src/htlc/transaction-encoding.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const terms: fc.Arbitrary<HtlcTerms> = fc.record({
  lockTime: fc.nat(0xffff_ffff).map(unixSecondsOf),
  senderKey: bytes(33),
  receiverKey: bytes(33),
  secretHash: bytes(20),
});
const signature = fc.uint8Array({ minLength: 9, maxLength: 73 });
const scheme = fc.constantFrom<ScriptScheme>('p2sh', 'p2wsh');

function transactionWith(scripts: InputScripts): DecodedTransaction {
  return {
    format: scripts.witness === undefined ? 'legacy' : 'segwit',
    version: 1,
    inputs: [{ txid: 'ab'.repeat(32), vout: 0, sequence: FINAL_SEQUENCE, ...scripts }],
    outputs: [{ value: 1n, script: Uint8Array.of(0x51) }],
    lockTime: 7,
  };
}

describe('the input of a claim or a refund', () => {
  it('is read back as it was made, under either scheme', () => {
    fc.assert(
      fc.property(scheme, terms, signature, bytes(32), (by, original, sig, secret) => {
        const base = { scheme: by, signature: sig, redeemScript: htlcRedeemScript(original) };
        for (const branch of [{ kind: 'spend', secret }, { kind: 'spendPreimage' }, { kind: 'refund' }] as const) {
          const scripts = htlcInputScripts({ ...base, ...branch });
          expect(parseHtlcInput(scripts)).toEqual({ ...base, ...branch, terms: original });
          expect((scripts.witness === undefined) === (by === 'p2sh')).toBe(true);
          expect(htlcInputOfHex(bytesToHex(encodeTransaction(transactionWith(scripts))))?.scheme).toBe(by);
        }
      }),
    );
  });

  it('under P2SH is signature, secret, OP_0 and script, or signature, OP_1 and script, in pushes', () => {
    fc.assert(
      fc.property(terms, signature, bytes(32), (original, sig, secret) => {
        const redeemScript = htlcRedeemScript(original);
        const base = { scheme: 'p2sh', signature: sig, redeemScript, terms: original } as const;
        const script = (...middle: Uint8Array[]) => ({
          scriptSig: concatBytes([pushData(sig), ...middle, pushData(redeemScript)]),
        });
        const zero = Uint8Array.of(0);
        expect(parseHtlcInput(script(pushData(secret), zero))).toEqual({ kind: 'spend', secret, ...base });
        expect(parseHtlcInput(script())).toEqual({ kind: 'spendPreimage', ...base });
        expect(parseHtlcInput(script(Uint8Array.of(0x51)))).toEqual({ kind: 'refund', ...base });
        expect(parseHtlcInput(script(Uint8Array.of(0x61)))).toBeUndefined();
        expect(parseHtlcInput(script(pushData(secret.subarray(1)), zero))).toBeUndefined();
      }),
    );
  });

  it('under P2WSH is the same in a witness, whose choice is empty or the byte 1, beside an empty script', () => {
    const [sig, secret] = [new Uint8Array(71).fill(3), new Uint8Array(32).fill(9)];
    const [original] = fc.sample(terms, { seed: 3, numRuns: 1 }) as [HtlcTerms];
    const script = htlcRedeemScript(original);
    const none = new Uint8Array(0);
    const kindOf = (scriptSig: Uint8Array, ...witness: Uint8Array[]) => parseHtlcInput({ scriptSig, witness })?.kind;
    expect(kindOf(none, sig, secret, none, script)).toBe('spend');
    expect(kindOf(none, sig, script)).toBe('spendPreimage');
    expect(kindOf(none, sig, Uint8Array.of(1), script)).toBe('refund');
    expect(kindOf(none, sig, sig, Uint8Array.of(1), script)).toBeUndefined();
    expect(kindOf(none, sig, sig, secret, none, script)).toBeUndefined();
    expect(kindOf(none, sig, secret, Uint8Array.of(1), script)).toBeUndefined();
    expect(kindOf(none, sig, secret.subarray(1), none, script)).toBeUndefined();
    expect(kindOf(none, none, script)).toBeUndefined();
    // A witness program inside of P2SH shows the program in its script; no payment of this protocol is one.
    expect(kindOf(pushData(new Uint8Array(34)), sig, secret, none, script)).toBeUndefined();
  });

  it.each([
    ['OP_0', '00'],
    ['OP_0 in a longer push, as a block may hold it', '4c00'],
    ['a zero of one byte, as nodes relay it', '0100'],
    ['a negative zero', '0180'],
    ['a long zero', '03000080'],
  ])('under P2SH shows its secret beside %s', (_, zero) => {
    const [sig, secret] = [new Uint8Array(71).fill(3), new Uint8Array(32).fill(9)];
    const [original] = fc.sample(terms, { seed: 4, numRuns: 1 }) as [HtlcTerms];
    const redeem = htlcRedeemScript(original);
    const scriptSig = concatBytes([pushData(sig), pushData(secret), hexToBytes(zero), pushData(redeem)]);
    expect(parseHtlcInput({ scriptSig })).toMatchObject({ kind: 'spend', secret, signature: sig });
    // No id covers the witness of an input with a script: whoever passes it on may have added one.
    expect(parseHtlcInput({ scriptSig, witness: [sig, redeem] })).toMatchObject({ kind: 'spend', secret });
    const below = concatBytes([pushData(secret), scriptSig]);
    expect(parseHtlcInput({ scriptSig: below })).toMatchObject({ kind: 'spend', secret, signature: sig });
  });

  it.each([
    ['OP_1', '51', true],
    ['OP_16', '60', true],
    ['OP_1NEGATE', '4f', true],
    ['a one of two bytes', '020100', true],
    ['an operation that pushes nothing', '61', false],
  ])('under P2SH is a refund beside %s: %s', (_, choice, isRefund) => {
    const sig = new Uint8Array(71).fill(3);
    const [original] = fc.sample(terms, { seed: 5, numRuns: 1 }) as [HtlcTerms];
    const scriptSig = concatBytes([pushData(sig), hexToBytes(choice), pushData(htlcRedeemScript(original))]);
    expect(parseHtlcInput({ scriptSig })?.kind).toBe(isRefund ? 'refund' : undefined);
  });

  it('under P2WSH shows its secret beside a zero of one byte, as a miner may include it', () => {
    const [sig, secret] = [new Uint8Array(71).fill(3), new Uint8Array(32).fill(9)];
    const [original] = fc.sample(terms, { seed: 6, numRuns: 1 }) as [HtlcTerms];
    const witness = [sig, secret, Uint8Array.of(0x80), htlcRedeemScript(original)];
    expect(parseHtlcInput({ scriptSig: new Uint8Array(0), witness })).toMatchObject({ kind: 'spend', secret });
  });

  it('does not exist in unreadable bytes', () => {
    for (const hex of ['', 'zz', '00', 'ab'.repeat(40)]) expect(htlcInputOfHex(hex)).toBeUndefined();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (scriptSig) => void parseHtlcInput({ scriptSig })));
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 120 }), { maxLength: 5 }), (witness) => {
        parseHtlcInput({ scriptSig: new Uint8Array(0), witness });
      }),
    );
  });
});

describe("a watcher's preimage", () => {
  it('becomes the claim that the taker would have made, byte for byte, under either scheme', () => {
    fc.assert(
      fc.property(scheme, terms, signature, bytes(32), (by, original, sig, secret) => {
        const base = { scheme: by, signature: sig, redeemScript: htlcRedeemScript(original) };
        const preimage = transactionWith(htlcInputScripts({ ...base, kind: 'spendPreimage' }));
        const claim = transactionWith(htlcInputScripts({ ...base, kind: 'spend', secret }));
        const [raw, whole] = [encodeTransaction(preimage), encodeTransaction(claim)];
        expect(completeSpendPreimage(raw, secret)).toEqual(whole);
        // What a witness holds is no part of the id: a watcher knows it before the secret is known.
        expect(transactionId(raw, preimage) === transactionId(whole, claim)).toBe(by === 'p2wsh');
        expect(completeSpendPreimage(whole, secret)).toMatchObject({ kind: 'malformed' });
        expect(completeSpendPreimage(raw, secret.subarray(1))).toMatchObject({ kind: 'malformed' });
      }),
    );
    expect(completeSpendPreimage(Uint8Array.of(1, 2), new Uint8Array(32))).toMatchObject({ kind: 'malformed' });
  });
});
