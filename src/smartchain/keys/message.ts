import { base64 } from '@scure/base';
import { compactSize, concatBytes } from '../../htlc/byte-writer.ts';
import { hash160, hash256 } from '../../primitives/hash.ts';
import { sameBytes } from '../../primitives/hex.ts';
import { decodeAddress } from '../encoding/address.ts';
import type { Prefixes } from '../params.ts';
import { recoverPublicKey, signRecoverable } from './secp256k1.ts';
import type { WifKey } from './wif.ts';

/** The text that the smart-chain node signs before every message, so that no signed message is a transaction too. */
export const MESSAGE_MAGIC = 'Komodo Signed Message:\n';

const SIGNATURE_BYTES = 65;
const HEADER = 27;
const COMPRESSED = 4;

/**
 * What is signed for a message, 32 bytes: the double SHA-256 of a fixed text, which each family of chains has of its own, and the
 * message in UTF-8, each behind its length.
 */
export function messageHash(text: string, magic = MESSAGE_MAGIC): Uint8Array {
  return hash256(concatBytes([magic, text].flatMap(varText)));
}

function varText(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  return [compactSize(bytes.length), bytes];
}

/** What a message is signed with. */
export type SignMessageRequest = WifKey & {
  readonly message: string;
  /** The fixed text before the message. @defaultValue {@link MESSAGE_MAGIC} */
  readonly magic?: string;
};

/**
 * Signs a message as signmessage of the smart-chain node does: base64 of a header byte, r and s. Equal messages give equal
 * signatures.
 *
 * @throws SmartChainError SMARTCHAIN_KEY_INVALID when the bytes are no private key.
 */
export function signMessage({ secretKey, compressed, message, magic }: SignMessageRequest): string {
  const { signature, recovery } = signRecoverable({ hash: messageHash(message, magic), secretKey });
  const header = HEADER + recovery + (compressed ? COMPRESSED : 0);
  return base64.encode(concatBytes([Uint8Array.of(header), signature]));
}

/** A message with the claimed signer. */
export type SignedMessage = {
  readonly address: string;
  /** Base64. */
  readonly signature: string;
  readonly message: string;
  readonly prefixes: Prefixes;
  /** The fixed text before the message. @defaultValue {@link MESSAGE_MAGIC} */
  readonly magic?: string;
};

/**
 * What verifymessage finds: whether the address' key signed the message, or why it cannot tell. The text of the address is
 * looked at first, then whether the address is a key's, then the base64.
 */
export type MessageVerdict = 'true' | 'false' | 'malformed' | 'addressInvalid' | 'addressNotKey';

/**
 * Judges a signed message as verifymessage of the smart-chain node does. Base64 must be complete: the right characters only,
 * padded, with zero bits behind the last byte. All other faults of the signature give 'false'.
 */
export function verifyMessage({ address, signature, message, prefixes, magic }: SignedMessage): MessageVerdict {
  const signer = decodeAddress(address, prefixes);
  if (signer === undefined) return 'addressInvalid';
  if (signer.kind !== 'key') return 'addressNotKey';
  const bytes = decodeBase64(signature);
  if (bytes === undefined) return 'malformed';
  if (bytes.length !== SIGNATURE_BYTES) return 'false';
  // The node reads only three bits of the header, so several headers mean the same.
  const header = (bytes[0] as number) - HEADER;
  const key = recoverPublicKey({
    hash: messageHash(message, magic),
    signature: bytes.subarray(1),
    recovery: header & 3,
    compressed: (header & COMPRESSED) !== 0,
  });
  return key !== undefined && sameBytes(hash160(key), signer.hash) ? 'true' : 'false';
}

function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}
