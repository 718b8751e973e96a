import type { DecodedTransaction } from '../../src/htlc/transaction.ts';
import { type TokenLookup, tokenMoveOf } from '../../src/smartchain/tokens/move.ts';
import { tokenMoveFault } from '../../src/smartchain/tokens/rules.ts';

/** Why a transaction may not spend its tokens, by what it moves; undefined if it may. */
export function tokenSpendFault(
  spend: { readonly txid: string; readonly transaction: DecodedTransaction },
  lookup: TokenLookup,
): string | undefined {
  return tokenMoveFault(spend.transaction, { move: tokenMoveOf(spend, lookup), lookup });
}
