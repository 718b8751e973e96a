import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../../src/primitives/hex.ts';
import type { Condition } from '../../../../src/smartchain/conditions/condition.ts';
import { decodeFulfillment } from '../../../../src/smartchain/conditions/decode.ts';
import { encodeCondition, encodeFulfillment } from '../../../../src/smartchain/conditions/encode.ts';
import { describeShared, readShared } from '../../../support/shared.ts';
import { anyOf, evalOf, hex, KEY, keyOf, OTHER_KEY } from './trees.ts';

type Tree =
  | { readonly threshold: number; readonly subs: readonly Tree[] }
  | { readonly secp256k1: string; readonly sig: string }
  | { readonly eval: string }
  | { readonly anon: number; readonly fingerprint: string; readonly cost: number; readonly subtypes: number };

type PublishedFulfillment = {
  readonly txid: string;
  readonly input: number;
  readonly fulfillment: string;
  readonly tree: Tree;
  readonly condition: string;
};

/** The published form of a decoded condition. */
function shownAs(condition: Condition): Tree {
  switch (condition.type) {
    case 'threshold':
      return { threshold: condition.threshold, subs: condition.conditions.map(shownAs) };
    case 'key':
      return { secp256k1: bytesToHex(condition.key), sig: bytesToHex(condition.signature ?? new Uint8Array()) };
    case 'eval':
      return { eval: bytesToHex(condition.code) };
    case 'hidden': {
      const { typeId, fingerprint, cost, subtypes } = condition;
      return { anon: typeId, fingerprint: bytesToHex(fingerprint), cost, subtypes };
    }
    default:
      throw new Error(`no published fulfillment holds ${condition.type}`);
  }
}

describeShared('published fulfillments', () => {
  const { vectors } = JSON.parse(readShared('vectors/node/fulfillments.json')) as { vectors: PublishedFulfillment[] };

  it('are all there', () => {
    expect(vectors).toHaveLength(85);
  });

  it.each(vectors)('$txid input $input is read as printed and written byte for byte', (vector) => {
    const condition = decodeFulfillment(hex(vector.fulfillment));
    if (condition === undefined) throw new Error('not read');
    expect(shownAs(condition)).toEqual(vector.tree);
    expect(bytesToHex(encodeFulfillment(condition) ?? new Uint8Array())).toBe(vector.fulfillment);
    expect(bytesToHex(encodeCondition(condition))).toBe(vector.condition);
  });
});

const signed = (key: Uint8Array): Condition => ({ type: 'key', key, signature: new Uint8Array(64).fill(7) });

function shownTypes(fulfillment: Uint8Array | undefined): readonly string[] {
  const condition = fulfillment === undefined ? undefined : decodeFulfillment(fulfillment);
  return condition?.type === 'threshold' ? condition.conditions.map((part) => part.type) : [];
}

describe('fulfillment', () => {
  it('shows the cheapest parts that are fulfilled, and no more than needed', () => {
    expect(shownTypes(encodeFulfillment(anyOf(1, evalOf(1), signed(KEY))))).toEqual(['key', 'hidden']);
    expect(shownTypes(encodeFulfillment(anyOf(1, evalOf(1), keyOf(KEY))))).toEqual(['eval', 'hidden']);
    expect(shownTypes(encodeFulfillment(anyOf(2, evalOf(1), signed(KEY), evalOf(2))))).toEqual([
      'key',
      'eval',
      'hidden',
    ]);
  });

  it('does not depend on the order of parts that cost the same', () => {
    const one = anyOf(1, signed(KEY), signed(OTHER_KEY));
    const other = anyOf(1, signed(OTHER_KEY), signed(KEY));
    expect(encodeFulfillment(one)).toEqual(encodeFulfillment(other));
  });

  it.each<readonly [string, Condition]>([
    ['a key without signature', keyOf(KEY)],
    ['an ed25519 key without signature', { type: 'ed25519', key: KEY.subarray(1) }],
    ['a threshold with too few signatures', anyOf(2, signed(KEY), keyOf(OTHER_KEY))],
    ['a threshold inside that is not reached', anyOf(2, evalOf(1), anyOf(1, keyOf(KEY)))],
    ['a prefix before such a key', { type: 'prefix', prefix: KEY, maxMessageLength: 9, condition: keyOf(KEY) }],
  ])('is not there for %s', (_, condition) => {
    expect(encodeFulfillment(condition)).toBeUndefined();
  });

  it('of a module output with one key has 120 bytes', () => {
    expect(encodeFulfillment(anyOf(2, evalOf(0xf2), anyOf(1, signed(KEY))))).toHaveLength(120);
  });
});
