import { makerLockAt, raceAgainst, refundWaitedUntil } from '../../../../machines/deadlines/table.ts';
import type { MakerSwapContext } from '../../../../machines/maker-swap/context.ts';
import type { StoredTransaction } from '../../../events/payloads.ts';
import type { DexFee } from '../../../htlc/dex-fee.ts';
import {
  makerRefundNotSent,
  takerPaymentInvalid,
  takerPaymentSpendUnconfirmed,
  takerPaymentUnconfirmed,
} from '../../../htlc/error-texts.ts';
import { type NegotiationMessage, negotiationMessage } from '../../../htlc/negotiation.ts';
import { secretHashOf as hashOfSecret } from '../../../htlc/secret-hash.ts';
import type { Quote } from '../../../ports/chain.ts';
import { type DecimalText, isDecimalText, toPlainDecimal } from '../../../primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';
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
  type Traits,
  termsOf,
  tradeFee,
  withReward,
  withRoles,
} from '../side-inputs.ts';
import type { SideEvents, SwapFacts } from '../swap-facts.ts';
import { type EventParts, sideEvents } from './side-events.ts';

const CONFIRMING: ReadonlySet<string> = new Set(['claimSent', 'confirmingClaim']);

/** A maker's swap for the effects that both roles share. `claimSeen`: somebody else has the own claim, and with it the secret. */
export function makerFacts(
  state: string,
  context: MakerSwapContext,
  { request, claimSeen, agreed, traits }: SideInputs & { readonly claimSeen: boolean },
): SwapFacts {
  const { started } = context;
  const { own, other } = agreedTerms(agreed, context, withRoles(termsOfBoth, { own: 'maker', traits }));
  const lockDuration = started?.lock_duration ?? request?.lock_duration ?? 0;
  return {
    role: 'maker',
    state,
    uuid: request?.uuid ?? started?.uuid ?? '',
    own: 'maker',
    other: 'taker',
    startedAt: started?.started_at ?? null,
    startBlocks: { maker: started?.maker_coin_start_block ?? null, taker: started?.taker_coin_start_block ?? null },
    lockDuration,
    race: other === null ? null : raceAgainst(other.lock, lockDuration),
    ownTerms: own,
    otherTerms: other,
    ownPayment: context.makerPayment,
    otherPayment: context.takerPayment,
    otherConfirmations: started?.taker_payment_confirmations ?? 1,
    otherValidated: context.takerPaymentValidated,
    watched: false,
    otherRequiresNota: started?.taker_payment_requires_nota ?? false,
    claimFee: started?.taker_payment_spend_trade_fee ?? null,
    ownConfirmations: started?.maker_payment_confirmations ?? 1,
    secret: started?.secret ?? null,
    secretIsPublic: context.takerPaymentSpend !== null || claimSeen,
    claim: context.takerPaymentSpend,
    refunded: context.makerPaymentRefunded,
    rewardAsked: askedIn(context.instructions),
    lastEventAt: context.lastEventAt ?? (0 as Millis),
  };
}

function askedIn(instructions: MakerSwapContext['instructions']): DecimalText | null {
  const asked: unknown = instructions?.['WatcherReward'];
  return typeof asked === 'string' && isDecimalText(asked) ? toPlainDecimal(asked) : null;
}

type Started = NonNullable<MakerSwapContext['started']>;
type Negotiated = NonNullable<MakerSwapContext['negotiated']>;

function termsOfBoth(started: Started, negotiated: Negotiated): Pick<AgreedTerms, 'own' | 'other'> {
  const secretHash = started.secret_hash ?? null;
  return {
    own: termsOf({
      lock: started.maker_payment_lock,
      secretHash,
      sender: keyOf(started.maker_coin_htlc_pubkey, started.my_persistent_pub),
      receiver: keyOf(negotiated.maker_coin_htlc_pubkey, negotiated.taker_pubkey),
      amount: started.maker_amount,
      contract: negotiated.maker_coin_swap_contract_addr ?? started.maker_coin_swap_contract_address,
    }),
    other: termsOf({
      lock: negotiated.taker_payment_locktime,
      secretHash,
      sender: keyOf(negotiated.taker_coin_htlc_pubkey, negotiated.taker_pubkey),
      receiver: keyOf(started.taker_coin_htlc_pubkey, started.my_persistent_pub),
      amount: started.taker_amount,
      contract: negotiated.taker_coin_swap_contract_addr ?? started.taker_coin_swap_contract_address,
    }),
  };
}

type At = () => { readonly state: string; readonly context: MakerSwapContext };

/** The events of a maker's swap, under the names that the effects use for both roles. */
export function makerEvents(at: At, inputs: SideInputs): SideEvents {
  return sideEvents({
    paying: payingEvents(at),
    claim: claimEvents(at),
    refund: refundEvents(at),
    own: terms(at, inputs),
  });
}

function waitStarted(at: At): NewEvent {
  const lock = at().context.started?.maker_payment_lock ?? (0 as UnixSeconds);
  return { type: 'MakerPaymentWaitRefundStarted', data: { wait_until: refundWaitedUntil(lock) } };
}

function payingEvents(at: At): EventParts['paying'] {
  return {
    ownSent: (tx) => ({ type: 'MakerPaymentSent', data: plainTransaction(tx) }),
    ownSendFailed: (error) => ({ type: 'MakerPaymentTransactionFailed', data: { error } }),
    otherReceived: (tx) => [
      { type: 'TakerPaymentReceived', data: plainTransaction(tx) },
      { type: 'TakerPaymentWaitConfirmStarted', data: null },
    ],
    otherValidated: () => ({ type: 'TakerPaymentValidatedAndConfirmed', data: null }),
    otherInvalid: (error) => [
      { type: 'TakerPaymentValidateFailed', data: { error: takerPaymentInvalid(error) } },
      waitStarted(at),
    ],
    otherUnconfirmed: (error) => [
      { type: 'TakerPaymentWaitConfirmFailed', data: { error: takerPaymentUnconfirmed(error) } },
      waitStarted(at),
    ],
  };
}

function claimEvents(at: At): EventParts['claim'] {
  const claimed = (tx: StoredTransaction): readonly NewEvent[] => [
    { type: 'TakerPaymentSpent', data: plainTransaction(tx) },
    { type: 'TakerPaymentSpendConfirmStarted', data: null },
  ];
  const lost = (error: string): readonly NewEvent[] => {
    const { state } = at();
    if (state === 'claiming') return [{ type: 'TakerPaymentSpendFailed', data: { error } }, waitStarted(at)];
    if (!CONFIRMING.has(state)) return [];
    const text = takerPaymentSpendUnconfirmed(error);
    return [{ type: 'TakerPaymentSpendConfirmFailed', data: { error: text } }, waitStarted(at)];
  };
  return {
    claimed,
    claimedByOther: claimed,
    claimFailed: lost,
    claimUnconfirmed: lost,
    claimConfirmed: () => ({ type: 'TakerPaymentSpendConfirmed', data: null }),
  };
}

function refundEvents(at: At): EventParts['refund'] {
  const refunded = (tx: StoredTransaction | null): NewEvent => ({
    type: 'MakerPaymentRefunded',
    data: tx === null ? null : plainTransaction(tx),
  });
  return {
    refundWaitStarted: () => waitStarted(at),
    refundStarted: () => ({ type: 'MakerPaymentRefundStarted', data: null }),
    refunded,
    refundedByOther: refunded,
    refundFailed: (error) => ({ type: 'MakerPaymentRefundFailed', data: { error } }),
    refundFinished: () => ({ type: 'MakerPaymentRefundFinished', data: null }),
    closeLost: (error) => {
      const { state } = at();
      if (state === 'waitingForRefund') return { type: 'MakerPaymentRefundStarted', data: null };
      if (state === 'refunding') {
        return { type: 'MakerPaymentRefundFailed', data: { error: makerRefundNotSent(error) } };
      }
      if (state === 'refundFailed') return { type: 'Finished', data: null };
      return waitStarted(at);
    },
  };
}

function terms(at: At, inputs: SideInputs): EventParts['own'] {
  const { traits } = inputs;
  const feeOf = feeBook(inputs);
  const payer = (): string => {
    const { negotiated } = at().context;
    return keyOf(negotiated?.taker_coin_htlc_pubkey, negotiated?.taker_pubkey);
  };
  const fee = (): DexFee => {
    const { started } = at().context;
    if (started === null) return { kind: 'none', feeSat: 0n, burnSat: 0n };
    return feeOf(started, payer());
  };
  return {
    started: (quotes, now) => startedEvent(inputs, { quotes, now }),
    fee,
    feeBefore: () => ({ kind: 'none', feeSat: 0n, burnSat: 0n }),
    negotiationTerms: () => {
      const { started } = at().context;
      return started === null ? null : negotiationTermsOf(started, inputs);
    },
    negotiationOffer: () => offerOf(at().context, traits),
    negotiationReply: () => {
      throw new RangeError('a maker replies to no offer');
    },
    feeCheck: ({ tx_hex, tx_hash }) => {
      const { feeSat, burnSat } = fee();
      const minHeight = at().context.started?.taker_coin_start_block ?? 0;
      return { tx: tx_hex, hash: tx_hash, payer: payer(), feeSat, burnSat, minHeight };
    },
    feeMessage: () => null,
    watch: () => null,
  };
}

function offerOf({ started }: MakerSwapContext, traits: Traits): NegotiationMessage | null {
  if (started === null) return null;
  return negotiationMessage({
    startedAt: started.started_at,
    paymentLock: started.maker_payment_lock,
    secretHash: started.secret_hash ?? secretHashOf(started.secret, traits),
    keys: {
      persistent: started.my_persistent_pub,
      makerCoin: started.maker_coin_htlc_pubkey,
      takerCoin: started.taker_coin_htlc_pubkey,
    },
    contracts: { makerCoin: traits.maker.contract, takerCoin: traits.taker.contract },
  });
}

/** The hash that both sides lock to: SHA-256 where a chain knows no other, else HASH160. */
export function secretHashOf(secret: string, traits: Traits): string {
  const long = traits.maker.secretHashBytes === 32 || traits.taker.secretHashBytes === 32;
  const bytes = hexToBytes(secret);
  return bytesToHex(hashOfSecret(bytes, long ? 32 : 20));
}

function startedEvent(
  { request, keys, traits }: SideInputs,
  { quotes, now }: { readonly quotes: Readonly<Record<Leg, Quote>>; readonly now: Millis },
): NewEvent {
  if (request === null || request.secret === null) throw new RangeError('a maker cannot start without a secret');
  const startedAt = toUnixSeconds(now);
  const { taker, maker } = quotes;
  const paying = withReward(maker, { own: 'maker', request, traits });
  const data: Record<string, unknown> = {
    taker_coin: request.taker_coin,
    maker_coin: request.maker_coin,
    taker: request.counterparty,
    secret: request.secret,
    secret_hash: secretHashOf(request.secret, traits),
    my_persistent_pub: request.my_persistent_pub,
    lock_duration: request.lock_duration,
    maker_amount: request.maker_amount,
    taker_amount: request.taker_amount,
    maker_payment_confirmations: request.maker_payment_confirmations,
    maker_payment_requires_nota: request.maker_payment_requires_nota,
    taker_payment_confirmations: request.taker_payment_confirmations,
    taker_payment_requires_nota: request.taker_payment_requires_nota,
    maker_payment_lock: makerLockAt(startedAt, request.lock_duration, request.taker_coin),
    uuid: request.uuid,
    started_at: startedAt,
    maker_coin_start_block: maker.height,
    taker_coin_start_block: taker.height,
    maker_payment_trade_fee: tradeFee(request.maker_coin, paying, 'paymentFee'),
    taker_payment_spend_trade_fee: tradeFee(request.taker_coin, taker, 'spendFee'),
  };
  addContracts(traits, data);
  data['maker_coin_htlc_pubkey'] = keys.maker;
  data['taker_coin_htlc_pubkey'] = keys.taker;
  data['p2p_privkey'] = null;
  return { type: 'Started', data };
}
