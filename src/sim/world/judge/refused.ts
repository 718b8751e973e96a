import type { JournalPayloads } from '../../../events/journal.ts';
import type { NewRecord } from '../../../ports/event-log.ts';
import type { Millis } from '../../../primitives/time.ts';
import { localNow } from '../world.ts';
import type { Report } from './rules.ts';
import type { Scene } from './truth.ts';

type Prepared = JournalPayloads['TransactionPrepared'];

/** A variant as the log describes it. */
type Variant = Pick<Prepared, 'purpose' | 'target'> & {
  readonly hash: string;
  /** Outpoints, or account and nonce, that it takes; null where the log does not say. */
  readonly spends: readonly string[] | null;
  attempted: boolean;
  /** When a node last refused it for its fee, with no better answer since. */
  refusedAt: Millis | null;
  dead: boolean;
};

/**
 * Rule R12 for a price that was too low: what a node refused for its fee is sent again only after a pause, if a dearer variant for the same purpose
 * replaced it. A transaction with a later nonce of the account does not replace it: it waits for it. A party whose clock jumps measures no pause, and
 * an operator's order to try again ends the pause.
 */
export function checkRefused({ world, node }: Scene, hash: string, report: Report): void {
  if (node.plan.jumps.length > 0) return;
  const variants = variantsOf(node.records);
  const index = variants.findIndex((one) => one.hash === hash);
  const found = variants[index];
  if (found === undefined || found.refusedAt === null) return;
  const { purpose, target, refusedAt } = found;
  const dearer = variants
    .slice(index + 1)
    .some(
      (one) => one.purpose === purpose && one.target === target && one.attempted && !one.dead && replaces(one, found),
    );
  const pause = (localNow(world, node) - refusedAt) / 1000;
  if (!dearer || pause > node.policy.fees.retryCheaper) return;
  report('R12', `a ${purpose} that was refused for its fee is handed out again after ${pause} s beside a dearer one`);
}

function replaces(later: Variant, found: Variant): boolean {
  if (later.hash === found.hash) return false;
  return later.spends === null || found.spends === null || later.spends.some((spend) => found.spends?.includes(spend));
}

function variantsOf(records: readonly NewRecord[]): readonly Variant[] {
  const variants: Variant[] = [];
  for (const { type, at, data } of records) {
    if (type === 'TransactionPrepared') {
      const { purpose, target, tx } = data as Prepared;
      const { tx_hash: hash, spends = null } = tx;
      variants.push({ purpose, target, hash, spends, attempted: false, refusedAt: null, dead: false });
    }
    if (type === 'OperatorActed') for (const variant of variants) variant.refusedAt = null;
    const { tx_hash, kind } = (data ?? {}) as { readonly tx_hash?: string; readonly kind?: string };
    for (const variant of variants) {
      if (variant.hash !== tx_hash) continue;
      if (type === 'BroadcastAttempted') variant.attempted = true;
      if (type === 'BroadcastRefused') variant.refusedAt = kind === 'feeTooLow' ? (at as Millis) : null;
      if (type === 'BroadcastAccepted') variant.refusedAt = null;
      if (type === 'TransactionDropped' || type === 'TransactionReverted') variant.dead = true;
    }
  }
  return variants;
}
