import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import { decodeChainTransaction } from '../../../../src/smartchain/transaction/decode.ts';
import { encodeChainTransaction, transactionIdOf } from '../../../../src/smartchain/transaction/encode.ts';
import { signatureHasher } from '../../../../src/smartchain/transaction/signature-hash.ts';
import { nodeVectors } from '../../../support/node-vectors.ts';
import { describeShared } from '../../../support/shared.ts';

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
