import { makerLockAt } from '../../../../machines/deadlines/table.ts';
import type { MakerSwapContext } from '../../../../machines/maker-swap/context.ts';
import { makerSide } from '../../../../machines/maker-swap/side.ts';
import type { MakerNegotiated, MakerStarted } from '../../../events/payloads.ts';
import type { DexFee } from '../../../htlc/dex-fee.ts';
import {
  makerRefundNotSent,
  takerPaymentInvalid,
  takerPaymentSpendUnconfirmed,
  takerPaymentUnconfirmed,
} from '../../../htlc/error-texts.ts';
import { type NegotiationMessage, negotiationMessage } from '../../../htlc/negotiation.ts';
import { secretHashOf as hashOfSecret } from '../../../htlc/secret-hash.ts';
import { type DecimalText, isDecimalText, toPlainDecimal } from '../../../primitives/decimal.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';
import type { NewEvent } from '../../command.ts';
import {
  feeBook,
  keyOf,
  NO_FEE,
  negotiationTermsOf,
  type SideInputs,
  type Traits,
  tradeFee,
  withReward,
} from '../side-inputs.ts';
import type { SideEvents, SwapFacts } from '../swap-facts.ts';
import { factsOf, type SideParts } from './facts.ts';
import { type OwnEvents, type SideForm, sideEvents } from './side-events.ts';
import { type Starting, startedEvent } from './started.ts';

const PARTS: SideParts<MakerStarted, MakerNegotiated> = {
  secretHash: ({ secret_hash }) => secret_hash ?? null,
  peer: ({ taker_pubkey }) => taker_pubkey,
  ownLock: ({ maker_payment_lock }) => maker_payment_lock,
  otherLock: ({ taker_payment_locktime }) => taker_payment_locktime,
  claimFee: ({ taker_payment_spend_trade_fee }) => taker_payment_spend_trade_fee,
};

/** A maker's swap for the effects that both roles share. `claimSeen`: somebody else has the own claim, and with it the secret. */
export function makerFacts(
  state: string,
  context: MakerSwapContext,
  inputs: SideInputs & { readonly claimSeen: boolean },
): SwapFacts {
  const { started, negotiated, instructions } = context;
  const rewardAsked = askedIn(instructions);
  const { claimSeen } = inputs;
  return factsOf(
    makerSide(state, context),
    { started, negotiated, parts: PARTS, claimSeen, watched: false, rewardAsked },
    inputs,
  );
}

function askedIn(instructions: MakerSwapContext['instructions']): DecimalText | null {
  const asked: unknown = instructions?.['WatcherReward'];
  return typeof asked === 'string' && isDecimalText(asked) ? toPlainDecimal(asked) : null;
}

const FORM: SideForm = {
  names: {
    ownSent: 'MakerPaymentSent',
    ownSendFailed: 'MakerPaymentTransactionFailed',
    otherReceived: 'TakerPaymentReceived',
    otherAwaited: 'TakerPaymentWaitConfirmStarted',
    otherValidated: 'TakerPaymentValidatedAndConfirmed',
    otherInvalid: 'TakerPaymentValidateFailed',
    otherUnconfirmed: 'TakerPaymentWaitConfirmFailed',
    claimed: 'TakerPaymentSpent',
    claimAwaited: 'TakerPaymentSpendConfirmStarted',
    // Nobody claims for a maker: whoever sends its claim, it is the maker's.
    claimedByOther: 'TakerPaymentSpent',
    claimFailed: 'TakerPaymentSpendFailed',
    claimConfirmed: 'TakerPaymentSpendConfirmed',
    claimUnconfirmed: 'TakerPaymentSpendConfirmFailed',
    refundAwaited: 'MakerPaymentWaitRefundStarted',
    refundStarted: 'MakerPaymentRefundStarted',
    refunded: 'MakerPaymentRefunded',
    refundedByOther: 'MakerPaymentRefunded',
    refundFailed: 'MakerPaymentRefundFailed',
    refundFinished: 'MakerPaymentRefundFinished',
  },
  claiming: new Set(['claiming']),
  confirming: new Set(['claimSent', 'confirmingClaim']),
  paysFirst: true,
  texts: {
    otherInvalid: takerPaymentInvalid,
    otherUnconfirmed: takerPaymentUnconfirmed,
    claimUnconfirmed: takerPaymentSpendUnconfirmed,
    refundNotSent: makerRefundNotSent,
  },
};

type At = () => { readonly state: string; readonly context: MakerSwapContext };

/** The events of a maker's swap, under the names that the effects use for both roles. */
export function makerEvents(at: At, inputs: SideInputs): SideEvents {
  const standing = () => {
    const { state, context } = at();
    return { state, ownLock: context.started?.maker_payment_lock ?? null };
  };
  return sideEvents(FORM, standing, terms(at, inputs));
}

function terms(at: At, inputs: SideInputs): OwnEvents {
  const { traits } = inputs;
  const feeOf = feeBook(inputs);
  const payer = (): string => {
    const { negotiated } = at().context;
    return keyOf(negotiated?.taker_coin_htlc_pubkey, negotiated?.taker_pubkey);
  };
  const fee = (): DexFee => {
    const { started } = at().context;
    if (started === null) return NO_FEE;
    return feeOf(started, payer());
  };
  return {
    started: (quotes, now) => makerStarted(inputs, { quotes, now }),
    fee,
    feeBefore: () => NO_FEE,
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

/** The hash that both sides lock to: SHA-256 if a chain knows no other, else HASH160. */
export function secretHashOf(secret: string, traits: Traits): string {
  const long = traits.maker.secretHashBytes === 32 || traits.taker.secretHashBytes === 32;
  const bytes = hexToBytes(secret);
  return bytesToHex(hashOfSecret(bytes, long ? 32 : 20));
}

function makerStarted(inputs: SideInputs, starting: Starting): NewEvent {
  const { request, traits } = inputs;
  if (request === null || request.secret === null) throw new RangeError('a maker cannot start without a secret');
  const { secret } = request;
  const { maker, taker } = starting.quotes;
  const paying = withReward(maker, { own: 'maker', request, traits });
  return startedEvent(inputs, starting, {
    request,
    part: (startedAt) => ({
      who: { taker: request.counterparty, secret, secret_hash: secretHashOf(secret, traits) },
      lock: { maker_payment_lock: makerLockAt(startedAt, request.lock_duration, request.taker_coin) },
      fees: {
        maker_payment_trade_fee: tradeFee(request.maker_coin, paying, 'paymentFee'),
        taker_payment_spend_trade_fee: tradeFee(request.taker_coin, taker, 'spendFee'),
      },
    }),
  });
}
