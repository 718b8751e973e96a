import type { Role } from '../../events/catalog.ts';
import type { MakerEventType } from '../../events/maker.ts';
import type { TakerEventType } from '../../events/taker.ts';
import { refundWaitUntil } from '../../htlc/lock-times.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { JsonObject, JsonValue } from '../../primitives/json.ts';
import { seededInt } from './seeded.ts';
import { failureText } from './swap-failures.ts';
import type { PartyKeys, SwapTerms } from './swap-terms.ts';
import type { BuiltTransaction, SwapTransactions } from './swap-transactions.ts';

type Parts = { readonly terms: SwapTerms; readonly transactions: SwapTransactions };

/** Payload as the node of the terms' era stores it; undefined where it stores no `data`. */
type MakePayload = (parts: Parts) => JsonValue | undefined;

const none: MakePayload = () => undefined;
const noInstructions: MakePayload = () => null;
const stored = ({ tx_hex, tx_hash }: BuiltTransaction) => ({ tx_hex, tx_hash });
const transaction =
  (name: keyof SwapTransactions): MakePayload =>
  ({ transactions }) =>
    stored(transactions[name]());

const NO_KEY = '0'.repeat(66);

const takerPayloads: Readonly<Record<Exclude<TakerEventType, `${string}Failed`>, MakePayload>> = {
  Started: ({ terms }) => takerStarted(terms),
  Negotiated: ({ terms }) => negotiated(terms, 'maker'),
  TakerFeeSent: transaction('takerFee'),
  TakerPaymentInstructionsReceived: noInstructions,
  MakerPaymentReceived: transaction('makerPayment'),
  MakerPaymentWaitConfirmStarted: none,
  MakerPaymentValidatedAndConfirmed: none,
  TakerPaymentSent: transaction('takerPayment'),
  WatcherMessageSent: ({ transactions }) => [
    Array.from(transactions.makerPaymentSpendPreimage().bytes),
    Array.from(transactions.takerPaymentRefund().bytes),
  ],
  TakerPaymentSpent: ({ terms, transactions }) => ({
    transaction: stored(transactions.takerPaymentSpend()),
    secret: bytesToHex(terms.secret),
  }),
  MakerPaymentSpent: transaction('makerPaymentSpend'),
  MakerPaymentSpendConfirmed: none,
  MakerPaymentSpentByWatcher: transaction('makerPaymentSpend'),
  TakerPaymentWaitRefundStarted: ({ terms }) => ({ wait_until: refundWaitUntil(terms.takerLock) }),
  TakerPaymentRefundStarted: none,
  TakerPaymentRefunded: transaction('takerPaymentRefund'),
  TakerPaymentRefundFinished: none,
  TakerPaymentRefundedByWatcher: transaction('takerPaymentRefund'),
  Finished: none,
};

const makerPayloads: Readonly<Record<Exclude<MakerEventType, `${string}Failed`>, MakePayload>> = {
  Started: ({ terms }) => makerStarted(terms),
  Negotiated: ({ terms }) => negotiated(terms, 'taker'),
  MakerPaymentInstructionsReceived: noInstructions,
  TakerFeeValidated: transaction('takerFee'),
  MakerPaymentSent: transaction('makerPayment'),
  TakerPaymentReceived: transaction('takerPayment'),
  TakerPaymentWaitConfirmStarted: none,
  TakerPaymentValidatedAndConfirmed: none,
  TakerPaymentSpent: transaction('takerPaymentSpend'),
  TakerPaymentSpendConfirmStarted: none,
  TakerPaymentSpendConfirmed: none,
  MakerPaymentWaitRefundStarted: ({ terms }) => ({ wait_until: refundWaitUntil(terms.makerLock) }),
  MakerPaymentRefundStarted: none,
  MakerPaymentRefunded: transaction('makerPaymentRefund'),
  MakerPaymentRefundFinished: none,
  Finished: none,
};

const PAYLOADS: Readonly<Record<Role, Readonly<Record<string, MakePayload>>>> = {
  taker: takerPayloads,
  maker: makerPayloads,
};

/** The `event` member of a stored event; a type that the role does not know gets no data. */
export function storedEventBody(role: Role, type: string, parts: Parts): JsonObject {
  const make = PAYLOADS[role][type];
  const data = type.endsWith('Failed') ? { error: failureText(role, type, parts.terms) } : make?.(parts);
  return data === undefined ? { type } : { type, data };
}

/** A key without its parity byte: the p2p id of a node. */
function withoutParity({ persistent }: PartyKeys): string {
  return bytesToHex(persistent.subarray(1));
}

function confirmations({ era }: SwapTerms): JsonObject {
  const notarised = era === '2019' ? undefined : false;
  return {
    maker_payment_confirmations: 1,
    ...(notarised === undefined ? {} : { maker_payment_requires_nota: notarised }),
    taker_payment_confirmations: 1,
    ...(notarised === undefined ? {} : { taker_payment_requires_nota: notarised }),
  };
}

function startBlocks({ seed }: SwapTerms): JsonObject {
  return {
    maker_coin_start_block: 500_000 + seededInt(seed, 'maker coin block', 1_000_000),
    taker_coin_start_block: 500_000 + seededInt(seed, 'taker coin block', 1_000_000),
  };
}

function tradeFee(coin: string, fromVolume: boolean): JsonObject {
  return { coin, amount: '0.00001', paid_from_trading_vol: fromVolume };
}

function ownKeys({ era }: SwapTerms, keys: PartyKeys): JsonObject {
  if (era !== 'current') return {};
  return {
    maker_coin_htlc_pubkey: bytesToHex(keys.makerCoin),
    taker_coin_htlc_pubkey: bytesToHex(keys.takerCoin),
    p2p_privkey: null,
  };
}

function takerStarted(terms: SwapTerms): JsonObject {
  const { era, takerCoin, makerCoin } = terms;
  const fees = {
    fee_to_send_taker_fee: tradeFee(takerCoin, false),
    taker_payment_trade_fee: tradeFee(takerCoin, false),
    maker_payment_spend_trade_fee: tradeFee(makerCoin, true),
  };
  return {
    taker_coin: takerCoin,
    maker_coin: makerCoin,
    maker: withoutParity(terms.maker),
    my_persistent_pub: bytesToHex(terms.taker.persistent),
    lock_duration: terms.lockDuration,
    maker_amount: terms.makerAmount,
    taker_amount: terms.takerAmount,
    ...confirmations(terms),
    taker_payment_lock: terms.takerLock,
    uuid: terms.uuid,
    started_at: terms.takerStartedAt,
    maker_payment_wait: terms.makerPaymentWait,
    ...startBlocks(terms),
    ...(era === '2019' ? {} : fees),
    ...ownKeys(terms, terms.taker),
  };
}

function makerStarted(terms: SwapTerms): JsonObject {
  const { era, takerCoin, makerCoin } = terms;
  const fees = {
    maker_payment_trade_fee: tradeFee(makerCoin, false),
    taker_payment_spend_trade_fee: tradeFee(takerCoin, true),
  };
  return {
    taker_coin: takerCoin,
    maker_coin: makerCoin,
    taker: withoutParity(terms.taker),
    secret: bytesToHex(terms.secret),
    ...(era === '2019' ? {} : { secret_hash: bytesToHex(terms.secretHash) }),
    my_persistent_pub: bytesToHex(terms.maker.persistent),
    lock_duration: terms.lockDuration,
    maker_amount: terms.makerAmount,
    taker_amount: terms.takerAmount,
    ...confirmations(terms),
    maker_payment_lock: terms.makerLock,
    uuid: terms.uuid,
    started_at: terms.makerStartedAt,
    ...startBlocks(terms),
    ...(era === '2019' ? {} : fees),
    ...ownKeys(terms, terms.maker),
  };
}

/** What a party learnt about `other` in the negotiation. */
function negotiated(terms: SwapTerms, other: 'maker' | 'taker'): JsonObject {
  const { era } = terms;
  const keys = terms[other];
  const persistent = era === 'current' ? NO_KEY : bytesToHex(keys.persistent);
  const agreed =
    other === 'maker'
      ? {
          maker_payment_locktime: terms.makerLock,
          maker_pubkey: persistent,
          secret_hash: bytesToHex(terms.secretHash),
        }
      : { taker_payment_locktime: terms.takerLock, taker_pubkey: persistent };
  const contracts = { maker_coin_swap_contract_addr: null, taker_coin_swap_contract_addr: null };
  const { p2p_privkey: _, ...htlcKeys } = ownKeys(terms, keys);
  return { ...agreed, ...(era === '2019' ? {} : contracts), ...htlcKeys };
}
