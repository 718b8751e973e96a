import { currentPrepared, type JournalContext } from '../../../../machines/journal/context.ts';
import type { MakerSwapContext } from '../../../../machines/maker-swap/context.ts';
import type { TakerSwapContext } from '../../../../machines/taker-swap/context.ts';
import type { Purpose } from '../../../events/journal.ts';
import { dexFeeTotal, holdOfSwap, type StoredTradeFee, type SwapHold } from '../../../htlc/locked-amount.ts';
import type { NetworkProfile } from '../../../htlc/network-profile.ts';
import type { Leg } from '../../command.ts';
import { feeOf, keyOf, type Traits } from '../side-inputs.ts';

type Given = {
  readonly state: string;
  readonly journal: JournalContext;
  readonly traits: Traits;
  readonly network?: NetworkProfile;
};

const NOTHING: SwapHold = { amounts: new Map(), fees: new Map() };

// What is signed and in the log counts as sent: from then on the wallet itself keeps its coins for it (C2 of the chain port), and
// counting them twice would refuse swaps that can be paid for.

/** What a taker's swap will still take from the wallets. */
export function takerLocks(context: TakerSwapContext, { state, journal, traits, network }: Given): SwapHold {
  const { started, takerFee, takerPayment, makerPaymentSpend, takerPaymentSpend, takerPaymentRefunded } = context;
  if (started === null || state === 'finished') return NOTHING;
  const refundFee = refundFeeOf(started.taker_payment_trade_fee, { leg: 'taker', journal, traits });
  const sent = [
    takerFee !== null || isSigned(journal, 'fee'),
    takerPayment !== null || isSigned(journal, 'payment'),
    makerPaymentSpend !== null || isSigned(journal, 'claim'),
    takerPaymentSpend !== null || takerPaymentRefunded || isBack(journal, 'taker'),
  ];
  return remembered(started, { sent, refundFee, types: OF_TAKER }, (events) => {
    const takerKey = keyOf(started.taker_coin_htlc_pubkey, started.my_persistent_pub);
    const dexFee = dexFeeTotal(feeOf(started, { traits, takerKey, network }), traits.taker.decimals);
    return holdOfSwap({ role: 'taker', uuid: started.uuid, started, dexFee, refundFee, events });
  });
}

const OF_TAKER = ['TakerFeeSent', 'TakerPaymentSent', 'MakerPaymentSpent', 'TakerPaymentRefunded'] as const;

/** The same for a maker's swap. */
export function makerLocks(context: MakerSwapContext, { state, journal, traits }: Given): SwapHold {
  const { started, makerPayment, takerPaymentSpend, makerPaymentRefunded } = context;
  if (started === null || state === 'finished') return NOTHING;
  const refundFee = refundFeeOf(started.maker_payment_trade_fee, { leg: 'maker', journal, traits });
  const sent = [
    makerPayment !== null || isSigned(journal, 'payment'),
    takerPaymentSpend !== null || isSigned(journal, 'claim'),
    makerPaymentRefunded || isBack(journal, 'maker'),
  ];
  return remembered(started, { sent, refundFee, types: OF_MAKER }, (events) =>
    holdOfSwap({ role: 'maker', uuid: started.uuid, started, refundFee, events }),
  );
}

const OF_MAKER = ['MakerPaymentSent', 'TakerPaymentSpent', 'MakerPaymentRefunded'] as const;

function isSigned(journal: JournalContext, purpose: Purpose): boolean {
  return currentPrepared(journal, purpose) !== null;
}

/** Whether the own payment has ended for good, or its refund is signed. */
function isBack(journal: JournalContext, leg: Leg): boolean {
  return journal.settled[leg] !== null || isSigned(journal, 'refund');
}

type Own = Pick<Given, 'journal' | 'traits'> & { readonly leg: Leg };

/**
 * What the refund of the own payment takes from the wallet, as the wallet computed it when it signed the payment. An older log, or one from
 * elsewhere, has only the payment's fee from the start, which includes the refund's; all of it is held.
 */
function refundFeeOf(stored: StoredTradeFee | undefined, { leg, journal, traits }: Own): StoredTradeFee {
  if (stored === null || stored === undefined) return null;
  const told = journal.prepared.payment.findLast(({ tx }) => tx.refundFee !== undefined)?.tx.refundFee;
  if (told !== undefined) return { coin: stored.coin, amount: told, paid_from_trading_vol: false };
  // A coin that pays no fees cannot pay for its refund either.
  const isFromWallet = traits[leg].refundFeeFrom === 'wallet' || stored.coin !== traits[leg].coin;
  return isFromWallet && traits[leg].refund === 'transaction' ? stored : null;
}

type Kept = { readonly sent: readonly boolean[]; readonly refundFee: StoredTradeFee; readonly hold: SwapHold };

const known = new WeakMap<object, Kept>();

type Sent = Omit<Kept, 'hold'> & { readonly types: readonly string[] };

/** Computed after every append; few change it. */
function remembered(
  started: object,
  { sent, refundFee, types }: Sent,
  compute: (events: readonly string[]) => SwapHold,
): SwapHold {
  const last = known.get(started);
  const isSame =
    last?.refundFee?.amount === refundFee?.amount && last?.sent.every((was, index) => was === sent[index]) === true;
  if (last !== undefined && isSame) return last.hold;
  const hold = compute(types.filter((_, index) => sent[index]));
  known.set(started, { sent, refundFee, hold });
  return hold;
}
