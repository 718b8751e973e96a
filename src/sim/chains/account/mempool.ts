import { type Acceptance, CONFIRMED, KNOWN, refused, SENT } from '../faults.ts';
import { announce, leastRate } from '../network.ts';
import { type Account, type AccountEntry, type AccountState, accountOf, addEntry, GONE, IN_MEMPOOL } from './state.ts';
import { type AccountTransaction, feeOf, GAS_OF_ENTRY } from './transaction.ts';

/** The least price at which a transaction replaces another of the same nonce: a tenth more. */
export function replacementPrice(price: number): number {
  return price + Math.ceil(price / 10);
}

/** Offers a transaction to the mempool. */
export function acceptAccount(state: AccountState, hex: string, submittedBy: string | null): Acceptance {
  const tx = state.codec.decode(hex);
  if (tx === null) return refused('invalid', 'the bytes are no transaction');
  if (!tx.signed) return refused('invalid', 'the signature is not that of the account');
  if (tx.gas < GAS_OF_ENTRY[tx.call.kind]) return refused('invalid', 'intrinsic gas too low');
  const known = state.entries.get(tx.id);
  if (known !== undefined && known.height !== GONE) return known.height === IN_MEMPOOL ? KNOWN : CONFIRMED;
  const account = accountOf(state, tx.from);
  const next = account.mined.length;
  if (tx.nonce < next) return refused('nonceUsed', `nonce too low: next nonce ${next}, tx nonce ${tx.nonce}`);
  if (tx.price < leastRate(state.network)) return refused('feeTooLow', `transaction underpriced: ${tx.price}`);
  const rival = account.pending.find((entry) => entry.tx.nonce === tx.nonce);
  if (rival !== undefined && !state.module.replaceable)
    return refused('noReplacement', 'the nonce is taken by one that waits');
  if (rival !== undefined && tx.price < replacementPrice(rival.tx.price)) {
    return refused('feeTooLow', `replacement transaction underpriced: ${tx.price}`);
  }
  if (account.balance < tx.value + feeOf(tx.price, tx.gas) + promised(account, rival)) {
    return refused('insufficientFunds', 'insufficient funds for gas * price + value');
  }
  const gap = nextFree(account, next) < tx.nonce;
  const fault = refused('nonceGap', `nonce too high: tx nonce ${tx.nonce}`);
  if (gap && state.module.gaps === 'refuse') return fault;
  if (rival !== undefined) leave(state, [rival]);
  enter(state, known ?? addEntry(state, tx, submittedBy));
  announce(state.network);
  return gap ? fault : SENT;
}

/** What an account's other unconfirmed transactions may cost. */
function promised({ pending }: Account, rival: AccountEntry | undefined): bigint {
  let total = 0n;
  for (const { tx } of pending) if (tx !== rival?.tx) total += tx.value + feeOf(tx.price, tx.gas);
  return total;
}

/** The least nonce from `next` on that no unconfirmed transaction has. */
export function nextFree({ pending }: Account, next: number): number {
  let nonce = next;
  while (pending.some(({ tx }) => tx.nonce === nonce)) nonce++;
  return nonce;
}

function enter(state: AccountState, entry: AccountEntry): void {
  wait(state, entry);
  state.mempool.push(entry);
}

function wait(state: AccountState, entry: AccountEntry): void {
  entry.height = IN_MEMPOOL;
  entry.since = state.settings.now();
  entry.fee = feeOf(entry.tx.price, entry.tx.gas);
  entry.succeeded = false;
  entry.outOfGas = false;
  accountOf(state, entry.tx.from).pending.push(entry);
}

/** Puts what was in blocks ahead of everything that waits. */
export function giveBack(state: AccountState, entries: readonly AccountEntry[]): void {
  for (const entry of entries) wait(state, entry);
  state.mempool = [...entries, ...state.mempool];
}

/** Removes entries from the mempool for good. */
export function leave(state: AccountState, entries: readonly AccountEntry[]): void {
  if (entries.length === 0) return;
  for (const entry of entries) {
    entry.height = GONE;
    removeFrom(accountOf(state, entry.tx.from).pending, entry);
    removeFrom(state.mempool, entry);
  }
}

/** Removes what can never be included any more, because its nonce is used. */
export function leaveOutdated(state: AccountState): void {
  leave(
    state,
    state.mempool.filter(({ tx }) => tx.nonce < accountOf(state, tx.from).mined.length),
  );
}

export function removeFrom<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

/** The transaction in the chain that took another's nonce; null if none did. */
export function takerOf({ accounts }: AccountState, { id, from, nonce }: AccountTransaction): AccountEntry | null {
  const taker = accounts.get(from)?.mined[nonce];
  return taker === undefined || taker.tx.id === id ? null : taker;
}
