import type { SwapRequest } from '../../events/journal.ts';
import type { StoredTransaction } from '../../events/payloads.ts';
import type { NegotiationTerms } from '../../htlc/check-negotiation.ts';
import type { ContractRule } from '../../htlc/contract-rule.ts';
import { type DexFee, dexFee } from '../../htlc/dex-fee.ts';
import { type KeyRule, secp256k1KeyProblem } from '../../htlc/key-rule.ts';
import type { NetworkProfile } from '../../htlc/network-profile.ts';
import type { PaymentTerms, Quote } from '../../ports/chain.ts';
import { type DecimalText, toBigNumber } from '../../primitives/decimal.ts';
import { onLeg } from '../../primitives/pair.ts';
import type { Seconds, UnixSeconds } from '../../primitives/time.ts';
import type { Leg } from '../command.ts';
import type { TurnTraits } from './turn.ts';

/** The own public keys of a swap, 33 bytes in hex each. */
export type OwnKeys = Readonly<Record<Leg, string>>;

export type Traits = Readonly<
  Record<
    Leg,
    TurnTraits & {
      readonly contract: string | null;
      readonly fallbackContract?: string | null;
      readonly secretHashBytes: 20 | 32;
    }
  >
>;

/** What a side's events are built from, besides the log. */
export type SideInputs = {
  readonly request: SwapRequest | null;
  readonly keys: OwnKeys;
  readonly traits: Traits;
  /** Which public keys a coin accepts. @defaultValue points of secp256k1 */
  readonly keyRule?: KeyRule;
  /** What the trading network requires of a taker. @defaultValue KDF's network */
  readonly network?: NetworkProfile;
  /** A cache for the terms of both payments. @defaultValue they are computed each time */
  readonly agreed?: AgreedTerms;
};

/** The agreed terms of both payments, and the parts of the log from which they were computed. */
export type AgreedTerms = {
  started: object | null;
  negotiated: object | null;
  own: PaymentTerms | null;
  other: PaymentTerms | null;
};

/** An empty cache for terms. */
export function noTerms(): AgreedTerms {
  return { started: null, negotiated: null, own: null, other: null };
}

/** The terms of both payments, computed again only if the log has changed what they follow from. */
export function agreedTerms<S extends object, N extends object>(
  book: AgreedTerms | undefined,
  { started, negotiated }: { readonly started: S | null; readonly negotiated: N | null },
  make: (started: S, negotiated: N) => Pick<AgreedTerms, 'own' | 'other'>,
): Readonly<Pick<AgreedTerms, 'own' | 'other'>> {
  if (started === null || negotiated === null) return NO_TERMS;
  if (book === undefined) return make(started, negotiated);
  if (book.started !== started || book.negotiated !== negotiated) {
    const { own, other } = make(started, negotiated);
    book.started = started;
    book.negotiated = negotiated;
    book.own = own;
    book.other = other;
  }
  return book;
}

const NO_TERMS = noTerms();

const ZERO_KEY = '0'.repeat(66);

/** The key of a coin's hash time locks, else the persistent one; a key of zeros counts as absent. */
export function keyOf(coinKey: string | null | undefined, persistent: string | null | undefined): string {
  if (coinKey !== null && coinKey !== undefined && coinKey !== ZERO_KEY) return coinKey;
  return persistent !== null && persistent !== undefined && persistent !== ZERO_KEY ? persistent : '';
}

export type TermsInput = {
  readonly lock: UnixSeconds;
  readonly secretHash: string | null | undefined;
  readonly sender: string;
  readonly receiver: string;
  readonly amount: DecimalText;
  readonly contract: string | null | undefined;
};

/** Terms of a payment; null while part of them is unknown. */
export function termsOf({ lock, secretHash, sender, receiver, amount, contract }: TermsInput): PaymentTerms | null {
  if (secretHash === null || secretHash === undefined || sender === '' || receiver === '') return null;
  return { lock, secretHash, sender, receiver, amount, contract: contract ?? null };
}

type BothTerms = Pick<AgreedTerms, 'own' | 'other'>;

/**
 * The terms that `make` computes, with what their chains also need: the roles of both payments if one pays rewards, and where the count of blocks
 * starts if one refunds automatically. `make` unchanged if neither applies.
 */
export function withRoles<S extends { readonly lock_duration: Seconds }, N>(
  make: (started: S, negotiated: N) => BothTerms,
  { own, traits }: { readonly own: Leg; readonly traits: Traits },
): (started: S, negotiated: N) => BothTerms {
  const { maker, taker } = traits;
  const isPlain = [maker, taker].every(({ rewards, refund }) => rewards !== true && refund !== 'automatic');
  if (isPlain) return make;
  const other = otherLeg(own);
  return (started, negotiated) => {
    const terms = make(started, negotiated);
    const { lock_duration: duration } = started;
    return {
      own: counted(inRole(terms.own, { leg: own, traits }), { leg: own, traits, duration }),
      other: counted(inRole(terms.other, { leg: other, traits }), { leg: other, traits, duration }),
    };
  };
}

type Counting = { readonly leg: Leg; readonly traits: Traits; readonly duration: Seconds };

/** Terms that say where the count of blocks starts, if their chain refunds automatically. */
function counted(terms: PaymentTerms | null, { leg, traits, duration }: Counting): PaymentTerms | null {
  const { refund, blockTime } = onLeg(traits, leg);
  // A chain without a known block time counts no blocks.
  if (terms === null || refund !== 'automatic' || blockTime === undefined) return terms;
  return { ...terms, counted: { duration, leg } };
}

/** Terms that say whose payment it is, if its chain pays rewards. */
export function inRole<T extends PaymentTerms | null>(
  terms: T,
  { leg, traits }: { readonly leg: Leg; readonly traits: Readonly<Record<Leg, Pick<TurnTraits, 'rewards'>>> },
): T {
  if (terms === null || onLeg(traits, leg).rewards !== true) return terms;
  return { ...terms, reward: { leg, otherPays: onLeg(traits, otherLeg(leg)).rewards === true } };
}

function otherLeg(leg: Leg): Leg {
  return leg === 'maker' ? 'taker' : 'maker';
}

export type Watching = {
  readonly request: SwapRequest | null;
  readonly traits: Readonly<Record<Leg, Pick<TurnTraits, 'watchers' | 'rewards'>>>;
};

/** Whether watchers may be asked to act in a swap: this side wants it, and both chains permit it. */
export function isWatchable({ request, traits }: Watching): boolean {
  return request?.use_watchers === true && traits.maker.watchers && traits.taker.watchers;
}

/**
 * A quote of the own chain whose fee of a payment holds what the payment may promise to a watcher. A maker does not know yet whether its taker will
 * ask for that.
 */
export function withReward(quote: Quote, { own, ...watching }: Watching & { readonly own: Leg }): Quote {
  const { reward } = quote;
  if (reward === undefined || !isWatchable(watching) || onLeg(watching.traits, own).rewards !== true) return quote;
  const paymentFee = toBigNumber(quote.paymentFee).plus(toBigNumber(reward)).toFixed() as DecimalText;
  return { ...quote, paymentFee };
}

/** For a swap whose terms are not known yet. */
export const NO_FEE: DexFee = { kind: 'none', feeSat: 0n, burnSat: 0n };

/** The fee of a swap, in base units of the taker coin. */
export function feeOf(
  swap: { readonly taker_coin: string; readonly maker_coin: string; readonly taker_amount: DecimalText },
  { traits, takerKey, network }: FeeGiven,
): DexFee {
  const { decimals, minTxAmount } = traits.taker;
  return dexFee({
    takerCoin: swap.taker_coin,
    makerCoin: swap.maker_coin,
    takerAmount: swap.taker_amount,
    minTxAmount,
    decimals,
    takerKey,
    ...(network === undefined ? {} : { network }),
  });
}

type FeeGiven = { readonly traits: Traits; readonly takerKey: string; readonly network?: NetworkProfile | undefined };

type FeeTerms = Parameters<typeof feeOf>[0];

/** {@link feeOf} for the coins of one swap, which worked out the last one and still has it. */
export function feeBook({
  traits,
  network,
}: Pick<SideInputs, 'traits' | 'network'>): (swap: FeeTerms, takerKey: string) => DexFee {
  let known: { readonly swap: FeeTerms; readonly takerKey: string; readonly fee: DexFee } | null = null;
  return (swap, takerKey) => {
    if (known === null || known.swap !== swap || known.takerKey !== takerKey) {
      known = { swap, takerKey, fee: feeOf(swap, { traits, takerKey, network }) };
    }
    return known.fee;
  };
}

/** A network fee as Started stores it, in the coin that pays fees on that chain. */
export function tradeFee(ticker: string, quote: Quote, part: 'paymentFee' | 'spendFee' | 'dexFeeFee') {
  return {
    coin: quote.feeCoin?.coin ?? ticker,
    amount: part === 'paymentFee' ? quote.paymentFee : part === 'spendFee' ? quote.spendFee : quote.dexFeeFee,
    paid_from_trading_vol: part === 'spendFee' && quote.spendFeeFrom === 'claim',
  };
}

export function plainTransaction({ tx_hex, tx_hash }: StoredTransaction): { tx_hex: string; tx_hash: string } {
  return { tx_hex, tx_hash };
}

/**
 * Adds `maker_coin_swap_contract_address` and its counterpart to a payload under construction: the real node leaves the members out if there is no
 * contract.
 */
export function addContracts(traits: Traits, into: Record<string, unknown>): void {
  if (traits.maker.contract !== null) into['maker_coin_swap_contract_address'] = traits.maker.contract;
  if (traits.taker.contract !== null) into['taker_coin_swap_contract_address'] = traits.taker.contract;
}

/** What a negotiation message is checked against. */
export function negotiationTermsOf(
  started: { readonly started_at: UnixSeconds; readonly lock_duration: number; readonly taker_coin: string },
  { traits, keyRule = secp256k1KeyProblem }: SideInputs,
): NegotiationTerms {
  const rule = ({ contract, fallbackContract = null }: Traits[Leg]): ContractRule =>
    contract === null ? { kind: 'none' } : { kind: 'contract', address: contract, fallback: fallbackContract };
  return {
    startedAt: started.started_at,
    lockDuration: started.lock_duration,
    takerCoin: started.taker_coin,
    contracts: { makerCoin: rule(traits.maker), takerCoin: rule(traits.taker) },
    keys: { makerCoin: keyRule, takerCoin: keyRule },
  };
}
