import { z } from 'zod';
import type { NewRecord } from '../ports/event-log.ts';
import type { Envelope } from '../primitives/envelope.ts';
import { hexToBytes, isHex } from '../primitives/hex.ts';
import type { Millis } from '../primitives/time.ts';
import { type Block, decodeBlock, type IdentifiedTransaction, merkleRoot } from './chain/block.ts';
import { SmartChainError } from './error.ts';
import { decodeChainTransaction, transactionIdOf } from './transaction.ts';

/** Part of a stream's name before the slash. */
export const LEDGER_MACHINE = 'smart-chain';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const height = z.int().min(0);

const schemas = {
  /** The chain exists, with these rules; `params` is their canonical text. */
  ChainCreated: z.strictObject({ name: z.string().min(1).max(64), params: z.string() }),
  /** A block was accepted, on whatever branch. */
  BlockAccepted: z.strictObject({ hash, height, hex: z.string().refine(isHex) }),
  /** An operator invalidated a block. */
  BlockInvalidated: z.strictObject({ hash }),
  /** An operator reconsidered it. */
  BlockReconsidered: z.strictObject({ hash }),
  /** A caller was told, or is about to be told, that this transaction was sent. */
  TransactionSent: z.strictObject({ txid: hash, hex: z.string().refine(isHex) }),
  /** The notarization service vouches for a block and all below it. */
  BlockNotarized: z.strictObject({ hash, height }),
};

type Schemas = typeof schemas;

/** The events of a smart chain's ledger; its state is their fold. Maps each to its version, all one. */
export type LedgerEvent = {
  [Type in keyof Schemas]: { readonly type: Type; readonly data: z.infer<Schemas[Type]> };
}[keyof Schemas];

export function ledgerRecord({ type, data }: LedgerEvent, at: Millis): NewRecord {
  return { at, type, version: 1, data };
}

/** Reads a record of the ledger. @throws SmartChainError SMARTCHAIN_LEDGER_DAMAGED */
export function readLedgerEvent({ stream, seq, type, version, data }: Envelope): LedgerEvent {
  const schema = Object.hasOwn(schemas, type) ? schemas[type as keyof Schemas] : undefined;
  const read = version === 1 ? schema?.safeParse(data) : undefined;
  if (read?.success === true) return { type, data: read.data } as LedgerEvent;
  throw damaged('A record of the ledger cannot be read.', { stream, seq, type, version });
}

/** The block of a record. @throws SmartChainError SMARTCHAIN_LEDGER_DAMAGED if the bytes are not that block. */
export function blockOf(data: { readonly hash: string; readonly hex: string }, stream: string): Block {
  const block = decodeBlock(hexToBytes(data.hex));
  const intact = block?.hash === data.hash && hasItsTransactions(block);
  if (block !== undefined && intact) return block;
  throw damaged('The bytes of a block are not those that were accepted.', { stream, block: data.hash });
}

function hasItsTransactions({ header, transactions }: Block): boolean {
  return merkleRoot(transactions.map(({ txid }) => txid)) === header.merkleRoot;
}

/** The transaction of a record. @throws SmartChainError SMARTCHAIN_LEDGER_DAMAGED if the bytes are not that transaction. */
export function transactionOf(
  data: { readonly txid: string; readonly hex: string },
  stream: string,
): IdentifiedTransaction {
  const bytes = hexToBytes(data.hex);
  const read = decodeChainTransaction(bytes);
  if (read?.bytes.length === bytes.length && transactionIdOf(bytes) === data.txid) {
    return { txid: data.txid, transaction: read.transaction, bytes };
  }
  throw damaged('The bytes of a transaction are not those that were sent.', { stream, transaction: data.txid });
}

/** The ledger is not what this program wrote. */
export function damaged(message: string, facts: Readonly<Record<string, string | number>>): SmartChainError {
  return new SmartChainError('SMARTCHAIN_LEDGER_DAMAGED', message, {
    facts,
    next: 'Use a backup of the log, or another data directory; another program or version wrote this file.',
    retry: 'operator',
  });
}
