import type { WalletSigner } from '../ports/signer.ts';
import { bytesToHex } from '../primitives/hex.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { Births } from './births.ts';

export type SwapKeys = {
  readonly births: Births;
  /** Of the coin that is about to be activated. */
  readonly signer: WalletSigner;
  /** Whether each coin has keys of its own. */
  readonly byPath: boolean;
};

/**
 * Reads from which block on the swaps of the log need a coin's chain. A swap that was begun under another key could neither be claimed nor taken
 * back.
 *
 * @throws ActivationFailure requestInvalid; what the log throws
 */
export async function loadSwaps(ticker: string, { births, signer, byPath }: SwapKeys): Promise<void> {
  await births.load(ticker);
  for (const [swap, key] of births.keysOf(ticker)) {
    if (key.toLowerCase() === bytesToHex(signer.ofSwap(swap).key)) continue;
    const begun = `swap ${swap} was begun under another key of ${ticker}; activate the coin with the`;
    const text = byPath ? `path_to_address: ${begun} path that it had then` : `${begun} wallet that it had then`;
    throw new ActivationFailure('requestInvalid', text);
  }
}
