import type { SideEvents } from '../swap-facts.ts';

/** The events of one side by what they tell of. */
export type EventParts = {
  readonly paying: Pick<
    SideEvents,
    'ownSent' | 'ownSendFailed' | 'otherReceived' | 'otherValidated' | 'otherInvalid' | 'otherUnconfirmed'
  >;
  readonly claim: Pick<
    SideEvents,
    'claimed' | 'claimedByOther' | 'claimFailed' | 'claimUnconfirmed' | 'claimConfirmed'
  >;
  readonly refund: Pick<
    SideEvents,
    | 'refundWaitStarted'
    | 'refundStarted'
    | 'refunded'
    | 'refundedByOther'
    | 'refundFailed'
    | 'refundFinished'
    | 'closeLost'
  >;
  readonly own: Pick<
    SideEvents,
    | 'started'
    | 'fee'
    | 'feeBefore'
    | 'negotiationTerms'
    | 'negotiationOffer'
    | 'negotiationReply'
    | 'feeCheck'
    | 'feeMessage'
    | 'watch'
  >;
};

/**
 * Puts the events of one side together. Named one by one: a spread costs many times as much, and a simulation makes two of
 * these for every swap.
 */
export function sideEvents({ paying, claim, refund, own }: EventParts): SideEvents {
  return {
    ownSent: paying.ownSent,
    ownSendFailed: paying.ownSendFailed,
    otherReceived: paying.otherReceived,
    otherValidated: paying.otherValidated,
    otherInvalid: paying.otherInvalid,
    otherUnconfirmed: paying.otherUnconfirmed,
    claimed: claim.claimed,
    claimedByOther: claim.claimedByOther,
    claimFailed: claim.claimFailed,
    claimUnconfirmed: claim.claimUnconfirmed,
    claimConfirmed: claim.claimConfirmed,
    refundWaitStarted: refund.refundWaitStarted,
    refundStarted: refund.refundStarted,
    refunded: refund.refunded,
    refundedByOther: refund.refundedByOther,
    refundFailed: refund.refundFailed,
    refundFinished: refund.refundFinished,
    closeLost: refund.closeLost,
    started: own.started,
    fee: own.fee,
    feeBefore: own.feeBefore,
    negotiationTerms: own.negotiationTerms,
    negotiationOffer: own.negotiationOffer,
    negotiationReply: own.negotiationReply,
    feeCheck: own.feeCheck,
    feeMessage: own.feeMessage,
    watch: own.watch,
  };
}
