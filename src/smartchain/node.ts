import type { EventLog, NewRecord } from '../ports/event-log.ts';
import type { Envelope } from '../primitives/envelope.ts';
import { bytesToHex, sameBytes } from '../primitives/hex.ts';
import { canonicalJson } from '../primitives/json.ts';
import { type Millis, toUnixSeconds } from '../primitives/time.ts';
import { type Block, decodeBlock, encodeBlock, type IdentifiedTransaction } from './chain/block.ts';
import { MOST_SECONDS_AHEAD } from './chain/connect-block.ts';
import { type FeeEstimator, feeEstimator } from './chain/fee-estimator.ts';
import { followChain } from './chain/follow-chain.ts';
import {
  acceptanceSteps,
  acceptTransaction,
  emptyMempool,
  isRefused,
  type Mempool,
  type MempoolEntry,
  removeEntry,
} from './chain/mempool.ts';
import { genesisBlock, type MiningTerms, mineBlock } from './chain/miner.ts';
import { observedEntry } from './chain/observe-entry.ts';
import { invalid, type Refusal } from './chain/refusal.ts';
import { DEFAULT_RELAY_POLICY, type RelayPolicy } from './chain/relay-policy.ts';
import { addSent, followSent, offerSent, type SentTransactions } from './chain/sent.ts';
import {
  addBlock,
  type BlockNode,
  type BlockTree,
  blockFault,
  type ChainChange,
  endangersFinal,
  invalidateBlock,
  reconsiderBlock,
  sealChain,
  tipMedianTime,
} from './chain/tree.ts';
import { checkParams, paramsText } from './chain-rules.ts';
import { SmartChainError } from './error.ts';
import { LEDGER_MACHINE, type LedgerEvent, ledgerRecord, readLedgerEvent } from './ledger-events.ts';
import { LAST_BLOCK_TIME, noTime, notNotarizable, sendingUnknown, unminable } from './node-errors.ts';
import { type OpenedLedger, openLedger } from './open-ledger.ts';
import { type ChainParams, DEFAULT_PARAMS } from './params.ts';
import { replayRecord } from './replay-ledger.ts';
import type { SnapshotStore } from './snapshot/store.ts';
import { writeSnapshot } from './snapshot/write.ts';
import { encodeChainTransaction, transactionIdOf } from './transaction.ts';
import { inTurns } from './turns.ts';

export type SmartChainOptions = {
  /** Stores the blocks; the chain's stream is `smart-chain/<name>`. It stays open when the chain is closed. */
  readonly log: EventLog;
  /** Milliseconds since 1970. */
  readonly now: () => Millis;
  /** Rules that differ from the defaults. They are written to the log with the first block and must stay the same. */
  readonly params?: Partial<ChainParams>;
  readonly policy?: Partial<RelayPolicy>;
  /** Whether sent transactions are offered to the mempool again, at the start and after each change of the chain. @defaultValue true */
  readonly offersSent?: boolean;
  /** Stores snapshots, so that a start need not replay a long log. @defaultValue none */
  readonly snapshots?: SnapshotStore;
  /** Whether blocks can be notarized, which changes what counts as confirmed. @defaultValue false */
  readonly notarization?: boolean;
};

/** A refused transaction or block, with the reason. */
export type Refused = { readonly refused: Refusal };

/**
 * A chain in this process. Its state is the fold of the durable records in its log.
 *
 * - W1: a block is in the log before anyone can see it; after any crash every block that was seen is still there.
 * - W2: changes happen one after another, each atomically.
 * - W3: what `send` accepted is in the log before it returns. It is offered to the mempool again after every start and after every change of the
 *   chain that dropped it, until a block includes it.
 */
export interface SmartChain {
  readonly params: ChainParams;
  readonly policy: RelayPolicy;
  readonly tree: BlockTree;
  /** The mempool; a new object after every change of the chain. */
  mempool(): Mempool;
  readonly sent: SentTransactions;
  /**
   * Accepts a transaction into the mempool, where it may stay until the process ends: it is not durable until a block includes it.
   * @throws SmartChainError SMARTCHAIN_TRANSACTION_INVALID if id, bytes and transaction do not match.
   */
  submit(identified: IdentifiedTransaction, options?: { readonly allowHighFees?: boolean }): MempoolEntry | Refused;
  /**
   * Adds the transaction that `make` returns to the mempool and to the log (W3). `make` is called when nothing else can change the chain, and its
   * exceptions are passed on. @throws LogError if the log cannot store it; then it is not in the mempool either. @throws SmartChainError
   * SMARTCHAIN_SENDING_UNKNOWN if the log does not even confirm whether it holds it.
   */
  send(
    make: () => IdentifiedTransaction,
    options?: { readonly allowHighFees?: boolean },
  ): Promise<MempoolEntry | Refused>;
  /** The same for an existing transaction. Other work of this process runs between its scripts, because many of them take seconds. */
  offer(
    identified: IdentifiedTransaction,
    options?: { readonly allowHighFees?: boolean },
  ): Promise<MempoolEntry | Refused>;
  /**
   * Mines one block from the mempool. If it throws, nothing changed.
   *
   * @throws LogError if the log cannot store it; SmartChainError SMARTCHAIN_CLOCK_INVALID if no block can have the current time.
   */
  mine(terms: Omit<MiningTerms, 'time'>): Promise<Block>;
  /** Accepts an external block, by its bytes: ignores all other statements about it. */
  submitBlock(block: Block): Promise<ChainChange | Refused>;
  /** Invalidates a block and its descendants, or reconsiders them. */
  mark(node: BlockNode, as: 'invalid' | 'valid'): Promise<ChainChange | Refused>;
  /** Notarizes a block of the active chain and its ancestors: from now on no branch without it becomes active. */
  notarize(node: BlockNode): Promise<void>;
  /** Height of the last notarized block of the active chain; 0 for none. */
  notarizedHeight(): number;
  /** Seconds since 1970. @throws SmartChainError SMARTCHAIN_CLOCK_INVALID for a time that no block can have */
  time(): number;
  /** Fee statistics since the chain was opened. */
  readonly fees: Pick<FeeEstimator, 'feeFor' | 'priorityFor'>;
  /** Saves a snapshot if there is a store and enough records have come since the last one; best called before the log is closed. */
  keep(): Promise<void>;
}

/**
 * Opens a chain: replays its ledger, or starts it with its first block.
 *
 * @throws SmartChainError SMARTCHAIN_OPTION_INVALID if the log holds a chain of this name with other rules, SMARTCHAIN_LEDGER_DAMAGED if its records
 * are not a ledger; LogError as the log throws.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { DEAD_KEY, openSmartChain, payToKeyScript } from 'swapfold/smartchain';
 *
 * const options = { log: createMemoryLog(), now: () => millisOf(1_764_000_000_000) };
 * const chain = await openSmartChain({ ...options, params: { name: 'KITE' } });
 * const { hash } = await chain.mine({ script: payToKeyScript(DEAD_KEY) });
 * const again = await openSmartChain({ ...options, params: { name: 'KITE' } });
 * [again.tree.tip?.height, again.tree.tip?.block.hash]; // → [1, hash]
 * const params = { name: 'KITE', maturity: 7 };
 * openSmartChain({ ...options, params }); // throws SMARTCHAIN_OPTION_INVALID
 * ```
 */
export async function openSmartChain(options: SmartChainOptions): Promise<SmartChain> {
  const stream = `${LEDGER_MACHINE}/${options.params?.name ?? DEFAULT_PARAMS.name}`;
  const given = { ...DEFAULT_PARAMS, ...options.params };
  checkParams(given);
  const policy = { ...DEFAULT_RELAY_POLICY, ...options.policy };
  const { log, snapshots } = options;
  const namesEvals = options.params?.passiveEvals !== undefined;
  const ledger = await openLedger({ log, stream, params: given, namesEvals, snapshots });
  const state: State = { ...ledger, mempool: emptyMempool() };
  const chain = new RunningChain(state, { ...options, stream, policy });
  if (state.tree.tip === undefined) await chain.begin();
  openOnly(state);
  if (options.offersSent !== false) offerSent(state, { policy });
  await chain.keep();
  return chain;
}

/** Unconfirmed sent transactions, in the order of sending. */
function openOnly({ sent, tree }: State): void {
  sent.open.clear();
  for (const txid of sent.all.keys()) if (!tree.ledger.transactions.has(txid)) sent.open.add(txid);
}

/** Records. */
const SNAPSHOT_EVERY = 1000;

type State = OpenedLedger & { mempool: Mempool };

type Running = SmartChainOptions & { readonly stream: string; readonly policy: RelayPolicy };

class RunningChain implements SmartChain {
  readonly policy: RelayPolicy;
  readonly #state: State;
  readonly #options: Running;
  readonly #inTurn = turns();
  readonly fees = feeEstimator();

  constructor(state: State, options: Running) {
    this.policy = options.policy;
    this.#state = state;
    this.#options = options;
  }

  get params(): ChainParams {
    return this.tree.params;
  }

  get tree(): BlockTree {
    return this.#state.tree;
  }

  get sent(): SentTransactions {
    return this.#state.sent;
  }

  mempool(): Mempool {
    return this.#state.mempool;
  }

  time(): number {
    return toUnixSeconds(this.#now());
  }

  /** What is durable already is followed whatever the clock shows. */
  #timeOrTip(): number {
    try {
      return this.time();
    } catch {
      return this.tree.tip?.block.header.time ?? 0;
    }
  }

  #now(): Millis {
    return shownBy(this.#options.now);
  }

  notarizedHeight(): number {
    return this.tree.final?.height ?? 0;
  }

  submit(
    identified: IdentifiedTransaction,
    options: { readonly allowHighFees?: boolean } = {},
  ): MempoolEntry | Refused {
    return this.#accept(identified, { ...options, time: this.time() });
  }

  #accept(
    identified: IdentifiedTransaction,
    { allowHighFees = false, time }: { readonly allowHighFees?: boolean; readonly time: number },
  ): MempoolEntry | Refused {
    const { tree, policy } = this;
    requireOwnId(identified);
    const { mempool } = this.#state;
    const known = mempool.entries.has(identified.txid);
    const answer = acceptTransaction(mempool, identified, { tree, policy, time, allowHighFees });
    if (isRefused(answer)) return { refused: answer };
    if (!known) this.fees.entered(observedEntry(answer, tree.ledger));
    return answer;
  }

  async offer(
    identified: IdentifiedTransaction,
    { allowHighFees = false }: { readonly allowHighFees?: boolean } = {},
  ): Promise<MempoolEntry | Refused> {
    const { tree, policy } = this;
    requireOwnId(identified);
    const terms = { tree, policy, time: this.time(), allowHighFees };
    const refused = await inTurns(acceptanceSteps(this.#state.mempool, identified, terms));
    // The chain may have changed meanwhile, but verified scripts stay verified.
    return refused === undefined ? this.send(() => identified, { allowHighFees }) : { refused };
  }

  send(
    make: () => IdentifiedTransaction,
    options: { readonly allowHighFees?: boolean } = {},
  ): Promise<MempoolEntry | Refused> {
    return this.#inTurn(async () => {
      const identified = make();
      const { txid, bytes } = identified;
      const waited = this.mempool().entries.has(txid);
      const at = this.#now();
      const time = toUnixSeconds(at);
      const answer = this.#accept(identified, { ...options, time });
      if ('refused' in answer || (waited && this.sent.all.has(txid))) return answer;
      try {
        await this.#appendAt(at, { type: 'TransactionSent', data: { txid, hex: bytesToHex(bytes) } });
      } catch (error) {
        if (!waited) this.#forget(txid);
        throw error instanceof UnknownAppend ? sendingUnknown(txid, error.cause) : error;
      }
      addSent(this.sent, { ...identified, time });
      return answer;
    });
  }

  /** Removes a transaction from the mempool: what the log does not hold would be lost with the process. */
  #forget(txid: string): void {
    removeEntry(this.mempool(), txid, { withChildren: true });
    this.fees.left(txid);
    offerSent(this.#state, this);
  }

  mine(terms: Omit<MiningTerms, 'time'>): Promise<Block> {
    return this.#inTurn(async () => {
      const time = this.time();
      if (tipMedianTime(this.tree) >= LAST_BLOCK_TIME) throw noTime(tipMedianTime(this.tree) + 1);
      const block = mineBlock(this.tree, this.#state.mempool, { ...terms, time });
      if (block === undefined) throw unminable(this.params);
      const answer = await this.#take(block);
      if ('refused' in answer) throw unminable(this.params, answer.refused);
      return block;
    });
  }

  submitBlock(block: Block): Promise<ChainChange | Refused> {
    return this.#inTurn(async () => {
      const read = decodeBlock(encodeBlock(block));
      if (read?.hash !== block.hash) return { refused: invalid('bad-block-bytes') };
      const ahead = read.header.time - this.time();
      return ahead > MOST_SECONDS_AHEAD ? { refused: invalid('time-too-new') } : this.#take(read);
    });
  }

  mark(node: BlockNode, as: 'invalid' | 'valid'): Promise<ChainChange | Refused> {
    return this.#inTurn(async () => {
      const { tree } = this;
      const { hash } = node.block;
      if (endangersFinal(tree, node, as)) return { refused: PAST_NOTARIZED };
      if (as === 'valid') {
        await this.#append({ type: 'BlockReconsidered', data: { hash } });
        return this.#follow(reconsiderBlock(tree, node));
      }
      if (node.parent === undefined) return { refused: FIRST_BLOCK };
      await this.#append({ type: 'BlockInvalidated', data: { hash } });
      return this.#follow(invalidateBlock(tree, node));
    });
  }

  notarize(node: BlockNode): Promise<void> {
    const { height, block } = node;
    const { hash } = block;
    return this.#inTurn(async () => {
      if (this.#options.notarization !== true || !this.tree.ledger.heights.has(hash)) throw notNotarizable(hash);
      if (height <= this.notarizedHeight()) return;
      await this.#append({ type: 'BlockNotarized', data: { hash, height } });
      sealChain(this.tree, node);
    });
  }

  keep(): Promise<void> {
    return this.#inTurn(async () => {
      const { snapshots, stream } = this.#options;
      const { length, head, kept } = this.#state;
      if (snapshots === undefined || length - kept < (snapshots.every ?? SNAPSHOT_EVERY)) return;
      await snapshots.save(writeSnapshot(this.#state, { stream, length, head }));
      this.#state.kept = length;
    });
  }

  /** Writes the first block of a new chain. */
  async begin(): Promise<void> {
    const { tree, params } = this;
    const first = genesisBlock(tree);
    if (first === undefined) throw unminable(params);
    const created: LedgerEvent = {
      type: 'ChainCreated',
      data: { name: params.name, params: paramsText(params) },
    };
    await this.#append(...(this.#state.length === 0 ? [created] : []), accepted(tree, first));
    addBlock(tree, first);
  }

  async #take(block: Block): Promise<ChainChange | Refused> {
    const refused = blockFault(this.tree, block);
    if (refused !== undefined) return { refused };
    await this.#append(accepted(this.tree, block));
    return this.#follow(addBlock(this.tree, block));
  }

  async #append(...events: readonly LedgerEvent[]): Promise<void> {
    try {
      await this.#appendAt(this.#now(), ...events);
    } catch (error) {
      throw error instanceof UnknownAppend ? error.cause : error;
    }
  }

  /** @throws UnknownAppend if the log neither stored the records nor says whether it holds them; as the log throws otherwise */
  async #appendAt(at: Millis, ...events: readonly LedgerEvent[]): Promise<void> {
    const { log, stream } = this.#options;
    const records = events.map((event) => ledgerRecord(event, at));
    try {
      const written = await log.append({ stream, expected: this.#state.length, records });
      this.#state.head = written.at(-1)?.hash ?? this.#state.head;
    } catch (error) {
      if (!(await this.#isWritten(records, error))) throw error;
    }
    this.#state.length += events.length;
  }

  /**
   * Whether records whose append failed are in the log nevertheless. Adopts what an earlier attempt left there, because no append could succeed
   * otherwise.
   */
  async #isWritten(records: readonly NewRecord[], cause: unknown): Promise<boolean> {
    const { log, stream } = this.#options;
    let held: readonly Envelope[] = [];
    try {
      held = await log.read(stream, this.#state.length);
    } catch {
      throw new UnknownAppend(cause);
    }
    this.#state.head = held.at(-1)?.hash ?? this.#state.head;
    if (held.length === records.length && held.every((each, index) => isSameRecord(each, records[index]))) return true;
    if (held.length > 0) this.#takeOver(held);
    return false;
  }

  #takeOver(held: readonly Envelope[]): void {
    const { tree } = this;
    const before = tree.tip;
    for (const envelope of held) {
      const { seq, at } = envelope;
      replayRecord(this.#state, { event: readLedgerEvent(envelope), stream: this.#options.stream, seq, at });
      this.#state.length++;
    }
    const disconnected: Block[] = [];
    let each = before;
    for (; each !== undefined && !tree.ledger.heights.has(each.block.hash); each = each.parent) {
      disconnected.push(each.block);
    }
    this.#follow({ disconnected, connected: tree.ledger.blocks.slice((each?.height ?? -1) + 1) });
  }

  #follow(change: ChainChange): ChainChange {
    const { tree, policy } = this;
    const waited = [...this.#state.mempool.entries.keys()];
    this.#state.mempool = followChain(this.#state.mempool, change, { tree, policy, time: this.#timeOrTip() });
    followSent(this.sent, change);
    if (this.#options.offersSent !== false) offerSent(this.#state, { policy });
    const { entries } = this.#state.mempool;
    for (const { hash, transactions } of change.connected) {
      const height = tree.ledger.heights.get(hash);
      if (height !== undefined)
        this.fees.connected(
          height,
          transactions.map(({ txid }) => txid),
        );
    }
    for (const txid of waited) if (!entries.has(txid) && !tree.ledger.transactions.has(txid)) this.fees.left(txid);
    return change;
  }
}

/** The log failed twice: when it was written, and when it was asked what it holds. */
class UnknownAppend extends Error {
  constructor(cause: unknown) {
    super('the log does not confirm what it holds', { cause });
  }
}

const PAST_NOTARIZED: Refusal = { kind: 'policy', reason: 'past-notarized-height' };
const FIRST_BLOCK: Refusal = { kind: 'policy', reason: 'genesis-block' };

function accepted({ nodes }: BlockTree, block: Block): LedgerEvent {
  const height = (nodes.get(block.header.previous)?.height ?? -1) + 1;
  return { type: 'BlockAccepted', data: { hash: block.hash, height, hex: bytesToHex(encodeBlock(block)) } };
}

function isSameRecord({ type, data }: Envelope, record: NewRecord | undefined): boolean {
  return type === record?.type && canonicalJson(data) === canonicalJson(record.data);
}

/** Runs tasks one after another; a task that fails does not stop the next. */
function turns(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Verified scripts are remembered by id, so an id must be checked. */
function requireOwnId({ txid, transaction, bytes }: IdentifiedTransaction): void {
  if (transactionIdOf(bytes) === txid && sameBytes(encodeChainTransaction(transaction), bytes)) return;
  throw new SmartChainError(
    'SMARTCHAIN_TRANSACTION_INVALID',
    'The id and the bytes of a transaction do not belong together.',
    {
      facts: { txid, bytes: bytes.length },
      next: 'Use what decodeTransaction and transactionIdOf return for the bytes; nothing was accepted.',
    },
  );
}

function shownBy(now: () => Millis): Millis {
  let shown: Millis;
  try {
    shown = now();
  } catch (error) {
    // What marks milliseconds refuses those before 1970.
    if (error instanceof RangeError) throw noTime(undefined, error);
    throw error;
  }
  if (shown >= 0 && toUnixSeconds(shown) <= LAST_BLOCK_TIME) return shown;
  throw noTime(toUnixSeconds(shown));
}
