import { debugText } from '../primitives/debug-text.ts';
import { isHex } from '../primitives/hex.ts';
import type { Seconds, UnixSeconds } from '../primitives/time.ts';
import { type ContractAnswer, type ContractRule, negotiateContract } from './contract-rule.ts';
import type { KeyRule } from './key-rule.ts';
import { MAX_CLOCK_DIFFERENCE, makerLockMultiplier, makerPaymentLock, takerPaymentLock } from './lock-times.ts';
import {
  htlcPub,
  type NegotiationMessage,
  type NegotiationReply,
  type SwapCoin,
  swapContract,
  timeoutText,
} from './negotiation.ts';

/** What a party checks the other's message against. All of it comes from its own Started or from its coins. */
export type NegotiationTerms = {
  readonly startedAt: UnixSeconds;
  readonly lockDuration: Seconds;
  /** Ticker; decides how long the maker's payment is locked. */
  readonly takerCoin: string;
  readonly contracts: Readonly<Record<SwapCoin, ContractRule>>;
  readonly keys: Readonly<Record<SwapCoin, KeyRule>>;
};

/** The agreed terms, or why there are none: the text for NegotiateFailed. */
export type NegotiationResult<T> =
  | { readonly ok: true; readonly negotiated: T }
  | { readonly ok: false; readonly error: string };

type Agreed = {
  readonly maker_coin_swap_contract_addr: string | null;
  readonly taker_coin_swap_contract_addr: string | null;
  readonly maker_coin_htlc_pubkey: string;
  readonly taker_coin_htlc_pubkey: string;
};

/** Payload of a taker's Negotiated event. */
export type NegotiatedWithMaker = Agreed & {
  readonly maker_payment_locktime: UnixSeconds;
  /** The maker's persistent key if its message contains it, else zeros; swaps use the keys per coin. */
  readonly maker_pubkey: string;
  readonly secret_hash: string;
};

/** Payload of a maker's Negotiated event. */
export type NegotiatedWithTaker = Agreed & {
  readonly taker_payment_locktime: UnixSeconds;
  /** Always zeros: swaps use the keys per coin. */
  readonly taker_pubkey: string;
};

/** 33 zero bytes: what KDF writes since 2022 in place of the other side's persistent key. */
export const HIDDEN_KEY = '00'.repeat(33);

/** NegotiateFailed of a taker whose maker answered that the negotiation failed on its side. */
export const MAKER_REFUSED = 'Maker sent negotiated = false';

/** NegotiateFailed of either side when a message did not come in time; the real node stores the inner text in quotes. */
export function negotiationTimeout(elapsed: Seconds, limit: Seconds): string {
  return debugText(timeoutText(elapsed, limit));
}

/**
 * Checks a maker's offer as a taker, with KDF's checks in KDF's order: clocks at most 60 s apart; the lock exactly the maker's start and the lock
 * duration times the multiplier, rounded up; an acceptable contract for the maker coin, else the coin's fallback; the same for the taker coin; a
 * valid key for the maker coin; for the taker coin; a secret hash of 20 or 32 bytes. The first failure determines the text, which is KDF's without
 * its code locations.
 */
export function checkMakerOffer(
  offer: NegotiationMessage,
  own: NegotiationTerms,
): NegotiationResult<NegotiatedWithMaker> {
  const multiplier = makerLockMultiplier(own.takerCoin);
  const result = checkMessage(offer, own, {
    sender: 'maker',
    expectedLock: makerPaymentLock(offer.started_at, own.lockDuration, { multiplier }),
    settle: withFallback,
  });
  if (!result.ok) return result;
  const { secret_hash } = offer;
  if (!isHex(secret_hash) || (secret_hash.length !== 40 && secret_hash.length !== 64)) {
    return failed('!maker_data.secret_hash: secret_hash validation failed');
  }
  const { negotiated } = result;
  return {
    ok: true,
    negotiated: {
      maker_payment_locktime: offer.payment_locktime,
      maker_pubkey: offer.version === 3 ? HIDDEN_KEY : offer.persistent_pubkey.toLowerCase(),
      secret_hash: secret_hash.toLowerCase(),
      maker_coin_swap_contract_addr: negotiated.maker_coin_swap_contract_addr,
      taker_coin_swap_contract_addr: negotiated.taker_coin_swap_contract_addr,
      maker_coin_htlc_pubkey: negotiated.maker_coin_htlc_pubkey,
      taker_coin_htlc_pubkey: negotiated.taker_coin_htlc_pubkey,
    },
  };
}

/**
 * Checks a taker's reply as a maker, with KDF's checks in KDF's order: clocks at most 60 s apart; the lock exactly the taker's start and the lock
 * duration; acceptable contracts, which the taker must name; valid keys. Ignores the secret hash that the reply echoes, because the maker has its
 * own.
 */
export function checkTakerReply(
  reply: NegotiationReply,
  own: NegotiationTerms,
): NegotiationResult<NegotiatedWithTaker> {
  const result = checkMessage(reply, own, {
    sender: 'taker',
    expectedLock: takerPaymentLock(reply.started_at, own.lockDuration),
    settle: withoutFallback,
  });
  if (!result.ok) return result;
  const { negotiated } = result;
  return {
    ok: true,
    negotiated: {
      taker_payment_locktime: reply.payment_locktime,
      taker_pubkey: HIDDEN_KEY,
      maker_coin_swap_contract_addr: negotiated.maker_coin_swap_contract_addr,
      taker_coin_swap_contract_addr: negotiated.taker_coin_swap_contract_addr,
      maker_coin_htlc_pubkey: negotiated.maker_coin_htlc_pubkey,
      taker_coin_htlc_pubkey: negotiated.taker_coin_htlc_pubkey,
    },
  };
}

type Expectation = {
  readonly sender: 'maker' | 'taker';
  readonly expectedLock: UnixSeconds;
  readonly settle: (rule: ContractRule, other: string | null) => ContractAnswer;
};

function checkMessage(
  message: NegotiationMessage,
  own: NegotiationTerms,
  { sender, expectedLock, settle }: Expectation,
): NegotiationResult<Agreed> {
  const difference = Math.abs(own.startedAt - message.started_at);
  if (!(difference <= MAX_CLOCK_DIFFERENCE)) return failed(clockText(sender, difference));
  const expected = Number.isSafeInteger(expectedLock) ? `Some(${expectedLock})` : 'None';
  if (message.payment_locktime !== expectedLock || expected === 'None') {
    return failed(`${sender}_data.payment_locktime ${message.payment_locktime} not equal to expected ${expected}`);
  }
  const makerContract = settle(own.contracts.makerCoin, swapContract(message, 'makerCoin'));
  if (!makerContract.ok) return failed(`!maker_coin.negotiate_swap_contract_addr ${makerContract.reason}`);
  const takerContract = settle(own.contracts.takerCoin, swapContract(message, 'takerCoin'));
  if (!takerContract.ok) return failed(`!taker_coin.negotiate_swap_contract_addr ${takerContract.reason}`);
  const makerCoinKey = htlcPub(message, 'makerCoin');
  const makerKeyProblem = own.keys.makerCoin(makerCoinKey);
  if (makerKeyProblem !== null) return failed(`!${sender}_data.maker_coin_htlc_pub ${makerKeyProblem}`);
  const takerCoinKey = htlcPub(message, 'takerCoin');
  const takerKeyProblem = own.keys.takerCoin(takerCoinKey);
  if (takerKeyProblem !== null) return failed(`!${sender}_data.taker_coin_htlc_pub ${takerKeyProblem}`);
  return {
    ok: true,
    negotiated: {
      maker_coin_swap_contract_addr: makerContract.address,
      taker_coin_swap_contract_addr: takerContract.address,
      maker_coin_htlc_pubkey: makerCoinKey.toLowerCase(),
      taker_coin_htlc_pubkey: takerCoinKey.toLowerCase(),
    },
  };
}

/** A taker that cannot agree proposes its coin's fallback contract instead. */
function withFallback(rule: ContractRule, other: string | null): ContractAnswer {
  const answer = negotiateContract(rule, other);
  if (answer.ok || rule.kind === 'none' || rule.fallback === null) return answer;
  return { ok: true, address: rule.fallback.toLowerCase() };
}

/** A maker does not choose for a taker that names no contract. */
function withoutFallback(rule: ContractRule, other: string | null): ContractAnswer {
  return negotiateContract(rule.kind === 'contract' && other === null ? { ...rule, fallback: null } : rule, other);
}

function clockText(sender: 'maker' | 'taker', difference: Seconds): string {
  return `The time difference between you and the ${sender} cannot be longer than 60 seconds. Current difference: ${difference}. Please make sure that your system clock is synced to the correct time before starting another swap!`;
}

function failed(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
