import type { StoredTransaction } from '../../../events/payloads.ts';
import type { Answer, ChainTraits, PaymentQuery, PaymentView, Quote, SignedTransaction } from '../../../ports/chain.ts';
import type { ChainView } from '../blocks.ts';
import type { ChainModel, Description } from '../chain-model.ts';
import { type Acceptance, answered, CONFIRMED, KNOWN, refused } from '../faults.ts';
import { rateOf } from '../settings.ts';
import type { TermsBook } from '../terms-book.ts';
import { acceptUtxo } from './accept.ts';
import { feeProblem } from './fee-check.ts';
import { signerOf } from './parties.ts';
import { prepareUtxo } from './prepare.ts';
import { coming, type Purse, purseOf, release, releaseUnmarked, reserve, spendable } from './purse.ts';
import { IN_MEMPOOL, type Party, purposeOf, type UtxoState } from './state.ts';
import { paymentSize, SPEND_SIZE, type UtxoTransaction } from './transaction.ts';
import { type Asked, paymentIn, type TermsInfo, transactionIn } from './views.ts';

export type UtxoParts = {
  readonly state: UtxoState;
  readonly book: TermsBook<TermsInfo>;
  readonly traits: ChainTraits;
};

/** What a UTXO chain does for one wallet. */
export function utxoModel(parts: UtxoParts, party: Party, options: { readonly keyPerSwap: boolean }): ChainModel {
  const { state, book, traits } = parts;
  const { codec, list, network } = state;
  const purse = purseOf(party);
  const swapKeys = new Map<string, string>();
  const keyOf = (swap: string): string => {
    if (!options.keyPerSwap) return party.signer.key;
    const known = swapKeys.get(swap);
    if (known !== undefined) return known;
    const { key } = signerOf(state, party, swap);
    swapKeys.set(swap, key);
    return key;
  };
  const each = (action: typeof reserve) => (transactions: readonly SignedTransaction[]) => {
    for (const { tx_hex } of transactions) {
      const tx = codec.decode(tx_hex);
      if (tx !== null) action(purse, tx);
    }
  };
  return {
    traits,
    party: party.name,
    network,
    truth: () => list.truth,
    lagging: list.lagging,
    htlcKey: keyOf,
    quote: (view) => quoteOf(state, purse, view),
    payment: paymentAnswers(parts),
    transaction: (hash, view) => answered(transactionIn(state, hash, { view, prepared: purse.prepared.get(hash) })),
    checkFee: (check, asked) => answered(feeProblem(state, check, asked)),
    prepare: (request, { view, swap }) => {
      const feeName = options.keyPerSwap ? codec.nameOf(swap ?? '') : null;
      return prepareUtxo({ state, book, purse, view, swap, feeName }, request);
    },
    submit: (transaction) =>
      mismatch(codec.decode(transaction.tx_hex), transaction) ?? submit(state, transaction, party),
    standing: ({ tx_hash }) => standing(state, tx_hash),
    reserve: each((own, tx) => {
      own.marked.add(tx.id);
      reserve(own, tx);
    }),
    release: each(release),
    hold: ({ swap, amount }) => void purse.held.set(swap, state.settings.amounts.parse(amount)),
    resumed: () => releaseUnmarked(state, purse),
    forget: () => {
      purse.marked.clear();
      purse.held.clear();
      purse.reserved.clear();
      purse.prepared.clear();
    },
    describe: (transaction) => describe(state, transaction),
    pretend: (query) => pretend(parts, query),
    addressOf: codec.addressOf,
  };
}

/** Answers about payments, remembered until the chain changes: a runner asks the same question at every step. */
function paymentAnswers({ state, book }: UtxoParts): ChainModel['payment'] {
  let last: (Asked & { readonly info: TermsInfo; readonly version: number }) | undefined;
  let answer: Answer<PaymentView> | undefined;
  return ({ terms, claimed, funding: own, own: isOwn = false, from = 0 }, view) => {
    const info = book.find(terms);
    const { version } = state.network;
    if (answer !== undefined && last !== undefined && last.info === info && last.version === version) {
      const isSame = last.claimed === claimed && last.own === own && last.isOwn === isOwn && last.from === from;
      if (last.view === view && isSame) return answer;
    }
    answer = answered(paymentIn(state, info, { view, claimed, from, own, isOwn }));
    last = { info, claimed, own, isOwn, from, view, version };
    return answer;
  };
}

const USUAL_INPUTS = 2;

function quoteOf(state: UtxoState, purse: Purse, view: ChainView): Answer<Quote> {
  const { settings } = state;
  const { format } = settings.amounts;
  const rate = rateOf(settings, 0);
  const feeOf = (size: number) => format(BigInt(Math.ceil(rate * size)));
  return answered({
    height: view.height,
    clock: view.median,
    spendable: format(spendable(state, purse, view)),
    coming: format(coming(state, purse)),
    paymentFee: feeOf(paymentSize(USUAL_INPUTS, 2)),
    spendFee: feeOf(SPEND_SIZE),
    spendFeeFrom: 'claim',
    dexFeeFee: feeOf(paymentSize(USUAL_INPUTS, 3)),
  });
}

function mismatch(tx: UtxoTransaction | null, { tx_hash }: SignedTransaction): Acceptance | null {
  return tx === null || tx.id === tx_hash ? null : refused('invalid', `the bytes have the id ${tx.id}, not ${tx_hash}`);
}

function submit(state: UtxoState, { tx_hex }: SignedTransaction, party: Party): Acceptance {
  return acceptUtxo(state, tx_hex, party.name);
}

function standing({ entries }: UtxoState, hash: string): Acceptance | null {
  const height = entries.get(hash)?.height ?? IN_MEMPOOL - 1;
  if (height < IN_MEMPOOL) return null;
  return height === IN_MEMPOOL ? KNOWN : CONFIRMED;
}

const ID_DIGITS = 64;

function describe(state: UtxoState, text: string): Description | null {
  const tx = text.length === ID_DIGITS ? (state.entries.get(text)?.tx ?? null) : state.codec.decode(text);
  if (tx === null) return null;
  const lock = state.locks.get(tx.outputs[0]?.kind === 'htlc' ? tx.outputs[0].lock : (tx.inputs[0]?.unlock.lock ?? ''));
  return { purpose: purposeOf(state, tx), payer: lock?.script?.sender ?? null };
}

/** The named transaction, a funding that was once seen, or one out of nothing. */
function pretend({ state, book }: UtxoParts, { terms, claimed }: PaymentQuery): StoredTransaction {
  const named = claimed === undefined ? null : state.codec.decode(claimed);
  if (named !== null) return { tx_hex: named.hex, tx_hash: named.id };
  const { lock, amount } = book.find(terms);
  const seen = lock?.fundings[0];
  if (seen !== undefined) return seen.shown;
  const outputs = [{ kind: 'htlc', value: amount, lock: lock?.id ?? '' } as const];
  const { hex, id } = state.codec.encode({ lockTime: 0, inputs: [], outputs });
  return { tx_hex: hex, tx_hash: id };
}
