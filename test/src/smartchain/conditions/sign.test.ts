import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import type { Condition, Ed25519Condition } from '../../../../src/smartchain/conditions/condition.ts';
import { decodeCondition, decodeFulfillment } from '../../../../src/smartchain/conditions/decode.ts';
import { encodeCondition, encodeFulfillment } from '../../../../src/smartchain/conditions/encode.ts';
import { signCondition, verifyFulfillment } from '../../../../src/smartchain/conditions/sign.ts';
import { signCompact } from '../../../../src/smartchain/keys/secp256k1.ts';
import { conditionOf, tokenCondition } from '../../../../src/smartchain/script/condition-scripts.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import { anyOf, bytesOf, evalOf, hex, KEY, KEYS, keyOf, OTHER_KEY, ownTree, SECRET, SECRETS } from './trees.ts';

const HASH = new Uint8Array(32).fill(9);
const OTHER_HASH = new Uint8Array(32).fill(8);
const accept = () => true;

/** The condition with the signatures of all three secrets. */
function signedByAll(condition: Condition, hash = HASH): Condition {
  return SECRETS.reduce((signed, secretKey) => signCondition(signed, { hash, secretKey }), condition);
}

/** What the network would read from the input that spends `condition`. */
function spendOf(condition: Condition): Condition {
  const read = decodeFulfillment(encodeFulfillment(condition) ?? new Uint8Array());
  if (read === undefined) throw new Error('not fulfilled');
  return read;
}

type Spend = { readonly txid: string; readonly input: number };
type SpentHash = Spend & { readonly kind: string; readonly scriptCode: string; readonly sighash: string };

describeShared('published spends of conditions', () => {
  const hashes = JSON.parse(readShared('vectors/node/sighash.json')) as { vectors: readonly SpentHash[] };
  const fulfillments = JSON.parse(readShared('vectors/node/fulfillments.json')) as {
    vectors: readonly (Spend & { readonly fulfillment: string })[];
  };
  const spends = hashes.vectors.filter(({ kind }) => kind === 'cryptocondition');

  it('are all there', () => {
    expect(spends).toHaveLength(36);
  });

  it.each(spends)('$txid input $input opens its output, and no other hash does', ({ txid, input, ...spend }) => {
    const found = fulfillments.vectors.find((vector) => vector.txid === txid && vector.input === input);
    const fulfillment = decodeFulfillment(hex(found?.fulfillment ?? ''));
    const condition = conditionOf(hex(spend.scriptCode))?.condition;
    if (fulfillment === undefined || condition === undefined) throw new Error('not read');
    const hash = hex(spend.sighash);
    expect(verifyFulfillment(fulfillment, { condition, hash, evaluate: accept })).toBe(true);
    expect(verifyFulfillment(fulfillment, { condition, hash: HASH, evaluate: accept })).toBe(false);
  });
});

/** How many points the base point of Ed25519 reaches (RFC 8032, section 5.1). */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

function little(bytes: Uint8Array): bigint {
  return bytes.reduceRight((total, byte) => total * 256n + BigInt(byte), 0n);
}

/** A key of Ed25519 with its signature over the hash, both made by Node. */
function edwards(): Required<Ed25519Condition> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { type: 'ed25519', key: Uint8Array.from(key), signature: Uint8Array.from(sign(null, HASH, privateKey)) };
}

describe('signing', () => {
  it('fills in every place of the key, and leaves the condition as it was', () => {
    const condition = anyOf(2, evalOf(1), anyOf(1, keyOf(OTHER_KEY), keyOf(KEY)), keyOf(KEY));
    const signature = signCompact({ hash: HASH, secretKey: SECRET });
    expect(signCondition(condition, { hash: HASH, secretKey: SECRET })).toEqual(
      anyOf(2, evalOf(1), anyOf(1, keyOf(OTHER_KEY), { type: 'key', key: KEY, signature }), {
        type: 'key',
        key: KEY,
        signature,
      }),
    );
    expect(condition).toEqual(anyOf(2, evalOf(1), anyOf(1, keyOf(OTHER_KEY), keyOf(KEY)), keyOf(KEY)));
  });

  it('replaces a signature over another hash', () => {
    const before = signCondition(keyOf(KEY), { hash: OTHER_HASH, secretKey: SECRET });
    const after = signCondition(before, { hash: HASH, secretKey: SECRET });
    expect(after).toEqual({ type: 'key', key: KEY, signature: signCompact({ hash: HASH, secretKey: SECRET }) });
  });

  it('returns the same condition when the key is nowhere in it', () => {
    const prefix: Condition = { type: 'prefix', prefix: KEY, maxMessageLength: 32, condition: keyOf(KEY) };
    for (const condition of [keyOf(OTHER_KEY), evalOf(1), prefix, anyOf(1, evalOf(1), prefix)]) {
      expect(signCondition(condition, { hash: HASH, secretKey: SECRET })).toBe(condition);
    }
  });

  it('refuses an invalid secret key or hash', () => {
    expect(() => signCondition(keyOf(KEY), { hash: HASH, secretKey: new Uint8Array(32) })).toThrow(
      expect.objectContaining({ code: 'SMARTCHAIN_KEY_INVALID' }),
    );
    expect(() => signCondition(keyOf(KEY), { hash: KEY, secretKey: SECRET })).toThrow(
      expect.objectContaining({ code: 'SMARTCHAIN_OPTION_INVALID' }),
    );
  });
});

describe('verifying a spend', () => {
  it('accepts what all keys have signed, and no other hash or output', () => {
    fc.assert(
      fc.property(ownTree, bytesOf(32), (condition, hash) => {
        const spend = spendOf(signedByAll(condition, hash));
        const terms = { condition: encodeCondition(condition), hash, evaluate: accept };
        expect(verifyFulfillment(spend, terms)).toBe(true);
        expect(verifyFulfillment(spend, { ...terms, hash: KEY.subarray(1) })).toBe(false);
        expect(verifyFulfillment(spend, { ...terms, condition: encodeCondition(keyOf(KEY)) })).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('accepts no spend in which a byte was altered', () => {
    const condition = tokenCondition({ evals: [0xf2], keys: [KEY, OTHER_KEY] });
    const fulfillment = encodeFulfillment(signCondition(condition, { hash: HASH, secretKey: SECRET }));
    if (fulfillment === undefined) throw new Error('not fulfilled');
    const terms = { condition: encodeCondition(condition), hash: HASH, evaluate: accept };
    for (let at = 0; at < fulfillment.length; at++) {
      for (const flip of [0x01, 0x02, 0x10, 0x80, 0xff]) {
        const altered = Uint8Array.from(fulfillment);
        altered[at] = (altered[at] as number) ^ flip;
        const read = decodeFulfillment(altered);
        expect(read !== undefined && verifyFulfillment(read, terms), `byte ${at} by ${flip}`).toBe(false);
      }
    }
  });

  it('refuses a missing signature, also past the threshold of a tree that was not sent', () => {
    const condition = anyOf(2, keyOf(KEY), keyOf(OTHER_KEY));
    const terms = { condition: encodeCondition(condition), hash: HASH, evaluate: accept };
    expect(verifyFulfillment(condition, terms)).toBe(false);
    expect(verifyFulfillment(signCondition(condition, { hash: HASH, secretKey: SECRET }), terms)).toBe(false);
    expect(verifyFulfillment(signedByAll(condition), terms)).toBe(true);
  });

  it('refuses a signature of another key or over another hash, even if enough others are good', () => {
    const signature = signCompact({ hash: HASH, secretKey: SECRET });
    const wrong: Condition = { type: 'key', key: OTHER_KEY, signature };
    const right: Condition = { type: 'key', key: KEY, signature };
    for (const condition of [anyOf(1, wrong), anyOf(1, right, wrong), anyOf(1, wrong, right)]) {
      const terms = { condition: encodeCondition(condition), hash: HASH, evaluate: accept };
      expect(verifyFulfillment(condition, terms)).toBe(false);
    }
  });

  it('asks every module that is shown, and only if the signatures are good', () => {
    const condition = tokenCondition({ evals: [0x11, 0xf2], keys: [KEY] });
    const spend = spendOf(signedByAll(condition));
    const asked: number[] = [];
    const terms = (refused: number, hash = HASH) => ({
      condition: encodeCondition(condition),
      hash,
      evaluate: (code: Uint8Array) => {
        asked.push(...code);
        return code[0] !== refused;
      },
    });
    expect(verifyFulfillment(spend, terms(0))).toBe(true);
    expect(asked.sort()).toEqual([0x11, 0xf2]);
    expect(verifyFulfillment(spend, terms(0x11))).toBe(false);
    expect(verifyFulfillment(spend, terms(0xf2))).toBe(false);
    asked.length = 0;
    expect(verifyFulfillment(spend, terms(0, OTHER_HASH))).toBe(false);
    expect(asked).toEqual([]);
  });

  it('refuses what no key signs', () => {
    const preimage: Condition = { type: 'preimage', preimage: KEY };
    for (const condition of [evalOf(1), preimage, anyOf(1, evalOf(1), preimage), anyOf(1, preimage, keyOf(KEY))]) {
      const terms = { condition: encodeCondition(condition), hash: HASH, evaluate: accept };
      expect(verifyFulfillment(spendOf(condition), terms)).toBe(false);
    }
  });

  it('accepts hidden and shown parts of the types that the node spends, and no prefix, not even a hidden one', () => {
    const own = signCondition(keyOf(KEY), { hash: HASH, secretKey: SECRET });
    const preimage: Condition = { type: 'preimage', preimage: KEY };
    const ed25519: Condition = { type: 'ed25519', key: KEY.subarray(1) };
    const prefix: Condition = { type: 'prefix', prefix: KEY, maxMessageLength: 32, condition: preimage };
    const verified = (other: Condition) => {
      const condition = anyOf(2, own, other);
      return verifyFulfillment(condition, { condition: encodeCondition(condition), hash: HASH, evaluate: accept });
    };
    expect(verified(preimage)).toBe(true);
    expect(verified(prefix)).toBe(false);
    expect(verified({ ...ed25519, signature: new Uint8Array(64) })).toBe(false);
    expect(verified(edwards())).toBe(true);
    const beside = (other: Condition) => {
      const condition = anyOf(1, own, other);
      const terms = { condition: encodeCondition(condition), hash: HASH, evaluate: accept };
      return verifyFulfillment(anyOf(1, own, decodeCondition(encodeCondition(other)) ?? other), terms);
    };
    expect(beside(ed25519)).toBe(true);
    expect(beside(preimage)).toBe(true);
    expect(beside(prefix)).toBe(false);
    expect(beside(anyOf(1, prefix))).toBe(false);
  });

  it('accepts an Ed25519 signature that another library made over the same bytes, also alone, and no other', () => {
    const opens = (condition: Condition, hash = HASH) => {
      return verifyFulfillment(condition, { condition: encodeCondition(condition), hash, evaluate: accept });
    };
    const signed = edwards();
    expect(opens(signed)).toBe(true);
    expect(opens(signed, OTHER_HASH)).toBe(false);
    const { signature } = signed;
    for (let at = 0; at < 64; at += 7) {
      const changed = Uint8Array.from(signature, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(opens({ ...signed, signature: changed })).toBe(false);
    }
    expect(opens({ ...signed, key: KEY.subarray(1) })).toBe(false);
    // The same number written with the order added: RFC 8032 has one way to write a signature.
    let carry = 0n;
    const shifted = signature.map((byte, index) => {
      if (index < 32) return byte;
      const sum = BigInt(byte) + ((ORDER >> BigInt(8 * (index - 32))) & 0xffn) + carry;
      carry = sum >> 8n;
      return Number(sum & 0xffn);
    });
    expect(opens({ ...signed, signature: shifted })).toBe(false);
  });

  it.each([
    ['of a point whose number is not below the prime', '', `ee${'ff'.repeat(30)}7f`],
    ['of a zero with a sign', '', `01${'00'.repeat(30)}80`],
    ['of a zero with a sign, beyond the prime', '', `ee${'ff'.repeat(31)}`],
    ['under a key that anybody can sign for', `01${'00'.repeat(31)}`, `01${'00'.repeat(31)}`],
    ['under such a key of order two', `ec${'ff'.repeat(30)}7f`, `01${'00'.repeat(31)}`],
    ['under such a key in its second encoding', `ee${'ff'.repeat(30)}7f`, `01${'00'.repeat(31)}`],
  ])('accepts no Ed25519 signature in an encoding that only lenient rules accept: %s', (_name, keyHex, point) => {
    const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(SECRET);
    const key = keyHex === '' ? pointBytes : hex(keyHex);
    // With a nonce of zero the point is the neutral one, and the number follows from the bytes in which it is written.
    const signedWith = (first: Uint8Array) => {
      const challenge = little(createHash('sha512').update(first).update(key).update(HASH).digest());
      const number = keyHex === '' ? (challenge * scalar) % ORDER : 0n;
      return concatBytes([
        first,
        Uint8Array.from({ length: 32 }, (_, at) => Number((number >> BigInt(8 * at)) & 0xffn)),
      ]);
    };
    const opens = (signature: Uint8Array) => {
      const condition: Condition = { type: 'ed25519', key, signature };
      return verifyFulfillment(condition, { condition: encodeCondition(condition), hash: HASH, evaluate: accept });
    };
    const signature = signedWith(hex(point));
    expect(ed25519.verify(signature, HASH, key, { zip215: true })).toBe(true);
    expect(opens(signature)).toBe(false);
    if (keyHex === '') expect(opens(signedWith(hex(`01${'00'.repeat(31)}`)))).toBe(true);
  });

  it('lets either of two keys spend', () => {
    const condition = tokenCondition({ evals: [0xf2], keys: KEYS.slice(0, 2) });
    for (const secretKey of SECRETS) {
      const signed = signCondition(condition, { hash: HASH, secretKey });
      const terms = { condition: encodeCondition(condition), hash: HASH, evaluate: accept };
      expect(verifyFulfillment(signed, terms)).toBe(secretKey !== SECRETS[2]);
    }
  });
});
