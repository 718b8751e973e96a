import {
  MAX_CLOCK_DIFFERENCE,
  makerPaymentSendDeadline,
  makerSpendDeadline,
  takerFeeDeadline,
  takerPaymentSendDeadline,
} from '../../htlc/lock-times.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { SwapRule } from './rule.ts';
import { fieldsOf, textField } from './stored-fields.ts';
import type { AuditedSwap } from './swap-view.ts';

/** How long a node may take from its start to the stored event: in all logs on record it took less than two seconds. */
const PROMPT_START: Seconds = 60;

/** The timestamp of Started against the start that it names. */
export const startTimeRule: SwapRule = {
  check: 'start-time',
  describes:
    'Started was stored when the swap started: within 60 s after `started_at`; never 60 s before it, and never after the lock of its own payment.',
  source: 'recorded swaps: 0 to 2 s',
  run: (swap, findings) => {
    const { startedSeq: seq, startedAt } = swap;
    const at = swap.log.events[0]?.at;
    if (seq === undefined || startedAt === undefined || at === undefined) return;
    const delay = at / 1000 - startedAt;
    const lock = swap.payments[swap.role].lockTime;
    const found = `${delay} s after the start`;
    if (delay >= 0 && delay <= PROMPT_START) findings.verified(seq, found);
    else if (delay < -MAX_CLOCK_DIFFERENCE || (lock !== undefined && at / 1000 > lock)) {
      findings.violated(seq, { expected: `0 to ${PROMPT_START} s after the start`, found });
    } else findings.notCheckable(seq, `stored ${found}; a slow node or a clock that was set may be the cause`);
  },
};

/** Timestamps of all events. */
export const eventOrderRule: SwapRule = {
  check: 'event-times',
  describes: 'No event has a timestamp before an earlier one, unless the clock was set back.',
  source: 'recorded swaps',
  run: ({ log }, findings) => {
    let latest = 0;
    let backwards = 0;
    for (const [seq, { at, type }] of log.events.entries()) {
      if (at >= latest) latest = at;
      else {
        backwards++;
        findings.notCheckable(seq, `${type} is stamped ${latest - at} ms before an earlier event`);
      }
    }
    if (backwards === 0 && log.events.length > 1) findings.verified(null, `${log.events.length} events in order`);
  },
};

/** The moment of a refund against the lock. */
export const refundTimeRule: SwapRule = {
  check: 'refund-time',
  describes: "A refund was stored only after the lock of the owner's payment: no node tries it before.",
  source: 'KDF stored swaps: refund readiness',
  run: (swap, findings) => {
    const { lockTime } = swap.payments[swap.role];
    const refunds = swap.all('TakerPaymentRefunded', 'TakerPaymentRefundedByWatcher', 'MakerPaymentRefunded');
    for (const { seq, at, data } of refunds) {
      if (lockTime === undefined) findings.notCheckable(seq, 'the log does not hold the lock time');
      else if (textField(fieldsOf(data), 'tx_hex') === undefined) {
        findings.notCheckable(seq, 'the coin refunds by itself, by the height of its chain');
      } else if (at / 1000 >= lockTime) findings.verified(seq, `${Math.floor(at / 1000 - lockTime)} s after the lock`);
      else findings.violated(seq, { expected: `after ${lockTime}`, found: String(at / 1000) });
    }
  },
};

type Deadline = { readonly event: string; readonly until: (start: UnixSeconds, duration: Seconds) => UnixSeconds };

const DEADLINES: Readonly<Record<AuditedSwap['role'], readonly Deadline[]>> = {
  taker: [
    { event: 'TakerFeeSent', until: takerFeeDeadline },
    { event: 'TakerPaymentSent', until: takerPaymentSendDeadline },
  ],
  maker: [
    { event: 'MakerPaymentSent', until: makerPaymentSendDeadline },
    { event: 'TakerPaymentSpent', until: makerSpendDeadline },
  ],
};

/** Sends and claims against the last moment at which KDF makes them. */
export const deadlineRule: SwapRule = {
  check: 'deadline',
  describes:
    "The owner's fee, payment and claim were stored within the time in which KDF makes them; a restarted node may store later what it had sent in time.",
  source: 'KDF stored swaps: times',
  run: (swap, findings) => {
    const { startedAt, lockDuration } = swap;
    if (startedAt === undefined || lockDuration === undefined) return;
    for (const { event, until } of DEADLINES[swap.role]) {
      const limit = until(startedAt as UnixSeconds, lockDuration);
      for (const { seq, at } of swap.all(event)) {
        const late = at / 1000 - limit;
        if (late <= 0) findings.verified(seq, `${Math.floor(-late)} s before the deadline`);
        else findings.notCheckable(seq, `stored ${Math.ceil(late)} s after the deadline, perhaps after a restart`);
      }
    }
  },
};

/** What a taker finds out on a restart with watchers, and only then. */
const FOUND_BY_WATCHER = ['MakerPaymentSpentByWatcher', 'TakerPaymentRefundedByWatcher'];
const WITHOUT_SECRET_EVENT = ['MakerPaymentSpent', 'MakerPaymentSpendFailed'];

/** Events that only the look at the chain after a restart explains. */
export const discoveryRule: SwapRule = {
  check: 'restart-discovery',
  describes:
    "A claim or refund by a watcher, or a claim without TakerPaymentSpent before it, comes from a taker's restart after its lock duration: with their usual settings watchers act no earlier.",
  source: 'KDF stored swaps: taker restart discovery, watcher node',
  run: (swap, findings) => {
    const { startedAt, lockDuration } = swap;
    if (swap.role !== 'taker' || startedAt === undefined || lockDuration === undefined) return;
    const spent = swap.first('TakerPaymentSpent')?.seq ?? Number.POSITIVE_INFINITY;
    const found = swap.all(...FOUND_BY_WATCHER);
    const unexplained = swap.all(...WITHOUT_SECRET_EVENT).filter(({ seq }) => seq < spent);
    const from = startedAt + lockDuration;
    for (const { seq, at, type } of [...found, ...unexplained]) {
      const late = at / 1000 - from;
      if (late >= -MAX_CLOCK_DIFFERENCE) findings.verified(seq, `${Math.floor(late)} s after the lock duration`);
      else findings.notCheckable(seq, `${type} ${Math.ceil(-late)} s before the lock duration had passed`);
    }
  },
};
