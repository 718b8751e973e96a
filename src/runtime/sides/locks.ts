import { currentPrepared, type JournalContext } from '../../../machines/journal/context.ts';
import type { MakerSwapContext } from '../../../machines/maker-swap/context.ts';
import type { TakerSwapContext } from '../../../machines/taker-swap/context.ts';
import type { Purpose } from '../../events/journal.ts';
import { dexFeeTotal, type LockedAmounts, lockedBySwap } from '../../htlc/locked-amount.ts';
import type { NetworkProfile } from '../../htlc/network-profile.ts';
import { feeOf, keyOf, type Traits } from './common.ts';

type Given = {
  readonly state: string;
  readonly journal: JournalContext;
  readonly traits: Traits;
  readonly network?: NetworkProfile;
};

const NOTHING: LockedAmounts = new Map();

// What is signed and in the log counts as sent: from then on the wallet itself keeps its coins for it (C2 of the chain port), and
// counting them twice would refuse swaps that can be paid for.

/** What a taker's swap will still take from the wallets. */
export function takerLocks(context: TakerSwapContext, { state, journal, traits, network }: Given): LockedAmounts {
  const { started, takerFee, takerPayment, makerPaymentSpend } = context;
  if (started === null || state === 'finished') return NOTHING;
  const sent = [
    takerFee !== null || isSigned(journal, 'fee'),
    takerPayment !== null || isSigned(journal, 'payment'),
    makerPaymentSpend !== null || isSigned(journal, 'claim'),
  ];
  return remembered(started, { sent, types: ['TakerFeeSent', 'TakerPaymentSent', 'MakerPaymentSpent'] }, (events) => {
    const takerKey = keyOf(started.taker_coin_htlc_pubkey, started.my_persistent_pub);
    const dexFee = dexFeeTotal(feeOf(started, { traits, takerKey, network }), traits.taker.decimals);
    return lockedBySwap({ role: 'taker', uuid: started.uuid, started, dexFee, events });
  });
}

/** The same for a maker's swap. */
export function makerLocks(context: MakerSwapContext, { state, journal }: Given): LockedAmounts {
  const { started, makerPayment, takerPaymentSpend } = context;
  if (started === null || state === 'finished') return NOTHING;
  const sent = [
    makerPayment !== null || isSigned(journal, 'payment'),
    takerPaymentSpend !== null || isSigned(journal, 'claim'),
  ];
  return remembered(started, { sent, types: ['MakerPaymentSent', 'TakerPaymentSpent'] }, (events) =>
    lockedBySwap({ role: 'maker', uuid: started.uuid, started, events }),
  );
}

function isSigned(journal: JournalContext, purpose: Purpose): boolean {
  return currentPrepared(journal, purpose) !== null;
}

const known = new WeakMap<object, { readonly sent: readonly boolean[]; readonly amounts: LockedAmounts }>();

type Sent = { readonly sent: readonly boolean[]; readonly types: readonly string[] };

/** Asked for after every append, of which few change it. */
function remembered(
  started: object,
  { sent, types }: Sent,
  compute: (events: readonly string[]) => LockedAmounts,
): LockedAmounts {
  const last = known.get(started);
  if (last?.sent.every((was, index) => was === sent[index]) === true) return last.amounts;
  const amounts = compute(types.filter((_, index) => sent[index]));
  known.set(started, { sent, amounts });
  return amounts;
}
