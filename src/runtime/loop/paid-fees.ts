import { currentPrepared } from '../../../machines/journal/context.ts';
import type { PaidFee } from '../claims.ts';
import type { Slot } from './slot.ts';

/** Fees that running streams have paid in a coin, except those of one stream; the oldest first. */
export function paidFees(
  slots: ReadonlyMap<string, Slot>,
  { stream, coin }: { readonly stream: string; readonly coin: string },
): readonly PaidFee[] {
  const found: PaidFee[] = [];
  for (const { driven, ...slot } of slots.values()) {
    if (driven === null || slot.stream === stream) continue;
    const { journal, legOf } = driven.look();
    const fee = currentPrepared(journal, 'fee');
    if (fee === null || fee.acceptedAt === null || driven.coins[legOf('fee')] !== coin) continue;
    found.push(fee);
  }
  return found.sort((left, right) => left.preparedAt - right.preparedAt);
}
