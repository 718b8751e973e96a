import type { SwapSide } from '../swap/side.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';

/** A taker's swap in neutral names: its own payment is the taker payment. */
export function takerSide(state: string, context: TakerSwapContext): SwapSide {
  const { started, negotiated, takerPaymentSpend } = context;
  // What the maker took, it took with the secret.
  const isPublic = secretIsPublic(context);
  return {
    role: 'taker',
    other: 'maker',
    state,
    started,
    lastEventAt: context.lastEventAt,
    ownCoin: started?.taker_coin ?? null,
    ownAmount: started?.taker_amount ?? null,
    ownLock: started?.taker_payment_lock ?? null,
    ownPayment: context.takerPayment,
    ownUncertain: context.takerPaymentUncertain,
    ownTaken: isPublic ? { tx: takerPaymentSpend?.tx_hash ?? null, doubtful: false } : null,
    otherKnowsSecret: true,
    refunded: context.takerPaymentRefunded,
    refundContradicted: context.takerPaymentRefunded && isPublic,
    refund: context.takerPaymentRefund,
    refundedBy: context.takerPaymentRefundedBy === 'watcher' ? 'watcher' : 'taker',
    otherCoin: started?.maker_coin ?? null,
    otherAmount: started?.maker_amount ?? null,
    otherLock: negotiated?.maker_payment_locktime ?? null,
    otherPayment: context.makerPayment,
    otherValidated: context.makerPaymentValidated,
    claimable: isPublic,
    knowsSecret: isPublic,
    claim: context.makerPaymentSpend,
    claimedBy: context.makerPaymentSpentBy === 'watcher' ? 'watcher' : 'taker',
    claimConfirmed: context.makerPaymentSpendConfirmed,
    claimDoubtful: context.makerPaymentSpendDoubtful,
    secret: context.secret,
    secretIsPublic: isPublic,
  };
}
