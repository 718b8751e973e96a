import { type PreparedRecord, variantWith } from '../../../../machines/journal/context.ts';
import { CHILD_OF, type ChildPurpose, type Raised } from '../../../events/journal.ts';
import type { PaymentFunding, PaymentSpend } from '../../../ports/chain.ts';
import { onLeg } from '../../../primitives/pair.ts';
import type { Millis } from '../../../primitives/time.ts';
import type { Leg } from '../../command.ts';
import { childAfter, childUrgency } from '../fee-bumps.ts';
import {
  append,
  ask,
  broadcast,
  freshness,
  judgeMissing,
  lookFresh,
  lookTransaction,
  type Proposal,
  sign,
  signedOf,
  type Turn,
  wakeAt,
} from '../turn.ts';

/*
 * A child speeds up a waiting transaction that cannot be replaced: it spends that transaction's own output, and a block that wants the child's fee
 * must include both. A child that waits too long gets its own child. This forms a chain from the waiting transaction to the last child; the engine
 * acts on one of them at a time.
 */

/** A transaction that waits in the mempool, and may be sped up. */
export type Stuck = {
  readonly leg: Leg;
  readonly purpose: Raised;
  /** As the chain shows it. */
  readonly parent: { readonly tx_hex: string; readonly tx_hash: string };
  /** Since when it waits. */
  readonly since: Millis;
  /** The fee of the most expensive one wanted for this purpose so far. */
  readonly urgency: number;
};

/** Sends the next child of what waits, or sends again what a node has lost of its line; null if nothing is due. */
export function speedUp(turn: Turn, stuck: Stuck): Proposal {
  if (onLeg(turn.traits, stuck.leg).children !== true) return null;
  const line = lineOf(turn.journal.prepared[CHILD_OF[stuck.purpose]], stuck.parent.tx_hash);
  const last = line.at(-1);
  if (last === undefined) return nextChild(turn, stuck, { parent: stuck.parent, since: stuck.since, replaces: null });
  return last.acceptedAt === null ? bringOut(turn, stuck, line) : follow(turn, stuck, line);
}

type Shown = Pick<Stuck, 'leg'> & {
  readonly purpose: 'claim' | 'refund';
  readonly variants: readonly PreparedRecord[];
  readonly spend: PaymentSpend;
};

/** The same for the own claim or refund that the chain shows, by whomever it was sent, once a node has refused to replace it. */
export function speedUpShown(turn: Turn, { leg, purpose, variants, spend }: Shown): Proposal {
  const refused = variants.findLast((record) => record.refused === 'noReplacement');
  if (refused === undefined || spend.tx === null || spend.confirmations > 0) return null;
  const shown = variants.find(({ tx }) => tx.tx_hash === spend.tx?.tx_hash);
  const since = shown === undefined ? refused.refusedAt : (shown.acceptedAt ?? shown.preparedAt);
  const urgency = Math.max(1, ...variants.map((record) => record.urgency));
  return speedUp(turn, { leg, purpose, parent: spend.tx, since: since ?? turn.now, urgency });
}

/** The same for the own payment, which nothing replaces once a node has it: what was signed on top of it names its id. */
export function speedUpPayment(turn: Turn, funding: PaymentFunding): Proposal {
  const record = variantWith(turn.journal.prepared.payment, funding.tx.tx_hash);
  if (funding.confirmations > 0 || record === undefined || record.acceptedAt === null) return null;
  const { tx_hex, tx_hash } = record.tx;
  return speedUp(turn, {
    leg: turn.swap.own,
    purpose: 'payment',
    parent: { tx_hex, tx_hash },
    since: record.acceptedAt,
    urgency: record.urgency + 1,
  });
}

/**
 * The variant whose children may still confirm: if none is seen, it goes out again before a dearer one, because other nodes have it with its
 * children. Null once a node refuses it.
 */
export function variantWithChild(
  turn: Turn,
  purpose: Raised,
  variants: readonly PreparedRecord[],
): PreparedRecord | null {
  const children = turn.journal.prepared[CHILD_OF[purpose]];
  if (children.length === 0) return null;
  const hasChild = ({ tx }: PreparedRecord): boolean =>
    children.some(({ target, dead, acceptedAt }) => target === tx.tx_hash && !dead && acceptedAt !== null);
  return variants.findLast((record) => record.refused === null && hasChild(record)) ?? null;
}

/** From what waits to the last child, without that: of several for one output, the last that a node accepted, else the last. */
function lineOf(children: readonly PreparedRecord[], parent: string): readonly PreparedRecord[] {
  const line: PreparedRecord[] = [];
  for (let hash: string | undefined = parent; hash !== undefined; ) {
    const target: string = hash;
    const found = children.filter((one) => one.target === target && !one.dead);
    const next = found.findLast(({ acceptedAt }) => acceptedAt !== null) ?? found.at(-1);
    if (next !== undefined) line.push(next);
    hash = next?.tx.tx_hash;
  }
  return line;
}

type Next = {
  readonly parent: Stuck['parent'];
  readonly since: Millis;
  /** What it replaces; null for a further one in the line. */
  readonly replaces: PreparedRecord | null;
};

function nextChild(turn: Turn, { leg, purpose, urgency: wanted }: Stuck, { parent, since, replaces }: Next): Proposal {
  const { journal, now } = turn;
  const after = childAfter(turn, { since, replaces });
  if (now <= after) return wakeAt(turn, after + 1);
  const child = CHILD_OF[purpose];
  const urgency = childUrgency(journal.prepared[child], wanted);
  if (urgency === null) return null;
  const fresh = lookFresh(turn, leg, freshness(turn, null));
  if ('pending' in fresh) return fresh.pending;
  const request = { purpose: 'child', parent, urgency, replaces: replaces?.tx ?? null } as const;
  return sign(turn, { leg, purpose: child, request, target: parent.tx_hash, urgency });
}

/** Refusals after which another child must replace this one. */
const OUTDONE: ReadonlySet<string | null> = new Set(['feeTooLow', 'noReplacement', 'inputsSpent', 'invalid']);

/** The last child is in the log, but no node has it yet. */
function bringOut(turn: Turn, stuck: Stuck, line: readonly PreparedRecord[]): Proposal {
  const last = line.at(-1) as PreparedRecord;
  if (OUTDONE.has(last.refused) && !turn.facts.broadcasts.has(last.tx.tx_hash)) {
    const before = line.at(-2)?.tx ?? stuck.parent;
    const parent = { tx_hex: before.tx_hex, tx_hash: before.tx_hash };
    const another = nextChild(turn, stuck, { parent, since: last.refusedAt ?? last.preparedAt, replaces: last });
    if (another !== null) return another;
  }
  return sendInOrder(turn, stuck, last.refused === 'parentsUnknown' ? line : [last]);
}

/** A node has accepted the last child, but may have lost it, or no block includes it. */
function follow(turn: Turn, stuck: Stuck, line: readonly PreparedRecord[]): Proposal {
  const last = line.at(-1) as PreparedRecord;
  const { tx_hex, tx_hash } = last.tx;
  const look = lookTransaction(turn, stuck.leg, { hash: tx_hash, maxAge: turn.policy.spendPoll });
  if ('pending' in look) return look.pending;
  const { status } = look.value;
  if (status === 'confirmed') return null;
  if (status === 'mempool') {
    return nextChild(turn, stuck, {
      parent: { tx_hex, tx_hash },
      since: last.acceptedAt ?? last.preparedAt,
      replaces: null,
    });
  }
  const fate = judgeMissing(turn, stuck.leg, { purpose: CHILD_OF[stuck.purpose], record: last });
  return fate === 'again' ? sendInOrder(turn, stuck, line) : fate.pending;
}

function sendInOrder(turn: Turn, { leg, purpose }: Stuck, line: readonly PreparedRecord[]): Proposal {
  for (const record of line) {
    const proposal = send(turn, leg, { purpose: CHILD_OF[purpose], record });
    if (proposal !== null) return proposal;
  }
  return null;
}

function send(
  turn: Turn,
  leg: Leg,
  { purpose, record }: { readonly purpose: ChildPurpose; readonly record: PreparedRecord },
): Proposal {
  const { tx_hash } = record.tx;
  if (!turn.facts.broadcasts.has(tx_hash)) {
    const transaction = signedOf(record.tx);
    return ask(turn, leg, { op: 'broadcast', transaction, key: `broadcast:${tx_hash}` });
  }
  const state = broadcast(turn, leg, { purpose, record });
  return 'pending' in state ? state.pending : append(...state.accepted);
}
