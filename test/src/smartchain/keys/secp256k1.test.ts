import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteReader, readVarBytes } from '../../../../src/htlc/byte-reader.ts';
import { parseScript } from '../../../../src/htlc/script.ts';
import { decodeTransaction, isTransactionProblem } from '../../../../src/htlc/transaction.ts';
import { hash160 } from '../../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';
import {
  isValidPublicKey,
  isValidSecretKey,
  publicKeyOf,
  recoverPublicKey,
  signCompact,
  signDer,
  signRecoverable,
  verifyCompact,
  verifyDer,
} from '../../../../src/smartchain/keys/secp256k1.ts';
import { describeShared, readShared } from '../../../support/shared.ts';

const ORDER = secp256k1.Point.Fn.ORDER;
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const secret = bytes(32).filter(isValidSecretKey);
const few = { numRuns: 25 };

describe('a signature', () => {
  it('verifies for its key in every form, and the same request gives it again', () => {
    fc.assert(
      fc.property(bytes(32), secret, (hash, secretKey) => {
        const der = signDer({ hash, secretKey });
        expect(signDer({ hash, secretKey })).toEqual(der);
        const long = publicKeyOf(secretKey, false);
        for (const publicKey of [publicKeyOf(secretKey), long, hybrid(long)]) {
          expect(verifyDer({ hash, signature: der, publicKey })).toBe(true);
          expect(verifyCompact({ hash, signature: signCompact({ hash, secretKey }), publicKey })).toBe(true);
        }
      }),
      few,
    );
  });

  it('is refused with any bit of hash, signature or key changed', () => {
    fc.assert(
      fc.property(bytes(32), secret, fc.nat(63), fc.nat(7), (hash, secretKey, index, bit) => {
        const signature = signCompact({ hash, secretKey });
        const publicKey = publicKeyOf(secretKey);
        expect(verifyCompact({ hash, signature: flip(signature, index, bit), publicKey })).toBe(false);
        expect(verifyCompact({ hash: flip(hash, index % 32, bit), signature, publicKey })).toBe(false);
        expect(verifyCompact({ hash, signature, publicKey: flip(publicKey, index % 33, bit) })).toBe(false);
        expect(
          verifyDer({ hash, signature: flip(signDer({ hash, secretKey }), 4 + (index % 30), bit), publicKey }),
        ).toBe(false);
      }),
      few,
    );
  });

  it('with a high S verifies in DER, is refused in the form of crypto-conditions, and gives its key', () => {
    fc.assert(
      fc.property(bytes(32), secret, (hash, secretKey) => {
        const { signature, recovery } = signRecoverable({ hash, secretKey });
        const { r, s } = secp256k1.Signature.fromBytes(signature, 'compact');
        expect(s <= ORDER / 2n).toBe(true);
        const high = new secp256k1.Signature(r, ORDER - s);
        const publicKey = publicKeyOf(secretKey);
        expect(verifyDer({ hash, signature: high.toBytes('der'), publicKey })).toBe(true);
        expect(verifyCompact({ hash, signature: high.toBytes('compact'), publicKey })).toBe(false);
        const other = { hash, signature: high.toBytes('compact'), recovery: recovery ^ 1 };
        expect(recoverPublicKey({ ...other, compressed: true })).toEqual(publicKey);
        expect(recoverPublicKey({ ...other, compressed: false })).toEqual(publicKeyOf(secretKey, false));
      }),
      few,
    );
  });

  it('gives its key, and no other number gives the same', () => {
    fc.assert(
      fc.property(bytes(32), secret, (hash, secretKey) => {
        const { signature, recovery } = signRecoverable({ hash, secretKey });
        expect(signature).toEqual(signCompact({ hash, secretKey }));
        const keys = [0, 1, 2, 3].map((number) =>
          recoverPublicKey({ hash, signature, recovery: number, compressed: true }),
        );
        expect(keys.map((key, number) => [number, key === undefined ? '' : bytesToHex(key)])).toContainEqual([
          recovery,
          bytesToHex(publicKeyOf(secretKey)),
        ]);
        expect(new Set(keys.filter((key) => key !== undefined).map(bytesToHex)).size).toBe(2);
      }),
      few,
    );
  });

  const hash = new Uint8Array(32).fill(1);
  const publicKey = publicKeyOf(hash);
  const order = hexToBytes(ORDER.toString(16));
  it.each([
    ['zeros', new Uint8Array(64)],
    ['the order of the curve', Uint8Array.of(...order, ...order)],
    ['r alone', Uint8Array.of(...order.map(() => 1), ...new Uint8Array(32))],
    ['63 bytes', signCompact({ hash, secretKey: hash }).slice(1)],
    ['65 bytes', Uint8Array.of(...signCompact({ hash, secretKey: hash }), 0)],
    ['no bytes', new Uint8Array(0)],
  ])('of %s is invalid', (_, signature) => {
    expect(verifyCompact({ hash, signature, publicKey })).toBe(false);
    expect(recoverPublicKey({ hash, signature, recovery: 0, compressed: true })).toBeUndefined();
    expect(verifyDer({ hash, signature, publicKey })).toBe(false);
  });

  it('needs a hash of 32 bytes', () => {
    for (const wrong of [hash.slice(1), new Uint8Array(33)]) {
      expect(() => signDer({ hash: wrong, secretKey: hash })).toThrow(RangeError);
      expect(() => verifyCompact({ hash: wrong, signature: new Uint8Array(64), publicKey })).toThrow(RangeError);
      expect(() =>
        recoverPublicKey({ hash: wrong, signature: new Uint8Array(64), recovery: 0, compressed: true }),
      ).toThrow(RangeError);
    }
  });
});

describe('a private key', () => {
  it.each(['', '00', '00'.repeat(32), ORDER.toString(16), 'ff'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33)])(
    'is not %s, and no error reveals it',
    (hex) => {
      const secretKey = hexToBytes(hex);
      expect(isValidSecretKey(secretKey)).toBe(false);
      for (const use of [() => publicKeyOf(secretKey), () => signDer({ hash: new Uint8Array(32), secretKey })]) {
        const text = errorOf(use);
        expect(text).toContain('SMARTCHAIN_KEY_INVALID');
        expect(hex.length > 2 && text.includes(hex)).toBe(false);
      }
    },
  );

  it('may be the largest below the order, whose public key is the negated generator', () => {
    const largest = hexToBytes((ORDER - 1n).toString(16));
    expect(isValidSecretKey(largest)).toBe(true);
    expect(bytesToHex(publicKeyOf(largest))).toBe('0379be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
  });

  function errorOf(use: () => unknown): string {
    try {
      use();
    } catch (error) {
      return String(error) + JSON.stringify(error);
    }
    return '';
  }
});

describe('a public key', () => {
  const long = publicKeyOf(new Uint8Array(32).fill(5), false);

  it('has 33 or 65 bytes and the first byte that fits', () => {
    for (let head = 0; head < 256; head++) {
      const oddity = (long[64] as number) & 1;
      expect(isValidPublicKey(Uint8Array.of(head, ...long.subarray(1))), `long ${head}`).toBe(
        [4, 6 + oddity].includes(head),
      );
      expect(isValidPublicKey(Uint8Array.of(head, ...long.subarray(1, 33))), `short ${head}`).toBe(
        [2, 3].includes(head),
      );
    }
  });

  it('of another length is invalid', () => {
    for (const size of [0, 1, 32, 34, 64, 66, 1000]) {
      const key = new Uint8Array(size);
      key.set(long.subarray(0, size));
      expect(isValidPublicKey(key), `${size}`).toBe(false);
      key[0] = 2;
      expect(isValidPublicKey(key), `${size}`).toBe(false);
    }
  });

  it('off the curve is invalid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 33, max: 64 }), fc.nat(7), (index, bit) => {
        expect(isValidPublicKey(flip(long, index, bit))).toBe(false);
      }),
      few,
    );
    for (const hex of [`02${'00'.repeat(32)}`, `02${'ff'.repeat(32)}`, `02${'00'.repeat(31)}05`]) {
      expect(isValidPublicKey(hexToBytes(hex)), hex).toBe(false);
      expect(
        verifyCompact({ hash: new Uint8Array(32), signature: new Uint8Array(64).fill(1), publicKey: hexToBytes(hex) }),
      ).toBe(false);
    }
  });
});

type SignedInput = {
  readonly txid: string;
  readonly input: number;
  readonly kind: string;
  readonly sighash: string;
  readonly scriptCode: string;
};
type Tree = { readonly secp256k1?: string; readonly sig?: string; readonly subs?: readonly Tree[] };
type Fulfilled = { readonly txid: string; readonly input: number; readonly tree: Tree };
type Reproduced = { readonly privkey: string; readonly msg32: string; readonly signature: string };

describeShared('published signatures', () => {
  const vectors = <Row>(name: string) =>
    (JSON.parse(readShared(`vectors/node/${name}.json`)) as { vectors: Row[] }).vectors;
  const rows = vectors<SignedInput>('sighash');

  it('in DER, of normal inputs', () => {
    const raw = new Map(
      [
        ...vectors<{ txid: string; hex: string }>('txids'),
        ...vectors<{ txid: string; hex: string }>('token-transactions'),
      ].map(({ txid, hex }) => [txid, hex]),
    );
    const normal = rows.filter(({ kind, txid }) => kind !== 'cryptocondition' && raw.has(txid));
    for (const row of normal) {
      const transaction = decodeTransaction(hexToBytes(raw.get(row.txid) as string));
      if (isTransactionProblem(transaction)) throw new Error(row.txid);
      const scriptSig = transaction.inputs[row.input]?.scriptSig as Uint8Array;
      const [withType, key] = (parseScript(scriptSig) ?? []).map(({ data }) => data as Uint8Array);
      const publicKey = key ?? readVarBytes(byteReader(hexToBytes(row.scriptCode)));
      if (row.kind === 'p2pkh') expect(row.scriptCode).toContain(bytesToHex(hash160(publicKey)));
      const request = { hash: hexToBytes(row.sighash), signature: (withType as Uint8Array).slice(0, -1), publicKey };
      expect(verifyDer(request), row.txid).toBe(true);
      // The hash type behind it does not disturb the lax reader.
      expect(verifyDer({ ...request, signature: withType as Uint8Array })).toBe(true);
      expect(verifyDer({ ...request, hash: flip(request.hash, 0, 0) })).toBe(false);
    }
    expect(normal.length).toBeGreaterThanOrEqual(10);
  });

  it('of 64 bytes, of crypto-conditions', () => {
    const trees = new Map(
      vectors<Fulfilled>('fulfillments').map(({ txid, input, tree }) => [`${txid}:${input}`, tree]),
    );
    const conditions = rows.filter(({ kind }) => kind === 'cryptocondition');
    for (const { txid, input, sighash } of conditions) {
      const signed = signaturesOf(trees.get(`${txid}:${input}`) as Tree);
      expect(signed.length).toBeGreaterThan(0);
      for (const { publicKey, signature } of signed) {
        expect(verifyCompact({ hash: hexToBytes(sighash), signature, publicKey }), txid).toBe(true);
      }
    }
    expect(conditions).toHaveLength(36);
  });

  it.each(vectors<Reproduced>('cc-signatures-rfc6979'))('by a published key are made again: $msg32', (row) => {
    const request = { hash: hexToBytes(row.msg32), secretKey: hexToBytes(row.privkey) };
    expect(bytesToHex(signCompact(request))).toBe(row.signature);
  });
});

function signaturesOf(tree: Tree): { publicKey: Uint8Array; signature: Uint8Array }[] {
  const { secp256k1: key, sig, subs = [] } = tree;
  const own =
    key === undefined || sig === undefined ? [] : [{ publicKey: hexToBytes(key), signature: hexToBytes(sig) }];
  return [...own, ...subs.flatMap(signaturesOf)];
}

function hybrid(key: Uint8Array): Uint8Array {
  return Uint8Array.of(6 + ((key[64] as number) & 1), ...key.subarray(1));
}

function flip(source: Uint8Array, index: number, bit: number): Uint8Array {
  const altered = source.slice();
  altered[index] = (altered[index] as number) ^ (1 << bit);
  return altered;
}
