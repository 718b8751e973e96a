import { setImmediate as turn } from 'node:timers/promises';
import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import { concatBytes } from '../../../htlc/byte-writer.ts';
import { addressText } from '../../../primitives/eip55.ts';
import { keccak256 } from '../../../primitives/hash.ts';
import { bytesToHex } from '../../../primitives/hex.ts';

const { Point } = secp256k1;
type Point = InstanceType<typeof Point>;

/** The two chains of an account by BIP 44: of addresses that are given to others, and of those for change. */
export type AddressChain = 'External' | 'Internal';

const NUMBER_OF: Readonly<Record<AddressChain, number>> = { External: 0, Internal: 1 };

/** Addresses that a chain of an account has: numbers above are of hardened keys, of which a public key knows nothing. */
export const MOST_ADDRESSES = 2 ** 31;

/** So many are derived before others get their turn: each takes a part of a millisecond. */
const AT_ONCE = 32;

export type AddressRange = { readonly chain: AddressChain; readonly from: number; readonly count: number };

/** The EVM addresses of an account, from its extended public key (BIP 32). No private key is needed, and none is known here. */
export class AccountAddresses {
  readonly #account: HDKey;
  readonly #chains = new Map<AddressChain, Parent>();

  /** @throws RangeError for what is no extended public key */
  constructor(xpub: string) {
    this.#account = accountKey(xpub);
  }

  /** In the mixed case of EIP-55, in the order of their numbers. @throws RangeError for numbers that an account does not have */
  async range({ chain, from, count }: AddressRange): Promise<readonly string[]> {
    if (from < 0 || from + count > MOST_ADDRESSES) throw new RangeError(`no account has ${from + count} addresses`);
    const parent = this.#chain(chain);
    const addresses: string[] = [];
    for (let start = 0; start < count; start += AT_ONCE) {
      if (start > 0) await turn();
      const some = Math.min(AT_ONCE, count - start);
      addresses.push(...childrenOf(parent, { from: from + start, count: some }).map(addressOf));
    }
    return addresses;
  }

  /** The public key of an address, 33 bytes. */
  keyAt({ chain, address }: { readonly chain: AddressChain; readonly address: number }): Uint8Array {
    const [point] = childrenOf(this.#chain(chain), { from: address, count: 1 });
    if (point === undefined) throw new RangeError(`the address ${address} has no key`);
    return point.toBytes(true);
  }

  #chain(chain: AddressChain): Parent {
    const known = this.#chains.get(chain);
    if (known !== undefined) return known;
    const key = this.#account.deriveChild(NUMBER_OF[chain]);
    const made = parentOf(key);
    this.#chains.set(chain, made);
    return made;
  }
}

function accountKey(xpub: string): HDKey {
  let key: HDKey;
  try {
    key = HDKey.fromExtendedKey(xpub);
  } catch {
    throw new RangeError('this is not an extended public key');
  }
  if (key.privateKey !== null) throw new RangeError('this key is not public');
  return key;
}

type Parent = { readonly key: Uint8Array; readonly code: Uint8Array; readonly point: Point };

function parentOf({ publicKey, chainCode }: HDKey): Parent {
  if (publicKey === null || chainCode === null) throw new RangeError('this is not an extended public key');
  return { key: publicKey, code: chainCode, point: Point.fromBytes(publicKey) };
}

/** CKDpub of BIP 32. One inversion does for all of them, which is most of the work of one alone. */
function childrenOf({ key, code, point }: Parent, { from, count }: Omit<AddressRange, 'chain'>): readonly Point[] {
  const points = Array.from({ length: count }, (_, place) => {
    const number = new Uint8Array(4);
    new DataView(number.buffer).setUint32(0, from + place);
    const left = hmac(sha512, code, concatBytes([key, number])).subarray(0, 32);
    const tweak = BigInt(`0x${bytesToHex(left)}`);
    // One in 2^127: BIP 32 calls such a key invalid.
    if (tweak === 0n || tweak >= Point.Fn.ORDER) throw new RangeError(`the address ${from + place} has no key`);
    return Point.BASE.multiplyUnsafe(tweak).add(point);
  });
  return normalizeZ(Point, points);
}

function addressOf(point: Point): string {
  return addressText(bytesToHex(keccak256(point.toBytes(false).subarray(1))).slice(24));
}
