import { balanceCheckFailed, notEnough, notEnoughBaseCoin, volumeTooLow } from '../../../htlc/error-texts.ts';
import { dexFeeTotal } from '../../../htlc/locked-amount.ts';
import { amountsOf } from '../../../primitives/amounts.ts';
import { type DecimalText, toBigNumber } from '../../../primitives/decimal.ts';
import { onLeg, type Pair } from '../../../primitives/pair.ts';
import type { Leg } from '../../command.ts';
import type { SeenQuote } from '../../facts.ts';
import type { HeldSince } from '../../held.ts';
import { withReward } from '../side-inputs.ts';
import { freshness, lookQuote, type Proposal, type Turn, wakeIn } from '../turn.ts';

type Amount = ReturnType<typeof toBigNumber>;

const ZERO = toBigNumber('0' as DecimalText);

/** What a swap needs of one coin, and what is available. */
type Account = {
  readonly coin: string;
  required: Amount;
  /** The least that any quote shows, without what other swaps hold. */
  available: Amount | null;
  held: Amount;
};

/** The inputs of a balance check. */
type Weighing = Pick<Turn, 'swap' | 'traits' | 'events' | 'journal' | 'others'>;

/** Quotes of both chains, as far as available. */
export type Quotes = Pair<SeenQuote | null>;

/**
 * Why the wallets cannot pay for the whole swap, in KDF's words; null if they can, as far as the quotes show.
 *
 * A taker needs its payment, the trading fee and the network fees of both; a maker its payment and the network fee. Each must also be able to pay for
 * its claim on the other chain; otherwise it would pay and get nothing. What other swaps of the same wallets hold does not count.
 */
export function shortageAtStart(turn: Weighing, quotes: Quotes): string | null {
  const low = tooLow(turn, quotes);
  return low === null ? shortageIn(turn, accountsAtStart(turn, quotes)) : balanceCheckFailed(turn.swap.role, low);
}

/**
 * The coins of which too much is held for other swaps of the wallets, if nothing else prevents the start. What they hold becomes free if one of them
 * fails, so a short wait may help.
 */
export function promisedAtStart(turn: Weighing, quotes: Quotes): readonly string[] {
  if (tooLow(turn, quotes) !== null) return [];
  const short = [...accountsAtStart(turn, quotes).values()].filter(isShort);
  const isPromised = ({ available, held, required }: Account) => available?.plus(held).gte(required) === true;
  return short.every(isPromised) ? short.map(({ coin }) => coin) : [];
}

function isShort({ available, required }: Account): boolean {
  return available?.lt(required) === true;
}

/** What no wait changes: amounts too small to send, or not worth their claim. */
function tooLow(turn: Weighing, quotes: Quotes): string | null {
  const { swap, traits } = turn;
  return volumeProblem(turn, swap.own, onLeg(traits, swap.own).minTxAmount) ?? claimProblem(turn, quotes);
}

function accountsAtStart(turn: Weighing, quotes: Quotes): ReadonlyMap<string, Account> {
  const { swap } = turn;
  const accounts = new Map<string, Account>();
  const own = onLeg(quotes, swap.own);
  if (own !== null) needForPayment(turn, accounts, own);
  const other = onLeg(quotes, swap.other);
  if (other !== null) needForClaim(turn, accounts, other);
  return accounts;
}

/**
 * The same for the claim alone, just before the own payment: a balance can shrink after the start. `enough`, or what to do first; while the balance
 * is too small the engine asks again, because somebody may send coins.
 */
export function affordsClaim(turn: Turn): 'enough' | { readonly pending: Proposal } {
  const { swap, policy } = turn;
  if (swap.claimFee === null || swap.claimFee.paid_from_trading_vol) return 'enough';
  const quote = lookQuote(turn, swap.other, freshness(turn, null));
  if ('pending' in quote) return quote;
  if (claimShortage(turn) === null) return 'enough';
  return { pending: wakeIn(turn, Math.max(policy.confirmationPoll, policy.freshness + 1)) };
}

/** Why the last quote was not enough for the claim; null if it was, or is too old to say. */
export function claimShortage(turn: Turn): string | null {
  const { swap, facts, policy, now } = turn;
  const quote = onLeg(facts.quotes, swap.other);
  if (quote === null || now - quote.at > 2000 * (policy.confirmationPoll + policy.freshness)) return null;
  const accounts = new Map<string, Account>();
  needForClaim(turn, accounts, quote);
  return shortageIn(turn, accounts);
}

function volumeOf({ journal }: Weighing, leg: Leg): DecimalText {
  const { request } = journal;
  if (request === null) return '0' as DecimalText;
  return leg === 'taker' ? request.taker_amount : request.maker_amount;
}

function volumeProblem(turn: Weighing, leg: Leg, least: bigint): string | null {
  const { coin, decimals } = onLeg(turn.traits, leg);
  const volume = volumeOf(turn, leg);
  const { parse, format } = amountsOf(decimals);
  if (parse(volume) >= least) return null;
  return volumeTooLow(coin, volume, { minimum: format(least) });
}

/** A claimed payment must be worth more than the claim's fee, or nothing would arrive. */
function claimProblem(turn: Weighing, quotes: Quotes): string | null {
  const { swap, traits } = turn;
  const quote = onLeg(quotes, swap.other)?.value;
  if (quote === undefined || quote.spendFeeFrom === 'wallet') return null;
  const { decimals, minTxAmount } = onLeg(traits, swap.other);
  return volumeProblem(turn, swap.other, minTxAmount + amountsOf(decimals).parse(quote.spendFee));
}

function needForPayment(turn: Weighing, accounts: Map<string, Account>, quote: SeenQuote): void {
  const { swap, traits, events } = turn;
  const { coin, decimals } = onLeg(traits, swap.own);
  const { parse, format } = amountsOf(decimals);
  offer(turn, accounts, { ticker: coin, quote });
  need(accounts, coin, format(parse(volumeOf(turn, swap.own))));
  const feeCoin = quote.value.feeCoin?.coin ?? coin;
  const paying = withReward(quote.value, { own: swap.own, request: turn.journal.request, traits });
  need(accounts, feeCoin, paying.paymentFee);
  if (swap.role === 'maker') return;
  const fee = events.feeBefore();
  if (fee.kind === 'none') return;
  need(accounts, coin, dexFeeTotal(fee, decimals));
  need(accounts, feeCoin, quote.value.dexFeeFee);
}

function needForClaim(turn: Weighing, accounts: Map<string, Account>, quote: SeenQuote): void {
  const { swap, traits } = turn;
  if (quote.value.spendFeeFrom === 'claim') return;
  const { coin } = onLeg(traits, swap.other);
  offer(turn, accounts, { ticker: coin, quote });
  need(accounts, quote.value.feeCoin?.coin ?? coin, quote.value.spendFee);
}

/** Two quotes may concern one coin, for example if it pays the fees on both chains: the lower figure counts. */
function offer(
  turn: Weighing,
  accounts: Map<string, Account>,
  { ticker, quote }: { readonly ticker: string; readonly quote: SeenQuote },
): void {
  const { since, value } = quote;
  offerOf(turn, accountOf(accounts, ticker), { there: thereOf(value), since });
  const { feeCoin } = value;
  if (feeCoin !== undefined) offerOf(turn, accountOf(accounts, feeCoin.coin), { there: thereOf(feeCoin), since });
}

/** What the wallet has, including the change that it waits for. */
function thereOf({ spendable, coming }: { readonly spendable: DecimalText; readonly coming?: DecimalText }): Amount {
  return coming === undefined ? toBigNumber(spendable) : toBigNumber(spendable).plus(coming);
}

function offerOf(
  { others }: Weighing,
  account: Account,
  { there, since }: { readonly there: Amount; readonly since: HeldSince | null },
): void {
  const held = others.held(account.coin, since);
  const available = held.isZero() ? there : there.minus(held);
  if (account.available?.lte(available)) return;
  account.available = available;
  account.held = held;
}

function need(accounts: Map<string, Account>, coin: string, amount: DecimalText): void {
  const account = accountOf(accounts, coin);
  const more = toBigNumber(amount);
  account.required = account.required === ZERO ? more : account.required.plus(more);
}

function accountOf(accounts: Map<string, Account>, coin: string): Account {
  const known = accounts.get(coin);
  if (known !== undefined) return known;
  const account = { coin, required: ZERO, available: null, held: ZERO };
  accounts.set(coin, account);
  return account;
}

function shortageIn({ swap, traits }: Weighing, accounts: ReadonlyMap<string, Account>): string | null {
  for (const account of accounts.values()) {
    const { coin, required, available, held } = account;
    if (available === null || !isShort(account)) continue;
    const text = coin === traits.maker.coin || coin === traits.taker.coin ? notEnough : notEnoughBaseCoin;
    const plain = (amount: Amount) => amount.toFixed() as DecimalText;
    const figures = { coin, available: plain(available), required: plain(required), locked: plain(held) };
    return balanceCheckFailed(swap.role, text(figures));
  }
  return null;
}
