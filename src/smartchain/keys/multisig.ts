import { concatBytes } from '../../htlc/byte-writer.ts';
import { OP_1, pushData } from '../../htlc/script.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import { type Address, decodeAddress } from '../encoding/address.ts';
import { isStrictHex } from '../encoding/lenient.ts';
import type { Prefixes } from '../params.ts';
import { isValidPublicKey } from './secp256k1.ts';

/** Most bytes of a redeem script: more cannot be pushed when it is spent (Bitcoin's consensus limit). */
export const MAX_REDEEM_SCRIPT_BYTES = 520;

const OP_CHECKMULTISIG = 0xae;
const MOST_KEYS = 16;

/** How the texts that stand for keys are read. */
export type MultisigOptions<Key = string> = {
  readonly prefixes: Prefixes;
  /** The text of a key, asked for in turn: it may throw where a caller gave something else. @defaultValue the key itself */
  readonly textOf?: (key: Key) => string;
  /** The public key that the wallet knows for an address of a key; undefined for one that it does not know. */
  readonly keyOfAddress: (address: Address) => Uint8Array | undefined;
};

export type MultisigResult = { readonly script: Uint8Array } | { readonly error: string };

/**
 * The redeem script that `required` of the keys can spend, keys in the order given. Each text is a public key in hex, or an
 * address whose key the wallet knows. `required` must be a whole number.
 *
 * What createmultisig of the smart-chain node refuses comes back as its text: too few required, too few keys, more than 16,
 * then the keys from left to right, then a script of more than {@link MAX_REDEEM_SCRIPT_BYTES}. The text quotes the key at
 * fault as it was given.
 */
export function multisigScript<Key>(
  required: number,
  keys: readonly Key[],
  options: MultisigOptions<Key>,
): MultisigResult {
  const countError = checkCounts(required, keys.length);
  if (countError !== undefined) return { error: countError };
  const { textOf = String } = options;
  const pushes: Uint8Array[] = [];
  for (const given of keys) {
    const key = resolveKey(textOf(given), options);
    if (typeof key === 'string') return { error: key };
    pushes.push(pushData(key));
  }
  const script = concatBytes([
    Uint8Array.of(OP_1 - 1 + required),
    ...pushes,
    Uint8Array.of(OP_1 - 1 + keys.length, OP_CHECKMULTISIG),
  ]);
  if (script.length <= MAX_REDEEM_SCRIPT_BYTES) return { script };
  return { error: `redeemScript exceeds size limit: ${script.length} > ${MAX_REDEEM_SCRIPT_BYTES}` };
}

function checkCounts(required: number, count: number): string | undefined {
  if (required < 1) return 'a multisignature address must require at least one key to redeem';
  if (count < required) {
    return `not enough keys supplied (got ${count} keys, but need at least ${required} to redeem)`;
  }
  if (count <= MOST_KEYS) return undefined;
  return 'Number of addresses involved in the multisignature address creation > 16\nReduce the number';
}

/** The key that a text denotes, or the node's reason why there is none. */
function resolveKey(
  text: string,
  { prefixes, keyOfAddress }: Pick<MultisigOptions, 'prefixes' | 'keyOfAddress'>,
): Uint8Array | string {
  const address = decodeAddress(text, prefixes);
  if (address?.kind === 'script') return `${text} does not refer to a key`;
  const key = address === undefined ? keyOfHex(text) : keyOfAddress(address);
  if (key === undefined && address !== undefined) return `no full public key for address ${text}`;
  // The leading blank is the node's.
  return key !== undefined && isValidPublicKey(key) ? key : ` Invalid public key: ${text}`;
}

function keyOfHex(text: string): Uint8Array | undefined {
  return isStrictHex(text) ? hexToBytes(text) : undefined;
}
