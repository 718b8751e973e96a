import { toMillis, type UnixSeconds } from '../../src/primitives/time.ts';
import type { Want } from '../definition.ts';
import type { WatcherContext } from './context.ts';
import { lookForPaymentFrom, watchTimes } from './deadlines.ts';

/** Effects of a watch. */
export type WatcherEffect =
  | 'requestWatch'
  | 'validateTakerFee'
  | 'validateTakerPayment'
  | 'waitForTakerPaymentSpend'
  | 'refundTakerPayment'
  | 'confirmTakerPaymentRefund'
  | 'spendMakerPayment'
  | 'confirmMakerPaymentSpend'
  | 'giveUp'
  | 'stop';

/** When the locks of both payments end, each by its own chain's clock; the maker's at the earliest. */
export type WatchedLocks = { readonly maker: UnixSeconds; readonly taker: UnixSeconds };

export type WatcherWant<E extends string = WatcherEffect> = Want<E> & {
  /** While a chain says that its payment is locked, the effect waits. */
  readonly whileLocked?: WatchedLocks;
};

/**
 * What a watch wants done in a state. Level-triggered: live run and restart cannot disagree.
 *
 * Once the spend of the taker payment is known, the watcher wants only the claim. It leaves the claim to the taker
 * until the taker payment's lock ends, and the refund half a lock duration longer. Giving up comes last, so that the
 * chain's facts come first.
 */
export function watcherWants(state: string, context: WatcherContext): readonly WatcherWant[] {
  const { watch, timing } = context;
  if (state === 'stopped') return [];
  if (watch === null || timing === null) return [{ effect: 'requestWatch' }];
  if (state === 'claimedByTaker' || state === 'refundedByTaker') return [{ effect: 'stop' }];
  const times = watchTimes(watch, timing);
  const contestedFrom = toMillis(times.makerLockAtTheEarliest);
  const giveUp: WatcherWant = {
    effect: 'giveUp',
    notBefore: toMillis(times.expiresAt),
    contestedFrom,
    whileLocked: { maker: times.makerLockAtTheEarliest, taker: times.takerLock },
    clock: 'host',
  };
  const refundAfter = toMillis(times.refundAfter);
  switch (state) {
    case 'validatingTakerFee':
      return [{ effect: 'validateTakerFee' }, giveUp];
    case 'validatingTakerPayment': {
      const from = lookForPaymentFrom(context);
      const until = toMillis(times.confirmTakerPaymentBy);
      const notBefore = from === null ? {} : { notBefore: from };
      return [{ effect: 'validateTakerPayment', ...notBefore, until, clock: 'host' }, giveUp];
    }
    case 'waitingForSpend':
      return [
        { effect: 'waitForTakerPaymentSpend' },
        { effect: 'refundTakerPayment', notBefore: refundAfter, clock: 'host' },
        giveUp,
      ];
    case 'refundSent':
      return [{ effect: 'confirmTakerPaymentRefund', notBefore: refundAfter, clock: 'host' }, giveUp];
    case 'claiming':
      return [
        { effect: 'spendMakerPayment', notBefore: toMillis(times.claimFrom), contestedFrom, clock: 'host' },
        giveUp,
      ];
    case 'claimSent':
      return [{ effect: 'confirmMakerPaymentSpend', contestedFrom, clock: 'makerChain' }, giveUp];
    default:
      return [giveUp];
  }
}
