import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BITCOIN_FORM,
  type DecodedTransaction,
  decodeTransaction,
  encodeTransaction,
  isTransactionProblem,
  type TransactionInput,
} from '../../../src/htlc/index.ts';
import { inputsOfUnread } from '../../../src/htlc/unread-inputs.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';

const plain: readonly TransactionInput[] = [
  { txid: 'a1'.repeat(32), vout: 3, scriptSig: Uint8Array.of(0x51, 0x52), sequence: 4_294_967_293 },
  { txid: 'b2'.repeat(32), vout: 0, scriptSig: new Uint8Array(0), sequence: 7 },
];
const witnessed = plain.map((input, place) => ({ ...input, witness: place === 1 ? [Uint8Array.of(9, 8)] : [] }));
const outputs = [{ value: 5_460n, script: Uint8Array.of(0x6a) }];

function bytesWith(format: 'legacy' | 'segwit', inputs: readonly TransactionInput[]): string {
  const tx: DecodedTransaction = { ...BITCOIN_FORM, format, inputs, outputs, lockTime: 77 };
  return bytesToHex(encodeTransaction(tx));
}

/** Inputs and outputs as both families write them. */
const transfers = bytesWith('legacy', plain).slice(8, -8);
/** Its group, the branch of NU6, lock time and expiry; behind the transfers nothing shielded. */
const versionFive = `050000800a27a726555510c80000000000000000${transfers}000000`;
const extended = `0200000000 08 ${transfers} 00 00000000`.replaceAll(' ', '');
const both = `0200000000 09 ${bytesWith('segwit', witnessed).slice(12, -8)} 00 00000000`.replaceAll(' ', '');

describe('the inputs of a form that is not read', () => {
  it.each([
    ['Zcash’s fifth version', versionFive, plain],
    ['one with parts of an extension block', extended, plain],
    ['the same with witnesses', both, witnessed],
  ])('are read: %s', (_, hex, inputs) => {
    expect(isTransactionProblem(decodeTransaction(hexToBytes(hex)))).toBe(true);
    expect(inputsOfUnread(hexToBytes(hex))).toEqual(inputs);
  });

  it.each([
    ['a form that is read', bytesWith('legacy', plain)],
    ['one with witnesses', bytesWith('segwit', witnessed)],
    ['one that breaks off', versionFive.slice(0, 120)],
    ['nothing', ''],
  ])('are null for %s', (_, hex) => {
    expect(inputsOfUnread(hexToBytes(hex))).toBeNull();
  });

  it('are read or null for any bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(versionFive, extended, both),
        fc.nat(),
        fc.uint8Array({ maxLength: 9 }),
        (hex, at, other) => {
          const bytes = hexToBytes(hex);
          bytes.set(other.slice(0, bytes.length - (at % bytes.length)), at % bytes.length);
          const read = inputsOfUnread(bytes.slice(0, bytes.length - (at % 3)));
          expect(read === null || Array.isArray(read)).toBe(true);
        },
      ),
    );
  });
});
