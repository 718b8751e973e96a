import { type Account, type AccountEntry, type AccountState, accountOf } from './state.ts';
import type { Moment } from './swap-module.ts';
import { type AccountTransaction, feeOf, GAS_OF_REFUSAL, GAS_USED } from './transaction.ts';

/** Whether an account can pay the most that a transaction may cost. */
export function canAfford(account: Account, tx: AccountTransaction): boolean {
  return account.balance >= tx.value + feeOf(tx.price, tx.gas);
}

/** Includes a transaction whose nonce is the account's next: it always pays the fee, but its effect may be refused. */
export function execute(state: AccountState, entry: AccountEntry, at: Moment): void {
  const { tx } = entry;
  const account = accountOf(state, tx.from);
  account.mined.push(entry);
  entry.height = at.height;
  entry.everMined = true;
  entry.succeeded = !entry.outOfGas && GAS_USED[tx.call.kind] <= tx.gas && takeEffect(state, entry, at);
  const refusal = entry.outOfGas ? tx.gas : Math.min(tx.gas, GAS_OF_REFUSAL);
  entry.fee = feeOf(tx.price, entry.succeeded ? GAS_USED[tx.call.kind] : refusal);
  account.balance -= entry.fee;
}

function takeEffect(state: AccountState, entry: AccountEntry, at: Moment): boolean {
  const { tx } = entry;
  const { kind, swap, party } = tx.call;
  const account = accountOf(state, tx.from);
  if (kind === 'transfer') {
    account.balance -= tx.value;
    accountOf(state, party).balance += tx.value;
    return true;
  }
  const known = state.locked.get(swap);
  if (kind === 'payment') {
    const expiry = state.module.expiryOf(tx, at);
    if (known !== undefined || tx.value <= 0n || expiry === undefined) return false;
    account.balance -= tx.value;
    state.locked.set(swap, { entry, state: 1, expiry });
    return true;
  }
  if (known === undefined || tx.value > 0n) return false;
  const ending = kind === 'claim' ? state.module.claim(tx, known, at) : state.module.refund(tx, known, at);
  if (!ending.ok) return false;
  known.state = kind === 'claim' ? 2 : 3;
  const { to, reward } = ending;
  accountOf(state, to).balance += known.entry.tx.value - (reward?.amount ?? 0n);
  if (reward === undefined) return true;
  if (reward.to === null) state.kept += reward.amount;
  else accountOf(state, reward.to).balance += reward.amount;
  return true;
}

/** Refunds what has expired, at the start of a block; true if there was any. */
export function expirePayments(state: AccountState, height: number): boolean {
  let any = false;
  for (const payment of state.locked.values()) {
    if (payment.state !== 1 || payment.expiry > height) continue;
    any = true;
    payment.state = 3;
    const { tx } = payment.entry;
    accountOf(state, tx.from).balance += tx.value;
  }
  return any;
}

/** Recomputes all balances and payments from the remaining blocks. */
export function replay(state: AccountState): void {
  state.locked.clear();
  state.kept = 0n;
  for (const account of state.accounts.values()) {
    account.balance = state.owners.get(account.address)?.funded ?? 0n;
    account.mined.length = 0;
  }
  for (const { height, time, entries } of state.list.blocks) {
    expirePayments(state, height);
    for (const entry of entries) execute(state, entry, { height, time });
  }
}
