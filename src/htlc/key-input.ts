import { hash160 } from '../primitives/hash.ts';
import { concatBytes } from './byte-writer.ts';
import type { InputScripts } from './htlc-input.ts';
import { p2pkhScript, p2wpkhScript, parseScript, pushData } from './script.ts';

const KEY_BYTES = 33;

/**
 * The compressed key that an ordinary input shows, 33 bytes: the last item of its witness, or the last push of its script. Undefined if it shows
 * none. A maker finds by it who paid a fee.
 *
 * @example
 * ```ts
 * import { inputKey, opReturnScript } from 'swapfold/htlc';
 *
 * const key = new Uint8Array(33).fill(2);
 * inputKey({ scriptSig: new Uint8Array(0), witness: [new Uint8Array(71), key] }); // → key
 * inputKey({ scriptSig: opReturnScript() }); // → undefined
 * ```
 */
export function inputKey({ scriptSig, witness }: InputScripts): Uint8Array | undefined {
  const key = witness !== undefined && witness.length > 0 ? witness.at(-1) : parseScript(scriptSig)?.at(-1)?.data;
  return key?.length === KEY_BYTES ? key : undefined;
}

/**
 * The script that pays a key in the form of an output, P2PKH or P2WPKH, for comparison with that output. Undefined for an output of another form.
 *
 * @example
 * ```ts
 * import { hash160, hexToBytes, keyScriptLike, p2wpkhScript, p2wshScript } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * const spent = hexToBytes('0014ca1e04745e8ca0c60d8c5881531d51bec470743f');
 * keyScriptLike(spent, key); // → p2wpkhScript(hash160(key))
 * keyScriptLike(p2wshScript(key), key); // → undefined
 * ```
 */
export function keyScriptLike(output: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  const scripts = [p2pkhScript(hash160(key)), p2wpkhScript(hash160(key))];
  return scripts.find(({ length }) => length === output.length);
}

/** A signature by the key of an ordinary output. */
export type KeyUnlocking = {
  readonly scheme: 'p2pkh' | 'p2wpkh';
  /** In DER, followed by the hash type. */
  readonly signature: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly key: Uint8Array;
};

/**
 * The scripts of an input that spends an ordinary output of a key. Under both schemes, the signature uses the P2PKH script of the key as its script
 * code.
 *
 * @example
 * ```ts
 * import { keyInputScripts } from 'swapfold/htlc';
 *
 * const [signature, key] = [new Uint8Array(71), new Uint8Array(33).fill(2)];
 * keyInputScripts({ scheme: 'p2pkh', signature, key }).scriptSig.length; // → 1 + 71 + 1 + 33
 * keyInputScripts({ scheme: 'p2wpkh', signature, key }).witness; // → [signature, key]
 * ```
 */
export function keyInputScripts({ scheme, signature, key }: KeyUnlocking): InputScripts {
  if (scheme === 'p2wpkh') return { scriptSig: new Uint8Array(0), witness: [signature, key] };
  return { scriptSig: concatBytes([pushData(signature), pushData(key)]) };
}
