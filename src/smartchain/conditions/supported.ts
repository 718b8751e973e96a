import { CONDITION_TYPE } from './condition.ts';
import { decodeCondition } from './decode.ts';

const { preimage, threshold, ed25519, key, eval: module } = CONDITION_TYPE;

const bits = (types: readonly number[]): number => types.reduce((mask, type) => mask | (1 << type), 0);

/** Prefixes are left out: the node can read them, and nobody can spend them. */
const ENABLED = bits([preimage, threshold, ed25519, key, module]);
const SIGNING = bits([ed25519, key]);

/** Whether the node takes a condition in an output: one that it reads, of types that it can judge, with a signature somewhere. Source: smart-chain node. */
export function isSupportedCondition(bytes: Uint8Array): boolean {
  const condition = decodeCondition(bytes);
  if (condition === undefined) return false;
  const types = condition.subtypes | (1 << condition.typeId);
  return (types & ~ENABLED) === 0 && (types & SIGNING) !== 0;
}
