import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Packed, type PackedMap, pack, unpack, variant } from './message-pack.ts';

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** What stands before a compressed key of secp256k1, and before a secret one, in the forms that OpenSSL reads. */
const PUBLIC_HEAD = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex');
const SECRET_HEAD = Buffer.from('302e0201010420', 'hex');
const SECRET_TAIL = Buffer.from('a00706052b8104000a', 'hex');

/** A payload with the key that signed it. */
export type Signed = { readonly key: Buffer; readonly payload: Buffer };

/** Opens an envelope whose signature is good; null for any other bytes. */
export function openSigned(bytes: Buffer): Signed | null {
  try {
    const [named, signature, payload, ...more] = unpack(bytes) as readonly Packed[];
    const [[kind, key] = []] = (named as PackedMap).pairs;
    if (kind !== 0 || more.length > 0) return null;
    if (!Buffer.isBuffer(key) || !Buffer.isBuffer(signature) || !Buffer.isBuffer(payload)) return null;
    if (key.length !== 33 || signature.length !== 64 || sOf(signature) > HALF_ORDER) return null;
    const holder = createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, key]), format: 'der', type: 'spki' });
    const good = verify('sha256', payload, { key: holder, dsaEncoding: 'ieee-p1363' }, signature);
    return good ? { key, payload } : null;
  } catch {
    return null;
  }
}

function sOf(signature: Buffer): bigint {
  return BigInt(`0x${signature.subarray(32).toString('hex')}`);
}

/** A key of secp256k1 that signs as nodes of the framework do. */
export type FrameworkKey = { readonly key: Buffer; readonly seal: (payload: Buffer) => Buffer };

export function frameworkKey(secret: Buffer): FrameworkKey {
  const holder = createPrivateKey({
    key: Buffer.concat([
      Buffer.from([0x30, SECRET_HEAD.length - 2 + 32 + SECRET_TAIL.length]),
      SECRET_HEAD.subarray(2),
      secret,
      SECRET_TAIL,
    ]),
    format: 'der',
    type: 'sec1',
  });
  const key = compressed(createPublicKey(holder));
  return {
    key,
    seal(payload) {
      const signature = sign('sha256', payload, { key: holder, dsaEncoding: 'ieee-p1363' });
      const s = sOf(signature);
      const low = s > HALF_ORDER ? ORDER - s : s;
      const compact = Buffer.concat([
        signature.subarray(0, 32),
        Buffer.from(low.toString(16).padStart(64, '0'), 'hex'),
      ]);
      return pack([variant(0, key), compact, payload]);
    },
  };
}

function compressed(holder: KeyObject): Buffer {
  const { x = '', y = '' } = holder.export({ format: 'jwk' });
  const odd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1;
  return Buffer.concat([Buffer.of(2 + odd), Buffer.from(x, 'base64url')]);
}
