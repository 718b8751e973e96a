import type { Answer, SignedTransaction } from '../../ports/chain.ts';
import { fault, ok } from '../accounts/answers.ts';
import type { Parts } from './parts.ts';
import type { TendermintLook, TendermintRefusal } from './reader.ts';
import { expectedSequence, isKnownAlready, refusalKind } from './refusals.ts';
import { settledUse } from './standing.ts';
import { type Made, madeOf } from './transaction.ts';

type Outcome = Answer<'sent' | 'known' | 'confirmed'>;
type Sending = { readonly made: Made; readonly look: TendermintLook };

/** Sends a signed transaction after those that have to precede it. Looks up what a node already has, and does not send that again. */
export async function broadcast(
  { account }: Pick<Parts, 'account'>,
  { transaction, look }: { readonly transaction: SignedTransaction; readonly look: TendermintLook },
): Promise<Outcome> {
  const made = madeOf(transaction.tx_hex);
  if (made === null || made.id !== transaction.tx_hash)
    return fault('invalid', `the bytes are not those of ${transaction.tx_hash}`);
  const isOwn = made.from === account.account;
  if (isOwn) account.offered.add(made.id);
  const before = await whereIs(look, made);
  if (before !== null) return ok(before);
  const used = await usedUp({ account }, { made, look });
  if (used !== null) return used;
  const refusal = await account.reader.send(made.hex);
  if (refusal === null) return ok('sent');
  const now = await account.reader.look(!look.settled);
  if (!isOwn || !isBehindGap(refusal, made)) return refused({ account }, { made, look: now, refusal });
  await account.inTurn(() => account.fillGaps(now, made.sequence));
  const again = await account.reader.send(made.hex);
  return again === null ? ok('sent') : refused({ account }, { made, look: now, refusal: again });
}

function isBehindGap(refusal: TendermintRefusal, { sequence }: Made): boolean {
  const expected = expectedSequence(refusal);
  return expected !== null && expected < sequence;
}

/** What a refusal means, judged by the chain: a node's word does not decide which transaction used a sequence. */
async function refused(
  parts: Pick<Parts, 'account'>,
  { refusal, ...sending }: Sending & { readonly refusal: TendermintRefusal },
): Promise<Outcome> {
  const { made, look } = sending;
  const after = await whereIs(look, made);
  if (after !== null) return ok(after);
  const used = await usedUp(parts, sending);
  if (used !== null) return used;
  if (isKnownAlready(refusal)) return ok('known');
  const expected = expectedSequence(refusal);
  const kind = refusalKind(refusal);
  // The chain shows no such thing, so this node is ahead, or wrong.
  if (kind === 'nonceUsed') return fault('unavailable', refusal.message);
  if (expected === null) return fault(kind, refusal.message);
  if (expected < made.sequence) return fault('nonceGap', `no pending transaction has sequence ${expected}`);
  // Nodes do not replace a waiting transaction.
  if (expected > made.sequence) return fault('noReplacement', `a pending transaction has sequence ${made.sequence}`);
  return fault('unavailable', refusal.message);
}

/** What is to be said where a block has used its sequence, or where its time is over; that block may hold this very one, of which an index does not know yet. */
async function usedUp(parts: Pick<Parts, 'account'>, sending: Sending): Promise<Outcome | null> {
  const { made } = sending;
  const use = await settledUse(parts, sending);
  if (use === null) return null;
  if (use.id === made.id) return ok('confirmed');
  return fault('nonceUsed', `sequence ${made.sequence} is used, or its timeout height ${made.timeout} has passed`);
}

async function whereIs(look: TendermintLook, { id }: Made): Promise<'known' | 'confirmed' | null> {
  if ((await look.included(id)) !== null) return 'confirmed';
  return (await look.waiting()).some((hex) => madeOf(hex)?.id === id) ? 'known' : null;
}
