import type { StopReason } from '../../src/events/watcher.ts';
import { toMillis } from '../../src/primitives/time.ts';
import type { Invariant } from '../definition.ts';
import type { WatcherContext } from './context.ts';
import { watcherDeadlines, watchTimes } from './deadlines.ts';
import { type WatcherEffect, watcherWants } from './wants.ts';

function wanted(state: string, context: WatcherContext, ...effects: readonly WatcherEffect[]) {
  return watcherWants(state, context).filter(({ effect }) => effects.includes(effect));
}

const CLAIMS: readonly WatcherEffect[] = ['spendMakerPayment', 'confirmMakerPaymentSpend'];
const REFUNDS: readonly WatcherEffect[] = ['refundTakerPayment', 'confirmTakerPaymentRefund'];

function claimWaits(state: string, context: WatcherContext): boolean {
  const { watch, timing, secret } = context;
  const claims = wanted(state, context, ...CLAIMS);
  if (claims.length === 0) return true;
  if (watch === null || timing === null || secret === null) return false;
  const from = toMillis(watchTimes(watch, timing).claimFrom);
  return claims.every(({ effect, notBefore }) => effect !== 'spendMakerPayment' || notBefore === from);
}

function refundWaits(state: string, context: WatcherContext): boolean {
  const { watch, timing } = context;
  const refunds = wanted(state, context, ...REFUNDS);
  if (refunds.length === 0) return true;
  if (watch === null || timing === null) return false;
  const { refundAfter, takerLock } = watchTimes(watch, timing);
  if (refundAfter < takerLock) return false;
  return refunds.every(
    ({ effect, notBefore }) => effect !== 'refundTakerPayment' || notBefore === toMillis(refundAfter),
  );
}

/** What the log must say, or must not say, for a watch to stop for a reason. */
const GROUNDS: Readonly<Record<StopReason, (context: WatcherContext) => boolean>> = {
  InvalidTakerFee: ({ takerFeeValidatedAt }) => takerFeeValidatedAt === null,
  InvalidTakerPayment: ({ takerFeeValidatedAt, takerPaymentValidated }) =>
    takerFeeValidatedAt !== null && !takerPaymentValidated,
  TakerPaymentNotConfirmed: ({ takerFeeValidatedAt, takerPaymentValidated }) =>
    takerFeeValidatedAt !== null && !takerPaymentValidated,
  TakerPaymentRefundedByTaker: ({ takerPaymentRefundedBy, secret }) =>
    takerPaymentRefundedBy === 'taker' && secret === null,
  UnableToExtractSecret: ({ takerPaymentValidated, secret }) => takerPaymentValidated && secret === null,
  MakerPaymentCouldNotBeFound: ({ secret, makerPaymentSpend }) => secret !== null && makerPaymentSpend === null,
  MakerPaymentSpentByTaker: ({ secret, makerPaymentSpentBy }) => secret !== null && makerPaymentSpentBy === 'taker',
  MakerPaymentSpent: ({ secret, makerPaymentSpentBy }) => secret !== null && makerPaymentSpentBy === 'watcher',
  MakerPaymentSpendFailed: ({ secret, makerPaymentSpentBy }) => secret !== null && makerPaymentSpentBy !== 'taker',
  TakerPaymentRefunded: ({ takerPaymentRefundedBy, secret }) => takerPaymentRefundedBy === 'watcher' && secret === null,
  TakerPaymentRefundFailed: ({ takerPaymentValidated, takerPaymentRefundedBy, secret }) =>
    takerPaymentValidated && takerPaymentRefundedBy === null && secret === null,
  Expired: () => true,
};

/** What holds after every event of a legal log. */
export const watcherInvariants: readonly Invariant<WatcherContext>[] = [
  {
    id: 'W1',
    text: 'every unfinished state wants something, and the stopped state wants nothing',
    holds: (state, context) => (state === 'stopped') === (watcherWants(state, context).length === 0),
  },
  {
    id: 'W2',
    text: 'once the spend of the taker payment is known, the watcher wants no refund',
    holds: (state, context) => context.secret === null || wanted(state, context, ...REFUNDS).length === 0,
  },
  {
    id: 'W3',
    text: 'the watcher wants a claim only with the secret, and leaves it to the taker for the agreed time',
    holds: claimWaits,
  },
  {
    id: 'W4',
    text: 'the watcher wants a refund only after the agreed time, which is never before the lock of the taker payment',
    holds: refundWaits,
  },
  {
    id: 'W5',
    text: "the watcher claims or refunds nothing before it has validated the taker's fee and payment",
    holds: (state, context) =>
      (context.takerFeeValidatedAt !== null && context.takerPaymentValidated) ||
      wanted(state, context, ...CLAIMS, ...REFUNDS).length === 0,
  },
  {
    id: 'W6',
    text: 'a watch stops only for a reason that its log supports',
    holds: (_, context) => context.stopped === null || GROUNDS[context.stopped.reason](context),
  },
  {
    id: 'W7',
    text: 'every running watch has a moment at which the watcher gives it up',
    holds: (state, context) =>
      (context.watch !== null && state !== 'stopped') ===
      watcherDeadlines(state, context).some(({ kind }) => kind === 'expiry'),
  },
  {
    id: 'W8',
    text: 'the reason for stopping is known if and only if the watch has stopped',
    holds: (state, { stopped }) => (state === 'stopped') === (stopped !== null),
  },
];
