import { type JournalContext, type PreparedRecord, variantWith } from '../../../machines/journal/context.ts';
import type { PreparedTransaction, PrepareRequest, SignedTransaction } from '../../ports/chain.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import type { Facts, SignedPurpose } from '../facts.ts';

/** A transaction that a wallet has signed and no log holds yet, with its request. */
export type Signed = {
  readonly purpose: SignedPurpose;
  readonly request: PrepareRequest;
  readonly tx: PreparedTransaction;
};

type Remembered = Pick<Facts, 'prepared' | 'preparedFor' | 'unused'>;

/** Remembers what was signed. Of two for one purpose, the one for the newer request counts; of equal ones, the first. */
export function keepSigned(facts: Remembered, { purpose, request, tx }: Signed): void {
  const before = facts.prepared.get(purpose);
  if (before !== undefined && before.tx_hash !== tx.tx_hash) {
    const asked = facts.preparedFor.get(purpose);
    const again = asked === undefined || isSameRequest(asked, request);
    facts.unused.push({ purpose, tx: again ? tx : before });
    if (again) return;
  }
  facts.prepared.set(purpose, tx);
  facts.preparedFor.set(purpose, request);
}

/** The same for a late answer. False if it is of no use. */
export function keepLate(facts: Remembered, journal: JournalContext, signed: Signed): boolean {
  const { purpose, request, tx } = signed;
  if (facts.prepared.has(purpose) || isLogged(journal, tx.tx_hash)) return false;
  if (exceededBound(request, tx) !== null || standsBeside(request, tx)) return false;
  // The log has moved on: it holds another variant than the one to be replaced.
  const last =
    purpose === 'claimPreimage' || purpose === 'refundPreimage' ? undefined : journal.prepared[purpose].at(-1);
  const replaced = 'replaces' in request ? request.replaces?.tx_hash : undefined;
  if (last !== undefined && last.tx.tx_hash !== replaced) return false;
  keepSigned(facts, signed);
  return true;
}

export function isLogged({ prepared }: JournalContext, hash: string): boolean {
  return Object.values(prepared).some((records) => records.some(({ tx }) => tx.tx_hash === hash));
}

/** What was signed for this request and is not in the log yet; undefined if there is none, or only one for another request. */
export function signedFor(facts: Remembered, purpose: SignedPurpose, request: PrepareRequest) {
  const tx = facts.prepared.get(purpose);
  const asked = facts.preparedFor.get(purpose);
  return tx === undefined || asked === undefined || isSameRequest(asked, request) ? tx : undefined;
}

/** The log holds a transaction of this purpose: another one that was signed for it is of no use. */
export function forgetSigned(facts: Remembered, purpose: SignedPurpose, logged: string): void {
  const tx = facts.prepared.get(purpose);
  if (tx !== undefined && tx.tx_hash !== logged) facts.unused.push({ purpose, tx });
  facts.prepared.delete(purpose);
  facts.preparedFor.delete(purpose);
}

/**
 * Whether a wallet that was asked for another variant returned one that the log holds and that can still confirm: once the highest allowed fee is
 * paid, there is no other. It is in use, so it must not be given back.
 */
export function isSignedAlready(
  { prepared }: Pick<JournalContext, 'prepared'>,
  request: PrepareRequest,
  { tx_hash }: SignedTransaction,
): boolean {
  const variants = (prepared as Partial<Record<PrepareRequest['purpose'], readonly PreparedRecord[]>>)[request.purpose];
  const known = variants === undefined ? undefined : variantWith(variants, tx_hash);
  // The bytes of some chains do not name the funding that they spend, so they also fit a request for another one.
  return known !== undefined && !known.dead && (!('funding' in request) || known.target === request.funding.tx_hash);
}

/** The limit of a request that its answer's fee exceeds; null for an answer within it. */
export function exceededBound(request: PrepareRequest, { fee }: PreparedTransaction): DecimalText | null {
  const bound = 'maxFee' in request ? request.maxFee : undefined;
  return bound !== undefined && toBigNumber(fee).gt(toBigNumber(bound)) ? bound : null;
}

/**
 * Whether a fee or a payment takes nothing of what it was to replace, so that both could confirm. The port permits that if the earlier one is
 * settled; then nothing must be paid again.
 */
export function standsBeside(request: PrepareRequest, { spends }: PreparedTransaction): boolean {
  if (request.purpose !== 'fee' && request.purpose !== 'payment') return false;
  const replaced = request.replaces?.spends;
  return replaced !== undefined && !replaced.some((spent) => spends.includes(spent));
}

function isSameRequest(left: PrepareRequest, right: PrepareRequest): boolean {
  return left === right || subjectOf(left) === subjectOf(right);
}

/** What distinguishes two requests for one purpose of one swap; the fee limit does not. */
function subjectOf(request: PrepareRequest): string {
  const urgency = 'urgency' in request ? request.urgency : 0;
  const replaces = 'replaces' in request ? request.replaces?.tx_hash : undefined;
  const funding = 'funding' in request ? request.funding.tx_hash : undefined;
  const target = 'target' in request ? request.target.tx_hash : undefined;
  const parent = 'parent' in request ? request.parent.tx_hash : undefined;
  return [request.purpose, urgency, replaces, funding, target, parent].join('|');
}
