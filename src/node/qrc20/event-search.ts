import type { ContractReader } from '../../chains/utxo/qrc20/contracts.ts';
import type { Tip } from '../../chains/utxo/reader.ts';
import { BackendSilent } from '../../ports/silence.ts';

type Searching = { readonly contracts: ContractReader; readonly tip: Tip };

/**
 * Why a daemon does not report the events of contracts, by a search of its last block; null if it does. A daemon without them shows no payment and no claim.
 */
export async function whyNoEvents(
  { contracts, tip }: Searching,
  { token, account }: { readonly token: string; readonly account: string },
): Promise<string | null> {
  try {
    await contracts.look(tip).transfers({ account, token, from: tip.height });
    return null;
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
    return `swaps need the events of contracts: ${error.message}; run the daemon with -logevents`;
  }
}
