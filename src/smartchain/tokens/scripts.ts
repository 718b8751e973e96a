import { concatBytes } from '../../htlc/byte-writer.ts';
import { pushData } from '../../htlc/script.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { rememberingBytes } from '../../primitives/remember.ts';
import { EVAL_TOKENS } from '../eval-codes.ts';
import { conditionScript, tokenCondition } from '../script/condition-scripts.ts';

/** Public key of the token module. Its secret is public too, so its outputs belong to nobody. Source: smart-chain node. */
export const TOKENS_KEY = hexToBytes('03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95');

/** A key whose secret nobody can know: tokens sent to it are burned. Source: smart-chain node. */
export const DEAD_KEY = hexToBytes(`02${'dead'.repeat(16)}`);

/** Output script of fungible tokens: the token module and one of the keys. */
export function tokenScript(keys: readonly Uint8Array[]): Uint8Array {
  return conditionScript(tokenCondition({ evals: [EVAL_TOKENS], keys }));
}

/** Output script of tokens that another module binds: both modules and one of the keys. */
export function boundTokenScript(evalCode: number, keys: readonly Uint8Array[]): Uint8Array {
  return tokenScriptOf([evalCode], keys);
}

/** Output script of tokens under the token module, any others, and one of the keys. */
export function tokenScriptOf(evals: readonly number[], keys: readonly Uint8Array[]): Uint8Array {
  return conditionScript(tokenCondition({ evals: [...evals, EVAL_TOKENS], keys }));
}

/** Scripts that were asked for; tokens move between few keys. */
const MOST_MADE = 4096;
const KEY_BYTES = 33;

const scriptOfTerms = rememberingBytes((terms: Uint8Array) => {
  const keys: Uint8Array[] = [];
  let at = 1 + (terms[0] as number);
  const evals = [...terms.subarray(1, at)];
  for (; at < terms.length; at += KEY_BYTES) keys.push(terms.subarray(at, at + KEY_BYTES));
  return bytesToHex(tokenScriptOf(evals, keys));
}, MOST_MADE);

/** The same in hex, of codes of one byte and keys of 33. @throws as {@link tokenScriptOf} */
export function tokenScriptHex(evals: readonly number[], keys: readonly Uint8Array[]): string {
  return scriptOfTerms(concatBytes([Uint8Array.of(evals.length, ...evals), ...keys]));
}

/** The output that marks a creation, so that it can be listed. */
export const MARKER_SCRIPT = tokenScript([TOKENS_KEY]);

/** Satoshis of the marker, and of the fee that the module pays. */
export const MODULE_FEE = 10_000n;

/**
 * Output script of coins for a key.
 *
 * @example
 * ```ts
 * import { bytesToHex } from 'swapfold/htlc';
 * import { DEAD_KEY, payToKeyScript } from 'swapfold/smartchain';
 *
 * bytesToHex(payToKeyScript(DEAD_KEY)); // → `2102${'dead'.repeat(16)}ac`
 * ```
 */
export function payToKeyScript(key: Uint8Array): Uint8Array {
  return concatBytes([pushData(key), Uint8Array.of(0xac)]);
}
