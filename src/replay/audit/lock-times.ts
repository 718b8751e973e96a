import type { Role } from '../../events/catalog.ts';
import {
  AFTER_LOCK_WAIT,
  lockMultiple,
  MAX_CLOCK_DIFFERENCE,
  makerLockMultiplier,
  makerPaymentLock,
  makerPaymentWait,
  makerPaymentWaitRule,
  takerPaymentLock,
} from '../../htlc/lock-times.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import type { SwapRule } from './rule.ts';
import { fieldsOf, wholeField } from './stored-fields.ts';
import type { AuditedSwap } from './swap-view.ts';

/** The lock of a party's payment, had it started at the owner's time. */
function lockFrom(swap: AuditedSwap, payer: Role): number | undefined {
  const { startedAt, lockDuration } = swap;
  if (startedAt === undefined || lockDuration === undefined) return undefined;
  if (payer === 'taker') return takerPaymentLock(startedAt as UnixSeconds, lockDuration);
  const multiplier = makerLockMultiplier(swap.payments.taker.coin ?? '');
  return makerPaymentLock(startedAt as UnixSeconds, lockDuration, { multiplier });
}

const NO_START = 'the log does not hold the start and the lock duration';

/** The negotiated lock duration. */
export const lockDurationRule: SwapRule = {
  check: 'lock-duration',
  describes: 'The lock duration is 1, 4, 10 or 12 times 7800 s; a build of its own may use any other.',
  source: 'KDF stored swaps: times',
  run: (swap, findings) => {
    const { lockDuration, startedSeq } = swap;
    if (startedSeq === undefined || lockDuration === undefined) return;
    if (lockMultiple(lockDuration) !== undefined) findings.verified(startedSeq, `${lockDuration} s`);
    else findings.notCheckable(startedSeq, `${lockDuration} s is no duration of an official release`);
  },
};

/** The lock of the owner's payment. */
export const ownLockRule: SwapRule = {
  check: 'own-lock',
  describes:
    "The owner's payment is locked until its start plus the lock duration (taker), or twice that (maker; 1.5 times against Lightning), to the second.",
  source: 'KDF stored swaps: times',
  run: (swap, findings) => {
    const { role, startedSeq } = swap;
    if (startedSeq === undefined) return;
    const expected = lockFrom(swap, role);
    const found = swap.payments[role].lockTime;
    if (expected === undefined || found === undefined) findings.notCheckable(startedSeq, NO_START);
    else if (found === expected) findings.verified(startedSeq, String(found));
    else if (swap.perhapsRecreated && Math.abs(found - expected) <= MAX_CLOCK_DIFFERENCE) {
      const reason = `${found - expected} s from the rule, as in a log that was made out of the other party's`;
      findings.notCheckable(startedSeq, reason);
    } else findings.violated(startedSeq, { expected: String(expected), found: String(found) });
  },
};

/** The lock of the other party's payment. */
export const peerLockRule: SwapRule = {
  check: 'counterparty-lock',
  describes:
    "The other party's payment is locked by the same rule from its own start, which lies within 60 s of the owner's start.",
  source: 'KDF stored swaps: negotiation, checks 2 and 3',
  run: (swap, findings) => {
    const { role, negotiatedSeq } = swap;
    if (negotiatedSeq === undefined) return;
    const payer = role === 'taker' ? 'maker' : 'taker';
    const expected = lockFrom(swap, payer);
    const found = swap.payments[payer].lockTime;
    if (expected === undefined || found === undefined) findings.notCheckable(negotiatedSeq, NO_START);
    else if (Math.abs(found - expected) <= MAX_CLOCK_DIFFERENCE) findings.verified(negotiatedSeq, String(found));
    else {
      findings.violated(negotiatedSeq, {
        expected: `${expected - MAX_CLOCK_DIFFERENCE} to ${expected + MAX_CLOCK_DIFFERENCE}`,
        found: String(found),
      });
    }
  },
};

/** A year after the last release with the older rule: nodes are updated late. */
const THIRD_UNTIL = 1_614_556_800;

/** `maker_payment_wait` of a taker. */
export const makerWaitRule: SwapRule = {
  check: 'maker-payment-wait',
  describes:
    "A taker waits for the maker's payment until its start plus 2/5 of the lock duration, or 1/3 in logs up to February 2020.",
  source: 'KDF stored swaps: times',
  run: (swap, findings) => {
    const { startedSeq: seq, startedAt, lockDuration } = swap;
    if (swap.role !== 'taker' || seq === undefined) return;
    const wait = wholeField(swap.started, 'maker_payment_wait');
    if (startedAt === undefined || lockDuration === undefined || wait === undefined) {
      findings.notCheckable(seq, NO_START);
      return;
    }
    const stored = { startedAt: startedAt as UnixSeconds, lockDuration, makerPaymentWait: wait as UnixSeconds };
    const rule = makerPaymentWaitRule(stored);
    if (rule === 'twoFifths' || (rule === 'oneThird' && startedAt < THIRD_UNTIL)) findings.verified(seq, String(wait));
    else if (rule === 'oneThird') findings.notCheckable(seq, 'by the rule of before February 2020, in a younger log');
    else {
      const expected = String(makerPaymentWait(startedAt as UnixSeconds, lockDuration));
      findings.violated(seq, { expected, found: String(wait) });
    }
  },
};

/** `wait_until` of the events that announce a refund. */
export const waitUntilRule: SwapRule = {
  check: 'wait-until',
  describes: "The wait before a refund ends 3700 s after the lock of the owner's payment.",
  source: 'KDF stored swaps: times',
  run: (swap, findings) => {
    for (const { seq, data } of swap.all('TakerPaymentWaitRefundStarted', 'MakerPaymentWaitRefundStarted')) {
      const found = wholeField(fieldsOf(data), 'wait_until');
      const { lockTime } = swap.payments[swap.role];
      if (found === undefined)
        findings.notCheckable(seq, 'the time was lost when another program stored the swap again');
      else if (lockTime === undefined) findings.notCheckable(seq, NO_START);
      else if (found === lockTime + AFTER_LOCK_WAIT) findings.verified(seq, String(found));
      else findings.violated(seq, { expected: String(lockTime + AFTER_LOCK_WAIT), found: String(found) });
    }
  },
};
