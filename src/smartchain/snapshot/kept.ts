import type { DecodedTransaction, TransactionOutput } from '../../htlc/transaction.ts';
import type { OwnedOutputs, UnspentEntry } from '../chain/address-index.ts';
import { type Block, type BlockHeader, decodeBlock, type IdentifiedTransaction } from '../chain/block.ts';
import type { Spender, TxRecord } from '../chain/records.ts';
import type { SentTransaction } from '../chain/sent.ts';
import type { TokenMove } from '../tokens/move.ts';
import { decodeChainTransaction } from '../transaction.ts';
import type { Span } from './byte-store.ts';

/** A block of a snapshot, decoded on demand: most blocks of a long chain are never read again. */
export class KeptBlock implements Block {
  readonly hash: string;
  /** The short form of its target. */
  readonly bits: number;
  readonly #at: Span;
  #read: Block | undefined;

  constructor({ hash, bits, at }: { readonly hash: string; readonly bits: number; readonly at: Span }) {
    this.hash = hash;
    this.bits = bits;
    this.#at = at;
  }

  /** All bytes of the block. */
  get raw(): Uint8Array {
    return viewOf(this.#at);
  }

  get size(): number {
    return this.#at.end - this.#at.start;
  }

  get header(): BlockHeader {
    return this.#block().header;
  }

  get transactions(): readonly IdentifiedTransaction[] {
    return this.#block().transactions;
  }

  #block(): Block {
    this.#read ??= decodeBlock(this.raw);
    if (this.#read === undefined) throw new Error('a sealed snapshot holds an invalid block');
    return this.#read;
  }
}

function viewOf({ within, start, end }: Span): Uint8Array {
  return within.subarray(start, end);
}

function transactionOf(bytes: Uint8Array): DecodedTransaction {
  const read = decodeChainTransaction(bytes);
  if (read === undefined) throw new Error('a sealed snapshot holds an invalid transaction');
  return read.transaction;
}

type RecordParts = Omit<TxRecord, 'transaction' | 'bytes'> & { readonly at: Span };

/** A transaction of the active chain, as {@link KeptBlock}. */
export class KeptRecord implements TxRecord {
  readonly txid: string;
  readonly height: number;
  readonly position: number;
  readonly coinbase: boolean;
  readonly token: TokenMove | undefined;
  readonly spentBy: (Spender | undefined)[];
  spendable: number;
  readonly #at: Span;
  #bytes: Uint8Array | undefined;
  #transaction: DecodedTransaction | undefined;

  constructor({ txid, at, height, position, coinbase, token, spentBy, spendable }: RecordParts) {
    this.txid = txid;
    this.#at = at;
    this.height = height;
    this.position = position;
    this.coinbase = coinbase;
    this.token = token;
    this.spentBy = spentBy;
    this.spendable = spendable;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= viewOf(this.#at);
    return this.#bytes;
  }

  get transaction(): DecodedTransaction {
    this.#transaction ??= transactionOf(this.bytes);
    return this.#transaction;
  }
}

/** An unspent output in the index of addresses, as {@link KeptBlock}. */
export class KeptEntry implements UnspentEntry {
  readonly txid: string;
  readonly vout: number;
  readonly record: TxRecord;

  constructor(record: TxRecord, vout: number) {
    this.txid = record.txid;
    this.vout = vout;
    this.record = record;
  }

  get output(): TransactionOutput {
    return this.record.transaction.outputs[this.vout] as TransactionOutput;
  }
}

/** What belongs to one owner, as {@link KeptBlock}. */
export class KeptOutputs implements OwnedOutputs {
  balance: bigint;
  received: bigint;
  outputs: number;
  readonly #read: () => Map<string, UnspentEntry>;
  #unspent: Map<string, UnspentEntry> | undefined;

  constructor({ balance, received, outputs }: Omit<OwnedOutputs, 'unspent'>, unspent: () => Map<string, UnspentEntry>) {
    this.balance = balance;
    this.received = received;
    this.outputs = outputs;
    this.#read = unspent;
  }

  get unspent(): Map<string, UnspentEntry> {
    this.#unspent ??= this.#read();
    return this.#unspent;
  }
}

/** What was sent, as {@link KeptBlock}. */
export class KeptSent implements SentTransaction {
  readonly txid: string;
  readonly bytes: Uint8Array;
  readonly time: number;
  #transaction: DecodedTransaction | undefined;

  constructor({ txid, bytes, time }: Omit<SentTransaction, 'transaction'>) {
    this.txid = txid;
    this.bytes = bytes;
    this.time = time;
  }

  get transaction(): DecodedTransaction {
    this.#transaction ??= transactionOf(this.bytes);
    return this.#transaction;
  }
}
