import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { keccak256 } from '../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../src/primitives/hex.ts';

export type EvmParts = { readonly to?: string; readonly value?: bigint; readonly data?: string };

/** RLP of a text of bytes, as the Ethereum yellow paper has it. */
export function rlpText(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes;
  return concatBytes([rlpHead(bytes.length, 0x80), bytes]);
}

export function rlpList(items: readonly Uint8Array[]): Uint8Array {
  const whole = concatBytes(items);
  return concatBytes([rlpHead(whole.length, 0xc0), whole]);
}

function rlpHead(length: number, base: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  const size = rlpNumber(BigInt(length));
  return concatBytes([Uint8Array.of(base + 55 + size.length), size]);
}

/** A number without leading zeros; none for 0. */
export function rlpNumber(value: bigint): Uint8Array {
  const hex = value === 0n ? '' : value.toString(16);
  return hexToBytes(hex.length % 2 === 1 ? `0${hex}` : hex);
}

/** A signed transaction of the first form; the signature is made up. */
export function legacyBytes({ to = '', value = 0n, data = '' }: EvmParts): Uint8Array {
  const items = [rlpNumber(5n), rlpNumber(20n), rlpNumber(21_000n), hexToBytes(to), rlpNumber(value), hexToBytes(data)];
  return rlpList([...items, rlpNumber(27n), rlpNumber(1n), rlpNumber(2n)].map(rlpText));
}

/** The texts that an event stores. */
export function storedEvm(parts: EvmParts): { readonly tx_hex: string; readonly tx_hash: string } {
  const bytes = legacyBytes(parts);
  return { tx_hex: bytesToHex(bytes), tx_hash: bytesToHex(keccak256(bytes)) };
}

/** A 32-byte word with the value at its end. */
export function word(value: bigint | string): string {
  return (typeof value === 'bigint' ? value.toString(16) : value).padStart(64, '0');
}

/** A 32-byte word with the value at its start, as `bytes20` is. */
export function leftWord(value: string): string {
  return value.padEnd(64, '0');
}
