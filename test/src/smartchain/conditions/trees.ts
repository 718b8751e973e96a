import fc from 'fast-check';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import type { Condition } from '../../../../src/smartchain/conditions/condition.ts';
import { publicKeyOf } from '../../../../src/smartchain/keys/secp256k1.ts';

/** Bytes of exactly this length. */
export const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** Three secret keys and their public keys. */
export const SECRETS = [1, 2, 3].map((value) => new Uint8Array(32).fill(value));
export const KEYS = SECRETS.map((secretKey) => publicKeyOf(secretKey));
export const SECRET = SECRETS[0] as Uint8Array;
export const KEY = KEYS[0] as Uint8Array;
export const OTHER_KEY = KEYS[1] as Uint8Array;

export const hex = hexToBytes;

export const evalOf = (code: number): Condition => ({ type: 'eval', code: Uint8Array.of(code) });
export const keyOf = (key: Uint8Array): Condition => ({ type: 'key', key });
export const anyOf = (threshold: number, ...conditions: readonly Condition[]): Condition => ({
  type: 'threshold',
  threshold,
  conditions,
});

const optionalSignature = fc.option(bytesOf(64), { nil: undefined });
const withSignature = <Base extends object>(base: Base, signature: Uint8Array | undefined) =>
  signature === undefined ? base : { ...base, signature };

const key = fc.tuple(bytesOf(33), optionalSignature).map(([bytes, signature]): Condition => {
  return withSignature({ type: 'key' as const, key: bytes }, signature);
});
const ed25519 = fc.tuple(bytesOf(32), optionalSignature).map(([bytes, signature]): Condition => {
  return withSignature({ type: 'ed25519' as const, key: bytes }, signature);
});
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  key,
  ed25519,
  fc.record({ type: fc.constant('eval' as const), code: fc.uint8Array({ maxLength: 200 }) }),
  fc.record({ type: fc.constant('preimage' as const), preimage: fc.uint8Array({ maxLength: 300 }) }),
);

function thresholdOf(parts: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return fc
    .array(parts, { minLength: 1, maxLength: 5 })
    .chain((conditions) =>
      fc
        .integer({ min: 1, max: conditions.length })
        .map((threshold): Condition => ({ type: 'threshold', threshold, conditions })),
    );
}

/** Conditions of every type that can be written, some fulfilled, with random keys and signatures. */
export const anyTree: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    thresholdOf(tie('tree')),
    fc.record({
      type: fc.constant('prefix' as const),
      prefix: fc.uint8Array({ maxLength: 40 }),
      maxMessageLength: fc.nat(0xffff),
      condition: tie('tree'),
    }),
  ),
})).tree;

const spendableLeaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom(...KEYS).map(keyOf),
  fc.nat(255).map(evalOf),
  fc.record({ type: fc.constant('preimage' as const), preimage: fc.uint8Array({ maxLength: 8 }) }),
);
const spendableTree: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, spendableLeaf, thresholdOf(tie('tree'))),
})).tree;

/** Conditions that {@link SECRET} takes part in, and that all of {@link SECRETS} can fulfill. */
export const ownTree: fc.Arbitrary<Condition> = fc
  .array(spendableTree, { maxLength: 2 })
  .map((others) => anyOf(others.length + 1, keyOf(KEY), ...others));
