import { takerTimesAt } from '../../../../machines/deadlines/table.ts';
import type { TakerSwapContext } from '../../../../machines/taker-swap/context.ts';
import { takerSide } from '../../../../machines/taker-swap/side.ts';
import type { TakerNegotiated, TakerStarted } from '../../../events/payloads.ts';
import type { NegotiatedWithMaker } from '../../../htlc/check-negotiation.ts';
import {
  makerPaymentInvalid,
  makerPaymentSpendUnconfirmed,
  makerPaymentUnconfirmed,
  takerRefundNotSent,
} from '../../../htlc/error-texts.ts';
import { type NegotiationMessage, negotiationMessage } from '../../../htlc/negotiation.ts';
import type { NewEvent } from '../../command.ts';
import {
  feeBook,
  keyOf,
  NO_FEE,
  negotiationTermsOf,
  plainTransaction,
  type SideInputs,
  tradeFee,
  withReward,
} from '../side-inputs.ts';
import type { SideEvents, SwapFacts } from '../swap-facts.ts';
import { hexOfNumbers } from '../watch-message.ts';
import { factsOf, type SideParts } from './facts.ts';
import { type OwnEvents, type SideForm, sideEvents } from './side-events.ts';
import { type Starting, startedEvent } from './started.ts';

const PARTS: SideParts<TakerStarted, TakerNegotiated> = {
  secretHash: (_, { secret_hash }) => secret_hash,
  peer: ({ maker_pubkey }) => maker_pubkey,
  ownLock: ({ taker_payment_lock }) => taker_payment_lock,
  otherLock: ({ maker_payment_locktime }) => maker_payment_locktime,
  claimFee: ({ maker_payment_spend_trade_fee }) => maker_payment_spend_trade_fee,
};

/** A taker's swap for the effects that both roles share. */
export function takerFacts(state: string, context: TakerSwapContext, inputs: SideInputs): SwapFacts {
  const { started, negotiated, watcherPreimages } = context;
  const watched = watcherPreimages !== null;
  return factsOf(
    takerSide(state, context),
    { started, negotiated, parts: PARTS, claimSeen: false, watched, rewardAsked: null },
    inputs,
  );
}

const FORM: SideForm = {
  names: {
    ownSent: 'TakerPaymentSent',
    ownSendFailed: 'TakerPaymentTransactionFailed',
    otherReceived: 'MakerPaymentReceived',
    otherAwaited: 'MakerPaymentWaitConfirmStarted',
    otherValidated: 'MakerPaymentValidatedAndConfirmed',
    otherInvalid: 'MakerPaymentValidateFailed',
    otherUnconfirmed: 'MakerPaymentWaitConfirmFailed',
    claimed: 'MakerPaymentSpent',
    claimAwaited: null,
    claimedByOther: 'MakerPaymentSpentByWatcher',
    claimFailed: 'MakerPaymentSpendFailed',
    claimConfirmed: 'MakerPaymentSpendConfirmed',
    claimUnconfirmed: 'MakerPaymentSpendConfirmFailed',
    refundAwaited: 'TakerPaymentWaitRefundStarted',
    refundStarted: 'TakerPaymentRefundStarted',
    refunded: 'TakerPaymentRefunded',
    refundedByOther: 'TakerPaymentRefundedByWatcher',
    refundFailed: 'TakerPaymentRefundFailed',
    refundFinished: 'TakerPaymentRefundFinished',
  },
  claiming: new Set(['claiming', 'waitingForSpendWatched']),
  confirming: new Set(['confirmingClaim', 'claimedByWatcher']),
  paysFirst: false,
  texts: {
    otherInvalid: makerPaymentInvalid,
    otherUnconfirmed: makerPaymentUnconfirmed,
    claimUnconfirmed: makerPaymentSpendUnconfirmed,
    refundNotSent: takerRefundNotSent,
  },
};

type At = () => { readonly state: string; readonly context: TakerSwapContext };

/** The events of a taker's swap, under the names that the effects use for both roles. */
export function takerEvents(at: At, inputs: SideInputs): SideEvents {
  const standing = () => {
    const { state, context } = at();
    return { state, ownLock: context.started?.taker_payment_lock ?? null };
  };
  return sideEvents(FORM, standing, terms(at, inputs));
}

function terms(at: At, inputs: SideInputs): OwnEvents {
  const feeOf = feeBook(inputs);
  return {
    started: (quotes, now) => takerStarted(inputs, { quotes, now }),
    fee: () => {
      const { started } = at().context;
      if (started === null) return NO_FEE;
      return feeOf(started, keyOf(started.taker_coin_htlc_pubkey, started.my_persistent_pub));
    },
    feeBefore: () => (inputs.request === null ? NO_FEE : feeOf(inputs.request, inputs.keys.taker)),
    negotiationTerms: () => {
      const { started } = at().context;
      return started === null ? null : negotiationTermsOf(started, inputs);
    },
    negotiationOffer: () => null,
    negotiationReply: (agreed) => replyTo(at().context, agreed),
    feeCheck: () => {
      throw new RangeError('a taker checks no fee');
    },
    feeMessage: () => {
      const { takerFee } = at().context;
      return takerFee === null ? null : { kind: 'takerFee', tx: plainTransaction(takerFee) };
    },
    watch: () => watchMessage(at().context),
  };
}

function takerStarted(inputs: SideInputs, starting: Starting): NewEvent {
  const { request, traits } = inputs;
  if (request === null) throw new RangeError('a swap without a request cannot start');
  const { maker, taker } = starting.quotes;
  const paying = withReward(taker, { own: 'taker', request, traits });
  return startedEvent(inputs, starting, {
    request,
    part(startedAt) {
      const { taker_payment_lock, maker_payment_wait } = takerTimesAt(startedAt, request.lock_duration);
      return {
        who: { maker: request.counterparty },
        lock: { taker_payment_lock },
        wait: { maker_payment_wait },
        fees: {
          fee_to_send_taker_fee: tradeFee(request.taker_coin, taker, 'dexFeeFee'),
          taker_payment_trade_fee: tradeFee(request.taker_coin, paying, 'paymentFee'),
          maker_payment_spend_trade_fee: tradeFee(request.maker_coin, maker, 'spendFee'),
        },
      };
    },
  });
}

function replyTo({ started }: TakerSwapContext, agreed: NegotiatedWithMaker): NegotiationMessage {
  if (started === null) throw new RangeError('a swap that has not started cannot negotiate');
  return negotiationMessage({
    startedAt: started.started_at,
    paymentLock: started.taker_payment_lock,
    secretHash: agreed.secret_hash,
    keys: {
      persistent: started.my_persistent_pub ?? '',
      makerCoin: started.maker_coin_htlc_pubkey,
      takerCoin: started.taker_coin_htlc_pubkey,
    },
    contracts: {
      makerCoin: agreed.maker_coin_swap_contract_addr,
      takerCoin: agreed.taker_coin_swap_contract_addr,
    },
  });
}

function watchMessage(context: TakerSwapContext): ReturnType<SideEvents['watch']> {
  const { started, negotiated, takerFee, takerPayment, makerPayment, watcherPreimages } = context;
  const [claim, refund] = watcherPreimages ?? [null, null];
  if (started === null || negotiated === null || takerFee === null || takerPayment === null || makerPayment === null) {
    return null;
  }
  if (claim === null || refund === null || takerFee.tx_hash === '') return null;
  return {
    uuid: started.uuid,
    secret_hash: negotiated.secret_hash ?? '',
    maker_payment_spend_preimage: hexOfNumbers(claim),
    taker_payment_refund_preimage: hexOfNumbers(refund),
    swap_started_at: started.started_at,
    lock_duration: started.lock_duration,
    taker_coin: started.taker_coin,
    taker_amount: started.taker_amount,
    taker_fee_hash: takerFee.tx_hash,
    taker_payment_hash: takerPayment.tx_hash,
    taker_coin_start_block: started.taker_coin_start_block ?? 0,
    taker_payment_confirmations: started.taker_payment_confirmations,
    taker_payment_requires_nota: started.taker_payment_requires_nota,
    maker_coin: started.maker_coin,
    maker_amount: started.maker_amount,
    maker_pub: keyOf(negotiated.taker_coin_htlc_pubkey, negotiated.maker_pubkey),
    taker_pub: keyOf(started.taker_coin_htlc_pubkey, started.my_persistent_pub),
    maker_payment_hash: makerPayment.tx_hash,
    maker_coin_start_block: started.maker_coin_start_block ?? 0,
  };
}
