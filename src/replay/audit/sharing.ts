import type { Role } from '../../events/catalog.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { type Thing, thingsOf } from '../../events/things.ts';
import { compactHolders, type Holders, plainHolders } from './holders.ts';
import { type AuditCheck, findingsOf } from './report.ts';
import type { AuditRule } from './rule.ts';

const ONE_SWAP: AuditRule = {
  check: 'one-swap',
  describes:
    'No secret hash, fee, payment or other own transaction of the swap is that of another swap among all that are audited together; both sides of one swap count as one.',
  source: 'swapfold: one thing serves one swap',
};

/** Checks of a swap against the others that are read with it. */
export const sharingRules: readonly AuditRule[] = [ONE_SWAP];

/** Something that two swaps name. */
export type SharedThing = {
  readonly kind: Thing['kind'];
  /** The secret hash as HASH160, or the id of the transaction; in hex. */
  readonly id: string;
  /** Uuid of the swap that was read first. */
  readonly with: string;
  /** Position of the event that names it, from 0. */
  readonly seq: number;
};

type Told = { readonly role: Role; readonly events: Iterable<{ type: string; data: unknown }> };
type Named = { readonly uuid: string; readonly things: Iterable<NamedThing> };

/** Something that a swap takes for itself, with the position of the event that names it, from 0. */
export type NamedThing = Thing & { readonly seq: number };

/** What a swap names, in the order of its events. */
export function namedThings({ role, events }: Told): readonly NamedThing[] {
  return [...events].flatMap((event, seq) => thingsOf(role, event).map((thing) => ({ seq, ...thing })));
}

/** Remembers what swaps name, in the order in which they are given, and tells of each what an earlier one had. */
export function createSharing(holders: Holders = plainHolders()) {
  return ({ uuid, things }: Named): readonly SharedThing[] => {
    const shared = new Map<string, SharedThing>();
    for (const { kind, key, seq } of things) {
      const holder = holders.of(key);
      if (holder === undefined) holders.note(key, uuid);
      else if (holder !== uuid && !shared.has(key)) {
        shared.set(key, { kind, id: key.slice(key.indexOf(':') + 1), with: holder, seq });
      }
    }
    return [...shared.values()];
  };
}

const NAMES: Readonly<Record<Thing['kind'], string>> = {
  secretHash: 'secret hash',
  fee: 'fee',
  payment: 'payment',
  transaction: 'transaction',
};

/** What is shared, in a few words. */
export function sharedText({ kind, id }: Pick<SharedThing, 'kind' | 'id'>): string {
  return `${NAMES[kind]} ${id}`;
}

/**
 * Audits swaps against one another: of two that share something, the one that comes second gets the finding.
 *
 * @example
 * ```ts
 * import { createSharingAudit } from 'swapfold/replay';
 * import { buildSwap, buildSwapPair } from 'swapfold/testing';
 *
 * const { taker, maker } = buildSwapPair({ seed: 1 });
 * const { uuid } = buildSwap({ role: 'taker', path: ['Started'], seed: 2 });
 * const audit = createSharingAudit();
 * audit(taker).length; // → 0
 * audit(maker).length; // → 0
 * audit({ ...taker, uuid }).map(({ seq }) => taker.events[seq ?? 0]?.type); // → [
 * //   'Negotiated', 'TakerFeeSent', 'MakerPaymentReceived', 'TakerPaymentSent', 'MakerPaymentSpent',
 * // ]
 * ```
 */
export function createSharingAudit(): (log: SwapLog) => readonly AuditCheck[] {
  const sharing = createSharing(compactHolders());
  return ({ role, uuid, events, journal }) => {
    const checks: AuditCheck[] = [];
    const findings = findingsOf(ONE_SWAP.check, checks);
    const report = (shared: SharedThing, seq: number | null) =>
      findings.violated(seq, {
        expected: `a ${NAMES[shared.kind]} of swap ${uuid} alone`,
        found: `${sharedText(shared)}, which swap ${shared.with} has`,
        reason: 'one thing serves one swap: what it is worth can be had once',
      });
    for (const shared of sharing({ uuid, things: namedThings({ role, events }) })) report(shared, shared.seq);
    const own = namedThings({ role, events: journal?.records ?? [] });
    for (const shared of sharing({ uuid, things: own })) {
      if (!checks.some(({ found }) => found?.startsWith(sharedText(shared)))) report(shared, null);
    }
    return checks;
  };
}
