import { sameBytes } from '../../primitives/hex.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { payloadOf, type TokenLookup, type TokenMove, tokenMoveOf } from './move.ts';
import { boundTokenScript, DEAD_KEY, MARKER_SCRIPT } from './scripts.ts';

/**
 * Why the token module does not let a transaction spend an output under its code; undefined when it does. The answer is the
 * same for all inputs of the transaction. The chain shows none of these texts: they are for a log and for tests.
 *
 * - T3: only a transfer spends: a known id, as many tokens out as in, and at least one.
 * - T4: the marker of a creation is spent only together with burning its non-fungible token.
 */
export function tokenSpendFault(
  spend: { readonly txid: string; readonly transaction: Transaction },
  lookup: TokenLookup,
): string | undefined {
  const payload = payloadOf(spend.transaction);
  if (payload === undefined) return 'the last output carries no token payload';
  if (payload.kind === 'create') return 'a creation cannot spend tokens';
  if (lookup(payload.tokenId)?.token?.kind !== 'create') return 'no token was created under the id';
  const move = tokenMoveOf(spend, lookup);
  if (move === undefined) return 'tokens that go in are not the tokens that come out';
  return markerFault(spend.transaction, { move, lookup }) ?? foreignTokenFault(spend.transaction, { move, lookup });
}

type Judged = { readonly move: TokenMove; readonly lookup: TokenLookup };

function markerFault({ inputs, outputs }: Transaction, { move, lookup }: Judged): string | undefined {
  for (const { txid, vout } of inputs) {
    const script = lookup(txid)?.transaction.outputs[vout]?.script;
    if (script === undefined || !sameBytes(script, MARKER_SCRIPT)) continue;
    const { boundEval } = move;
    if (boundEval === undefined || txid !== move.tokenId) return 'the marker of a token stays';
    const dead = boundTokenScript(boundEval, [DEAD_KEY]);
    const burned = outputs.filter((output, index) => move.outputs.has(index) && sameBytes(output.script, dead));
    const amount = burned.reduce((total, { value }) => total + value, 0n);
    if (amount < move.amount) return 'the marker of a token stays until the token is burned';
  }
  return undefined;
}

/** Tokens of another id may not go in: nothing would come out for them. */
function foreignTokenFault({ inputs }: Transaction, { move, lookup }: Judged): string | undefined {
  for (const { txid, vout } of inputs) {
    const source = lookup(txid)?.token;
    if (source?.outputs.has(vout) === true && source.tokenId !== move.tokenId) return 'tokens of two ids go in';
  }
  return undefined;
}
