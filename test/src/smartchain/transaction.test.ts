import { describe, expect, it } from 'vitest';
import { signatureHasher } from '../../../src/htlc/signature-hash.ts';
import { SMART_CHAIN_FORM } from '../../../src/htlc/spend.ts';
import { encodeTransaction } from '../../../src/htlc/transaction-encoding.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import {
  decodeChainTransaction,
  encodeChainTransaction,
  transactionIdOf,
} from '../../../src/smartchain/transaction.ts';
import { nodeVectors } from '../../support/node-vectors.ts';
import { describeShared } from '../../support/shared.ts';

const read = (hex: string) => {
  const raw = hexToBytes(hex);
  const decoded = decodeChainTransaction(raw);
  if (decoded === undefined) throw new Error('the transaction of a vector is not read');
  expect(decoded.bytes.length).toBe(raw.length);
  return decoded.transaction;
};

describeShared('transactions that the node printed', () => {
  it('every one is read to its last byte, is written the same, and has its id', () => {
    const vectors = nodeVectors<{ hex: string; txid: string }>('txids');
    expect(vectors.length).toBe(101);
    for (const { hex, txid } of vectors) {
      expect(bytesToHex(encodeChainTransaction(read(hex)))).toBe(hex);
      expect(transactionIdOf(hexToBytes(hex))).toBe(txid);
    }
  });

  it('every published signature signs the hash that is computed', () => {
    type Vector = { txid: string; input: number; algo: string; scriptCode: string; amount: number; sighash: string };
    const hexOf = new Map<string, string>();
    for (const name of ['txids', 'token-transactions', 'decoderawtransaction']) {
      for (const { hex } of nodeVectors<{ hex: string }>(name)) hexOf.set(transactionIdOf(hexToBytes(hex)), hex);
    }
    const vectors = nodeVectors<Vector>('sighash');
    const known = vectors.filter(({ txid }) => hexOf.has(txid));
    // Three rows belong to two transactions of which no vector holds the bytes.
    expect([vectors.length, known.length]).toEqual([49, 46]);
    for (const { txid, input, scriptCode, amount, sighash } of known) {
      const transaction = read(hexOf.get(txid) ?? '');
      const hash = signatureHasher(transaction)({
        input,
        scriptCode: hexToBytes(scriptCode),
        amount: BigInt(amount),
        hashType: 1,
      });
      expect(bytesToHex(hash ?? new Uint8Array(0))).toBe(sighash);
    }
  });
});

describeShared('signature hashes of ZIP 143 and ZIP 243', () => {
  type Vector = {
    tx: string;
    script_code: string;
    transparent_input: number;
    hash_type: number;
    amount: number;
    consensus_branch_id: number;
    sighash: string;
  };

  it.each(['zip_0143', 'zip_0243'])('every official vector of %s', (name) => {
    const vectors = nodeVectors<Vector>(name);
    expect(vectors.length).toBe(10);
    for (const vector of vectors) {
      const transaction = read(vector.tx);
      expect(bytesToHex(encodeChainTransaction(transaction))).toBe(vector.tx);
      const hash = signatureHasher(transaction)({
        input: vector.transparent_input === -1 ? undefined : vector.transparent_input,
        scriptCode: hexToBytes(vector.script_code),
        amount: BigInt(vector.amount),
        hashType: vector.hash_type,
        branchId: vector.consensus_branch_id,
      });
      expect(bytesToHex(hash ?? new Uint8Array(0))).toBe(vector.sighash);
    }
  });
});

describe('the form of a transaction of the chain', () => {
  const EMPTY_LISTS = '0000';
  const formOf = (hex: string) => decodeChainTransaction(hexToBytes(hex))?.transaction.format;

  it('follows from its version alone: without the top bit it has join splits from 2 on', () => {
    const lockTime = '07000000';
    expect(formOf(`01000000${EMPTY_LISTS}${lockTime}`)).toBe('legacy');
    expect(formOf(`00000000${EMPTY_LISTS}${lockTime}`)).toBe('legacy');
    for (const version of ['02000000', '03000000', '04000000', 'ffffff7f']) {
      expect(formOf(`${version}${EMPTY_LISTS}${lockTime}00`), version).toBe('sprout');
      // No join splits are one zero byte more, and not none.
      expect(formOf(`${version}${EMPTY_LISTS}${lockTime}`), version).toBeUndefined();
    }
  });

  it('is one of two with the top bit, each with its own group', () => {
    const rest = `${EMPTY_LISTS}0700000008000000`;
    const balance = 'f0d8ffffffffffff';
    expect(formOf(`03000080${'7082c403'}${rest}00`)).toBe('overwinter');
    expect(formOf(`04000080${'85202f89'}${rest}${balance}000000`)).toBe('sapling');
    for (const head of [
      ...['0300008085202f89', '040000807082c403', '0500008085202f89', '0200008085202f89', '0400008086202f89'],
      ...['04000080', '040000', ''],
    ]) {
      expect(formOf(`${head}${rest}${balance}000000`), head).toBeUndefined();
    }
  });

  it('lets invalid transactions be read and written: no inputs, negative values, a value balance of nothing shielded', () => {
    const outputs = [-1n, -(2n ** 63n), 2n ** 63n - 1n].map((value) => ({ value, script: Uint8Array.of(0x6a) }));
    const written = { ...SMART_CHAIN_FORM, valueBalance: -10_000n, expiryHeight: 9, inputs: [], outputs, lockTime: 7 };
    const bytes = encodeChainTransaction(written);
    expect(decodeChainTransaction(bytes)).toEqual({ transaction: written, bytes });
    expect(() => encodeTransaction(written)).toThrow('an output cannot hold -1 base units');
  });
});
