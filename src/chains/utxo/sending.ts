import type { Answer, FaultKind, Sending, SignedTransaction } from '../../ports/chain.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { fault, ok } from './answers.ts';
import { type Made, madeOf } from './made.ts';
import type { Parts } from './parts.ts';
import type { ChainIndex, Tip } from './reader.ts';
import { isKnownAlready, refusalKind } from './refusals.ts';
import { isLockTooOld } from './spend.ts';
import { inTheWay } from './withdraw.ts';

/** A height from which on there is no block: what is at hand will do. */
const NOTHING_OLDER = Number.MAX_SAFE_INTEGER;

/** Sends what was signed; what is there already counts as sent. */
export async function broadcast(
  { reader, coin }: Parts,
  { tx_hex, tx_hash }: SignedTransaction,
  { clock, doubtful }: Pick<Tip, 'clock'> & Sending,
): Promise<Answer<'sent' | 'known' | 'confirmed'>> {
  const made = madeOf(tx_hex);
  if (made === null || made.txid !== tx_hash) return fault('invalid', `the bytes are not those of ${tx_hash}`);
  await reader.find(tx_hash, NOTHING_OLDER).catch((error: unknown) => {
    // Too few say that it is nowhere. To send what is there already does no harm.
    if (doubtful !== true || !(error instanceof BackendSilent)) throw error;
  });
  const seen = reader.index.get(tx_hash);
  if (seen !== undefined) return ok(seen.height === null ? 'known' : 'confirmed');
  const refusal = await reader.send(tx_hex);
  if (refusal === null) return ok('sent');
  const known = isKnownAlready(refusal);
  if (known !== null) return ok(known);
  // Komodo's node gives no reason. Another one with a later lock time goes through, and this one never will.
  if (isLockTooOld(coin, made, clock)) return fault('invalid', `its lock time ${made.tx.lockTime} is too old`);
  return fault(refusalKind(refusal) ?? inputsFault(reader.index, made), refusal.message);
}

/** Sends what somebody signed, unless it takes what a swap has signed for, or may take tokens that swaps need. */
export async function send(
  parts: Parts,
  transaction: SignedTransaction,
  tip: Tip,
): Promise<Answer<'sent' | 'known' | 'confirmed'>> {
  const other = inTheWay(parts, transaction.tx_hex);
  if (other !== null) return fault('coinsPromised', `${other} spends the same coins`);
  const { purse } = parts;
  const made = madeOf(transaction.tx_hex);
  const wasTaken = made === null || purse.prepared.has(made.txid);
  const isKnown = made === null || purse.hasTaken(made) || parts.reader.index.get(made.txid) !== undefined;
  const objection = made === null || isKnown ? null : await purse.objectionTo(made);
  if (objection !== null) return { ok: false, fault: objection };
  if (made !== null) purse.take(made);
  const answer = await broadcast(parts, transaction, tip);
  // What nobody answered may be on its way.
  if (!answer.ok && answer.fault.kind !== 'unavailable' && made !== null && !wasTaken) purse.giveBack(made);
  return answer;
}

/** Why a node that does not say refuses a transaction, as far as its inputs tell. */
function inputsFault(index: ChainIndex, { tx }: Made): FaultKind {
  const takers = tx.inputs.flatMap(({ txid, vout }) => index.takers(txid, vout));
  if (takers.some(({ height }) => height !== null)) return 'inputsSpent';
  return takers.length > 0 ? 'noReplacement' : 'parentsUnknown';
}
