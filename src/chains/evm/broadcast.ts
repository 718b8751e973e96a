import type { Answer, SignedTransaction } from '../../ports/chain.ts';
import { fault, ok } from '../accounts/answers.ts';
import { askedOnce } from './asked-once.ts';
import type { EvmCoin } from './coin.ts';
import { askAhead, clearWay } from './in-the-way.ts';
import { useOf } from './nonce-use.ts';
import type { Parts } from './parts.ts';
import type { EvmLook } from './reader.ts';
import { isKnownAlready, refusalKind } from './refusals.ts';
import { callOf } from './terms.ts';
import { type Made, madeOf } from './transaction.ts';

type Outcome = Answer<'sent' | 'known' | 'confirmed'>;
type Sending = { readonly made: Made; readonly look: EvmLook };
/** `before`: the state before anything was sent. */
type Sent = Sending & { readonly before: EvmLook };

/**
 * Sends what is signed, with the approvals that it needs. It looks up what a node already has, and does not send that. In either case it clears the
 * way for a claim or a refund.
 */
export async function broadcast(
  parts: Pick<Parts, 'account' | 'coin'>,
  { transaction, look }: { readonly transaction: SignedTransaction; readonly look: EvmLook },
): Promise<Outcome> {
  const { account } = parts;
  const made = madeOf(transaction.tx_hex);
  if (made === null || made.id !== transaction.tx_hash)
    return fault('invalid', `the bytes are not those of ${transaction.tx_hash}`);
  if (made.chainId !== account.chainId) return fault('invalid', `it is for chain ${made.chainId}`);
  if (made.from === account.address) account.offer(made);
  const before = askedOnce(look);
  // Asked together with its state; unneeded answers are not awaited.
  void before.used(made.from);
  void before.promised(made.from);
  for (const { id } of account.approvalsOf(made)) void before.transaction(id);
  const place = await whereIs(before, made);
  const outcome = place === null ? await send(parts, { made, look, before }) : ok(place);
  if (!outcome.ok || outcome.value === 'confirmed') return outcome;
  const isFollowed = await seeToTurn(parts, { made, look, before });
  return isFollowed || outcome.value === 'known'
    ? outcome
    : fault('nonceGap', `no pending transaction has the nonce before ${made.nonce}`);
}

async function send({ account }: Pick<Parts, 'account'>, { made, look, before }: Sent): Promise<Outcome> {
  const used = await usedUp({ account }, { made, look: before });
  if (used !== null) return used;
  if (made.from === account.address && account.approvalsOf(made).length > 0) await account.sendHelpers(made, before);
  const refusal = await account.reader.send(made.hex);
  if (refusal === null) return ok('sent');
  if (isKnownAlready(refusal)) return ok('known');
  const kind = refusalKind(refusal);
  const now = await account.reader.look(!look.settled);
  const after = await whereIs(now, made);
  if (after !== null) return ok(after);
  if (kind !== 'nonceUsed') return fault(kind, refusal.message);
  // The node does not say which transaction used it.
  return (await usedUp({ account }, { made, look: now })) ?? fault('unavailable', refusal.message);
}

/** The answer if a block has used its nonce: that block may hold this very transaction, which an index does not know yet. */
async function usedUp({ account }: Pick<Parts, 'account'>, { made, look }: Sending): Promise<Outcome | null> {
  const use = await useOf(look, { made, others: account.prepared.withNonceOf(made) });
  if (use === null) return null;
  return use.id === made.id ? ok('confirmed') : fault('nonceUsed', `nonce ${made.nonce} is used`);
}

/** Makes sure that everything before it can be included; false if an earlier nonce is still missing. */
async function seeToTurn(
  { account, coin }: Pick<Parts, 'account' | 'coin'>,
  { made, look, before }: Sent,
): Promise<boolean> {
  // What was sent may have closed a gap, but opened none.
  const isBehind = (await isBehindGap(before, made)) && (await isBehindGap(look, made));
  if (made.from !== account.address) return !isBehind;
  const isEnd = endsPayment(coin, made);
  if (!isEnd && !isBehind) return true;
  if (isEnd) await askAhead(account, { made, look: before });
  await account.inTurn(async () => {
    if (isEnd) await clearWay(account, { made, look: before });
    if (isBehind) await account.fillGaps(look);
  });
  return !isBehind || !(await isBehindGap(look, made));
}

function endsPayment({ contract, fallbackContract }: EvmCoin, made: Made): boolean {
  const calls = [contract, fallbackContract ?? null].flatMap((one) => (one === null ? [] : [callOf(made, one)]));
  return calls.some((call) => call?.kind === 'claim' || call?.kind === 'refund');
}

async function whereIs(look: EvmLook, { id }: Made): Promise<'known' | 'confirmed' | null> {
  const known = await look.transaction(id);
  if (known === null) return null;
  return known.isWaiting ? 'known' : 'confirmed';
}

/** Whether a node keeps it until an earlier nonce comes. */
async function isBehindGap(look: EvmLook, { from, nonce }: Made): Promise<boolean> {
  return (await look.promised(from)) < nonce;
}
