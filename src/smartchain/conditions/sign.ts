import { ed25519 } from '@noble/curves/ed25519.js';
import { sameBytes } from '../../primitives/hex.ts';
import { SmartChainError } from '../error.ts';
import { publicKeyOf, signCompact, verifyCompact } from '../keys/secp256k1.ts';
import { CONDITION_TYPE, type Condition, conditionFacts, type KeyCondition } from './condition.ts';

/** Types that a spend on the smart-chain node may contain, shown or hidden: all that it knows except the prefix. */
const SPENDABLE_TYPES =
  (1 << CONDITION_TYPE.preimage) |
  (1 << CONDITION_TYPE.threshold) |
  (1 << CONDITION_TYPE.ed25519) |
  (1 << CONDITION_TYPE.key) |
  (1 << CONDITION_TYPE.eval);

/**
 * The condition with a signature wherever the key of `secretKey` occurs; replaces an existing signature. Returns the condition itself if the key does
 * not occur.
 *
 * @param by - `hash`: 32 bytes to sign. `secretKey`: 32 bytes.
 * @throws SmartChainError SMARTCHAIN_KEY_INVALID if the secret is not a secp256k1 key, SMARTCHAIN_OPTION_INVALID for a hash of another length.
 */
export function signCondition(
  condition: Condition,
  by: { readonly hash: Uint8Array; readonly secretKey: Uint8Array },
): Condition {
  const { hash, secretKey } = by;
  if (hash.length !== 32) {
    throw new SmartChainError('SMARTCHAIN_OPTION_INVALID', 'Only a hash of 32 bytes can be signed.', {
      facts: { bytes: hash.length },
      next: 'Give the signature hash of the input.',
    });
  }
  const key = publicKeyOf(secretKey);
  return holdsKey(condition, key)
    ? withSignature(condition, { key, signature: signCompact({ hash, secretKey }) })
    : condition;
}

type Signed = { readonly key: Uint8Array; readonly signature: Uint8Array };

function holdsKey(condition: Condition, key: Uint8Array): boolean {
  switch (condition.type) {
    case 'key':
      return sameBytes(condition.key, key);
    case 'threshold':
      return condition.conditions.some((part) => holdsKey(part, key));
    default:
      // A prefix changes what is signed, and the node has no rule for how.
      return false;
  }
}

function withSignature(condition: Condition, signed: Signed): Condition {
  if (!holdsKey(condition, signed.key)) return condition;
  if (condition.type === 'key') return { ...condition, signature: signed.signature };
  if (condition.type !== 'threshold') return condition;
  return { ...condition, conditions: condition.conditions.map((part) => withSignature(part, signed)) };
}

/** What a spend is checked against. */
export type SpendTerms = {
  /** The condition of the output, in DER. */
  readonly condition: Uint8Array;
  /** What the keys sign, 32 bytes. */
  readonly hash: Uint8Array;
  /** Whether the module that this code names accepts the transaction. Asked last, when all signatures are good. */
  readonly evaluate: (code: Uint8Array) => boolean;
};

/**
 * Whether a fulfillment opens an output by the rules of the smart-chain node: its condition equals the output's byte for byte, it contains only types
 * that the node spends, at least one key signs, every shown signature is valid with a low s, each threshold is reached, and every shown module
 * accepts.
 *
 * An Ed25519 signature is verified by the strict rules of RFC 8032.
 *
 * @throws SmartChainError SMARTCHAIN_CONDITION_INVALID if the fulfillment cannot be encoded; a decoded one always can.
 */
export function verifyFulfillment(fulfillment: Condition, terms: SpendTerms): boolean {
  const { der, typeId, subtypes } = conditionFacts(fulfillment);
  if (!sameBytes(der, terms.condition)) return false;
  if (((subtypes | (1 << typeId)) & ~SPENDABLE_TYPES) !== 0) return false;
  const shown: Shown = { keys: [], edwards: [], codes: [] };
  if (!collectShown(fulfillment, shown) || shown.keys.length + shown.edwards.length === 0) return false;
  const { hash, evaluate } = terms;
  return (
    shown.edwards.every(({ key, signature }) => ed25519.verify(signature, hash, key, STRICT)) &&
    shown.keys.every(({ key, signature }) => verifyCompact({ hash, signature, publicKey: key })) &&
    shown.codes.every((code) => evaluate(code))
  );
}

type SignedKey = Required<Pick<KeyCondition, 'key' | 'signature'>>;
type Shown = { readonly keys: SignedKey[]; readonly edwards: SignedKey[]; readonly codes: Uint8Array[] };

/** No second encoding of a point, or of a number: a signature that anyone could re-encode would make the id of the transaction malleable. */
const STRICT = { zip215: false };

/** Collects what needs verification. Returns whether enough is shown, assuming that everything shown is valid. */
function collectShown(condition: Condition, shown: Shown): boolean {
  switch (condition.type) {
    case 'hidden':
    case 'prefix':
      return false;
    case 'key':
      if (condition.signature === undefined) return false;
      shown.keys.push({ key: condition.key, signature: condition.signature });
      return true;
    case 'ed25519':
      if (condition.signature === undefined) return false;
      shown.edwards.push({ key: condition.key, signature: condition.signature });
      return true;
    case 'eval':
      shown.codes.push(condition.code);
      return true;
    case 'preimage':
      return true;
    case 'threshold': {
      // Visits every part, also past the threshold: an invalid signature anywhere invalidates the whole.
      const reached = condition.conditions.filter((part) => collectShown(part, shown)).length;
      return reached >= condition.threshold;
    }
  }
}
