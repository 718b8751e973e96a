import type { Answer, TransactionView } from '../../ports/chain.ts';
import { isHex } from '../../primitives/hex.ts';
import { ok } from './answers.ts';
import { depthOf } from './depth.ts';
import type { Parts } from './parts.ts';
import { BackendSilent, type Look } from './reader.ts';
import { type Made, slotOf } from './transaction.ts';

const UNKNOWN: TransactionView = { status: 'unknown', confirmations: 0 };

/** Where a transaction stands. What is signed here, or was told of, is conflicted once its nonce is used by another one. */
export async function standingOf(
  { account, coin }: Pick<Parts, 'account' | 'coin'>,
  { id, look }: { readonly id: string; readonly look: Look },
): Promise<Answer<TransactionView>> {
  if (id.length !== 64 || !isHex(id)) return ok(UNKNOWN);
  const known = await look.transaction(id);
  const receipt = await look.receipt(id);
  const bytes = known?.hex ?? account.prepared.get(id)?.hex;
  const shown = bytes === undefined ? {} : { tx_hex: bytes };
  if (receipt !== null) {
    const status = receipt.succeeded ? 'confirmed' : 'reverted';
    return ok({ status, confirmations: await depthOf(look, receipt.block, { coin }), ...shown });
  }
  if (known !== null) return ok({ status: 'mempool', confirmations: 0, ...shown });
  const made = account.prepared.get(id);
  const confirmations = made === undefined ? 0 : await conflictDepth(look, made, account.prepared.values());
  return ok(confirmations > 0 ? { status: 'conflicted', confirmations } : UNKNOWN);
}

/** Blocks of whose state every node keeps the counts. */
const KEPT_BLOCKS = 100;

/** How deep that lies which used the nonce of this one, at least; 0 where nothing has. */
export async function conflictDepth(look: Look, made: Made, others: Iterable<Made>): Promise<number> {
  const { head } = look;
  if ((await look.used(made.from)) <= made.nonce) return 0;
  for (const other of others) {
    if (slotOf(other) !== slotOf(made) || other.id === made.id) continue;
    const receipt = await look.receipt(other.id);
    if (receipt !== null) return head.number - receipt.block + 1;
  }
  // Somebody else's: the first block from which on it is used lies between.
  let used = head.number;
  let free = Math.max(-1, head.number - KEPT_BLOCKS);
  try {
    if (free >= 0 && (await look.used(made.from, free)) > made.nonce) return KEPT_BLOCKS + 1;
    while (used - free > 1) {
      const middle = Math.floor((used + free) / 2);
      if ((await look.used(made.from, middle)) > made.nonce) used = middle;
      else free = middle;
    }
  } catch (error) {
    if (!(error instanceof BackendSilent)) throw error;
  }
  return head.number - used + 1;
}
