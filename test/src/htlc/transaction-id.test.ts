import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayHash } from '../../../src/htlc/transaction.ts';
import { identifyTransaction } from '../../../src/htlc/transaction-id.ts';
import { keccak256, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { describeShared } from '../../support/shared.ts';
import { recordedSwaps } from './corpus.ts';

// The first transaction that Bitcoin recorded, in the genesis block, and its well-known id.
const GENESIS =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65' +
  '732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f7220626' +
  '16e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef' +
  '38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';
const GENESIS_ID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';

// The signed example of EIP-155.
const EIP155 =
  'f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567' +
  '866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';

// A body, its authorisation and one signature of 4, 2 and 3 bytes, as a Cosmos TxRaw message holds them.
const COSMOS = '0a0401020304120205061a03070809';

describe('identity of a transaction', () => {
  it('is the double hash on UTXO chains', () => {
    expect(identifyTransaction(GENESIS, GENESIS_ID)).toEqual({ status: 'verified', family: 'utxo' });
  });

  it('is Keccak on EVM chains, with or without 0x and in either case', () => {
    const id = bytesToHex(keccak256(hexToBytes(EIP155)));
    for (const [hex, hash] of [
      [EIP155, id],
      [`0x${EIP155}`, `0x${id}`],
      [EIP155.toUpperCase(), id.toUpperCase()],
    ] as const) {
      expect(identifyTransaction(hex, hash)).toEqual({ status: 'verified', family: 'evm' });
    }
    const typed = `02${EIP155}`;
    const typedId = bytesToHex(keccak256(hexToBytes(typed)));
    expect(identifyTransaction(typed, typedId)).toEqual({ status: 'verified', family: 'evm' });
  });

  it('is SHA-256 on Tendermint chains', () => {
    const id = bytesToHex(sha256(hexToBytes(COSMOS)));
    expect(identifyTransaction(COSMOS, id.toUpperCase())).toEqual({ status: 'verified', family: 'tendermint' });
  });

  it('is the single hash on Groestlcoin', () => {
    const id = displayHash(sha256(hexToBytes(GENESIS)));
    expect(identifyTransaction(GENESIS, id)).toEqual({ status: 'verified', family: 'utxoSingleSha256' });
  });

  it('does not take the rule of another family', () => {
    const keccakOfUtxo = bytesToHex(keccak256(hexToBytes(GENESIS)));
    expect(identifyTransaction(GENESIS, keccakOfUtxo)).toEqual({
      status: 'violated',
      family: 'utxo',
      expected: GENESIS_ID,
      found: keccakOfUtxo,
    });
    expect(identifyTransaction(EIP155, bytesToHex(sha256(hexToBytes(EIP155))))).toMatchObject({
      status: 'violated',
      family: 'evm',
    });
  });

  it('is violated by any change of a byte or of a digit of the id', () => {
    const raw = hexToBytes(GENESIS);
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (index, mask) => {
        const changed = Uint8Array.from(raw);
        changed[index] = (raw[index] as number) ^ mask;
        expect(identifyTransaction(bytesToHex(changed), GENESIS_ID)).toMatchObject({ status: 'violated' });
        expect(identifyTransaction(GENESIS, bytesToHex(changed.subarray(0, 32)))).toMatchObject({ status: 'violated' });
      }),
    );
  });

  it('is violated if the bytes are cut off, missing or not hex', () => {
    for (const hex of [GENESIS.slice(0, -2), '', 'zz', GENESIS.slice(1)]) {
      expect(identifyTransaction(hex, GENESIS_ID)).toMatchObject({ status: 'violated', family: undefined });
    }
  });

  it('cannot be checked without bytes, for Lightning, Sia, and Zcash from version 5 on', () => {
    const paymentHash = GENESIS_ID;
    const sia = bytesToHex(new TextEncoder().encode('{"siacoinInputs":[]}'));
    for (const [hex, hash, reason] of [
      ['', '', 'empty'],
      [paymentHash, paymentHash.toUpperCase(), 'lightningPaymentHash'],
      [sia, GENESIS_ID, 'sia'],
      ['050000800a27a7265510e7c80000000000000000', GENESIS_ID, 'zcashVersion5'],
    ] as const) {
      expect(identifyTransaction(hex, hash)).toEqual({ status: 'notCheckable', reason });
    }
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.uint8Array({ maxLength: 200 }).map(bytesToHex)),
        fc.string(),
        (hex, hash) => {
          expect(['verified', 'violated', 'notCheckable']).toContain(identifyTransaction(hex, hash).status);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describeShared('identity of recorded transactions', () => {
  it('is violated nowhere, and splits into families as recorded', () => {
    const total: Record<string, number> = {};
    for (const { row, transactions } of recordedSwaps()) {
      const found: Record<string, number> = {};
      for (const { tx_hex: hex, tx_hash: hash, event } of transactions) {
        const identity = identifyTransaction(hex, hash);
        if (identity.status === 'violated') throw new Error(`${row.file} ${event}: ${JSON.stringify(identity)}`);
        const name = identity.status === 'verified' ? identity.family : identity.reason;
        found[name] = (found[name] ?? 0) + 1;
        total[name] = (total[name] ?? 0) + 1;
      }
      expect(found['utxo'] ?? 0, row.file).toBe(row.txidMatches);
      expect((found['evm'] ?? 0) + (found['tendermint'] ?? 0), row.file).toBe(row.txidNotDsha256);
    }
    expect(Object.keys(total).sort()).toEqual(['evm', 'tendermint', 'utxo']);
  });
});
