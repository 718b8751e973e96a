import { sha256 } from '../primitives/hash.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { concatBytes } from './byte-writer.ts';

/** The values from which the HTLC module of a Tendermint chain computes an id. */
export type ModulePayment = {
  /** SHA-256 of the secret, 32 bytes. */
  readonly secretHash: Uint8Array;
  /** Accounts of the two keys, 20 bytes each. */
  readonly sender: Uint8Array;
  readonly receiver: Uint8Array;
  /** Amount in base units with its denomination, as `2400000uiris`; several are joined by commas. */
  readonly coins: string;
};

/**
 * The id under which the module stores a payment, 64 lower-case hex digits; the module writes it in upper case.
 *
 * @example
 * ```ts
 * import { moduleSwapId, secretHashOf } from 'swapfold/htlc';
 *
 * const [sender, receiver] = [new Uint8Array(20).fill(0x11), new Uint8Array(20).fill(0x22)];
 * const secretHash = secretHashOf(new Uint8Array(32).fill(0x5e), 32);
 * const id = moduleSwapId({ secretHash, sender, receiver, coins: '2400000uiris' });
 * id; // → '3005da9f983be3ecfedcabbd9213765f711956fdd4774e0d7ec0a9056c6d1c6e'
 * ```
 */
export function moduleSwapId({ secretHash, sender, receiver, coins }: ModulePayment): string {
  return bytesToHex(sha256(concatBytes([secretHash, sender, receiver, new TextEncoder().encode(coins)])));
}
