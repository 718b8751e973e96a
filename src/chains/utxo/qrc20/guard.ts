import type { Answer } from '../../../ports/chain.ts';
import { fromBaseUnits } from '../../../primitives/decimal.ts';
import { fault, ok } from '../answers.ts';
import type { Made } from '../made.ts';
import { tokenFunds } from './funds.ts';
import type { Look, TokenParts } from './parts.ts';
import { effectOf } from './token-effect.ts';

/** Whether a foreign transaction may touch tokens that swaps have signed for or hold, and so needs a look at the chain. */
export function touchesPromised({ taken, owned }: Pick<TokenParts, 'taken' | 'owned'>, made: Made): boolean {
  if (taken.heldByOthers('') === 0n && taken.signed(made) === 0n) return false;
  const effect = effectOf(made, owned);
  return effect.taken !== 0n || effect.changesApproval;
}

/**
 * Whether what somebody signed may go out, through whichever coin of the key: it must leave what swaps have signed for and hold of the token, and the
 * approvals of payments that wait. No order is certain between transactions that take different coins.
 *
 * @throws BackendSilent, ContractsUnsteady, ContractAbsent
 */
export async function leavesTokens(
  parts: TokenParts,
  { made, look }: { readonly made: Made; readonly look: Look },
): Promise<Answer<null>> {
  const { coin, taken, owned } = parts;
  if (!touchesPromised(parts, made)) return ok(null);
  const effect = effectOf(made, owned);
  const held = taken.heldByOthers('');
  const { free } = await tokenFunds(parts, look, made);
  const text = (units: bigint) => `${fromBaseUnits(units, coin.decimals)} ${coin.coin}`;
  if (effect.taken === 'unknown')
    return fault(
      'coinsPromised',
      `nobody can tell how much of ${coin.coin} it spends, of which ${text(free)} are free and ${text(held)} are held for swaps; send it once they have ended`,
    );
  const left = free > held ? free - held : 0n;
  if (effect.taken > left)
    return fault('coinsPromised', `it moves ${text(effect.taken)}, and swaps leave ${text(left)}`);
  if (effect.changesApproval && !taken.leavesApprovals())
    return fault(
      'coinsPromised',
      `it may change how much a swap contract may spend of ${coin.coin}, and a payment waits for that; send it once that payment is in a block`,
    );
  return ok(null);
}
