import { type Acceptance, CONFIRMED, KNOWN, refused, SENT } from '../faults.ts';
import { announce, leastRate, replacesNone } from '../network.ts';
import { enterMempool, evict, hasTooManyAncestors, withDescendants } from './mempool.ts';
import { isFinal, type Judged, judge } from './rules.ts';
import { addEntry, GONE, IN_MEMPOOL, type UtxoEntry, type UtxoState } from './state.ts';
import { nominalSize, type UtxoInput, type UtxoTransaction } from './transaction.ts';

const NO_ENTRIES: ReadonlySet<UtxoEntry> = new Set();

/**
 * Offers a transaction to the mempool. Every transaction may be replaced by one that pays more (full replace-by-fee): by a higher rate than those it
 * conflicts with, and by enough more to pay for its own relay (BIP 125, rules 2, 3, 4 and 6).
 */
export function acceptUtxo(state: UtxoState, hex: string, submittedBy: string | null): Acceptance {
  const tx = state.codec.decode(hex);
  if (tx === null) return refused('invalid', 'the bytes are no transaction');
  const known = state.entries.get(tx.id);
  if (known !== undefined && known.height !== GONE) return known.height === IN_MEMPOOL ? KNOWN : CONFIRMED;
  const judged = judge(state, tx);
  if (!judged.ok) return judged;
  if (hasDust(tx, state.settings.minTxAmount)) return refused('invalid', 'dust');
  const rivals = rivalsOf(tx, judged.sources);
  if (rivals === null) return refused('inputsSpent', 'another transaction in the chain took an input');
  const { median } = state.list.truth;
  if (!isFinal(tx, median)) return refused('notFinal', `lock time ${tx.lockTime}, median time past ${median}`);
  const relay = leastRate(state.network);
  const size = nominalSize(tx);
  if (Number(judged.fee) < relay * size) return refused('feeTooLow', `min relay fee not met: ${judged.fee}`);
  const leaving = rivals.length === 0 ? NO_ENTRIES : withDescendants(rivals);
  if (judged.sources.some((source) => leaving.has(source))) {
    return refused('invalid', 'depends on a transaction that it replaces');
  }
  if (rivals.length > 0 && replacesNone(state.network)) return refused('noReplacement', 'txn-mempool-conflict');
  if (rivals.length > 0 && addsUnconfirmed(judged.sources, rivals)) {
    return refused('noReplacement', 'replacement-adds-unconfirmed');
  }
  if (rivals.length > 0 && !paysMore(judged, { size, relay, rivals, leaving })) {
    return refused('feeTooLow', `does not pay enough more than what it replaces: ${judged.fee}`);
  }
  if (hasTooManyAncestors(judged.sources, leaving)) {
    return refused('tooManyAncestors', 'too long a chain of unconfirmed transactions');
  }
  if (leaving.size > 0) evict(state, leaving);
  const entry = known ?? addEntry(state, tx, { sources: judged.sources, fee: judged.fee, submittedBy });
  enterMempool(state, entry);
  announce(state.network);
  return SENT;
}

/** Whether a spendable output is worth less than nodes relay. */
function hasDust({ outputs }: UtxoTransaction, least: bigint): boolean {
  for (const { kind, value } of outputs) if (value < least && kind !== 'data' && kind !== 'burn') return true;
  return false;
}

/** Entries of the mempool that take one of the same outputs; null if a transaction in a block does. */
function rivalsOf(tx: UtxoTransaction, sources: readonly UtxoEntry[]): readonly UtxoEntry[] | null {
  let rivals: UtxoEntry[] | undefined;
  for (let index = 0; index < sources.length; index++) {
    const taker = (sources[index] as UtxoEntry).takers[(tx.inputs[index] as UtxoInput).vout] ?? null;
    if (taker === null) continue;
    if (taker.height >= 0) return null;
    rivals ??= [];
    rivals.push(taker);
  }
  return rivals ?? NONE;
}

const NONE: readonly UtxoEntry[] = [];

/** Whether it depends on something unconfirmed on which nothing that it replaces does (BIP 125, rule 2). */
function addsUnconfirmed(sources: readonly UtxoEntry[], rivals: readonly UtxoEntry[]): boolean {
  return sources.some(
    (source) => source.height === IN_MEMPOOL && !rivals.some((rival) => rival.sources.includes(source)),
  );
}

type Replacement = {
  readonly size: number;
  readonly relay: number;
  readonly rivals: readonly UtxoEntry[];
  readonly leaving: ReadonlySet<UtxoEntry>;
};

function paysMore({ fee }: Judged, { size, relay, rivals, leaving }: Replacement): boolean {
  let replaced = 0n;
  for (const entry of leaving) replaced += entry.fee;
  if (Number(fee - replaced) < relay * size) return false;
  return rivals.every((rival) => Number(fee) * rival.size > Number(rival.fee) * size);
}
