import type { PaymentTerms } from '../../../ports/chain.ts';
import { dayRate } from '../network.ts';
import type { TermsBook } from '../terms-book.ts';
import type { Balance, Outlay, PaidOut, PaymentState, SeenTransaction, SimLedger } from '../types.ts';
import { depthIn, GONE, IN_MEMPOOL, purposeOf, type UtxoEntry, type UtxoState } from './state.ts';
import { outpointOf } from './transaction.ts';
import type { TermsInfo } from './views.ts';

/** The truth about a UTXO chain. It computes every answer from the transactions alone, so that it can contradict the rest. */
export function utxoLedger(state: UtxoState, book: TermsBook<TermsInfo>): SimLedger {
  return {
    balance: (party) => balanceOf(state, party),
    funded: (party) => state.parties.get(party)?.funded ?? 0n,
    feesPaid: (party) => feesOf(state, party),
    transactions: (party) => seenTransactions(state, party),
    transaction: (hash) => {
      const entry = state.entries.get(hash);
      return entry === undefined ? null : seenOf(state, entry);
    },
    purposeOf: (txHex) => {
      const tx = state.codec.decode(txHex);
      return tx === null ? null : purposeOf(state, tx);
    },
    dayFee: (hash) => BigInt(Math.ceil(dayRate(state.network) * (state.entries.get(hash)?.size ?? 0))),
    payment: (terms) => paymentState(state, book, terms),
    outlay: (party) => outlayOf(state, party),
    imbalance: () => imbalanceOf(state),
  };
}

function balanceOf(state: UtxoState, name: string): Balance {
  let confirmed = 0n;
  let pending = 0n;
  for (const { entry, vout, value } of state.parties.get(name)?.coins ?? []) {
    if (entry.height === GONE) continue;
    const taker = entry.takers[vout] ?? null;
    if (taker === null) pending += value;
    if (entry.height >= 0 && (taker === null || taker.height < 0)) confirmed += value;
  }
  return { confirmed, pending };
}

function feesOf({ entries }: UtxoState, name: string): bigint {
  let total = 0n;
  for (const { height, party, fee } of entries.values()) if (height >= 0 && party === name) total += fee;
  return total;
}

function seenTransactions(state: UtxoState, name: string | undefined): readonly SeenTransaction[] {
  const seen: SeenTransaction[] = [];
  for (const entry of state.entries.values()) {
    if (entry.sources.length === 0 || (name !== undefined && entry.party !== name)) continue;
    seen.push(seenOf(state, entry));
  }
  return seen;
}

function seenOf({ list }: UtxoState, entry: UtxoEntry): SeenTransaction {
  const { tx, purpose, party, submittedBy, height, everMined, fee, firstSeen } = entry;
  const input = tx.inputs[0]?.unlock;
  const output = tx.outputs[0];
  const lock = output?.kind === 'htlc' ? output.lock : input !== undefined && input.by !== 'key' ? input.lock : null;
  return {
    hash: tx.id,
    hex: tx.hex,
    purpose,
    party,
    submittedBy,
    lock,
    status: height >= 0 ? 'confirmed' : height === IN_MEMPOOL ? 'mempool' : 'gone',
    everMined,
    confirmations: Math.max(0, depthIn(list.truth, entry)),
    fee,
    firstSeen,
  };
}

function paymentState({ list }: UtxoState, book: TermsBook<TermsInfo>, terms: PaymentTerms): PaymentState {
  const { lock, amount } = book.find(terms);
  const depth = (entry: UtxoEntry) => depthIn(list.truth, entry);
  const fundings = (lock?.fundings ?? []).filter(
    (entry) => entry.height !== GONE && entry.tx.outputs[0]?.value === amount,
  );
  const taker = fundings.find(({ takers }) => (takers[0] ?? null) !== null)?.takers[0] ?? null;
  return {
    lock: lock?.id ?? '',
    fundings: fundings.map((entry) => ({ hash: entry.tx.id, confirmations: depth(entry) })),
    spend:
      taker === null
        ? null
        : {
            how: taker.purpose === 'claim' ? 'secret' : 'refund',
            hash: taker.tx.id,
            submittedBy: taker.submittedBy,
            confirmations: depth(taker),
          },
    returnedAt: null,
    expiry: null,
  };
}

function outlayOf({ entries }: UtxoState, name: string): Outlay {
  const payments: PaidOut[] = [];
  let dexFees = 0n;
  let dexFeeCount = 0;
  for (const { tx, height, party, purpose, takers } of entries.values()) {
    if (height < 0 || party !== name) continue;
    const [output] = tx.outputs;
    if (purpose === 'fee') {
      dexFeeCount += 1;
      for (const { kind, value } of tx.outputs) if (kind === 'dexFee' || kind === 'burn') dexFees += value;
    } else if (output?.kind === 'htlc') {
      const taker = takers[0] ?? null;
      const end = taker === null || taker.height < 0 ? 'open' : taker.purpose === 'claim' ? 'taken' : 'back';
      payments.push({ hash: tx.id, lock: output.lock, amount: output.value, end });
    }
  }
  return { payments, dexFees, dexFeeCount };
}

/** Sums what the blocks hold, from the transactions in their order and nothing else. */
function imbalanceOf(state: UtxoState): string | null {
  // By transaction and place; null for what was taken.
  const unspent = new Map<string, (bigint | null)[]>();
  let funded = 0n;
  let burned = 0n;
  let fees = 0n;
  const create = ({ tx }: UtxoEntry) => {
    let paid = 0n;
    const values: (bigint | null)[] = [];
    for (const { kind, value } of tx.outputs) {
      paid += value;
      const isBurned = kind === 'burn' || kind === 'data';
      if (isBurned) burned += value;
      values.push(isBurned ? null : value);
    }
    unspent.set(tx.id, values);
    return paid;
  };
  for (const entry of state.entries.values()) if (entry.sources.length === 0) funded += create(entry);
  for (const { height, entries } of state.list.blocks) {
    for (const entry of entries) {
      let taken = 0n;
      for (const input of entry.tx.inputs) {
        const values = unspent.get(input.txid);
        const value = values?.[input.vout] ?? null;
        if (values === undefined || value === null)
          return `${entry.tx.id} at height ${height} takes ${outpointOf(input)}, which is not there`;
        values[input.vout] = null;
        taken += value;
      }
      if (entry.height !== height) return `${entry.tx.id} stands in block ${height} and says ${entry.height}`;
      fees += taken - create(entry);
    }
  }
  let left = 0n;
  for (const values of unspent.values()) for (const value of values) if (value !== null) left += value;
  if (left + burned + fees !== funded) return `${left} left, ${burned} burned and ${fees} paid of ${funded}`;
  let known = 0n;
  for (const party of state.parties.keys()) known += balanceOf(state, party).confirmed;
  return known <= left ? null : `parties hold ${known} of ${left}`;
}
