import {
  OP_1,
  OP_CHECKLOCKTIMEVERIFY,
  OP_CHECKSIG,
  OP_DROP,
  OP_DUP,
  OP_EQUALVERIFY,
  OP_HASH160,
  OP_RETURN,
} from '../../htlc/script.ts';
import { isSupportedCondition } from '../conditions/supported.ts';
import { ownerHash } from '../encoding/owner-hash.ts';
import { OP_16, OP_CHECKMULTISIG, smallInteger } from './opcodes.ts';
import { isPushOnly, operationAt } from './operations.ts';
import { LOCK_TIME_BYTES } from './script-number.ts';
import { payToCondition, payToScriptHash } from './templates.ts';

/** Names of the node, as it prints them. */
export type ScriptType =
  | 'pubkey'
  | 'pubkeyhash'
  | 'scripthash'
  | 'multisig'
  | 'nulldata'
  | 'cryptocondition'
  | 'nonstandard';

export type ScriptClass = {
  readonly type: ScriptType;
  /** How many signatures spend it. Absent for nulldata and nonstandard. */
  readonly reqSigs?: number;
  /**
   * The key of pubkey, the keys of multisig, and the 20-byte hash of pubkeyhash, scripthash and cryptocondition; none
   * otherwise. Keys are views of the script and have the length of their header; the points are not looked at.
   */
  readonly solutions: readonly Uint8Array[];
  /** What is left after a leading lock time, which the rest of the answer speaks of. Absent where there is none. */
  readonly stripped?: Uint8Array;
};

export type ClassifyOptions = {
  /** Whether the node takes a condition; a script with one that it does not take is nonstandard. @defaultValue {@link isSupportedCondition} */
  readonly acceptsCondition?: (condition: Uint8Array) => boolean;
};

const NONSTANDARD: ScriptClass = { type: 'nonstandard', solutions: [] };

/** What an output script pays to. Source: smart-chain node. Linear in the length of the script, of which any is taken. */
export function classifyScript(script: Uint8Array, options: ClassifyOptions = {}): ScriptClass {
  const start = endOfLockTimes(script);
  if (start === 0) return classifyWhole(script, options);
  const stripped = script.subarray(start);
  return { ...classifyWhole(stripped, options), stripped };
}

/** Longest OP_RETURN script that the node relays on a smart chain by default, in bytes. */
export const DEFAULT_MAX_OP_RETURN = 208;
/** Most keys of a bare multisig script that the node relays. */
export const MAX_STANDARD_MULTISIG_KEYS = 9;

export type StandardnessOptions = ClassifyOptions & {
  /** Longest nulldata script, in bytes with its OP_RETURN; {@link DEFAULT_MAX_OP_RETURN} by default. */
  readonly maxOpReturn?: number;
};

/**
 * The reason for which the node does not relay a transaction with this output script: always `scriptpubkey`. Undefined
 * when it relays it. A lock time at the front makes a script nonstandard, though {@link classifyScript} sees through it.
 */
export function standardness(script: Uint8Array, options: StandardnessOptions = {}): 'scriptpubkey' | undefined {
  const { type, solutions } = classifyWhole(script, options);
  const refused =
    type === 'nonstandard' ||
    (type === 'nulldata' && script.length > (options.maxOpReturn ?? DEFAULT_MAX_OP_RETURN)) ||
    (type === 'multisig' && solutions.length > MAX_STANDARD_MULTISIG_KEYS);
  return refused ? 'scriptpubkey' : undefined;
}

/** Where the script starts behind all `<lock time> OP_CHECKLOCKTIMEVERIFY OP_DROP` at its front. */
function endOfLockTimes(script: Uint8Array): number {
  let start = 0;
  for (;;) {
    const length = script[start];
    if (length === undefined || length > LOCK_TIME_BYTES) return start;
    const end = start + 1 + length;
    if (script[end] !== OP_CHECKLOCKTIMEVERIFY || script[end + 1] !== OP_DROP) return start;
    start = end + 2;
  }
}

function classifyWhole(script: Uint8Array, { acceptsCondition = isSupportedCondition }: ClassifyOptions): ScriptClass {
  const scriptHash = payToScriptHash(script);
  if (scriptHash !== undefined) return { type: 'scripthash', reqSigs: 1, solutions: [scriptHash] };
  if (script[0] === OP_RETURN && isPushOnly(script, 1)) return { type: 'nulldata', solutions: [] };
  const paid = payToCondition(script);
  if (paid !== undefined) {
    if (!acceptsCondition(paid.condition)) return NONSTANDARD;
    return { type: 'cryptocondition', reqSigs: 1, solutions: [ownerHash(paid.head)] };
  }
  const key = payToKey(script);
  if (key !== undefined) return { type: 'pubkey', reqSigs: 1, solutions: [key] };
  const keyHash = payToKeyHash(script);
  if (keyHash !== undefined) return { type: 'pubkeyhash', reqSigs: 1, solutions: [keyHash] };
  return payToKeys(script) ?? NONSTANDARD;
}

function payToKey(script: Uint8Array): Uint8Array | undefined {
  const key = script.subarray(1, -1);
  return script[0] === key.length && script.at(-1) === OP_CHECKSIG && hasLengthOfHeader(key) ? key : undefined;
}

function payToKeyHash(script: Uint8Array): Uint8Array | undefined {
  const matches =
    script.length === 25 &&
    script[0] === OP_DUP &&
    script[1] === OP_HASH160 &&
    script[2] === 20 &&
    script[23] === OP_EQUALVERIFY &&
    script[24] === OP_CHECKSIG;
  return matches ? script.subarray(3, 23) : undefined;
}

function payToKeys(script: Uint8Array): ScriptClass | undefined {
  const required = countAt(script, 0);
  if (required === undefined || script.at(-1) !== OP_CHECKMULTISIG) return undefined;
  const keys: Uint8Array[] = [];
  let offset = 1;
  for (;;) {
    const operation = operationAt(script, offset);
    if (operation === undefined || !hasLengthOfHeader(operation.data)) break;
    keys.push(operation.data);
    offset = operation.next;
  }
  const complete = offset + 2 === script.length && countAt(script, offset) === keys.length && keys.length >= required;
  return complete ? { type: 'multisig', reqSigs: required, solutions: keys } : undefined;
}

function countAt(script: Uint8Array, offset: number): number | undefined {
  const opcode = script[offset];
  return opcode !== undefined && opcode >= OP_1 && opcode <= OP_16 ? smallInteger(opcode) : undefined;
}

/** As in the node 6 and 7, the headers of hybrid keys, are allowed. */
function hasLengthOfHeader(key: Uint8Array): boolean {
  const [head] = key;
  if (head === 2 || head === 3) return key.length === 33;
  return (head === 4 || head === 6 || head === 7) && key.length === 65;
}
