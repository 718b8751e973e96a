import { bech32, createBase58check } from '@scure/base';
import { concatBytes } from '../../htlc/byte-writer.ts';
import { p2pkhScript, p2wpkhScript } from '../../htlc/script.ts';
import { hash160, sha256 } from '../../primitives/hash.ts';
import { decodeCashAddress, encodeCashAddress } from './cash-address.ts';

/** How a coin's network writes addresses. */
export type AddressForm = {
  /** First byte of the address of a key; two if the network has a second one. */
  readonly keyPrefix: Uint8Array;
  /** The same for a script. */
  readonly scriptPrefix: Uint8Array;
  /** Human-readable part of witness addresses; null if the network has none. */
  readonly bech32: string | null;
  /** Prefix of cash addresses, if the network writes addresses without a witness that way. @defaultValue it writes them with their first bytes */
  readonly cash?: string;
};

const base58check = createBase58check(sha256);
const HASH_BYTES = 20;

// Longest text of the formats read here is that of a P2WSH address; reading base58 costs the square of the length.
const LONGEST = 100;
const OP_HASH160 = 0xa9;
const OP_EQUAL = 0x87;

/**
 * The address of a key, in the form in which the own coins lie. @throws RangeError for a witness where the network has none
 *
 * @example
 * ```ts
 * import { keyAddress } from 'swapfold/chains/utxo';
 * import { hexToBytes } from 'swapfold/htlc';
 *
 * const key = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
 * const form = { keyPrefix: Uint8Array.of(0), scriptPrefix: Uint8Array.of(5), bech32: 'bc' };
 * keyAddress(key, { form, kind: 'p2pkh' }); // → '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH'
 * keyAddress(key, { form, kind: 'p2wpkh' }); // → 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
 * keyAddress(key, { form: { ...form, bech32: null }, kind: 'p2wpkh' }); // throws RangeError
 * ```
 */
export function keyAddress(
  key: Uint8Array,
  { form, kind }: { readonly form: AddressForm; readonly kind: 'p2pkh' | 'p2wpkh' },
): string {
  const hash = hash160(key);
  if (kind === 'p2pkh' && form.cash !== undefined) return encodeCashAddress({ kind: 'key', hash }, form.cash);
  if (kind === 'p2pkh') return base58check.encode(concatBytes([form.keyPrefix, hash]));
  if (form.bech32 === null) throw new RangeError('this network has no witness addresses');
  return bech32.encode(form.bech32, [0, ...bech32.toWords(hash)]);
}

/**
 * The output script that pays to an address; null for a text that is not an address of this network.
 *
 * @example
 * ```ts
 * import { addressScript } from 'swapfold/chains/utxo';
 * import { bytesToHex } from 'swapfold/htlc';
 *
 * const form = { keyPrefix: Uint8Array.of(0), scriptPrefix: Uint8Array.of(5), bech32: 'bc' };
 * const script = addressScript('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', form);
 * bytesToHex(script ?? new Uint8Array(0)); // → '0014751e76e8199196d454941c45d1b3a323f1433bd6'
 * addressScript('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', form); // → null
 * ```
 */
export function addressScript(text: string, form: AddressForm): Uint8Array | null {
  if (text.length > LONGEST) return null;
  // If a network has its own form of addresses, one in the older form may as well belong to another chain with the same first bytes.
  return (
    witnessScript(text, form) ?? (form.cash === undefined ? base58Script(text, form) : cashScript(text, form.cash))
  );
}

function cashScript(text: string, prefix: string): Uint8Array | null {
  const address = decodeCashAddress(text, prefix);
  if (address === null) return null;
  return address.kind === 'key' ? p2pkhScript(address.hash) : hashScript(address.hash);
}

function base58Script(text: string, { keyPrefix, scriptPrefix }: AddressForm): Uint8Array | null {
  let payload: Uint8Array;
  try {
    payload = base58check.decode(text);
  } catch {
    return null;
  }
  const hashOf = (prefix: Uint8Array): Uint8Array | null => {
    const isOf =
      payload.length === prefix.length + HASH_BYTES && prefix.every((byte, place) => payload[place] === byte);
    return isOf ? payload.subarray(prefix.length) : null;
  };
  const keyHash = hashOf(keyPrefix);
  if (keyHash !== null) return p2pkhScript(keyHash);
  const scriptHash = hashOf(scriptPrefix);
  if (scriptHash === null) return null;
  return hashScript(scriptHash);
}

function hashScript(hash: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(OP_HASH160, HASH_BYTES), hash, Uint8Array.of(OP_EQUAL)]);
}

const WITNESS_HASHES = [20, 32];

function witnessScript(text: string, { bech32: prefix }: AddressForm): Uint8Array | null {
  if (prefix === null) return null;
  try {
    const { prefix: found, words } = bech32.decode(text as `${string}1${string}`, LONGEST);
    const [version, ...data] = words;
    const program = bech32.fromWords(data);
    if (found !== prefix || version !== 0 || !WITNESS_HASHES.includes(program.length)) return null;
    return program.length === HASH_BYTES ? p2wpkhScript(program) : concatBytes([Uint8Array.of(0, 32), program]);
  } catch {
    return null;
  }
}
