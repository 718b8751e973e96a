import { currentPrepared, type PreparedRecord } from '../../../../machines/journal/context.ts';
import type { TransactionView } from '../../../ports/chain.ts';
import type { Seconds } from '../../../primitives/time.ts';
import { dearerVoid, nextVariant } from '../fee-bumps.ts';
import {
  append,
  broadcastOwn,
  judgeMissing,
  lookTransaction,
  nudge,
  type Proposal,
  sign,
  type Turn,
  wakeAt,
  wakeIn,
} from '../turn.ts';
import { isDue, variantToSend } from './variants.ts';
import { nextVoid } from './without-effect.ts';

/** What the chain says about the voided payment, and how often to look. */
type Voiding = { readonly status: TransactionView['status']; readonly poll: Seconds };

/** Sends the transaction that spends the same inputs or nonce as this side's payment, and makes sure that it becomes final. */
export function pushVoid(turn: Turn, payment: PreparedRecord, { status, poll }: Voiding): Proposal {
  const last = currentPrepared(turn.journal, 'void');
  if (last === null) return beginVoid(turn, payment, poll);
  const variants = turn.journal.prepared.void.filter(({ dead }) => !dead);
  const made = variantToSend(turn, turn.swap.own, variants) ?? last;
  const onItsWay = status === 'conflicted' || status === 'reverted';
  if (made === last && isDue(turn, dearerVoid(turn, last, { onItsWay }))) {
    const dearer = signVoid(turn, payment, last);
    // A wallet that signs nothing dearer now must not hold back what is already signed.
    if (dearer !== null) return dearer;
  }
  if (made.acceptedAt !== null) {
    if (onItsWay) return wakeIn(turn, poll);
    const fate = judgeMissing(turn, turn.swap.own, { purpose: 'void', record: made });
    if (fate !== 'again') return fate.pending ?? nudge(turn, turn.swap.own, made);
  }
  const sent = broadcastOwn(turn, turn.swap.own, { purpose: 'void', record: made });
  return 'pending' in sent ? sent.pending : append(...sent.accepted);
}

/**
 * The first one, or another after those without effect: after a pause, and not while the chain says that what the last one takes is still taken, for
 * example by a payment that a node hides. Whatever takes the same would have no effect either.
 */
function beginVoid(turn: Turn, payment: PreparedRecord, poll: Seconds): Proposal {
  const before = turn.journal.prepared.void.at(-1);
  if (before === undefined) return signVoid(turn, payment, payment);
  const again = nextVoid(turn);
  if (again !== null) return wakeAt(turn, again);
  const view = lookTransaction(turn, turn.swap.own, { hash: before.tx.tx_hash, maxAge: poll });
  if ('pending' in view) return view.pending;
  const { status } = view.value;
  if (status === 'conflicted' || status === 'reverted') return wakeIn(turn, poll);
  return signVoid(turn, payment, payment);
}

function signVoid(turn: Turn, payment: PreparedRecord, replaced: PreparedRecord): Proposal {
  const { urgency } = nextVariant(turn, 'void', replaced);
  const request = { purpose: 'void', target: replaced.tx, urgency } as const;
  return sign(turn, { leg: turn.swap.own, purpose: 'void', request, target: payment.tx.tx_hash, urgency });
}
