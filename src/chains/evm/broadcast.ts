import type { Answer, SignedTransaction } from '../../ports/chain.ts';
import { fault, ok } from './answers.ts';
import type { Parts } from './parts.ts';
import type { Look } from './reader.ts';
import { isKnownAlready, refusalKind } from './refusals.ts';
import { type Made, madeOf } from './transaction.ts';

type Outcome = Answer<'sent' | 'known' | 'confirmed'>;

/** Sends what is signed, with the approvals that it waits for. What a node has already is looked up and not sent. */
export async function broadcast(
  { account }: Pick<Parts, 'account'>,
  { transaction, look }: { readonly transaction: SignedTransaction; readonly look: Look },
): Promise<Outcome> {
  const made = madeOf(transaction.tx_hex);
  if (made === null || made.id !== transaction.tx_hash)
    return fault('invalid', `the bytes are not those of ${transaction.tx_hash}`);
  if (made.chainId !== account.chainId) return fault('invalid', `it is of chain ${made.chainId}`);
  const before = await whereIs(look, made);
  if (before !== null) return ok(before);
  if ((await look.used(made.from)) > made.nonce) return fault('nonceUsed', `nonce ${made.nonce} is used`);
  const isOwn = made.from === account.address;
  if (isOwn && account.approvalsOf(made).length > 0) await account.sendHelpers(made, look);
  const refusal = await account.reader.send(made.hex);
  if (refusal !== null && !isKnownAlready(refusal)) {
    const after = await whereIs(await account.reader.look(!look.settled), made);
    return after === null ? fault(refusalKind(refusal), refusal.message) : ok(after);
  }
  if (await isBehindGap(look, made)) {
    if (isOwn) await account.inTurn(() => account.fillGaps(look));
    if (await isBehindGap(look, made))
      return fault('nonceGap', `nothing that waits has the nonce before ${made.nonce}`);
  }
  return ok(refusal === null ? 'sent' : 'known');
}

async function whereIs(look: Look, { id }: Made): Promise<'known' | 'confirmed' | null> {
  const known = await look.transaction(id);
  if (known === null) return null;
  return known.isWaiting ? 'known' : 'confirmed';
}

/** Whether a node keeps it until an earlier nonce comes. */
async function isBehindGap(look: Look, { from, nonce }: Made): Promise<boolean> {
  return (await look.promised(from)) < nonce;
}
