import { concatBytes } from '../../htlc/byte-writer.ts';
import { sha256 } from '../../primitives/hash.ts';
import { recallingBytes, rememberingBytes } from '../../primitives/remember.ts';
import { SmartChainError } from '../error.ts';
import {
  bitSetBytes,
  derElement,
  derFields,
  MAX_UNSIGNED,
  nestedTag,
  SEQUENCE_TAG,
  setBytes,
  simpleTag,
  unsignedBytes,
} from './der.ts';

/** Numbers of the condition types. Source: crypto-conditions draft 02; 5 and 15 are the smart-chain node's own. */
export const CONDITION_TYPE = { preimage: 0, prefix: 1, threshold: 2, ed25519: 4, key: 5, eval: 15 } as const;

/** Maximum nesting of conditions, including the outermost one. Token outputs have three levels. */
export const MAX_CONDITION_DEPTH = 16;

/** Maximum number of subconditions that one threshold may require (crypto-conditions draft 02). */
export const MAX_THRESHOLD = 0xffff;

/** Fulfilled by a signature of the key over the transaction. */
export type KeyCondition = {
  readonly type: 'key';
  /** Compressed secp256k1 public key, 33 bytes. */
  readonly key: Uint8Array;
  /** r and s, 32 bytes each, highest byte first. */
  readonly signature?: Uint8Array;
};

/** Fulfilled when the module that the code names accepts the transaction. */
export type EvalCondition = { readonly type: 'eval'; readonly code: Uint8Array };

/** Fulfilled when `threshold` of the conditions are. Their order has no meaning. */
export type ThresholdCondition = {
  readonly type: 'threshold';
  readonly threshold: number;
  readonly conditions: readonly Condition[];
};

/** A condition known only by its own bytes: an output can commit to it, but nothing here can fulfill it. */
export type HiddenCondition = {
  readonly type: 'hidden';
  readonly der: Uint8Array;
  readonly typeId: number;
  /** 32 bytes. */
  readonly fingerprint: Uint8Array;
  readonly cost: number;
  /** Bit i is set when a condition of type i is inside. */
  readonly subtypes: number;
};

/** Fulfilled by revealing the bytes. */
export type PreimageCondition = { readonly type: 'preimage'; readonly preimage: Uint8Array };

/** Puts bytes before the message of the inner condition. It can be read and written; the node refuses to spend it. */
export type PrefixCondition = {
  readonly type: 'prefix';
  readonly prefix: Uint8Array;
  /** Bytes, 0 to 2^32 - 1. */
  readonly maxMessageLength: number;
  readonly condition: Condition;
};

/** A key of 32 bytes with a signature of 64. The signature is over the same 32 bytes as those of other keys. */
export type Ed25519Condition = {
  readonly type: 'ed25519';
  readonly key: Uint8Array;
  readonly signature?: Uint8Array;
};

/** A crypto-condition, with what fulfills it as far as that is known. Source: crypto-conditions draft 02, smart-chain node. */
export type Condition =
  | KeyCondition
  | EvalCondition
  | ThresholdCondition
  | HiddenCondition
  | PreimageCondition
  | PrefixCondition
  | Ed25519Condition;

/** What an output says about a condition. */
export type ConditionFacts = {
  readonly typeId: number;
  /** SHA-256 of what identifies the condition, 32 bytes. */
  readonly fingerprint: Uint8Array;
  /** Effort of a verification, in the draft's own unit. */
  readonly cost: number;
  /** Bit i is set when a condition of type i is inside, at any depth; never the bit of the condition's own type. */
  readonly subtypes: number;
  /** The condition in DER. */
  readonly der: Uint8Array;
};

const SIGNATURE_COST = 0x2_0000;
const EVAL_COST = 0x10_0000;
const NESTING_COST = 1024;
const COMPOUND = (1 << CONDITION_TYPE.prefix) | (1 << CONDITION_TYPE.threshold);

/** Whether conditions of a type contain others, and so name their types. */
export function isCompound(typeId: number): boolean {
  return ((COMPOUND >>> typeId) & 1) === 1;
}

/**
 * Everything that an output says about a condition.
 *
 * @throws SmartChainError SMARTCHAIN_CONDITION_INVALID if a key or signature has a wrong length, a threshold is out of its bounds, the nesting is too
 * deep or the cost exceeds four bytes.
 */
export function conditionFacts(condition: Condition): ConditionFacts {
  const found = factsAt(condition, 1);
  if (found.cost > MAX_UNSIGNED) throw invalidCondition(`a cost of ${found.cost}, above ${MAX_UNSIGNED}`);
  return found;
}

/** SHA-256 of what identifies the condition, 32 bytes. @throws as {@link conditionFacts}. */
export function fingerprint(condition: Condition): Uint8Array {
  return conditionFacts(condition).fingerprint;
}

/** Effort of a verification, in the draft's own unit, computed from the form alone: hashes nothing, and checks no bound. */
export function cost(condition: Condition): number {
  switch (condition.type) {
    case 'hidden':
      return condition.cost;
    case 'key':
    case 'ed25519':
      return SIGNATURE_COST;
    case 'eval':
      return EVAL_COST;
    case 'preimage':
      return condition.preimage.length;
    case 'prefix':
      return prefixCost(condition, cost(condition.condition));
    case 'threshold':
      return thresholdCost(condition.threshold, condition.conditions.map(cost));
  }
}

function prefixCost({ prefix, maxMessageLength }: PrefixCondition, inner: number): number {
  return prefix.length + maxMessageLength + NESTING_COST + inner;
}

/** Counts the most expensive parts, because any choice of parts may need verification. */
function thresholdCost(threshold: number, parts: readonly number[]): number {
  const dearest = [...parts].sort((left, right) => right - left).slice(0, threshold);
  return dearest.reduce((sum, each) => sum + each, NESTING_COST * parts.length);
}

/** Bit i is set when a condition of type i is inside. @throws as {@link conditionFacts}. */
export function subtypes(condition: Condition): number {
  return conditionFacts(condition).subtypes;
}

/** A condition that cannot be encoded. */
export function invalidCondition(problem: string): SmartChainError {
  return new SmartChainError('SMARTCHAIN_CONDITION_INVALID', 'This condition cannot be encoded.', {
    facts: { problem },
    next: 'Build the condition from compressed keys of 33 bytes, module codes, and thresholds that its parts can reach.',
  });
}

function maskOf(facts: ConditionFacts): number {
  return facts.subtypes | (1 << facts.typeId);
}

function factsAt(condition: Condition, depth: number): ConditionFacts {
  if (depth > MAX_CONDITION_DEPTH) throw invalidCondition(`more than ${MAX_CONDITION_DEPTH} nested conditions`);
  const { type } = condition;
  if (type === 'hidden') return condition;
  const typeId = CONDITION_TYPE[type];
  switch (type) {
    case 'key':
      checkSigner(condition, 33);
      return keyFacts(condition.key);
    case 'ed25519':
      checkSigner(condition, 32);
      return facts({ typeId, identity: sequence(derElement(simpleTag(0), condition.key)), cost: SIGNATURE_COST });
    case 'eval':
      return condition.code.length === 1 ? moduleFacts(condition.code) : evalFacts(condition.code);
    case 'preimage':
      return facts({ typeId, identity: condition.preimage, cost: condition.preimage.length });
    case 'prefix':
      return prefixFacts(condition, factsAt(condition.condition, depth + 1));
    case 'threshold':
      return thresholdFactsAgain(
        condition.threshold,
        condition.conditions.map((part) => factsAt(part, depth + 1)),
      );
  }
}

/** Number of keys whose facts are cached: the same few sign again and again. */
const REMEMBERED = 4096;

const keyFacts = rememberingBytes((key: Uint8Array) => {
  const identity = sequence(derElement(simpleTag(0), key));
  return facts({ typeId: CONDITION_TYPE.key, identity, cost: SIGNATURE_COST });
}, REMEMBERED);

/** Parts of a threshold whose facts are cached: outputs of tokens have two thresholds, of so many parts. */
const FEW = 3;
const knownThresholds = recallingBytes<ConditionFacts>(REMEMBERED);

/** The facts follow from the threshold and what outputs say about the parts, unless a part came as bytes that may say something else. */
function thresholdFactsAgain(threshold: number, parts: readonly ConditionFacts[]): ConditionFacts {
  const isUsual = parts.length <= FEW && threshold >= 1 && threshold <= FEW && !parts.some(isHidden);
  if (!isUsual || !Number.isInteger(threshold)) return thresholdFacts(threshold, parts);
  const key = concatBytes([Uint8Array.of(threshold), ...parts.map(({ der }) => der)]);
  return knownThresholds(key, () => thresholdFacts(threshold, parts));
}

const moduleFacts = rememberingBytes(evalFacts);

function evalFacts(code: Uint8Array): ConditionFacts {
  return facts({ typeId: CONDITION_TYPE.eval, identity: code, cost: EVAL_COST });
}

function isHidden(part: ConditionFacts): boolean {
  return 'type' in part;
}

function prefixFacts(condition: PrefixCondition, inner: ConditionFacts): ConditionFacts {
  const { prefix, maxMessageLength } = condition;
  if (!Number.isInteger(maxMessageLength) || maxMessageLength < 0 || maxMessageLength > MAX_UNSIGNED) {
    throw invalidCondition(`a maximum message length of ${maxMessageLength} bytes`);
  }
  const identity = sequence(
    derElement(simpleTag(0), prefix),
    derElement(simpleTag(1), unsignedBytes(maxMessageLength)),
    derElement(nestedTag(2), inner.der),
  );
  const total = prefixCost(condition, inner.cost);
  return facts({ typeId: CONDITION_TYPE.prefix, identity, cost: total, inside: maskOf(inner) });
}

function thresholdFacts(threshold: number, parts: readonly ConditionFacts[]): ConditionFacts {
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > Math.min(parts.length, MAX_THRESHOLD)) {
    throw invalidCondition(`a threshold of ${threshold} over ${parts.length} conditions`);
  }
  const identity = sequence(
    derElement(simpleTag(0), unsignedBytes(threshold)),
    derElement(nestedTag(1), setBytes(parts.map((part) => part.der))),
  );
  const total = thresholdCost(
    threshold,
    parts.map((part) => part.cost),
  );
  const inside = parts.reduce((mask, part) => mask | maskOf(part), 0);
  return facts({ typeId: CONDITION_TYPE.threshold, identity, cost: total, inside });
}

function facts(of: {
  readonly typeId: number;
  readonly identity: Uint8Array;
  readonly cost: number;
  readonly inside?: number;
}): ConditionFacts {
  const { typeId, identity, cost } = of;
  const fingerprint = sha256(identity);
  const subtypes = (of.inside ?? 0) & ~(1 << typeId);
  const fields = [fingerprint, unsignedBytes(cost)];
  if (isCompound(typeId)) fields.push(bitSetBytes(subtypes));
  return { typeId, fingerprint, cost, subtypes, der: derElement(nestedTag(typeId), derFields(fields)) };
}

function sequence(...fields: readonly Uint8Array[]): Uint8Array {
  return derElement(SEQUENCE_TAG, concatBytes(fields));
}

function checkSigner(condition: KeyCondition | Ed25519Condition, keyBytes: number): void {
  const { key, signature } = condition;
  if (key.length !== keyBytes) throw invalidCondition(`a key of ${key.length} bytes, not ${keyBytes}`);
  if (signature !== undefined && signature.length !== 64) {
    throw invalidCondition(`a signature of ${signature.length} bytes, not 64`);
  }
}
