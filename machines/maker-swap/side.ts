import type { SwapSide } from '../swap/side.ts';
import type { MakerSwapContext } from './context.ts';

/** A maker's swap in neutral names: its own payment is the maker payment, and it knows the secret from the start. */
export function makerSide(state: string, context: MakerSwapContext): SwapSide {
  const { started, negotiated, takerPaymentSpend: claim } = context;
  return {
    role: 'maker',
    other: 'taker',
    state,
    started,
    lastEventAt: context.lastEventAt,
    ownCoin: started?.maker_coin ?? null,
    ownAmount: started?.maker_amount ?? null,
    ownLock: started?.maker_payment_lock ?? null,
    ownPayment: context.makerPayment,
    ownUncertain: context.makerPaymentUncertain,
    // A maker's log never tells of the taker's claim.
    ownTaken: null,
    // The own claim shows the secret to everyone, including the taker, even if it was reported as failed.
    otherKnowsSecret: claim !== null || claimFailed(context),
    refunded: context.makerPaymentRefunded,
    refundContradicted: false,
    refund: context.makerPaymentRefund,
    refundedBy: 'maker',
    otherCoin: started?.taker_coin ?? null,
    otherAmount: started?.taker_amount ?? null,
    otherLock: negotiated?.taker_payment_locktime ?? null,
    otherPayment: context.takerPayment,
    otherValidated: context.takerPaymentValidated,
    claimable: context.takerPaymentValidated,
    knowsSecret: true,
    claim,
    claimedBy: 'maker',
    claimConfirmed: context.takerPaymentSpendConfirmed,
    claimDoubtful: context.takerPaymentSpendDoubtful,
    secret: started?.secret ?? null,
    secretIsPublic: claim !== null,
  };
}

function claimFailed({ failures }: MakerSwapContext): boolean {
  return failures.some(({ event }) => event === 'TakerPaymentSpendFailed');
}
