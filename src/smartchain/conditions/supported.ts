import { rememberingBytes } from '../../primitives/remember.ts';
import { CONDITION_TYPE } from './condition.ts';
import { decodeCondition } from './decode.ts';

const { preimage, threshold, ed25519, key, eval: module } = CONDITION_TYPE;

const bits = (types: readonly number[]): number => types.reduce((mask, type) => mask | (1 << type), 0);

/** Prefixes are excluded: the node can read them, and nobody can spend them. */
const ENABLED = bits([preimage, threshold, ed25519, key, module]);
const SIGNING = bits([ed25519, key]);

/**
 * Whether the node accepts a condition in an output: one that it can read, of types that it can judge, with a signature somewhere. Source:
 * smart-chain node.
 */
export function isSupportedCondition(bytes: Uint8Array): boolean {
  return bytes.length > LONGEST_KEPT ? isSupported(bytes) : isSupportedAgain(bytes);
}

/** Bytes of the longest condition that an output script has room for, and conditions that are kept: the same few come up again and again. */
const LONGEST_KEPT = 75;
const REMEMBERED = 4096;
const isSupportedAgain = rememberingBytes(isSupported, REMEMBERED);

function isSupported(bytes: Uint8Array): boolean {
  const condition = decodeCondition(bytes);
  if (condition === undefined) return false;
  const types = condition.subtypes | (1 << condition.typeId);
  return (types & ~ENABLED) === 0 && (types & SIGNING) !== 0;
}
