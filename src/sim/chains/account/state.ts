import type { StoredTransaction } from '../../../events/payloads.ts';
import type { PaymentTerms } from '../../../ports/chain.ts';
import type { UnixSeconds } from '../../../primitives/time.ts';
import { type BlockList, blockList, type ChainView } from '../blocks.ts';
import { type Network, networkOf, watchLock } from '../network.ts';
import type { Settings } from '../settings.ts';
import type { SeenPurpose } from '../types.ts';
import type { AccountCodec, Signer, SwapArguments } from './codec.ts';
import type { KeptPayment, SwapModule } from './swap-module.ts';
import { type AccountTransaction, feeOf } from './transaction.ts';

/** Heights of entries that are in no block. */
export const IN_MEMPOOL = -1;
export const GONE = -2;

/** A transaction that the chain has seen, with its place and its effect. */
export type AccountEntry = {
  readonly tx: AccountTransaction;
  readonly shown: StoredTransaction;
  height: number;
  since: UnixSeconds;
  readonly firstSeen: UnixSeconds;
  everMined: boolean;
  readonly submittedBy: string | null;
  readonly purpose: SeenPurpose;
  readonly party: string | null;
  /** Whether it had its effect; false for a reverted one and for one in no block. */
  succeeded: boolean;
  /** Decided when it was included. */
  outOfGas: boolean;
  /** Paid in a block, offered before. */
  fee: bigint;
};

export type Account = {
  readonly address: string;
  balance: bigint;
  /** By nonce, what the best chain holds. */
  readonly mined: AccountEntry[];
  readonly pending: AccountEntry[];
};

/** The owner of an account. */
export type Party = { readonly name: string; readonly signer: Signer; readonly account: Account; funded: bigint };

/** An amount that the contract keeps, or kept, with the transaction that paid it. */
export type LockedPayment = KeptPayment & { readonly entry: AccountEntry; state: 1 | 2 | 3 };

/** What is known about a payment id: every transaction that names it, in order of arrival. */
export type SwapRecord = { readonly id: string; readonly entries: AccountEntry[] };

export type AccountState = {
  readonly settings: Settings;
  readonly network: Network;
  readonly codec: AccountCodec;
  readonly module: SwapModule;
  readonly list: BlockList<AccountEntry>;
  readonly entries: Map<string, AccountEntry>;
  mempool: AccountEntry[];
  readonly accounts: Map<string, Account>;
  readonly parties: Map<string, Party>;
  readonly owners: Map<string, Party>;
  /** By id, what the contract keeps by the best chain. */
  readonly locked: Map<string, LockedPayment>;
  /** Rewards that nobody gets any more, by the best chain; in base units. */
  kept: bigint;
  readonly swaps: Map<string, SwapRecord>;
};

export type AccountParts = Pick<AccountState, 'settings' | 'codec' | 'module'>;

export function accountState({ settings, codec, module }: AccountParts): AccountState {
  const { startHeight, blockTime, now } = settings;
  return {
    settings,
    network: networkOf(settings),
    codec,
    module,
    list: blockList({ height: startHeight, time: now(), blockTime }),
    entries: new Map(),
    mempool: [],
    accounts: new Map(),
    parties: new Map(),
    owners: new Map(),
    locked: new Map(),
    kept: 0n,
    swaps: new Map(),
  };
}

export function accountOf({ accounts }: AccountState, address: string): Account {
  let account = accounts.get(address);
  if (account === undefined) {
    account = { address, balance: 0n, mined: [], pending: [] };
    accounts.set(address, account);
  }
  return account;
}

export function recordOf({ swaps }: AccountState, id: string): SwapRecord {
  let record = swaps.get(id);
  if (record === undefined) {
    record = { id, entries: [] };
    swaps.set(id, record);
  }
  return record;
}

/** Adds a transaction that is new; its place is decided later. */
export function addEntry(state: AccountState, tx: AccountTransaction, submittedBy: string | null): AccountEntry {
  const now = state.settings.now();
  const entry: AccountEntry = {
    tx,
    shown: { tx_hex: tx.hex, tx_hash: tx.id },
    height: GONE,
    since: now,
    firstSeen: now,
    everMined: false,
    submittedBy,
    purpose: purposeOf(state, tx),
    party: state.owners.get(tx.from)?.name ?? null,
    succeeded: false,
    outOfGas: false,
    fee: feeOf(tx.price, tx.gas),
  };
  state.entries.set(tx.id, entry);
  if (tx.call.kind !== 'transfer') recordOf(state, tx.call.swap).entries.push(entry);
  return entry;
}

export function purposeOf({ codec }: AccountState, { from, call }: AccountTransaction): SeenPurpose {
  if (call.kind !== 'transfer') return call.kind;
  if (call.party === codec.feeAddress) return 'fee';
  return call.party === from ? 'void' : 'transfer';
}

/** Confirmations in a view, of a reverted one too; 0 in the mempool, -1 where the view does not hold it. */
export function depthIn(view: ChainView, entry: AccountEntry): number {
  const { height } = entry;
  if (height >= 0 && height <= view.height) return view.height - height + 1;
  return height === GONE || entry.since > view.arrived ? -1 : 0;
}

/** What is known about terms: the amount in base units, and how the contract names them. */
export type TermsInfo = {
  readonly terms: PaymentTerms;
  readonly amount: bigint;
  /** Null for terms that the contract cannot hold. */
  readonly named: SwapArguments | null;
};

export function termsInfo({ codec, settings, network }: AccountState, terms: PaymentTerms): TermsInfo {
  const amount = settings.amounts.parse(terms.amount);
  watchLock(network, terms.lock);
  return { terms, amount, named: codec.argumentsOf(terms, amount) };
}
