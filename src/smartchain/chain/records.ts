import type { TokenMove } from '../tokens/move.ts';
import type { IdentifiedTransaction } from './block.ts';

/** Who spent an output. */
export type Spender = {
  readonly txid: string /** Index of the input. */;
  readonly input: number;
  readonly height: number;
};

/** A transaction of the active chain. */
export type TxRecord = IdentifiedTransaction & {
  readonly height: number;
  /** Place in its block. */
  readonly position: number;
  readonly coinbase: boolean;
  /** Which of its outputs are tokens; absent if none. */
  readonly token: TokenMove | undefined;
  /** By output: who spent it, or undefined. */
  readonly spentBy: (Spender | undefined)[];
  /** Number of spendable outputs that are unspent. */
  spendable: number;
};
