import type { DecodedTransaction } from '../../htlc/transaction.ts';
import { sameBytes } from '../../primitives/hex.ts';
import { payloadOf, type TokenLookup, type TokenMove } from './move.ts';
import { blobEval, type TokenPayload } from './payload.ts';
import { DEAD_KEY, MARKER_SCRIPT, tokenScriptOf } from './scripts.ts';

/**
 * Why the token module does not let a transaction spend an output under its code, by what `tokenMoveOf` says that it moves; undefined if it does. The
 * result is the same for all inputs of the transaction. The chain shows none of these texts: they are for a log and for tests.
 *
 * - T3: only a transfer spends: of a known id, as many tokens out as in, and at least one.
 * - T4: a transfer that burns fungible tokens spends no marker of a creation.
 */
export function tokenMoveFault(
  transaction: DecodedTransaction,
  { move, lookup }: { readonly move: TokenMove | undefined; readonly lookup: TokenLookup },
): string | undefined {
  const payload = payloadOf(transaction);
  if (payload === undefined) return 'the last output carries no token payload';
  if (payload.kind === 'create') return 'a creation cannot spend tokens';
  if (lookup(payload.tokenId)?.token?.kind !== 'create') return 'no token was created under the id';
  if (move === undefined) return 'the tokens of the inputs are not the tokens of the outputs';
  return markerFault(transaction, { move, payload, lookup }) ?? foreignTokenFault(transaction, { move, lookup });
}

type Paid = { readonly payload: TokenPayload };

type Judged = { readonly move: TokenMove; readonly lookup: TokenLookup };

/** Anyone can sign for the marker: the rule is the node's, which checks it only if something burns. */
function markerFault(
  { inputs, outputs }: DecodedTransaction,
  { move, payload, lookup }: Judged & Paid,
): string | undefined {
  const spendsMarker = inputs.some(({ txid, vout }) => {
    const script = lookup(txid)?.transaction.outputs[vout]?.script;
    return script !== undefined && sameBytes(script, MARKER_SCRIPT);
  });
  if (!spendsMarker || move.boundEval !== undefined) return undefined;
  const code = blobEval(payload);
  const dead = [[], ...(code === undefined ? [] : [[code]])].map((evals) => tokenScriptOf(evals, [DEAD_KEY]));
  const burns = outputs.some(({ script }, index) => {
    return move.outputs.has(index) && dead.some((each) => sameBytes(each, script));
  });
  return burns ? 'the marker of fungible tokens stays when some are burned' : undefined;
}

/** Tokens of another id must not be inputs: nothing would come out for them. */
function foreignTokenFault({ inputs }: DecodedTransaction, { move, lookup }: Judged): string | undefined {
  for (const { txid, vout } of inputs) {
    const source = lookup(txid)?.token;
    if (source?.outputs.has(vout) === true && source.tokenId !== move.tokenId)
      return 'the inputs hold tokens of two ids';
  }
  return undefined;
}
