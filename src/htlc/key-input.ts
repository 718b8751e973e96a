import { hash160 } from '../primitives/hash.ts';
import { concatBytes } from './byte-writer.ts';
import type { InputScripts } from './htlc-input.ts';
import { p2pkhScript, p2wpkhScript, parseScript, pushData } from './script.ts';

const KEY_BYTES = 33;

/**
 * The compressed key that an ordinary input shows, 33 bytes: the last item of its witness, or the last push of its script.
 * Undefined where it shows none. By it a maker tells who paid a fee.
 */
export function inputKey({ scriptSig, witness }: InputScripts): Uint8Array | undefined {
  const key = witness !== undefined && witness.length > 0 ? witness.at(-1) : parseScript(scriptSig)?.at(-1)?.data;
  return key?.length === KEY_BYTES ? key : undefined;
}

/**
 * The script that pays to a key in the form that an output has, P2PKH or P2WPKH, to be held against that output. Undefined for an
 * output of another form.
 */
export function keyScriptLike(output: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  const scripts = [p2pkhScript(hash160(key)), p2wpkhScript(hash160(key))];
  return scripts.find(({ length }) => length === output.length);
}

/** A signature by the key of an ordinary output. */
export type KeyUnlocking = {
  readonly scheme: 'p2pkh' | 'p2wpkh';
  /** In DER, with the hash type behind it. */
  readonly signature: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly key: Uint8Array;
};

/**
 * The scripts of an input that takes an ordinary output of a key. What the signature signs has the P2PKH script of the key as
 * its script code under both schemes.
 */
export function keyInputScripts({ scheme, signature, key }: KeyUnlocking): InputScripts {
  if (scheme === 'p2wpkh') return { scriptSig: new Uint8Array(0), witness: [signature, key] };
  return { scriptSig: concatBytes([pushData(signature), pushData(key)]) };
}
