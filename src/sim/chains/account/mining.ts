import { blockTimeOf } from '../block-time.ts';
import { announceBlock, isCensored, leastRate, runsOutOfGas, warpedTime } from '../network.ts';
import { replaceLast } from '../replace-last.ts';
import type { MinedBlock, MineOptions, ReorgOptions } from '../types.ts';
import { canAfford, execute, expirePayments, replay } from './execution.ts';
import { giveBack, leave, leaveOutdated, removeFrom } from './mempool.ts';
import { remember } from './restore.ts';
import { type AccountEntry, type AccountState, accountOf, addEntry } from './state.ts';
import type { Moment } from './swap-module.ts';
import { type AccountTransaction, GAS_OF_ENTRY } from './transaction.ts';

/** Adds a block. @throws RangeError for a time or a transaction that the rules forbid. */
export function mineAccount(state: AccountState, options: MineOptions): MinedBlock {
  const { height, time, transactions, expired } = addBlock(state, options);
  announceBlock(state.network, { height, clock: time, changes: expired || transactions.length > 0 });
  return { height, time, transactions };
}

/** Adds a block and tells nobody; also returns whether a payment was refunded automatically. */
function addBlock(state: AccountState, options: MineOptions): MinedBlock & { readonly expired: boolean } {
  const { settings, list } = state;
  const now = settings.now();
  const time = blockTimeOf(options.time ?? warpedTime(state.network, list.truth.time), { above: list.truth.time, now });
  const at = { height: list.truth.height + 1, time };
  const expired = state.locked.size > 0 && expirePayments(state, at.height);
  const entries: AccountEntry[] = [];
  for (const hex of options.extra ?? []) addExtra(state, hex, { at, entries });
  if (options.include !== 'none' && state.mempool.length > 0) fill(state, options, { at, entries });
  list.push({ time, arrived: now, entries });
  if (state.mempool.length > 0) leaveOutdated(state);
  return { height: at.height, time, transactions: entries.map(({ tx }) => tx.id), expired };
}

type Opening = { readonly at: Moment; readonly entries: AccountEntry[] };

function include(state: AccountState, entry: AccountEntry, { at, entries }: Opening): void {
  entry.outOfGas = runsOutOfGas(state.network, entry.purpose);
  removeFrom(state.mempool, entry);
  removeFrom(accountOf(state, entry.tx.from).pending, entry);
  execute(state, entry, at);
  entries.push(entry);
}

/** Includes what is next for its account, repeatedly, until nothing more is. */
function fill(state: AccountState, options: MineOptions, opening: Opening): void {
  const least = leastRate(state.network);
  const chosen = ({ tx, purpose }: AccountEntry): boolean =>
    (typeof options.include !== 'function' || options.include(tx.id)) &&
    tx.price >= least &&
    !isCensored(state.network, purpose);
  for (;;) {
    const next = state.mempool.find((entry) => {
      const account = accountOf(state, entry.tx.from);
      return entry.tx.nonce === account.mined.length && canAfford(account, entry.tx) && chosen(entry);
    });
    if (next === undefined) return;
    include(state, next, opening);
  }
}

function addExtra(state: AccountState, hex: string, opening: Opening): void {
  const tx = state.codec.decode(hex);
  const problem = tx === null ? 'no transaction' : extraProblem(state, tx);
  if (tx !== null && problem === null) {
    include(state, state.entries.get(tx.id) ?? addEntry(state, tx, null), opening);
    return;
  }
  // The block is abandoned: what it held waits again, so that the chain stays consistent.
  replay(state);
  giveBack(state, opening.entries);
  throw new RangeError(`a miner cannot include ${tx?.id ?? 'these bytes'}: ${problem}`);
}

function extraProblem(state: AccountState, tx: AccountTransaction): string | null {
  if (!tx.signed) return 'the signature is not that of the account';
  if (tx.gas < GAS_OF_ENTRY[tx.call.kind]) return 'intrinsic gas too low';
  const account = accountOf(state, tx.from);
  if (tx.nonce !== account.mined.length) return `its nonce is ${tx.nonce}, and the next one ${account.mined.length}`;
  return canAfford(account, tx) ? null : 'insufficient funds';
}

/** Replaces the last blocks. @throws RangeError for too great a depth, or a new block that the rules forbid; nothing has changed then. */
export function reorgAccount(state: AccountState, reorg: ReorgOptions): readonly MinedBlock[] {
  const chain = { list: state.list, remember: () => remember(state) };
  return replaceLast(chain, reorg.depth, { exchange: () => exchange(state, reorg) });
}

function exchange(state: AccountState, { depth, drop = [], blocks }: ReorgOptions): readonly MinedBlock[] {
  const { list } = state;
  const returned: AccountEntry[] = [];
  const emptied: MineOptions[] = [];
  for (let left = depth; left > 0; left--) {
    const block = list.pop();
    if (block === undefined) break;
    returned.unshift(...block.entries);
    emptied.unshift({ time: block.time, include: 'none' });
  }
  replay(state);
  giveBack(state, returned);
  leave(
    state,
    returned.filter(({ tx }) => drop === 'all' || drop.includes(tx.id)),
  );
  const branch = (blocks ?? [...emptied, { include: 'none' }]).map((block): MinedBlock => {
    const { height, time, transactions } = addBlock(state, block);
    return { height, time, transactions };
  });
  const { height, time } = list.truth;
  announceBlock(state.network, { height, clock: time, changes: true });
  return branch;
}
