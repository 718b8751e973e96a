import { secp256k1 } from '@noble/curves/secp256k1.js';
import { curve, hasLowS } from '../../curve/index.ts';
import type { Signer } from '../../ports/signer.ts';
import { sha256 } from '../../primitives/hash.ts';
import { messagePackReader } from './message-pack-reader.ts';
import { messagePackWriter } from './message-pack-writer.ts';
import { type Decoded, decoded } from './problem.ts';
import { readVariant } from './structs.ts';

/** A message with who signed it (as in the real node). */
export type Envelope = {
  /** Compressed, 33 bytes. */
  readonly key: Uint8Array;
  /** r and s of 32 bytes each, s low, over one SHA-256 of the payload. */
  readonly signature: Uint8Array;
  readonly payload: Uint8Array;
};

export function encodeEnvelope({ key, signature, payload }: Envelope): Uint8Array {
  const writer = messagePackWriter();
  writer.array(3);
  writer.map(1);
  writer.uint(0);
  writer.bin(key);
  writer.bin(signature);
  writer.bin(payload);
  return writer.done();
}

/** Reads an envelope; whether its signature is good is for {@link isSigned} to say. Never throws. */
export function decodeEnvelope(bytes: Uint8Array): Decoded<Envelope> {
  return decoded(() => {
    const reader = messagePackReader(bytes);
    if (reader.array(3) !== 3) reader.fail('a key, a signature and a payload before it');
    readVariant(reader, ['Secp256k1']);
    const exactly = (count: number): Uint8Array => {
      const found = reader.bin(count);
      return found.length === count ? found : reader.fail(`${count} bytes before it, not ${found.length}`);
    };
    const envelope = { key: exactly(33), signature: exactly(64), payload: reader.bin(bytes.length) };
    reader.end();
    return envelope;
  });
}

/** Whether the signature is the key's. One with a high s does not count: anyone can make it from a good one. */
export function isSigned({ key, signature, payload }: Envelope): boolean {
  return hasLowS(signature) && curve.verify({ hash: sha256(payload), signature, publicKey: key });
}

/** The envelope of a payload, signed by whoever holds the key. */
export async function signEnvelope(signer: Signer, payload: Uint8Array): Promise<Uint8Array> {
  const der = await signer.sign(sha256(payload));
  const parsed = secp256k1.Signature.fromBytes(der, 'der');
  const low = parsed.hasHighS() ? new secp256k1.Signature(parsed.r, secp256k1.Point.Fn.neg(parsed.s)) : parsed;
  return encodeEnvelope({ key: signer.key, signature: low.toBytes('compact'), payload });
}
