import type { UnixSeconds } from '../../../primitives/time.ts';
import { secretMatches } from '../secret-check.ts';
import { type Ending, type KeptPayment, REFUSED, type SwapModule } from './swap-module.ts';
import type { AccountTransaction } from './transaction.ts';

const NOBODY = /^0*$/;

/**
 * KDF's swap contract with its plain functions: only the receiver claims and only the sender refunds; a claim has no time limit
 * while the payment is not refunded; a refund needs a block time at or after the lock.
 */
export function swapContract(gaps: SwapModule['gaps']): SwapModule {
  return {
    // Nobody has the zero address: the contract takes no payment to it.
    expiryOf: ({ call }) => (NOBODY.test(call.party) ? undefined : Number.POSITIVE_INFINITY),
    claim: ({ from, call }, payment) => {
      const { tx } = payment.entry;
      const right = payment.state === 1 && from === tx.call.party && call.party === tx.from && call.amount === tx.value;
      return right && secretMatches(call.secret ?? '', tx.call.hash) ? { ok: true, to: from } : REFUSED;
    },
    refund: (tx, payment, { time }) => refund(tx, payment, time),
    isRefundable: (lock, { time }) => time >= lock.time,
    expiryTold: (lock, { time }) => ({ unit: 'seconds', at: lock.time as UnixSeconds, now: time as UnixSeconds }),
    lockProblem: ({ call }, lock) =>
      call.lockTime === lock ? null : `Payment tx time_lock arg ${call.lockTime} is invalid, expected ${lock}`,
    lockArguments: (lock) => ({ lockTime: lock, lockBlocks: 0 }),
    replaceable: true,
    gaps,
  };
}

function refund({ from, call }: AccountTransaction, { state, entry }: KeptPayment, time: number): Ending {
  const { tx } = entry;
  const right = state === 1 && from === tx.from && call.party === tx.call.party && call.amount === tx.value;
  return right && call.hash === tx.call.hash && time >= tx.call.lockTime ? { ok: true, to: from } : REFUSED;
}
