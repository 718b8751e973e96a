import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { hash256 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The address of a hash on a UTXO chain: version, hash and checksum in Base58. */
export function base58Address(
  hash: string,
  options: { readonly version?: number; readonly checksum?: Uint8Array } = {},
) {
  const { version = 60 } = options;
  const payload = concatBytes([Uint8Array.of(version), hexToBytes(hash)]);
  return base58(concatBytes([payload, options.checksum ?? hash256(payload).subarray(0, 4)]));
}

function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${bytesToHex(bytes)}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = `${ALPHABET[Number(rest % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `${'1'.repeat(zeros < 0 ? bytes.length : zeros)}${text}`;
}
