import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import { STANDARD_FLAGS } from '../script/flags.ts';
import { type TokenMove, type TokenSource, tokenMoveOf } from '../tokens/move.ts';
import { atOnce, type Steps } from '../turns.ts';
import type { IdentifiedTransaction } from './block.ts';
import { type Coin, type CoinView, checkInputs, isRefusal } from './check-inputs.ts';
import { checkRelayedScripts, checkScripts } from './check-scripts.ts';
import { checkForm, checkTransaction, isCoinbase, isFinal } from './check-transaction.ts';
import { ledgerCoins, moduleVerdict } from './connect-block.ts';
import { type Ledger, tipHeight } from './ledger.ts';
import { invalid, nonstandard, REJECT_DUPLICATE, REJECT_FEE, type Refusal } from './refusal.ts';
import { checkStandard, hasStandardInputs, type RelayPolicy, relayFee } from './relay-policy.ts';
import { askedChecks, mostChecks } from './signature-checks.ts';
import { type BlockTree, isVerified, rememberVerified, tipMedianTime } from './tree.ts';

/** An unconfirmed transaction in the mempool. */
export type MempoolEntry = IdentifiedTransaction & {
  /** Satoshis. */
  readonly fee: bigint;
  /** Signature checks that it requires, including those of its redeem scripts. */
  readonly checks: number;
  /** Seconds since 1970. */
  readonly time: number;
  /** Height of the chain when it arrived. */
  readonly height: number;
  readonly token: TokenMove | undefined;
  /** Ids of the mempool transactions that it spends from. */
  readonly parents: Set<string>;
  readonly children: Set<string>;
};

/** Unconfirmed transactions, each after those that it spends from. */
export type Mempool = {
  readonly entries: Map<string, MempoolEntry>;
  /** By `<txid>:<vout>`: which mempool transaction spends it, with which input. */
  readonly spentBy: Map<string, { readonly txid: string; readonly input: number }>;
  /** Size of all entries on the wire. */
  bytes: number;
  /** Number of changes: results computed from the entries hold while it stays the same. */
  changes: number;
};

export function emptyMempool(): Mempool {
  return { entries: new Map(), spentBy: new Map(), bytes: 0, changes: 0 };
}

export type AcceptTerms = {
  readonly tree: BlockTree;
  readonly policy: RelayPolicy;
  /** Seconds since 1970. */
  readonly time: number;
  /** Accepts any fee, however high. */
  readonly allowHighFees: boolean;
};

/** A fee above this multiple of the relay fee, and above a nineteenth of the amount sent, counts as a mistake. */
const HIGH_FEE_FACTOR = 10_000n;
const HIGH_FEE_SHARE = 19n;

/**
 * Accepts a transaction, or says why not. Accepting one again has no effect. The order of the checks is the node's, because it decides which reason
 * is reported.
 */
export function acceptTransaction(
  mempool: Mempool,
  identified: IdentifiedTransaction,
  terms: AcceptTerms,
): Refusal | MempoolEntry {
  const admitted = admit(mempool, identified, terms);
  if ('kind' in admitted || 'txid' in admitted) return admitted;
  const scripts = atOnce(checkWaitingScripts(identified, { ...terms, mempool, coins: admitted.coins }));
  return scripts ?? insert(mempool, { identified, ...admitted, terms });
}

/** Why a transaction is not accepted, one script at a time; undefined if it would be, and its scripts are then known to pass. Accepts nothing. */
export function* acceptanceSteps(
  mempool: Mempool,
  identified: IdentifiedTransaction,
  terms: AcceptTerms,
): Steps<Refusal | undefined> {
  const admitted = admit(mempool, identified, terms);
  if ('kind' in admitted) return admitted;
  if ('txid' in admitted) return undefined;
  return yield* checkWaitingScripts(identified, { ...terms, mempool, coins: admitted.coins });
}

/** What is known of a transaction before its scripts run. */
type Admitted = Pick<MempoolEntry, 'fee' | 'checks'> & { readonly coins: readonly Coin[] };

function admit(
  mempool: Mempool,
  identified: IdentifiedTransaction,
  terms: AcceptTerms,
): Refusal | MempoolEntry | Admitted {
  const { tree, policy } = terms;
  const { ledger } = tree;
  const { transaction, txid } = identified;
  const known = mempool.entries.get(txid);
  if (known !== undefined) return known;
  const refusal = checkAlone(identified, terms);
  if (refusal !== undefined) return refusal;
  const conflict = transaction.inputs.some((input) => mempool.spentBy.has(outPointKey(input)));
  if (conflict) return invalid('mempool conflict');
  if ((ledger.transactions.get(txid)?.spendable ?? 0) > 0) return duplicate('already have coins');
  const height = tipHeight(ledger) + 1;
  const inputs = checkInputs(transaction, { coins: waitingCoins(mempool, ledger), height, params: tree.params });
  if (isRefusal(inputs))
    return inputs.kind === 'missing-inputs' ? missing(transaction.inputs, { mempool, ledger }) : inputs;
  const { coins, fee } = inputs;
  if (policy.standardOnly && !hasStandardInputs(transaction, coins)) return { kind: 'policy', reason: '' };
  const spent = coins.map(({ output }) => output);
  const checks = askedChecks(transaction, spent);
  // One that fits no block would be pending forever; a fifth leaves room for others.
  if (checks > mostChecks(tree.params.maxBlockSize) / 5) return nonstandard('bad-txns-too-many-sigops');
  const feeFault = terms.allowHighFees ? undefined : highFee(identified, { policy, fee });
  return feeFault ?? roomFault(mempool, identified, policy) ?? { fee, checks, coins };
}

/** Narrows the answer of {@link acceptTransaction}. */
export function isRefused(answer: Refusal | MempoolEntry): answer is Refusal {
  return 'kind' in answer;
}

function checkAlone(identified: IdentifiedTransaction, { tree, policy }: AcceptTerms): Refusal | undefined {
  const { transaction } = identified;
  const height = tipHeight(tree.ledger) + 1;
  const refusal = checkTransaction(identified, tree.params) ?? checkForm(transaction, { height, params: tree.params });
  if (refusal !== undefined) return refusal;
  if (isCoinbase(transaction)) return invalid('coinbase');
  const { cryptoConditions } = tree.params;
  const unusual = policy.standardOnly ? checkStandard(transaction, { ...policy, cryptoConditions }) : undefined;
  if (unusual !== undefined) return unusual;
  return isFinal(transaction, { height, medianTime: tipMedianTime(tree) }) ? undefined : nonstandard('non-final');
}

/**
 * An output that was spent, or that its transaction does not have, is distinguished from an unknown one as long as the transaction has an unspent
 * output left. Source: smart-chain node.
 */
function missing(
  inputs: readonly OutPoint[],
  { mempool, ledger }: { readonly mempool: Mempool; readonly ledger: Ledger },
): Refusal {
  const isKnown = ({ txid }: OutPoint) => {
    return mempool.entries.has(txid) || (ledger.transactions.get(txid)?.spendable ?? 0) > 0;
  };
  return inputs.every(isKnown) ? duplicate('bad-txns-inputs-spent') : { kind: 'missing-inputs' };
}

function duplicate(reason: string): Refusal {
  return { kind: 'invalid', code: REJECT_DUPLICATE, reason };
}

function highFee(
  { txid, transaction, bytes }: IdentifiedTransaction,
  of: { policy: RelayPolicy; fee: bigint },
): Refusal | undefined {
  const limit = relayFee(of.policy, bytes.length) * HIGH_FEE_FACTOR;
  const given = transaction.outputs.reduce((total, { value }) => total + value, 0n);
  if (of.fee <= limit || of.fee <= given / HIGH_FEE_SHARE) return undefined;
  return { kind: 'policy', reason: `AcceptToMemoryPool: absurdly high fees ${txid}, ${of.fee} > ${limit}` };
}

/** Ids of all mempool ancestors of these inputs. */
export function ancestorsOf(mempool: Mempool, inputs: readonly OutPoint[]): Set<string> {
  const found = new Set<string>();
  const open = inputs.map(({ txid }) => txid);
  for (let txid = open.pop(); txid !== undefined; txid = open.pop()) {
    const entry = mempool.entries.get(txid);
    if (entry === undefined || found.has(txid)) continue;
    found.add(txid);
    open.push(...entry.parents);
  }
  return found;
}

/** Ids of all mempool descendants of a transaction. */
export function descendantsOf(mempool: Mempool, txid: string): Set<string> {
  const found = new Set<string>();
  const open = [...(mempool.entries.get(txid)?.children ?? [])];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (found.has(each)) continue;
    found.add(each);
    open.push(...(mempool.entries.get(each)?.children ?? []));
  }
  return found;
}

/** Whether the transaction fits, in the mempool and in its chain of ancestors. */
function roomFault(
  mempool: Mempool,
  { transaction, bytes }: IdentifiedTransaction,
  policy: RelayPolicy,
): Refusal | undefined {
  if (mempool.bytes + bytes.length > policy.maxMempoolBytes) {
    return { kind: 'invalid', code: REJECT_FEE, reason: 'mempool full' };
  }
  return policy.ancestorLimit === Number.POSITIVE_INFINITY
    ? undefined
    : chainFault(mempool, transaction.inputs, policy);
}

function chainFault(mempool: Mempool, inputs: readonly OutPoint[], policy: RelayPolicy): Refusal | undefined {
  const ancestors = ancestorsOf(mempool, inputs);
  const { ancestorLimit, descendantLimit } = policy;
  if (ancestors.size + 1 > ancestorLimit) {
    return nonstandard(`too-long-mempool-chain, too many unconfirmed ancestors [limit: ${ancestorLimit}]`);
  }
  for (const txid of ancestors) {
    // The ancestor itself, its descendants, and the new one.
    if (descendantsOf(mempool, txid).size + 2 <= descendantLimit) continue;
    return nonstandard(`too-long-mempool-chain, too many descendants for tx ${txid} [limit: ${descendantLimit}]`);
  }
  return undefined;
}

type WaitingScripts = AcceptTerms & { readonly mempool: Mempool; readonly coins: readonly Coin[] };

function* checkWaitingScripts(identified: IdentifiedTransaction, terms: WaitingScripts): Steps<Refusal | undefined> {
  const { tree, mempool, coins, policy } = terms;
  const { transaction, txid } = identified;
  if (isVerified(tree, txid)) return undefined;
  const lookup = waitingTokens(mempool, tree.ledger);
  const move = () => tokenMoveOf(identified, lookup);
  const evaluate = moduleVerdict(transaction, { params: tree.params, lookup, move });
  const { cryptoConditions } = tree.params;
  const spent = coins.map(({ output }) => output);
  const refusal = policy.standardOnly
    ? yield* checkRelayedScripts(transaction, { spent, evaluate, cryptoConditions, flags: STANDARD_FLAGS })
    : yield* checkScripts(transaction, { spent, evaluate, cryptoConditions });
  if (refusal === undefined) rememberVerified(tree, txid);
  return refusal;
}

type Insertion = Pick<MempoolEntry, 'fee' | 'checks'> & {
  readonly identified: IdentifiedTransaction;
  readonly terms: AcceptTerms;
};

function insert(mempool: Mempool, { identified, fee, checks, terms }: Insertion): MempoolEntry {
  const { entries, spentBy } = mempool;
  const { txid, transaction } = identified;
  const { ledger } = terms.tree;
  const { cryptoConditions } = terms.tree.params;
  const token = cryptoConditions ? tokenMoveOf(identified, waitingTokens(mempool, ledger)) : undefined;
  const parents = new Set(transaction.inputs.map((input) => input.txid).filter((parent) => entries.has(parent)));
  const height = tipHeight(ledger);
  const entry = { ...identified, fee, checks, time: terms.time, height, token, parents, children: new Set<string>() };
  entries.set(txid, entry);
  mempool.changes += 1;
  mempool.bytes += identified.bytes.length;
  for (const parent of parents) entries.get(parent)?.children.add(txid);
  for (const [input, spent] of transaction.inputs.entries()) spentBy.set(outPointKey(spent), { txid, input });
  return entry;
}

/** Removes a transaction, and all its descendants if `withChildren` is set. */
export function removeEntry(mempool: Mempool, txid: string, options: { readonly withChildren: boolean }): void {
  const gone = options.withChildren ? [...descendantsOf(mempool, txid), txid] : [txid];
  for (const each of gone) {
    const entry = mempool.entries.get(each);
    if (entry === undefined) continue;
    mempool.entries.delete(each);
    mempool.changes += 1;
    mempool.bytes -= entry.bytes.length;
    for (const input of entry.transaction.inputs) mempool.spentBy.delete(outPointKey(input));
    for (const parent of entry.parents) mempool.entries.get(parent)?.children.delete(each);
    for (const child of entry.children) {
      const held = mempool.entries.get(child);
      if (held !== undefined) held.parents.delete(each);
    }
  }
}

/** Coins of the active chain and of the mempool, without those that the mempool spends. */
export function waitingCoins(mempool: Mempool, ledger: Ledger): CoinView {
  const confirmed = ledgerCoins(ledger);
  return (outPoint) => {
    if (mempool.spentBy.has(outPointKey(outPoint))) return undefined;
    const output: TransactionOutput | undefined = mempool.entries.get(outPoint.txid)?.transaction.outputs[
      outPoint.vout
    ];
    return output === undefined ? confirmed(outPoint) : { output, height: undefined, coinbase: false };
  };
}

/** Possible sources of tokens: mempool transactions, then confirmed ones. */
export function waitingTokens(mempool: Mempool, ledger: Ledger): (txid: string) => TokenSource | undefined {
  return (txid) => mempool.entries.get(txid) ?? ledger.transactions.get(txid);
}

export function outPointKey({ txid, vout }: OutPoint): string {
  return `${txid}:${vout}`;
}
