import { type Envelope, isSigned } from './envelope.ts';
import { decoded } from './problem.ts';
import { protobufReader } from './protobuf-reader.ts';

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const KEY_BYTES = 33;
const SIGNATURE_BYTES = 64;
/** Tags and lengths of three members. */
const MOST_HEADS = 12;
const NOTHING = new Uint8Array(0);

/**
 * Whether bytes are a message of a swap of the second version (`SignedMessage` of `swap_v2.proto`) with a good signature of its sender. What
 * it says is not read: swaps of that version are not spoken here. Never throws.
 */
export function isSignedOfSecondVersion(bytes: Uint8Array): boolean {
  const read = decoded(() => {
    const reader = protobufReader(bytes);
    const found: Mutable<Envelope> = { key: NOTHING, signature: NOTHING, payload: NOTHING };
    for (let field = reader.field(); field !== null; field = reader.field()) {
      if (field === 1) found.key = reader.bytes(KEY_BYTES);
      else if (field === 2) found.signature = reader.bytes(SIGNATURE_BYTES);
      else if (field === 3) found.payload = reader.bytes(bytes.length);
      else reader.skip();
    }
    return found;
  });
  if (!read.ok) return false;
  const { key, signature, payload } = read.value;
  // What stands beside these members nobody has signed, and relays would hand it on in the sender's name.
  if (bytes.length > KEY_BYTES + SIGNATURE_BYTES + payload.length + MOST_HEADS) return false;
  return key.length === KEY_BYTES && signature.length === SIGNATURE_BYTES && isSigned(read.value);
}
