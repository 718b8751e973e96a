import type { Awaitable } from './event-log.ts';
import type { DeviceTransaction } from './hardware-wallet.ts';

/** What a signature of a transaction of a Tendermint chain is of (Cosmos SDK, `SIGN_MODE_DIRECT`). */
export type DirectDocument = {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly chainId: string;
  readonly accountNumber: bigint;
};

/**
 * A secp256k1 key that signs and that nobody sees. It may be far away: a signature may take its time, or be refused.
 *
 * - E1: `sign` signs exactly the given hash, and nothing else leaves it.
 * - E2: signatures have a low S (BIP 62), without which nodes relay nothing.
 * - E3: a key elsewhere that signs nothing but what its user can read has `signTransaction` or `signDirect`, and `sign` refuses.
 */
export interface Signer {
  /** Public key, compressed, 33 bytes. */
  readonly key: Uint8Array;
  /** The signature of a hash of 32 bytes, in DER, without a hash type behind it. */
  sign(hash: Uint8Array): Awaitable<Uint8Array>;
  /** Signs a whole transaction of an EVM chain: its bytes, as nodes take them. Optional: of such keys alone. */
  signTransaction?(transaction: DeviceTransaction): Promise<Uint8Array>;
  /** The signature of a transaction of a Tendermint chain: r and s, 32 bytes each. Optional: of such keys alone. */
  signDirect?(document: DirectDocument): Promise<Uint8Array>;
}

/** The keys of one coin's wallet. */
export interface WalletSigner {
  /** Of its address, which holds its coins. */
  readonly coins: Signer;
  /** Of the payments of a swap, by its uuid: the wallet's own, or one of its own for each swap. */
  ofSwap(swap: string): Signer;
}
