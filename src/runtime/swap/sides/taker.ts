import { raceAgainst, refundWaitedUntil, takerTimesAt } from '../../../../machines/deadlines/table.ts';
import { secretIsPublic, type TakerSwapContext } from '../../../../machines/taker-swap/context.ts';
import type { NegotiatedWithMaker } from '../../../htlc/check-negotiation.ts';
import {
  makerPaymentInvalid,
  makerPaymentSpendUnconfirmed,
  makerPaymentUnconfirmed,
  takerRefundNotSent,
} from '../../../htlc/error-texts.ts';
import { type NegotiationMessage, negotiationMessage } from '../../../htlc/negotiation.ts';
import type { Quote } from '../../../ports/chain.ts';
import { type Millis, toUnixSeconds, type UnixSeconds } from '../../../primitives/time.ts';
import type { Leg, NewEvent } from '../../command.ts';
import {
  type AgreedTerms,
  addContracts,
  agreedTerms,
  feeBook,
  keyOf,
  negotiationTermsOf,
  plainTransaction,
  type SideInputs,
  termsOf,
  tradeFee,
  withReward,
  withRoles,
} from '../side-inputs.ts';
import type { SideEvents, SwapFacts } from '../swap-facts.ts';
import { hexOfNumbers } from '../watch-message.ts';
import { type EventParts, sideEvents } from './side-events.ts';

const CONFIRMING: ReadonlySet<string> = new Set(['confirmingClaim', 'claimedByWatcher']);
const CLAIMING: ReadonlySet<string> = new Set(['claiming', 'waitingForSpendWatched']);

/** A taker's swap for the effects that both roles share. */
export function takerFacts(
  state: string,
  context: TakerSwapContext,
  { request, agreed, traits }: SideInputs,
): SwapFacts {
  const { started } = context;
  const { own, other } = agreedTerms(agreed, context, withRoles(termsOfBoth, { own: 'taker', traits }));
  const lockDuration = started?.lock_duration ?? request?.lock_duration ?? 0;
  return {
    role: 'taker',
    state,
    uuid: request?.uuid ?? started?.uuid ?? '',
    own: 'taker',
    other: 'maker',
    startedAt: started?.started_at ?? null,
    startBlocks: { maker: started?.maker_coin_start_block ?? null, taker: started?.taker_coin_start_block ?? null },
    lockDuration,
    race: other === null ? null : raceAgainst(other.lock, lockDuration),
    ownTerms: own,
    otherTerms: other,
    ownPayment: context.takerPayment,
    otherPayment: context.makerPayment,
    otherConfirmations: started?.maker_payment_confirmations ?? 1,
    otherValidated: context.makerPaymentValidated,
    watched: context.watcherPreimages !== null,
    otherRequiresNota: started?.maker_payment_requires_nota ?? false,
    claimFee: started?.maker_payment_spend_trade_fee ?? null,
    ownConfirmations: started?.taker_payment_confirmations ?? 1,
    secret: context.secret,
    secretIsPublic: secretIsPublic(context),
    claim: context.makerPaymentSpend,
    refunded: context.takerPaymentRefunded,
    rewardAsked: null,
    lastEventAt: context.lastEventAt ?? (0 as Millis),
  };
}

type Started = NonNullable<TakerSwapContext['started']>;
type Negotiated = NonNullable<TakerSwapContext['negotiated']>;

function termsOfBoth(started: Started, negotiated: Negotiated): Pick<AgreedTerms, 'own' | 'other'> {
  const { secret_hash: secretHash } = negotiated;
  return {
    own: termsOf({
      lock: started.taker_payment_lock,
      secretHash,
      sender: keyOf(started.taker_coin_htlc_pubkey, started.my_persistent_pub),
      receiver: keyOf(negotiated.taker_coin_htlc_pubkey, negotiated.maker_pubkey),
      amount: started.taker_amount,
      contract: negotiated.taker_coin_swap_contract_addr ?? started.taker_coin_swap_contract_address,
    }),
    other: termsOf({
      lock: negotiated.maker_payment_locktime,
      secretHash,
      sender: keyOf(negotiated.maker_coin_htlc_pubkey, negotiated.maker_pubkey),
      receiver: keyOf(started.maker_coin_htlc_pubkey, started.my_persistent_pub),
      amount: started.maker_amount,
      contract: negotiated.maker_coin_swap_contract_addr ?? started.maker_coin_swap_contract_address,
    }),
  };
}

/** Events that depend on nothing but what they are given. */
const PAYING = payingEvents();

type At = () => { readonly state: string; readonly context: TakerSwapContext };

/** The events of a taker's swap, under the names that the effects use for both roles. */
export function takerEvents(at: At, inputs: SideInputs): SideEvents {
  return sideEvents({
    paying: PAYING,
    claim: claimEvents(at),
    refund: refundEvents(at),
    own: terms(at, inputs),
  });
}

function payingEvents(): EventParts['paying'] {
  return {
    ownSent: (tx) => ({ type: 'TakerPaymentSent', data: plainTransaction(tx) }),
    ownSendFailed: (error) => ({ type: 'TakerPaymentTransactionFailed', data: { error } }),
    otherReceived: (tx) => [
      { type: 'MakerPaymentReceived', data: plainTransaction(tx) },
      { type: 'MakerPaymentWaitConfirmStarted', data: null },
    ],
    otherValidated: () => ({ type: 'MakerPaymentValidatedAndConfirmed', data: null }),
    otherInvalid: (error) => [{ type: 'MakerPaymentValidateFailed', data: { error: makerPaymentInvalid(error) } }],
    otherUnconfirmed: (error) => [
      { type: 'MakerPaymentWaitConfirmFailed', data: { error: makerPaymentUnconfirmed(error) } },
    ],
  };
}

function claimEvents(at: At): EventParts['claim'] {
  const lost = (error: string): readonly NewEvent[] => {
    const { state } = at();
    if (CLAIMING.has(state)) return [{ type: 'MakerPaymentSpendFailed', data: { error } }];
    if (CONFIRMING.has(state)) {
      return [{ type: 'MakerPaymentSpendConfirmFailed', data: { error: makerPaymentSpendUnconfirmed(error) } }];
    }
    return [];
  };
  return {
    claimed: (tx) => [{ type: 'MakerPaymentSpent', data: plainTransaction(tx) }],
    claimedByOther: (tx) => [{ type: 'MakerPaymentSpentByWatcher', data: plainTransaction(tx) }],
    claimFailed: lost,
    claimUnconfirmed: lost,
    claimConfirmed: () => ({ type: 'MakerPaymentSpendConfirmed', data: null }),
  };
}

function refundEvents(at: At): EventParts['refund'] {
  return {
    refundWaitStarted: () => {
      const lock = at().context.started?.taker_payment_lock ?? (0 as UnixSeconds);
      return { type: 'TakerPaymentWaitRefundStarted', data: { wait_until: refundWaitedUntil(lock) } };
    },
    refundStarted: () => ({ type: 'TakerPaymentRefundStarted', data: null }),
    refunded: (tx) => ({ type: 'TakerPaymentRefunded', data: tx === null ? null : plainTransaction(tx) }),
    refundedByOther: (tx) => ({
      type: 'TakerPaymentRefundedByWatcher',
      data: tx === null ? null : plainTransaction(tx),
    }),
    refundFailed: (error) => ({ type: 'TakerPaymentRefundFailed', data: { error } }),
    refundFinished: () => ({ type: 'TakerPaymentRefundFinished', data: null }),
    closeLost: (error) => {
      const { state } = at();
      if (state === 'waitingForRefund') return { type: 'TakerPaymentRefundStarted', data: null };
      if (state === 'refunding') {
        return { type: 'TakerPaymentRefundFailed', data: { error: takerRefundNotSent(error) } };
      }
      return { type: 'Finished', data: null };
    },
  };
}

function terms(at: At, inputs: SideInputs): EventParts['own'] {
  const feeOf = feeBook(inputs);
  return {
    started: (quotes, now) => startedEvent(inputs, { quotes, now }),
    fee: () => {
      const { started } = at().context;
      if (started === null) return { kind: 'none', feeSat: 0n, burnSat: 0n };
      return feeOf(started, keyOf(started.taker_coin_htlc_pubkey, started.my_persistent_pub));
    },
    feeBefore: () =>
      inputs.request === null ? { kind: 'none', feeSat: 0n, burnSat: 0n } : feeOf(inputs.request, inputs.keys.taker),
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

function startedEvent(
  { request, keys, traits }: SideInputs,
  { quotes, now }: { readonly quotes: Readonly<Record<Leg, Quote>>; readonly now: Millis },
): NewEvent {
  if (request === null) throw new RangeError('a swap without a request cannot start');
  const startedAt = toUnixSeconds(now);
  const { taker, maker } = quotes;
  const paying = withReward(taker, { own: 'taker', request, traits });
  const times = takerTimesAt(startedAt, request.lock_duration);
  const data: Record<string, unknown> = {
    taker_coin: request.taker_coin,
    maker_coin: request.maker_coin,
    maker: request.counterparty,
    my_persistent_pub: request.my_persistent_pub,
    lock_duration: request.lock_duration,
    maker_amount: request.maker_amount,
    taker_amount: request.taker_amount,
    maker_payment_confirmations: request.maker_payment_confirmations,
    maker_payment_requires_nota: request.maker_payment_requires_nota,
    taker_payment_confirmations: request.taker_payment_confirmations,
    taker_payment_requires_nota: request.taker_payment_requires_nota,
    taker_payment_lock: times.taker_payment_lock,
    uuid: request.uuid,
    started_at: startedAt,
    maker_payment_wait: times.maker_payment_wait,
    maker_coin_start_block: maker.height,
    taker_coin_start_block: taker.height,
    fee_to_send_taker_fee: tradeFee(request.taker_coin, taker, 'dexFeeFee'),
    taker_payment_trade_fee: tradeFee(request.taker_coin, paying, 'paymentFee'),
    maker_payment_spend_trade_fee: tradeFee(request.maker_coin, maker, 'spendFee'),
  };
  addContracts(traits, data);
  data['maker_coin_htlc_pubkey'] = keys.maker;
  data['taker_coin_htlc_pubkey'] = keys.taker;
  data['p2p_privkey'] = null;
  return { type: 'Started', data };
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
