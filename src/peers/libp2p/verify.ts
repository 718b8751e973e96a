import { createPublicKey, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Envelope, isSigned } from '../kdf-wire/envelope.ts';

/** A key of secp256k1 in DER, before its 33 bytes. */
const KEY_HEAD = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex');

/** Above half of the order: anybody can make such an s from a good signature. */
const HIGH = Buffer.from((secp256k1.Point.CURVE().n / 2n + 1n).toString(16).padStart(64, '0'), 'hex');

/** As {@link isSigned}, of what the platform has that curve for: several times as fast. */
function isSignedNatively(envelope: Envelope): boolean {
  const { key, signature, payload } = envelope;
  // No envelope that was read has a key of another form.
  if (key.length !== 33) return isSigned(envelope);
  if ((key[0] !== 2 && key[0] !== 3) || signature.length !== 64) return false;
  if (Buffer.compare(signature.subarray(32), HIGH) >= 0) return false;
  try {
    const shown = createPublicKey({ key: Buffer.concat([KEY_HEAD, key]), format: 'der', type: 'spki' });
    return verify('sha256', payload, { key: shown, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}

/** A good signature, by which it is seen whether this platform knows the curve. */
const GOOD: Envelope = (() => {
  const secret = new Uint8Array(32).fill(1);
  const payload = new Uint8Array(3);
  return {
    key: secp256k1.getPublicKey(secret),
    signature: secp256k1.sign(payload, secret, { lowS: true }),
    payload,
  };
})();

/** Whether a signature is its key's, as {@link isSigned} says it. */
export const isSignedFast: (envelope: Envelope) => boolean = isSignedNatively(GOOD) ? isSignedNatively : isSigned;
