import type { Answer, TransactionView } from '../../ports/chain.ts';
import { BackendSilent } from '../../ports/silence.ts';
import { isHex } from '../../primitives/hex.ts';
import { ok } from '../accounts/answers.ts';
import type { Parts } from './parts.ts';
import type { TendermintLook } from './reader.ts';
import { type Use, useOf } from './sequence-use.ts';
import { isOver, type Made, madeOf } from './transaction.ts';

const UNKNOWN: TransactionView = { status: 'unknown', confirmations: 0 };

/**
 * Where a transaction stands. What is signed here, or was told of, is conflicted once its sequence is used by another one; and once the last block that
 * may hold it has passed, for then it can never confirm either.
 */
export async function standingOf(
  { account }: Pick<Parts, 'account'>,
  { id, look }: { readonly id: string; readonly look: TendermintLook },
): Promise<Answer<TransactionView>> {
  if (id.length !== 64 || !isHex(id)) return ok(UNKNOWN);
  const included = await look.included(id);
  if (included !== null) {
    const status = included.code === 0 ? 'confirmed' : 'reverted';
    return ok({ status, confirmations: look.head.height - included.height + 1, tx_hex: included.hex });
  }
  const waiting = (await look.waiting()).find((hex) => madeOf(hex)?.id === id);
  if (waiting !== undefined) return ok({ status: 'mempool', confirmations: 0, tx_hex: waiting });
  const made = account.prepared.get(id);
  if (made === undefined) return ok(UNKNOWN);
  const use = await settledUse({ account }, { made, look });
  if (use?.id === id) throw new BackendSilent(`a block contains ${id}, but the nodes do not report its outcome`);
  return ok(use === null ? UNKNOWN : { status: 'conflicted', confirmations: use.depth, tx_hex: made.hex });
}

type Settling = { readonly made: Made; readonly look: TendermintLook };

/** `isUsed`: a block has used its sequence, if only nobody knows by what; else its time is over and the sequence is free. */
export type Settled = Use & { readonly isUsed: boolean };

/** What keeps a transaction from ever being included, and how deep that lies: another one in its place, or the end of its time. Null for nothing. */
export async function settledUse(
  { account }: Pick<Parts, 'account'>,
  { made, look }: Settling,
): Promise<Settled | null> {
  // What other accounts have signed besides is unknown.
  const address = made.from === account.account ? account.address : ownerOf(made);
  if (address === null) return null;
  const use = await useOf(look, { made, address, others: account.prepared.values() });
  if (use !== null) return { ...use, isUsed: true };
  // Its sequence is not used, so that no block up to the head holds it, and none behind its last one will.
  const { height } = look.head;
  return isOver(made, height) ? { id: null, depth: height - made.timeout + 1, isUsed: false } : null;
}

/** The address that a transaction acts for. */
function ownerOf({ messages }: Made): string | null {
  const [message] = messages;
  if (message === undefined || message.kind === 'other') return null;
  return message.kind === 'send' ? message.from : message.sender;
}
