import type { Reward } from '../../../htlc/evm-reward-calls.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import type { UnixSeconds } from '../../../primitives/time.ts';
import { dayRate } from '../network.ts';
import type { TermsBook } from '../terms-book.ts';
import type { Balance, Outlay, PaidOut, PaymentState, SeenTransaction, SimLedger } from '../types.ts';
import { rewardIn, rewardPaid } from './contract.ts';
import {
  type AccountEntry,
  type AccountState,
  depthIn,
  IN_MEMPOOL,
  type LockedPayment,
  purposeOf,
  type TermsInfo,
} from './state.ts';
import { type CallReward, feeOf } from './transaction.ts';
import { callProblem, isPromising } from './views.ts';

/** The truth about a chain with accounts. */
export function accountLedger(state: AccountState, book: TermsBook<TermsInfo>): SimLedger {
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
    dayFee: (hash) => feeOf(Math.ceil(dayRate(state.network)), state.entries.get(hash)?.tx.gas ?? 0),
    payment: (terms) => paymentState(state, book, terms),
    outlay: (party) => outlayOf(state, party),
    imbalance: () => imbalanceOf(state),
  };
}

function balanceOf(state: AccountState, name: string): Balance {
  const account = state.parties.get(name)?.account;
  if (account === undefined) return { confirmed: 0n, pending: 0n };
  let pending = account.balance;
  for (const { tx, fee } of account.pending) pending -= (tx.call.party === account.address ? 0n : tx.value) + fee;
  for (const { tx } of state.mempool) {
    const payment = state.locked.get(tx.call.swap);
    if (payment?.state !== 1) continue;
    const { kind } = tx.call;
    if (kind !== 'claim' && kind !== 'refund') continue;
    const { from, call, value } = payment.entry.tx;
    const reward = rewardPaid(payment.entry.tx, { kind, caller: tx.from });
    if ((kind === 'claim' ? call.party : from) === account.address) pending += value - (reward?.amount ?? 0n);
    if (reward?.to === account.address) pending += reward.amount;
  }
  return { confirmed: account.balance, pending };
}

function feesOf({ parties }: AccountState, name: string): bigint {
  let total = 0n;
  for (const { fee } of parties.get(name)?.account.mined ?? []) total += fee;
  return total;
}

function seenTransactions(state: AccountState, name: string | undefined): readonly SeenTransaction[] {
  const seen: SeenTransaction[] = [];
  for (const entry of state.entries.values()) {
    if (name === undefined || entry.party === name) seen.push(seenOf(state, entry));
  }
  return seen;
}

function seenOf({ list }: AccountState, entry: AccountEntry): SeenTransaction {
  const { tx, purpose, party, submittedBy, height, everMined, fee, firstSeen, succeeded } = entry;
  const mined = succeeded ? 'confirmed' : 'reverted';
  return {
    hash: tx.id,
    hex: tx.hex,
    purpose,
    party,
    submittedBy,
    lock: tx.call.kind === 'transfer' ? null : tx.call.swap,
    status: height >= 0 ? mined : height === IN_MEMPOOL ? 'mempool' : 'gone',
    everMined,
    confirmations: Math.max(0, depthIn(list.truth, entry)),
    fee,
    firstSeen,
    ...(tx.call.reward === undefined ? {} : { reward: rewardOf(tx.call.reward) }),
  };
}

function rewardOf({ target, onClaim, amount }: CallReward): Reward {
  return { target, onClaim, amount };
}

function paymentState(state: AccountState, book: TermsBook<TermsInfo>, terms: PaymentTerms): PaymentState {
  const info = book.find(terms);
  const { truth } = state.list;
  const id = info.named?.id ?? '';
  const entries = state.swaps.get(id)?.entries ?? [];
  const standing = entries.filter(({ height, succeeded }) => height === IN_MEMPOOL || (height >= 0 && succeeded));
  const fundings = standing.filter(({ tx }) => tx.call.kind === 'payment' && callProblem(info, tx) === null);
  const spend = spendOf(state, standing, state.locked.get(id));
  return {
    lock: id,
    fundings: fundings.map((entry) => ({ hash: entry.tx.id, confirmations: depthIn(truth, entry) })),
    spend,
    returnedAt: spend?.hash === null ? arrivalOf(state, state.locked.get(id)?.expiry ?? 0) : null,
    expiry: expiryOf(state.locked.get(id)),
  };
}

function expiryOf(locked: LockedPayment | undefined): number | null {
  return locked === undefined || locked.expiry === Number.POSITIVE_INFINITY ? null : locked.expiry;
}

function arrivalOf({ list }: AccountState, height: number): UnixSeconds | null {
  return list.blocks[height - (list.blocks[0]?.height ?? 0)]?.arrived ?? null;
}

/** By the contract's state, and only if that is open, by what waits. */
function spendOf(
  { list }: AccountState,
  standing: readonly AccountEntry[],
  locked: LockedPayment | undefined,
): PaymentState['spend'] {
  const ends = standing.filter(({ tx }) => tx.call.kind === 'claim' || tx.call.kind === 'refund');
  const entry =
    locked === undefined || locked.state === 1
      ? ends.find((end) => locked !== undefined && isPromising(end, locked.entry))
      : ends.find(({ height }) => height >= 0);
  if (entry !== undefined) {
    return {
      how: entry.tx.call.kind === 'claim' ? 'secret' : 'refund',
      hash: entry.tx.id,
      submittedBy: entry.submittedBy,
      confirmations: depthIn(list.truth, entry),
    };
  }
  if (locked?.state !== 3) return null;
  return { how: 'refund', hash: null, submittedBy: null, confirmations: list.truth.height - locked.expiry + 1 };
}

function ownerOf({ owners }: AccountState, address: string): string | null {
  return owners.get(address)?.name ?? null;
}

const ENDS = { 1: 'open', 2: 'taken', 3: 'back' } as const;

function outlayOf(state: AccountState, name: string): Outlay {
  const payments: PaidOut[] = [];
  let dexFees = 0n;
  let dexFeeCount = 0;
  for (const { tx, height, succeeded, party, purpose } of state.entries.values()) {
    if (height < 0 || !succeeded || party !== name) continue;
    if (purpose === 'fee') {
      dexFeeCount += 1;
      dexFees += tx.value;
    } else if (purpose === 'payment') {
      const { swap } = tx.call;
      const kept = state.locked.get(swap);
      payments.push({
        hash: tx.id,
        lock: swap,
        amount: tx.value - rewardIn(tx.call),
        to: ownerOf(state, tx.call.party),
        end: ENDS[kept?.state ?? 1],
      });
    }
  }
  return { payments, dexFees, dexFeeCount };
}

/** Sums what accounts have, what the contract keeps, and the fees in the blocks. */
function imbalanceOf(state: AccountState): string | null {
  let total = state.kept;
  let funded = 0n;
  let fees = 0n;
  for (const { address, balance } of state.accounts.values()) {
    if (balance < 0n) return `${address} has ${balance}`;
    total += balance;
  }
  for (const party of state.parties.values()) funded += party.funded;
  for (const payment of state.locked.values()) if (payment.state === 1) total += payment.entry.tx.value;
  const nonces = new Map<string, number>();
  for (const { height, entries } of state.list.blocks) {
    for (const entry of entries) {
      const { from, nonce } = entry.tx;
      if (nonce !== (nonces.get(from) ?? 0)) return `${entry.tx.id} at height ${height} has nonce ${nonce} out of turn`;
      if (entry.height !== height) return `${entry.tx.id} stands in block ${height} and says ${entry.height}`;
      nonces.set(from, nonce + 1);
      fees += entry.fee;
    }
  }
  return total + fees === funded ? null : `${total} held and ${fees} paid of ${funded}`;
}
