import { contractSwapId } from '../../../src/htlc/evm-calls.ts';
import { hash160, sha256 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';

/** Of one payment, in hex. */
export type Secrets = {
  readonly secret: string;
  readonly wrong: string;
  readonly hash: string;
  readonly wrongHash: string;
};

/** Secrets that no other payment of any sequence has. */
export function secretsOf(sequence: string, agreed: number): Secrets {
  const drawn = (name: string) => sha256(new TextEncoder().encode(`${name} ${agreed} of ${sequence}`));
  const [secret, wrong] = [drawn('secret'), drawn('wrong secret')] as const;
  return {
    secret: bytesToHex(secret),
    wrong: bytesToHex(wrong),
    hash: bytesToHex(hash160(secret)),
    wrongHash: bytesToHex(hash160(wrong)),
  };
}

/** Under which the contract keeps a payment, in hex. */
export function idOf(lock: number, hash: string): string {
  return contractSwapId(lock, Uint8Array.from(Buffer.from(hash, 'hex')));
}
