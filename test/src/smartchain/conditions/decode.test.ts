import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../../src/htlc/byte-writer.ts';
import { sameBytes } from '../../../../src/primitives/hex.ts';
import type { Condition } from '../../../../src/smartchain/conditions/condition.ts';
import { conditionFacts } from '../../../../src/smartchain/conditions/condition.ts';
import { decodeCondition, decodeFulfillment } from '../../../../src/smartchain/conditions/decode.ts';
import { derElement } from '../../../../src/smartchain/conditions/der.ts';
import { encodeCondition, encodeFulfillment } from '../../../../src/smartchain/conditions/encode.ts';
import { draws } from '../../../support/draws.ts';
import { anyTree, evalOf, hex, KEY, keyOf } from './trees.ts';

const EVAL = hex('af03800101');
const KEY_CONDITION = encodeCondition(keyOf(KEY));

/** A threshold fulfillment from its two sets as they are, sorted or not. */
function threshold(shown: readonly Uint8Array[], rest: readonly Uint8Array[] = []): Uint8Array {
  return derElement(0xa2, concatBytes([derElement(0xa0, concatBytes(shown)), derElement(0xa1, concatBytes(rest))]));
}

function thresholdsAround(inner: Uint8Array, levels: number): Uint8Array {
  return levels === 0 ? inner : threshold([thresholdsAround(inner, levels - 1)]);
}

describe('reading a condition', () => {
  it('gives back what any tree says', () => {
    fc.assert(
      fc.property(anyTree, (condition) => {
        expect(decodeCondition(encodeCondition(condition))).toEqual({ type: 'hidden', ...conditionFacts(condition) });
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['RSA', `a3278020${'00'.repeat(32)}8103020000`],
    ['an unknown type', `a6278020${'00'.repeat(32)}8103020000`],
    ['a fingerprint of 31 bytes', `a526801f${'00'.repeat(31)}8103020000`],
    ['a cost with a zero too many', `a5288020${'00'.repeat(32)}810400020000`],
    ['a negative cost', `a5258020${'00'.repeat(32)}810180`],
    ['types inside a key', `a52b8020${'00'.repeat(32)}810302000082020204`],
    ['no types inside a threshold', `a2278020${'00'.repeat(32)}8103020000`],
    ['a byte after the end', `a5278020${'00'.repeat(32)}810302000000`],
    ['a byte too few', `a5278020${'00'.repeat(32)}81030200`],
    ['a long form of the length', `a581278020${'00'.repeat(32)}8103020000`],
  ])('refuses %s', (_, bytes) => {
    expect(decodeCondition(hex(bytes))).toBeUndefined();
  });

  it('accepts or refuses, and never throws, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(0xa0, 0xa2, 0xa5, 0xaf), (bytes, tag) => {
        const altered = derElement(tag, bytes);
        const condition = decodeCondition(altered);
        if (condition !== undefined) expect(condition.der).toEqual(altered);
        const fulfillment = decodeFulfillment(altered);
        if (fulfillment !== undefined) expect(encodeFulfillment(fulfillment)).toEqual(altered);
      }),
    );
  });
});

describe('reading a fulfillment', () => {
  it('gives a tree with the same condition, which is written with the same bytes', () => {
    fc.assert(
      fc.property(anyTree, (condition) => {
        const fulfillment = encodeFulfillment(condition);
        fc.pre(fulfillment !== undefined);
        const read = decodeFulfillment(fulfillment);
        if (read === undefined) throw new Error('not read');
        expect(encodeCondition(read)).toEqual(encodeCondition(condition));
        expect(encodeFulfillment(read)).toEqual(fulfillment);
      }),
    );
  });

  it('accepts no altered form of a fulfillment for the same condition, except bytes of a signature', () => {
    fc.assert(
      fc.property(anyTree, fc.nat(), fc.integer({ min: 1, max: 255 }), (condition, at, flip) => {
        const fulfillment = encodeFulfillment(condition);
        fc.pre(fulfillment !== undefined);
        const altered = Uint8Array.from(fulfillment);
        const index = at % altered.length;
        altered[index] = (altered[index] as number) ^ flip;
        const read = decodeFulfillment(altered);
        if (read === undefined) return;
        expect(encodeFulfillment(read)).toEqual(altered);
        if (!sameBytes(encodeCondition(read), encodeCondition(condition))) return;
        const original = decodeFulfillment(fulfillment) ?? condition;
        expect(encodeFulfillment(withBlankSignatures(read))).toEqual(encodeFulfillment(withBlankSignatures(original)));
      }),
    );
  });

  it('accepts no second form: whatever is read is written again with the same bytes', () => {
    const edit = fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.uint8Array({ maxLength: 3 }) });
    const nested = fc.array(fc.tuple(anyTree, fc.boolean()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(nested, fc.array(edit, { maxLength: 3 }), (parts, edits) => {
        // Sets in whatever order, and shown parts among hidden ones, as well as bytes that were taken out and put in.
        const shown = parts
          .map(([tree, open]) => (open ? encodeFulfillment(tree) : undefined))
          .filter((part) => part !== undefined);
        const hidden = parts.filter(([, open]) => !open).map(([tree]) => encodeCondition(tree));
        let bytes = threshold(shown, hidden);
        for (const { at, cut, put } of edits) {
          const from = at % (bytes.length + 1);
          bytes = concatBytes([bytes.subarray(0, from), put, bytes.subarray(from + cut)]);
        }
        const read = decodeFulfillment(bytes);
        if (read !== undefined) expect(encodeFulfillment(read)).toEqual(bytes);
      }),
      { numRuns: draws({ sample: 200, change: 1_000 }) },
    );
  });

  it('refuses every beginning and every continuation', () => {
    const fulfillment = threshold([EVAL], [KEY_CONDITION]);
    expect(decodeFulfillment(fulfillment)).toBeDefined();
    for (let length = 0; length < fulfillment.length; length++) {
      expect(decodeFulfillment(fulfillment.subarray(0, length))).toBeUndefined();
    }
    expect(decodeFulfillment(concatBytes([fulfillment, Uint8Array.of(0)]))).toBeUndefined();
  });

  it.each<readonly [string, Uint8Array]>([
    ['shown parts out of order', threshold([hex('af03800102'), EVAL])],
    ['hidden parts out of order', threshold([EVAL], [encodeCondition(evalOf(1)), KEY_CONDITION])],
    ['no shown part', threshold([], [KEY_CONDITION])],
    ['no parts at all', threshold([])],
    ['a hidden part of a wrong shape', threshold([EVAL], [hex('a500')])],
    ['a hidden part among the shown ones', threshold([KEY_CONDITION])],
    ['a shown part among the hidden ones', threshold([EVAL], [EVAL])],
    ['a missing second set', derElement(0xa2, derElement(0xa0, EVAL))],
    ['a third set', derElement(0xa2, concatBytes([0xa0, 0xa1, 0xa2].map((tag) => derElement(tag, EVAL))))],
    ['a key of 32 bytes', hex(`a5648020${'02'.repeat(32)}8140${'01'.repeat(64)}`)],
    ['a key without signature', hex(`a5238021${'02'.repeat(33)}`)],
    ['a signature of 63 bytes', hex(`a5648021${'02'.repeat(33)}813f${'01'.repeat(63)}`)],
    ['an ed25519 key of 33 bytes', hex(`a4658021${'02'.repeat(33)}8140${'01'.repeat(64)}`)],
    ['RSA', hex('a3048000' + '8100')],
    ['a simple tag', hex('8f03800101')],
    ['a tag of several bytes', hex('bf03800101')],
    ['a prefix before two fulfillments', hex('a11180008101' + '00a20aaf03800101af03800101')],
    ['a prefix before nothing', hex('a1078000810100a200')],
    ['a cost of five bytes', hex('a10f8000810500ffffffffa204a0028000')],
  ])('refuses %s', (_, bytes) => {
    expect(decodeFulfillment(bytes)).toBeUndefined();
  });

  it('reads sixteen levels and no more', () => {
    expect(decodeFulfillment(thresholdsAround(EVAL, 15))).toBeDefined();
    expect(decodeFulfillment(thresholdsAround(EVAL, 16))).toBeUndefined();
    const withHidden = threshold([EVAL], [KEY_CONDITION]);
    expect(decodeFulfillment(thresholdsAround(withHidden, 14))).toBeDefined();
    expect(decodeFulfillment(thresholdsAround(withHidden, 15))).toBeUndefined();
  });

  it('reads the most parts that a script can hold, whose conditions are much longer', () => {
    const parts = Array.from({ length: 2_400 }, () => hex('a0028000'));
    const fulfillment = threshold(parts);
    expect(decodeFulfillment(fulfillment)).toBeDefined();
    expect(decodeFulfillment(new Uint8Array(10_001))).toBeUndefined();
    expect(decodeFulfillment(threshold([...parts, ...parts]))).toBeUndefined();
  });

  it('refuses deep nesting without descending', () => {
    let deep = EVAL;
    for (let level = 0; level < 900; level++) deep = threshold([deep]);
    expect(deep.length).toBeLessThan(10_000);
    expect(decodeFulfillment(deep)).toBeUndefined();
  });
});

function withBlankSignatures(condition: Condition): Condition {
  switch (condition.type) {
    case 'key':
    case 'ed25519':
      return { ...condition, signature: new Uint8Array(64) };
    case 'prefix':
      return { ...condition, condition: withBlankSignatures(condition.condition) };
    case 'threshold':
      return { ...condition, conditions: condition.conditions.map(withBlankSignatures) };
    default:
      return condition;
  }
}
