import { MAX_SCRIPT_BYTES, OP_RETURN } from '../../htlc/script.ts';
import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import type { ChainParams } from '../params.ts';
import { type TokenMove, type TokenSource, tokenMoveOf } from '../tokens/move.ts';
import { type AddressIndex, addOutput, addressIndex, dropOutput, restoreOutput, spendOutput } from './address-index.ts';
import type { Block, IdentifiedTransaction } from './block.ts';
import { isCoinbase } from './check-transaction.ts';
import { filedOutput } from './filed-output.ts';
import type { Spender, TxRecord } from './records.ts';
import { type TokenIndex, tokenIndex, trackToken, untrackToken } from './token-index.ts';

/** Everything that the blocks of the active chain add up to. It is updated in place, by {@link applyTransaction} and its inverse. */
export type Ledger = {
  readonly params: ChainParams;
  /** By height; the first block is at 0. */
  readonly blocks: Block[];
  readonly heights: Map<string, number>;
  readonly transactions: Map<string, TxRecord>;
  readonly addresses: AddressIndex;
  readonly tokens: TokenIndex;
};

export function emptyLedger(params: ChainParams): Ledger {
  return {
    params,
    blocks: [],
    heights: new Map(),
    transactions: new Map(),
    addresses: addressIndex(),
    tokens: tokenIndex(),
  };
}

/** Height of the last block; -1 before the first. */
export function tipHeight({ blocks }: Ledger): number {
  return blocks.length - 1;
}

/** An unspent output with its transaction; undefined otherwise. */
export function unspentOutput(
  ledger: Ledger,
  { txid, vout }: OutPoint,
): { record: TxRecord; output: TransactionOutput } | undefined {
  const record = ledger.transactions.get(txid);
  const output = record?.transaction.outputs[vout];
  if (record === undefined || output === undefined || record.spentBy[vout] !== undefined) return undefined;
  if (!isSpendable(output)) return undefined;
  return { record, output };
}

/** Whether any input could spend it; an OP_RETURN and a script beyond the size limit can never succeed. */
export function isSpendable({ script }: TransactionOutput): boolean {
  return script[0] !== OP_RETURN && script.length <= MAX_SCRIPT_BYTES;
}

/** A confirmed transaction as a source of tokens. */
export function tokenSource(ledger: Ledger): (txid: string) => TokenSource | undefined {
  return (txid) => ledger.transactions.get(txid);
}

/** The tokens that a transaction moves that would be the next one of the ledger. */
export function moveInLedger(ledger: Ledger, identified: IdentifiedTransaction): TokenMove | undefined {
  if (isCoinbase(identified.transaction) || !ledger.params.cryptoConditions) return undefined;
  return tokenMoveOf(identified, tokenSource(ledger));
}

export type Applied = {
  readonly height: number;
  readonly position: number;
  /** The result of {@link moveInLedger}. */
  readonly token: TokenMove | undefined;
};

/** Adds a transaction of the block at `height`. Its inputs must be unspent outputs of the ledger. */
export function applyTransaction(ledger: Ledger, identified: IdentifiedTransaction, at: Applied): void {
  const { transactions, addresses, tokens } = ledger;
  const { txid, transaction } = identified;
  const coinbase = isCoinbase(transaction);
  if (!coinbase) {
    for (const [input, spent] of transaction.inputs.entries()) {
      const source = transactions.get(spent.txid) as TxRecord;
      source.spentBy[spent.vout] = { txid, input, height: at.height };
      source.spendable--;
      const filed = filedOutput(source, spent.vout);
      if (filed === undefined) continue;
      spendOutput(addresses, filed);
      untrackToken(tokens, filed);
    }
  }
  const spentBy = new Array<Spender | undefined>(transaction.outputs.length).fill(undefined);
  const spendable = transaction.outputs.filter(isSpendable).length;
  const { height, position, token } = at;
  const { bytes } = identified;
  const record: TxRecord = { txid, transaction, bytes, height, position, coinbase, token, spentBy, spendable };
  transactions.set(txid, record);
  for (let vout = 0; vout < transaction.outputs.length; vout++) {
    const filed = filedOutput(record, vout);
    if (filed === undefined) continue;
    addOutput(addresses, filed);
    trackToken(tokens, filed);
  }
}

/** Removes the last added transaction. */
export function revertTransaction(ledger: Ledger, txid: string): void {
  const { transactions, addresses, tokens } = ledger;
  const record = transactions.get(txid) as TxRecord;
  const { inputs, outputs } = record.transaction;
  for (let vout = outputs.length - 1; vout >= 0; vout--) {
    const filed = filedOutput(record, vout);
    if (filed === undefined) continue;
    dropOutput(addresses, filed);
    untrackToken(tokens, filed);
  }
  transactions.delete(txid);
  if (record.coinbase) return;
  for (const spent of [...inputs].reverse()) {
    const source = transactions.get(spent.txid) as TxRecord;
    source.spentBy[spent.vout] = undefined;
    source.spendable++;
    const filed = filedOutput(source, spent.vout);
    if (filed === undefined) continue;
    restoreOutput(addresses, filed);
    trackToken(tokens, filed);
  }
}
