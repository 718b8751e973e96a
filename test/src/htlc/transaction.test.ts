import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DecodedTransaction,
  decodeTransaction,
  displayHash,
  isTransactionProblem,
  MAX_TRANSACTION_BYTES,
} from '../../../src/htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../../src/htlc/transaction-encoding.ts';
import { hash256 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { describeShared, manifest, readShared } from '../../support/shared.ts';
import { recordedSwaps } from './corpus.ts';

function decoded(raw: Uint8Array): DecodedTransaction {
  const result = decodeTransaction(raw);
  if (isTransactionProblem(result)) throw new Error(result.problem);
  return result;
}

// The signed P2WPKH example of BIP 143.
const BIP143_SIGNED =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62' +
  '127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01ee' +
  'ffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280' +
  'b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac0002473044' +
  '02203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c21' +
  '2a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000';

const bytes = (size: { minLength: number; maxLength: number }) => fc.uint8Array(size);
const uint32 = fc.nat(0xffff_ffff);
const input = fc.record({
  txid: bytes({ minLength: 32, maxLength: 32 }).map(bytesToHex),
  vout: uint32,
  scriptSig: bytes({ minLength: 0, maxLength: 300 }),
  sequence: uint32,
});
const output = fc.record({
  value: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
  script: bytes({ minLength: 0, maxLength: 300 }),
});
const transfers = {
  inputs: fc.array(input, { minLength: 1, maxLength: 3 }),
  outputs: fc.array(output, { minLength: 1, maxLength: 3 }),
  lockTime: uint32,
};
const version = fc.nat(0x7fff_ffff);
const overwintered = { ...transfers, expiryHeight: uint32 };
const witness = fc.array(bytes({ minLength: 0, maxLength: 80 }), { minLength: 1, maxLength: 3 });
const transaction: fc.Arbitrary<DecodedTransaction> = fc.oneof(
  fc.record({ format: fc.constant('legacy' as const), version, ...transfers }),
  fc.record({
    format: fc.constant('segwit' as const),
    version,
    ...transfers,
    inputs: fc.array(
      fc.tuple(input, witness).map(([spent, items]) => ({ ...spent, witness: items })),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({
    format: fc.constant('proofOfStake' as const),
    version,
    nTime: fc.integer({ min: 1_325_376_000, max: 0xffff_ffff }),
    ...transfers,
  }),
  // NAV's: a text behind the lock time.
  fc.record({
    format: fc.constant('proofOfStake' as const),
    version,
    nTime: fc.integer({ min: 1_325_376_000, max: 0xffff_ffff }),
    ...transfers,
    comment: bytes({ minLength: 0, maxLength: 100 }),
  }),
  fc.record({
    format: fc.constant('overwinter' as const),
    version: fc.constant(3),
    versionGroupId: fc.constant(0x03c48270),
    ...overwintered,
  }),
  fc.record({
    format: fc.constant('sapling' as const),
    version: fc.constant(4),
    versionGroupId: fc.constant(0x892f2085),
    ...overwintered,
    valueBalance: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  }),
);

describe('decoding of raw transactions', () => {
  it('returns what was encoded, in every form', () => {
    fc.assert(
      fc.property(transaction, (original) => {
        expect(decodeTransaction(encodeTransaction(original))).toEqual(original);
      }),
    );
  });

  it('accepts no transaction with a byte missing or a byte added', () => {
    fc.assert(
      fc.property(transaction, fc.nat(255), (original, extra) => {
        const raw = encodeTransaction(original);
        // An empty text at the end of a NAV transaction is one zero byte.
        const shorter = decodeTransaction(raw.subarray(0, -1));
        expect(isTransactionProblem(shorter)).toBe(original.comment?.length !== 0);
        // One zero byte more is that, or the Sprout form of a version 2 transaction.
        const longer = decodeTransaction(Uint8Array.from([...raw, extra]));
        const isOther = !isTransactionProblem(longer) && (longer.format === 'sprout' || longer.comment?.length === 0);
        expect(isTransactionProblem(longer) || (isOther && extra === 0)).toBe(true);
      }),
    );
  });

  it('never throws on random bytes, and what it accepts encodes to the same bytes', () => {
    const start = fc.constantFrom(
      '',
      '01000000',
      '0100000001',
      '01000000000101',
      '0400008085202f89',
      '030000807082c403',
      '0200000001',
    );
    fc.assert(
      fc.property(start, bytes({ minLength: 0, maxLength: 400 }), (head, tail) => {
        const raw = Uint8Array.from([...hexToBytes(head), ...tail]);
        const result = decodeTransaction(raw);
        if (!isTransactionProblem(result)) expect(bytesToHex(encodeTransaction(result))).toBe(bytesToHex(raw));
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws on a real transaction with one byte changed', () => {
    const raw = hexToBytes(BIP143_SIGNED);
    for (let index = 0; index < raw.length; index++) {
      for (const mask of [0x01, 0x80, 0xff]) {
        const changed = Uint8Array.from(raw);
        changed[index] = (raw[index] as number) ^ mask;
        const result = decodeTransaction(changed);
        if (!isTransactionProblem(result)) expect(bytesToHex(encodeTransaction(result))).toBe(bytesToHex(changed));
      }
    }
  });

  it('refuses counts that the remaining bytes cannot hold', () => {
    const manyInputs = decodeTransaction(hexToBytes(`01000000feffffff7f${'00'.repeat(60)}`));
    expect(manyInputs).toMatchObject({
      kind: 'malformed',
      problem: expect.stringContaining('announces 2147483647 items'),
    });
    expect(decodeTransaction(new Uint8Array(MAX_TRANSACTION_BYTES + 1))).toMatchObject({ kind: 'malformed' });
  });

  it('ends in bounded time on the largest hostile inputs', () => {
    const start = performance.now();
    for (const [head, problem] of [
      [`01000000000101${'00'.repeat(41)}01${'00'.repeat(9)}fe00000800`, 'more than 100000 witness items'],
      [`01000000fd0050`, 'has no output'],
      [`0400008085202f8900fe00b00100`, 'bytes after its end'],
    ] as const) {
      const hostile = new Uint8Array(MAX_TRANSACTION_BYTES);
      hostile.set(hexToBytes(head));
      expect(decodeTransaction(hostile)).toMatchObject({ problem: expect.stringContaining(problem) });
    }
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('reads the segwit example of BIP 143 and leaves the witness out of its id', () => {
    const raw = hexToBytes(BIP143_SIGNED);
    const tx = decoded(raw);
    expect(tx.format).toBe('segwit');
    expect(tx.lockTime).toBe(17);
    expect(tx.outputs.map(({ value }) => value)).toEqual([112_340_000n, 223_450_000n]);
    expect(tx.inputs.map((spent) => spent.witness?.length)).toEqual([0, 2]);
    expect(transactionId(raw, tx)).toBe('e8151a2af31c368a35053ddd4bdb285a8595c769a3ad83e0fa02314a602d4609');
    expect(displayHash(hash256(raw))).toBe('c36c38370907df2324d9ce9d149d191192f338b37665a82e78e76a12c909b762');
  });

  it('names what it recognizes and does not support', () => {
    const version5 = decodeTransaction(hexToBytes('050000800a27a7265510e7c8000000000000000000000000'));
    expect(version5).toMatchObject({ kind: 'unsupported', problem: expect.stringContaining('ZIP 225') });
    const extension = hexToBytes(BIP143_SIGNED);
    extension[5] = 0x09;
    expect(decodeTransaction(extension)).toMatchObject({
      kind: 'unsupported',
      problem: expect.stringContaining('MWEB'),
    });
  });
});

describe('encoding of transactions', () => {
  it('refuses numbers that do not fit their field', () => {
    const tx = decoded(hexToBytes(BIP143_SIGNED));
    expect(() => encodeTransaction({ ...tx, lockTime: 2 ** 32 })).toThrow(RangeError);
    expect(() => encodeTransaction({ ...tx, outputs: [{ value: -1n, script: new Uint8Array() }] })).toThrow(RangeError);
  });
});

type Vectors<Row> = { readonly vectors: readonly Row[] };

describeShared('recorded transactions', () => {
  const vectors = <Row>(name: string) => (JSON.parse(readShared(`vectors/node/${name}.json`)) as Vectors<Row>).vectors;

  it('have the published ids', () => {
    const rows = vectors<{ hex: string; txid: string }>('txids');
    expect(rows.length).toBeGreaterThan(100);
    for (const { hex, txid } of rows) expect(transactionId(hexToBytes(hex), decoded(hexToBytes(hex)))).toBe(txid);
  });

  it('decode as the node decodes them', () => {
    type Json = {
      txid: string;
      version: number;
      locktime: number;
      vin: { txid?: string; vout?: number; sequence: number; scriptSig?: { hex: string } }[];
      vout: { value: number; scriptPubKey: { hex: string } }[];
    };
    const rows = vectors<{ hex: string; layout: string; expected: Json }>('decoderawtransaction');
    let compared = 0;
    for (const row of rows) {
      if (row.layout !== 'current') continue;
      const json = row.expected;
      const tx = decoded(hexToBytes(row.hex));
      expect(tx.version).toBe(json.version);
      expect(tx.lockTime).toBe(json.locktime);
      expect(tx.outputs.map(({ script }) => bytesToHex(script))).toEqual(json.vout.map((out) => out.scriptPubKey.hex));
      expect(tx.outputs.map(({ value }) => Number(value))).toEqual(json.vout.map((out) => Math.round(out.value * 1e8)));
      expect(tx.inputs.map(({ sequence }) => sequence)).toEqual(json.vin.map(({ sequence }) => sequence));
      for (const [index, spent] of json.vin.entries()) {
        if (spent.txid !== undefined) expect(tx.inputs[index]?.txid).toBe(spent.txid);
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(15);
  });

  it.each([
    ['zip_0143', 'overwinter'],
    ['zip_0243', 'sapling'],
  ])('of the %s vectors, with shielded parts, decode and encode to the same bytes', (name, format) => {
    const rows = vectors<{ tx: string }>(name);
    expect(rows).toHaveLength(10);
    const shielded = rows.map(({ tx }) => {
      const result = decoded(hexToBytes(tx));
      expect(result.format).toBe(format);
      expect(bytesToHex(encodeTransaction(result))).toBe(tx);
      return result.shielded !== undefined;
    });
    expect(shielded).toContain(true);
  });

  it('of UTXO swaps decode and encode to the same bytes', () => {
    const formats = new Map<string, number>();
    for (const { tx_hex: hex } of recordedSwaps().flatMap(({ transactions }) => transactions)) {
      const result = decodeTransaction(hexToBytes(hex));
      if (isTransactionProblem(result)) continue;
      expect(bytesToHex(encodeTransaction(result))).toBe(hex.toLowerCase());
      formats.set(result.format, (formats.get(result.format) ?? 0) + 1);
    }
    expect([...formats.keys()].sort()).toEqual(['legacy', 'sapling']);
    const matching = manifest().reduce((total, { txidMatches }) => total + txidMatches, 0);
    expect([...formats.values()].reduce((total, count) => total + count, 0)).toBe(matching);
  });
});
