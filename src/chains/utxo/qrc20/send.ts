import type { Answer, SignedTransaction } from '../../../ports/chain.ts';
import { fromBaseUnits } from '../../../primitives/decimal.ts';
import { fault } from '../answers.ts';
import { madeOf } from '../made.ts';
import { send } from '../sending.ts';
import { movedBy } from './calls.ts';
import { tokenFunds } from './funds.ts';
import type { Look, TokenParts } from './parts.ts';

/**
 * Sends what somebody signed, unless it takes coins that another signed transaction takes, or moves tokens that swaps have signed for or hold.
 *
 * @throws BackendSilent, ContractsUnsteady, ContractAbsent
 */
export async function sendToken(
  parts: TokenParts,
  { transaction, look }: { readonly transaction: SignedTransaction; readonly look: Look },
): Promise<Answer<'sent' | 'known' | 'confirmed'>> {
  const { coin, account, taken, chain } = parts;
  const made = madeOf(transaction.tx_hex);
  const moved = made === null ? 0n : movedBy(made, { token: coin.token, account });
  if (made !== null && moved > 0n && chain.reader.index.get(made.txid) === undefined) {
    const { free } = await tokenFunds(parts, look, made);
    const held = taken.heldByOthers('');
    if (free - held < moved) {
      const text = (units: bigint) => fromBaseUnits(units, coin.decimals);
      const message = `it moves ${text(moved)}, and swaps leave ${text(free > held ? free - held : 0n)}`;
      return fault('coinsPromised', message);
    }
  }
  const answer = await send(chain, transaction, look.tip);
  // It may be on its way, so that what it moves is not there for others.
  if (made !== null && moved > 0n && (answer.ok || answer.fault.kind === 'unavailable')) taken.take(made);
  return answer;
}
