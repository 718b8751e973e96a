import type { StoredTransaction } from '../../../events/payloads.ts';
import type { Answer, ChainTraits, PaymentQuery, PaymentView, Quote, SignedTransaction } from '../../../ports/chain.ts';
import type { ChainView } from '../blocks.ts';
import type { ChainModel, Description } from '../chain-model.ts';
import { type Acceptance, answered, CONFIRMED, KNOWN, refused } from '../faults.ts';
import { rateOf } from '../settings.ts';
import type { TermsBook } from '../terms-book.ts';
import { feeProblem } from './fee-check.ts';
import { acceptAccount } from './mempool.ts';
import { fillerOf, prepareAccount } from './prepare.ts';
import { type Purse, purseOf, release, releaseUnmarked, reserve, spendable } from './purse.ts';
import { promisedIn, usualReward } from './rewards.ts';
import { type AccountState, GONE, IN_MEMPOOL, type Party, purposeOf, type TermsInfo } from './state.ts';
import { type Call, feeOf, GAS_LIMIT } from './transaction.ts';
import { paymentIn, transactionIn } from './views.ts';

export type AccountModelParts = {
  readonly state: AccountState;
  readonly book: TermsBook<TermsInfo>;
  readonly traits: ChainTraits;
};

/** What a chain with accounts does for one wallet. */
export function accountModel(parts: AccountModelParts, party: Party): ChainModel {
  const { state, book, traits } = parts;
  const { codec, list, network } = state;
  const purse = purseOf(party);
  return {
    traits,
    party: party.name,
    network,
    truth: () => list.truth,
    lagging: list.lagging,
    htlcKey: () => party.signer.key,
    quote: (view) => quoteOf(state, spendable(state, purse), view),
    payment: paymentAnswers(parts),
    transaction: (hash, view) => answered(transactionIn(state, hash, { view, prepared: purse.prepared.get(hash) })),
    checkFee: (check, { view }) => answered(feeProblem(state, check, view)),
    prepare: (request, { swap }) => prepareAccount({ state, book, purse, swap }, request),
    submit: (transaction) => {
      const answer = mismatch(state, transaction) ?? acceptAccount(state, transaction.tx_hex, party.name);
      if (!answer.ok && answer.fault.kind === 'nonceGap' && purse.complete) fillGaps(state, purse);
      return answer;
    },
    standing: ({ tx_hash }) => standing(state, tx_hash),
    reserve: (transactions) => {
      for (const { tx_hex } of transactions) {
        const tx = codec.decode(tx_hex);
        if (tx === null) continue;
        purse.marked.add(tx.id);
        reserve(purse, tx);
      }
    },
    release: (transactions) => {
      for (const { tx_hex } of transactions) {
        const tx = codec.decode(tx_hex);
        if (tx?.from === party.account.address) release(purse, tx);
      }
      fillGaps(state, purse);
    },
    hold: ({ swap, amount, ends = [] }) => {
      const gas = ends.reduce((sum, end) => sum + GAS_LIMIT[end], 0);
      purse.held.set(swap, { amount: state.settings.amounts.parse(amount), gas });
    },
    resumed: () => {
      releaseUnmarked(state, purse);
      purse.complete = true;
      fillGaps(state, purse);
    },
    forget: () => {
      purse.marked.clear();
      purse.fillers.clear();
      purse.complete = false;
      purse.held.clear();
      purse.reserved.clear();
      purse.prepared.clear();
    },
    ...(state.module.rewards ? { promised: (hex: string) => promisedIn(state, hex) } : {}),
    describe: (transaction) => describe(state, transaction),
    pretend: (query) => pretend(parts, query),
    addressOf: codec.addressOf,
  };
}

/** Fills unused nonces below the signed ones, and offers again what a node has forgotten. It does this on its own. */
function fillGaps(state: AccountState, purse: Purse): void {
  const { fillers } = purse;
  for (const filler of fillers) {
    if ((state.entries.get(filler.id)?.height ?? GONE) === GONE) acceptAccount(state, filler.hex, null);
  }
  for (let filler = fillerOf({ state, purse }); filler !== null; filler = fillerOf({ state, purse })) {
    reserve(purse, filler);
    fillers.add(filler);
    acceptAccount(state, filler.hex, null);
  }
}

/** Answers about payments, remembered until the chain changes: a runner asks the same question at every step. */
function paymentAnswers({ state, book }: AccountModelParts): ChainModel['payment'] {
  let last:
    | { info: TermsInfo; claimed: string | undefined; from: number; view: ChainView; version: number }
    | undefined;
  let answer: Answer<PaymentView> | undefined;
  return ({ terms, claimed, from = 0 }, view) => {
    const info = book.find(terms);
    const { version } = state.network;
    if (answer !== undefined && last !== undefined && last.info === info && last.version === version) {
      if (last.view === view && last.claimed === claimed && last.from === from) return answer;
    }
    answer = answered(paymentIn(state, info, { view, claimed, from }));
    last = { info, claimed, from, view, version };
    return answer;
  };
}

function quoteOf({ settings, module }: AccountState, units: bigint, view: ChainView): Answer<Quote> {
  const { format } = settings.amounts;
  const price = Math.ceil(rateOf(settings, 0));
  const fee = (kind: Call['kind']) => format(feeOf(price, GAS_LIMIT[kind]));
  return answered({
    height: view.height,
    clock: view.time,
    spendable: format(units),
    // A payer must be able to refund, and the account pays for that too.
    paymentFee: module.replaceable
      ? format(feeOf(price, GAS_LIMIT.payment) + feeOf(price, GAS_LIMIT.refund))
      : fee('payment'),
    spendFee: fee('claim'),
    spendFeeFrom: 'wallet',
    dexFeeFee: fee('transfer'),
    ...(module.rewards ? { reward: format(usualReward(price)) } : {}),
  });
}

function mismatch({ codec }: AccountState, { tx_hex, tx_hash }: SignedTransaction): Acceptance | null {
  const tx = codec.decode(tx_hex);
  return tx === null || tx.id === tx_hash ? null : refused('invalid', `the bytes have the id ${tx.id}, not ${tx_hash}`);
}

function standing({ entries }: AccountState, hash: string): Acceptance | null {
  const height = entries.get(hash)?.height ?? GONE;
  if (height === GONE) return null;
  return height === IN_MEMPOOL ? KNOWN : CONFIRMED;
}

const ID_DIGITS = 64;

function describe(state: AccountState, text: string): Description | null {
  const tx = text.length === ID_DIGITS ? (state.entries.get(text)?.tx ?? null) : state.codec.decode(text);
  if (tx === null) return null;
  const paid = state.swaps.get(tx.call.swap)?.entries.find((entry) => entry.tx.call.kind === 'payment');
  const payer = tx.call.kind === 'payment' ? tx.from : (paid?.tx.from ?? null);
  return { purpose: purposeOf(state, tx), payer };
}

/** The key of an account that holds nothing. */
const STRANGER = `02${'00'.repeat(32)}`;

/** The named transaction, a funding that was once seen, or one that nobody signed. */
function pretend({ state, book }: AccountModelParts, { terms, claimed }: PaymentQuery): StoredTransaction {
  const given = claimed === undefined ? null : state.codec.decode(claimed);
  if (given !== null) return { tx_hex: given.hex, tx_hash: given.id };
  const { amount, named } = book.find(terms);
  const seen = named === null ? undefined : state.swaps.get(named.id)?.entries[0];
  if (seen !== undefined) return seen.shown;
  const lock = state.module.lockArguments(terms, state.settings.now());
  const { hex, id } = state.codec.encode({
    // A lying node has nobody's key, so a broadcast of what it made up is refused.
    signer: { key: STRANGER, address: state.codec.addressOf(STRANGER) },
    nonce: 0,
    price: 1,
    gas: GAS_LIMIT.payment,
    value: amount,
    call: {
      kind: 'payment',
      swap: named?.id ?? '',
      party: named?.receiver ?? state.codec.feeAddress,
      amount: 0n,
      secret: null,
      hash: named?.hash ?? terms.secretHash,
      ...lock,
    },
  });
  return { tx_hex: hex, tx_hash: id };
}
