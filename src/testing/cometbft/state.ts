import type { ModuleCoin } from '../../htlc/tendermint-messages.ts';
import type { StoredHtlc } from '../../htlc/tendermint-stored.ts';

/** An account of the chain. */
export type Account = {
  readonly number: bigint;
  readonly sequence: bigint;
  /** Compressed key, from its first transaction on. */
  readonly key: Uint8Array | null;
};

/** What the application holds after a block. It is never changed: whoever wants another one makes it. */
export type AppState = {
  readonly accounts: ReadonlyMap<string, Account>;
  /** Base units, by address and denomination. */
  readonly balances: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
  /** By id in upper case. */
  readonly payments: ReadonlyMap<string, StoredHtlc>;
};

/** Who keeps what is under locks: the address of no key. */
export const MODULE_ACCOUNT = 'the HTLC module';

export const EMPTY_STATE: AppState = { accounts: new Map(), balances: new Map(), payments: new Map() };

export function balanceOf({ balances }: AppState, address: string, denom: string): bigint {
  return balances.get(address)?.get(denom) ?? 0n;
}

/** The state with an account in it that it had or had not. */
export function withAccount(state: AppState, address: string, account: Account): AppState {
  return { ...state, accounts: new Map(state.accounts).set(address, account) };
}

export function withPayment(state: AppState, payment: StoredHtlc): AppState {
  return { ...state, payments: new Map(state.payments).set(payment.id, payment) };
}

/** The state with coins that came from nowhere; whoever gets some has an account from then on. */
export function credited(state: AppState, address: string, coins: readonly ModuleCoin[]): AppState {
  const own = new Map(state.balances.get(address));
  for (const { denom, amount } of coins) own.set(denom, (own.get(denom) ?? 0n) + amount);
  const next = { ...state, balances: new Map(state.balances).set(address, own) };
  if (next.accounts.has(address)) return next;
  return withAccount(next, address, { number: BigInt(next.accounts.size), sequence: 0n, key: null });
}

/** The state without coins; null where there are not as many. */
export function debited(state: AppState, address: string, coins: readonly ModuleCoin[]): AppState | null {
  const own = new Map(state.balances.get(address));
  for (const { denom, amount } of coins) {
    const left = (own.get(denom) ?? 0n) - amount;
    if (left < 0n) return null;
    own.set(denom, left);
  }
  return { ...state, balances: new Map(state.balances).set(address, own) };
}

type Move = { readonly from: string; readonly to: string; readonly coins: readonly ModuleCoin[] };

/** The state after a transfer; null where there are not as many coins. */
export function moved(state: AppState, { from, to, coins }: Move): AppState | null {
  const without = debited(state, from, coins);
  return without === null ? null : credited(without, to, coins);
}
