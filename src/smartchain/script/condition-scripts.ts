import { concatBytes } from '../../htlc/byte-writer.ts';
import { MAX_SCRIPT_BYTES, OP_PUSHDATA1, pushData } from '../../htlc/script.ts';
import { hash160 } from '../../primitives/hash.ts';
import { type Condition, invalidCondition } from '../conditions/condition.ts';
import { encodeCondition } from '../conditions/encode.ts';
import { SmartChainError } from '../error.ts';
import { EVAL_TOKENS } from '../eval-codes.ts';
import { OP_CHECKCRYPTOCONDITION } from './opcodes.ts';
import { operationAt } from './operations.ts';
import { payToCondition } from './templates.ts';

/**
 * The condition of a module's output: every eval, and one of the keys.
 *
 * One eval and one key give the plain output of a module ("CC1"); two keys let either of them sign. Tokens that another module
 * binds (NFTs) take its eval beside the token one. The order of evals and of keys has no meaning, and a token eval that is
 * given twice counts once.
 *
 * @param of - `evals`: module codes, one byte each, at least one. `keys`: compressed public keys of 33 bytes, at least one.
 * @throws SmartChainError SMARTCHAIN_CONDITION_INVALID when one of them is missing or out of bounds.
 */
export function tokenCondition(of: {
  readonly evals: readonly number[];
  readonly keys: readonly Uint8Array[];
}): Condition {
  const { evals, keys } = of;
  if (evals.length === 0 || keys.length === 0) throw invalidCondition(`${evals.length} evals and ${keys.length} keys`);
  const wrongCode = evals.find((code) => !Number.isInteger(code) || code < 0 || code > 0xff);
  if (wrongCode !== undefined) throw invalidCondition(`a module code of ${wrongCode}, not one byte`);
  const wrongKey = keys.find((key) => key.length !== 33);
  if (wrongKey !== undefined) throw invalidCondition(`a key of ${wrongKey.length} bytes, not 33`);
  const codes = evals.filter((code, index) => code !== EVAL_TOKENS || evals.indexOf(code) === index);
  const conditions: Condition[] = codes.map((code) => ({ type: 'eval', code: Uint8Array.of(code) }));
  conditions.push({ type: 'threshold', threshold: 1, conditions: keys.map((key) => ({ type: 'key', key })) });
  return { type: 'threshold', threshold: conditions.length, conditions };
}

/** The output script that pays to a condition. @throws SmartChainError SMARTCHAIN_CONDITION_INVALID when it cannot be written. */
export function conditionScript(condition: Condition): Uint8Array {
  return concatBytes([pushData(encodeCondition(condition)), Uint8Array.of(OP_CHECKCRYPTOCONDITION)]);
}

/** An output script that pays to a condition, taken apart. The byte arrays are views of the script. */
export type ConditionOutput = {
  /** What the script pushes, 1 to 75 bytes. Whether it is a condition is not judged, as the node does not either. */
  readonly condition: Uint8Array;
  /** The script up to and with OP_CHECKCRYPTOCONDITION: what the address stands for. */
  readonly paid: Uint8Array;
  /** What follows: as many OP_DROPs as pushes, none before its push. Absent when nothing does. */
  readonly opDropTail?: Uint8Array;
};

/**
 * Takes an output script apart that the node sees as paying to a crypto-condition: a direct push of 1 to 75 bytes, then
 * OP_CHECKCRYPTOCONDITION, then nothing or pushes that are all dropped. Undefined for any other script.
 */
export function conditionOf(script: Uint8Array): ConditionOutput | undefined {
  const found = payToCondition(script);
  if (found === undefined) return undefined;
  const { condition, head: paid } = found;
  return paid.length === script.length
    ? { condition, paid }
    : { condition, paid, opDropTail: script.subarray(paid.length) };
}

/**
 * HASH160 of the script up to and with OP_CHECKCRYPTOCONDITION, 20 bytes: what the address of such an output is made of.
 *
 * @throws SmartChainError SMARTCHAIN_CONDITION_INVALID when {@link conditionOf} does not know the script.
 */
export function conditionAddressHash(script: Uint8Array): Uint8Array {
  const found = conditionOf(script);
  if (found !== undefined) return hash160(found.paid);
  throw new SmartChainError('SMARTCHAIN_CONDITION_INVALID', 'This script does not pay to a crypto-condition.', {
    facts: { scriptBytes: script.length },
    next: 'Check the kind of the script first.',
  });
}

/**
 * What an input gives to a condition: the fulfillment and the hash type after it. Undefined unless the script is one push in
 * its shortest form with a fulfillment of one byte or more, which is not decoded. The bytes are a view of the script.
 */
export function fulfillmentOf(
  scriptSig: Uint8Array,
): { readonly fulfillment: Uint8Array; readonly hashType: number } | undefined {
  const push = scriptSig.length > MAX_SCRIPT_BYTES ? undefined : operationAt(scriptSig, 0);
  if (push === undefined || push.data.length < 2 || push.next !== scriptSig.length) return undefined;
  const { data } = push;
  const shortestHead = data.length < OP_PUSHDATA1 ? 1 : data.length < 256 ? 2 : 3;
  if (scriptSig.length - data.length !== shortestHead) return undefined;
  return { fulfillment: data.subarray(0, -1), hashType: data[data.length - 1] as number };
}

/** The input script that gives a fulfillment. @param hashType - @defaultValue 1, SIGHASH_ALL. */
export function fulfillmentScriptSig(fulfillment: Uint8Array, hashType = 1): Uint8Array {
  return pushData(concatBytes([fulfillment, Uint8Array.of(hashType)]));
}
