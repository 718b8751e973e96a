import { type ByteReader, readBytes, readCount } from './byte-reader.ts';
import { compactSize, concatBytes } from './byte-writer.ts';

/** The shielded part of a transaction of Zcash's family. It is read, carried and shown, and never made here. */
export type ShieldedPart = {
  /** Each of 384 bytes; version 4 only. */
  readonly spends: readonly Uint8Array[];
  /** Each of 948 bytes; version 4 only. */
  readonly outputs: readonly Uint8Array[];
  /** Each of 1,802 bytes (versions 2 and 3) or 1,698 bytes (version 4). */
  readonly joinSplits: readonly Uint8Array[];
  /** 32 bytes of key and 64 of signature where there are join splits, else empty. */
  readonly joinSplitSeal: Uint8Array;
  /** 64 bytes where there are Sapling spends or outputs, else empty. */
  readonly bindingSignature: Uint8Array;
};

const SPEND_BYTES = 384;
const OUTPUT_BYTES = 948;
const PHGR_JOIN_SPLIT_BYTES = 1802;
const GROTH_JOIN_SPLIT_BYTES = 1698;
const JOIN_SPLIT_SEAL_BYTES = 96;
const BINDING_SIGNATURE_BYTES = 64;

const EMPTY = new Uint8Array(0);

/** What a transaction without any shielded value carries. */
export const NOTHING_SHIELDED: ShieldedPart = {
  spends: [],
  outputs: [],
  joinSplits: [],
  joinSplitSeal: EMPTY,
  bindingSignature: EMPTY,
};

/** Reads the vectors behind the expiry height and the value balance; on a fault `reader.problem` says which. */
export function readShielded(reader: ByteReader, { sapling }: { readonly sapling: boolean }): ShieldedPart {
  const spends = sapling ? readItems(reader, SPEND_BYTES) : [];
  const outputs = sapling ? readItems(reader, OUTPUT_BYTES) : [];
  const joinSplits = readItems(reader, sapling ? GROTH_JOIN_SPLIT_BYTES : PHGR_JOIN_SPLIT_BYTES);
  const joinSplitSeal = readBytes(reader, joinSplits.length > 0 ? JOIN_SPLIT_SEAL_BYTES : 0);
  const bindingSignature = readBytes(reader, spends.length + outputs.length > 0 ? BINDING_SIGNATURE_BYTES : 0);
  return { spends, outputs, joinSplits, joinSplitSeal, bindingSignature };
}

function readItems(reader: ByteReader, size: number): Uint8Array[] {
  const items: Uint8Array[] = [];
  for (let left = readCount(reader, size); left > 0; left--) items.push(readBytes(reader, size));
  return items;
}

/** The vectors as they stand in the bytes: the inverse of {@link readShielded}. */
export function shieldedBytes(part: ShieldedPart, { sapling }: { readonly sapling: boolean }): Uint8Array {
  const { spends, outputs, joinSplits, joinSplitSeal, bindingSignature } = part;
  const vectors = sapling ? [compactSize(spends.length), ...spends, compactSize(outputs.length), ...outputs] : [];
  return concatBytes([...vectors, compactSize(joinSplits.length), ...joinSplits, joinSplitSeal, bindingSignature]);
}

/** Whether anything is shielded. */
export function isShielded({ spends, outputs, joinSplits }: ShieldedPart): boolean {
  return spends.length + outputs.length + joinSplits.length > 0;
}
