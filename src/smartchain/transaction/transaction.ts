import { NOTHING_SHIELDED as NO_VECTORS, type ShieldedPart as ShieldedVectors } from '../../htlc/shielded.ts';
import type { TransactionFormat } from '../../htlc/transaction.ts';

/** A spent output, named by the transaction that made it. */
export type TxOutPoint = {
  /** As explorers show it: 64 lower-case hex digits, last byte first. */
  readonly txid: string;
  readonly vout: number;
};

export type TxInput = TxOutPoint & {
  readonly scriptSig: Uint8Array;
  readonly sequence: number;
};

export type TxOutput = {
  /** Satoshis; negative or absurd values can be written and are refused by the rules of the chain, not by the reader. */
  readonly value: bigint;
  readonly script: Uint8Array;
};

/** The shielded part. It is read, carried and shown, and never made here. */
export type ShieldedPart = ShieldedVectors & {
  /** Net value that the Sapling pool gives (positive) or takes, in satoshis; version 4 only. */
  readonly valueBalance: bigint;
};

/** A transaction of the smart-chain node: version 1 and 2 (Sprout), 3 (Overwinter, ZIP 202) or 4 (Sapling, ZIP 243). */
export type Transaction = {
  /** Whether the top bit of the version is set: versions 3 and 4. */
  readonly overwintered: boolean;
  /** Without the top bit. */
  readonly version: number;
  /** 0 unless overwintered. */
  readonly versionGroupId: number;
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly TxOutput[];
  /** A block height below 500,000,000, else seconds since 1970. */
  readonly lockTime: number;
  /** Height of the last block that may hold it; 0 for none. 0 unless overwintered. */
  readonly expiryHeight: number;
  readonly shielded: ShieldedPart;
};

/** Lock times below it are heights, those from it on seconds since 1970 (BIP 65). */
export const LOCK_TIME_THRESHOLD = 500_000_000;

/** What a transaction without any shielded value carries. */
export const NOTHING_SHIELDED: ShieldedPart = { ...NO_VECTORS, valueBalance: 0n };

/** How a transaction of this version is laid out. Versions from 2 on without the top bit carry join splits. */
export function formOf({ overwintered, version }: Pick<Transaction, 'overwintered' | 'version'>): TransactionFormat {
  if (overwintered) return version === 4 ? 'sapling' : 'overwinter';
  return version >= 2 ? 'sprout' : 'legacy';
}
