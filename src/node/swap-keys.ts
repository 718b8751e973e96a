import type { WalletSigner } from '../ports/signer.ts';
import { bytesToHex } from '../primitives/hex.ts';
import type { Millis } from '../primitives/time.ts';
import { ActivationFailure } from './activation-failure.ts';
import type { Births } from './births.ts';

export type SwapKeys = {
  readonly births: Births;
  /** Of the coin that is about to be activated. */
  readonly signer: WalletSigner;
  /** Whether each coin has keys of its own. */
  readonly byPath: boolean;
  /** Whether anyone signs with the key. @defaultValue true */
  readonly signs?: boolean;
  /** Swap contracts that the coin is to have, 40 lower-case hex digits each. @defaultValue not asked, as of coins of outputs */
  readonly contracts?: readonly string[];
};

/**
 * Reads from which block on the swaps of the log need a coin's chain. A swap that was begun under another key, or whose key nobody signs with, could
 * neither be claimed nor taken back, and the payments of one over another swap contract would not be seen.
 *
 * @throws ActivationFailure requestInvalid; what the log throws
 */
export async function loadSwaps(
  ticker: string,
  { births, signer, byPath, signs = true, contracts }: SwapKeys,
): Promise<void> {
  await births.load(ticker);
  for (const [swap, key] of births.keysOf(ticker)) {
    const isSame = key.toLowerCase() === bytesToHex(signer.ofSwap(swap).key);
    if (isSame && signs) continue;
    if (isSame) {
      const text =
        `activation_params: swap ${swap} of ${ticker} needs a key that can sign; activate the coin with the wallet ` +
        `that has it, ${untilText(births.watchedUntil(swap))}`;
      throw new ActivationFailure('requestInvalid', text);
    }
    const begun = `swap ${swap} started with another key of ${ticker}; activate the coin with the`;
    const text = byPath ? `path_to_address: ${begun} path used then` : `${begun} wallet used then`;
    throw new ActivationFailure('requestInvalid', text);
  }
  for (const [swap, contract] of births.contractsOf(ticker)) {
    if (contracts === undefined || contracts.includes(contract)) continue;
    const text =
      `swap_contract_address: swap ${swap} of ${ticker} uses the swap contract 0x${contract}; activate the coin ` +
      `with it, or name it as fallback_swap_contract, ${untilText(births.watchedUntil(swap))}`;
    throw new ActivationFailure('requestInvalid', text);
  }
}

/** How long it has to be so. */
function untilText(until: Millis | null): string {
  if (until === null) return 'until the swap is over and its end has been watched';
  return (
    `until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC: the swap is over, but the node ` +
    'watches its end until then'
  );
}
