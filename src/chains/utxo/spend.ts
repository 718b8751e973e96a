import { HtlcSpendError, HtlcTermsError } from '../../htlc/error.ts';
import { completeSpendPreimage, parseHtlcInput } from '../../htlc/htlc-input.ts';
import { findPaymentOutput } from '../../htlc/payment.ts';
import { secretHashMatches } from '../../htlc/secret-hash.ts';
import { type SpendRequest, signedSpend, spendSize, unsignedSpend } from '../../htlc/spend.ts';
import { isTransactionProblem, LOCK_TIME_THRESHOLD } from '../../htlc/transaction.ts';
import type { FaultKind, PrepareRequest } from '../../ports/chain.ts';
import type { Signer } from '../../ports/signer.ts';
import { bytesToHex, hexToBytes, sameBytes } from '../../primitives/hex.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import { type FeeRate, feeAt, feeWithin, type UtxoCoin } from './coin.ts';
import { type Made, madeOf } from './made.ts';
import { scriptTerms } from './parts.ts';

export type Spending = Extract<PrepareRequest, { purpose: 'claim' | 'refund' | 'claimPreimage' | 'refundPreimage' }>;

/** Why nothing was made. */
export type Refused = { readonly kind: FaultKind; readonly message: string };

export type SpendParts = {
  readonly coin: UtxoCoin;
  readonly signer: Signer;
  /** Output script of the own address. */
  readonly to: Uint8Array;
  readonly rate: FeeRate;
  /** In base units; null for no bound. */
  readonly maxFee: bigint | null;
  /** The chain's. */
  readonly clock: UnixSeconds;
};

type Spent = { readonly made: Made; readonly fee: bigint };

/** A claim or a refund of the own side, or one of them for a watcher. */
export async function makeSpend(request: Spending, parts: SpendParts): Promise<Spent | Refused> {
  try {
    return await signSpend(request, parts);
  } catch (error) {
    if (error instanceof HtlcSpendError || error instanceof HtlcTermsError) {
      return { kind: 'invalid', message: error.message };
    }
    throw error;
  }
}

async function signSpend(
  request: Spending,
  { coin, signer, to, rate, maxFee, clock }: SpendParts,
): Promise<Spent | Refused> {
  const draft = draftOf(request, { coin, signer, to, clock });
  if ('message' in draft) return draft;
  const { value } = draft.funding;
  const size = spendSize(draft);
  const earlier = 'replaces' in request && request.replaces !== null ? madeOf(request.replaces.tx_hex) : null;
  const paid = earlier === null ? 0n : value - (earlier.tx.outputs[0]?.value ?? 0n);
  const left = value - coin.dust;
  // A claim that may cost more than it brings is made as dear as can be: later the other side may take it all. A refund waits until it costs less.
  const isCapped = request.purpose === 'claim' && maxFee !== null && maxFee > left;
  const most = isCapped ? left : maxFee;
  const fee = feeWithin(feeAt(rate, size), { least: paid + feeAt(coin.fees.floor, size), maxFee: most });
  if (fee === null && most === maxFee) return { kind: 'feeTooLow', message: 'no fee within the bound suffices' };
  if (fee === null || fee > left)
    return { kind: 'insufficientFunds', message: 'the payment does not cover its own fee' };
  const unsigned = unsignedSpend({ ...draft, fee });
  const signature = await signer.sign(unsigned.signatureHash);
  const secret = request.purpose === 'claim' ? { secret: hexToBytes(request.secret) } : {};
  const { bytes, txid, transaction } = signedSpend(unsigned, { signature, ...secret });
  return { made: { txid, hex: bytesToHex(bytes), tx: transaction }, fee };
}

function draftOf(
  request: Spending,
  { coin, signer, to, clock }: Pick<SpendParts, 'coin' | 'signer' | 'to' | 'clock'>,
): Omit<SpendRequest, 'fee'> | Refused {
  const back = request.purpose === 'refund' || request.purpose === 'refundPreimage';
  const inAdvance = request.purpose === 'claimPreimage' || request.purpose === 'refundPreimage';
  const terms = scriptTerms(request.terms);
  if (!sameBytes(signer.key, back ? terms.senderKey : terms.receiverKey)) {
    return { kind: 'invalid', message: 'the terms name another key' };
  }
  const { scheme, form, hashType, branchId } = coin;
  const funding = madeOf(request.funding.tx_hex);
  const output = funding === null ? undefined : findPaymentOutput(funding.tx, { terms, scheme });
  if (funding === null || output === undefined)
    return { kind: 'invalid', message: 'the funding does not pay these terms' };
  return {
    kind: back ? 'refund' : 'claim',
    form,
    scheme,
    terms,
    funding: { txid: funding.txid, ...output },
    to,
    hashType,
    ...(branchId === undefined ? {} : { branchId }),
    replaceable: !inAdvance,
    ...(back ? freshLock(coin, { lock: terms.lockTime, clock, inAdvance }) : {}),
  };
}

type Locked = { readonly lock: UnixSeconds; readonly clock: UnixSeconds; readonly inAdvance: boolean };

/**
 * Where nodes take no old lock times, a refund has the latest that is final: it must be above none but the chain's clock. One that is signed in
 * advance has that of the moment from which watchers send it.
 */
function freshLock({ oldestLock }: UtxoCoin, { lock, clock, inAdvance }: Locked): { readonly lockTime?: UnixSeconds } {
  if (oldestLock === undefined) return {};
  const latest = inAdvance && clock < lock ? watchersLock({ lock, clock, oldestLock }) : clock - 1;
  return { lockTime: Math.max(lock, latest) as UnixSeconds };
}

/**
 * Watchers send a refund from half the lock's duration after it on (as in the real node), which is more than an hour. Of that duration the time is left
 * that is ahead of the lock when the payment was just made: by half of it the lock time is later, less a quarter of how old it may get, so that
 * a chain's clock that is behind has passed it by then.
 */
function watchersLock({
  lock,
  clock,
  oldestLock,
}: Omit<Locked, 'inAdvance'> & { readonly oldestLock: Seconds }): number {
  return lock + Math.floor((lock - clock) / 2) - Math.floor(oldestLock / 4);
}

/** Whether the nodes of the chain take no transaction with a lock time so far in the past. */
export function isLockTooOld({ oldestLock }: UtxoCoin, { tx }: Made, clock: UnixSeconds): boolean {
  return oldestLock !== undefined && tx.lockTime >= LOCK_TIME_THRESHOLD && tx.lockTime + oldestLock <= clock;
}

/** A watcher's claim with the secret put in; null where the bytes are no preimage or the secret is another. */
export function completed(preimage: string, secret: string): Made | null {
  try {
    const bytes = completeSpendPreimage(hexToBytes(preimage), hexToBytes(secret));
    const made = isTransactionProblem(bytes) ? null : madeOf(bytesToHex(bytes));
    const [input] = made?.tx.inputs ?? [];
    const terms = input === undefined ? undefined : parseHtlcInput(input)?.terms;
    return terms !== undefined && secretHashMatches(hexToBytes(secret), terms.secretHash) ? made : null;
  } catch {
    return null;
  }
}
