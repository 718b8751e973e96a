import { sipHash13 } from './sip-hash.ts';

const EIGHT_BYTES = 8;

/** What the id of a publication is made of. */
export type Published = {
  readonly data: Uint8Array;
  /** Of 8 bytes; null where there is none. */
  readonly seqno: Uint8Array | null;
};

/**
 * The id by which the network knows a publication again (as in the real node): SipHash-1-3 with a key of zeros over the data with its length
 * and the sequence number, 8 bytes in hex. The topic is no part of it.
 */
export function messageId({ data, seqno }: Published): string {
  const bytes = new Uint8Array(EIGHT_BYTES + data.length + EIGHT_BYTES + (seqno === null ? 0 : EIGHT_BYTES));
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  bytes.set(data, EIGHT_BYTES);
  view.setBigUint64(EIGHT_BYTES + data.length, seqno === null ? 0n : 1n, true);
  // The sender counts with the highest byte first, the hash with the lowest.
  if (seqno !== null) bytes.set(seqno.toReversed(), 2 * EIGHT_BYTES + data.length);
  return sipHash13(bytes);
}
