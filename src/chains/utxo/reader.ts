import type { DecodedTransaction } from '../../htlc/transaction.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import type { FeeQuestion, FeeRate } from './coin.ts';

/** A transaction of the chain or of the mempool. */
export type Seen = {
  readonly txid: string;
  readonly hex: string;
  readonly tx: DecodedTransaction;
  /** Null while it waits. */
  readonly height: number | null;
  /** Whether its bytes are of a form that is not read here, so that `tx` has nothing but what it takes. @defaultValue false */
  readonly isPartial?: true;
};

/** The tip of the best chain. */
export type Tip = {
  readonly hash: string;
  readonly height: number;
  /** Median time past. */
  readonly clock: UnixSeconds;
};

/** Why a node refused a transaction: its own code and words. */
export type UtxoRefusal = { readonly code: number; readonly message: string };

/**
 * The best chain and its mempool, as far as a wallet needs them: found by what transactions pay and take. There are two kinds, over a daemon and over
 * Electrum servers.
 */
export interface UtxoReader {
  /** Reads what is new. Concurrent calls share one read. @throws BackendSilent */
  sync(): Promise<Tip>;
  /**
   * Whether everything that pays a script or takes from it, in blocks from this height on and in the mempool, is known from now on. Reads
   * some more where it is not. @throws BackendSilent
   */
  follow(script: string, from: number): Promise<boolean>;
  /** Whether a transaction is in the index now, or is in no block from this height on and not in the mempool. @throws BackendSilent */
  find(txid: string, from: number): Promise<boolean>;
  readonly index: ChainIndex;
  /** What the block at a height says of its time; null where there is none. @throws BackendSilent */
  timeOf(height: number): Promise<UnixSeconds | null>;
  /** Null if accepted. @throws BackendSilent if nobody knows */
  send(hex: string): Promise<UtxoRefusal | null>;
  /** What the node thinks a transaction should pay; null if it does not know. @throws BackendSilent */
  estimate(question: FeeQuestion): Promise<FeeRate | null>;
  /** The least that the node relays; null where it does not say. @throws BackendSilent @defaultValue nobody knows */
  readonly relayFee?: () => Promise<FeeRate | null>;
  /** How many looks have begun so far. @defaultValue 0 */
  readonly looks?: () => number;
  /**
   * Why what is read by later looks settles nothing: too few servers have said a part of it. Null where enough have said it all.
   *
   * @param before how many looks had begun by then. The answer to a question may be of several, so that the last one alone does not tell.
   * @defaultValue null
   */
  readonly doubt?: (before: number) => string | null;
  /** Called when something may have changed, beside what looks find. */
  readonly onNews?: (told: () => void) => { readonly close: () => void };
}

/** Transactions by id, by what they pay and by what they take. */
export interface ChainIndex {
  get(txid: string): Seen | undefined;
  /** What has an output with this script, in hex. */
  paying(script: string): readonly Seen[];
  /** What takes this output: at most one in a block, and what waits. */
  takers(txid: string, vout: number): readonly Seen[];
  /** Confirmations; 0 while it waits. */
  depth(seen: Seen): number;
  /** Changes with every block and every change of the mempool. */
  version(): number;
}
