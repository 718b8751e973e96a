import { sha256 } from './hash.ts';
import { bytesToHex } from './hex.ts';
import { canonicalJson } from './json.ts';
import type { Millis } from './time.ts';

/** One durable record of a stream: what happened, when, and the seal over it and all before it. */
export type Envelope = {
  /** `<machine id>/<key>`, such as `taker-swap/3447b727-…`. */
  readonly stream: string;
  /** Position in the stream, from 0, without gaps. */
  readonly seq: number;
  readonly at: Millis;
  readonly type: string;
  /** Version of the shape of `data`, from 1. */
  readonly version: number;
  readonly data: unknown;
  /** Members beside the event in another format that belong to no field above; absent if there are none. */
  readonly extra?: unknown;
  /** SHA-256 in hex over the previous record's hash and this record. */
  readonly hash: string;
};

/** The hash that the first record of a stream chains to: 32 zero bytes. */
export const GENESIS_HASH = '0'.repeat(64);

const encoder = new TextEncoder();

/**
 * The seal of a record: SHA-256 over the previous hash and the record's fields, `data` in canonical JSON.
 *
 * @example
 * ```ts
 * import { envelopeHash, GENESIS_HASH, toEnvelopes } from 'swapfold/events';
 * import { buildSwap } from 'swapfold/testing';
 *
 * const [first, second] = toEnvelopes(buildSwap({ role: 'maker', path: ['Started', 'StartFailed'] }));
 * if (first === undefined || second === undefined) throw new Error('no records');
 * envelopeHash(GENESIS_HASH, first) === first.hash; // → true
 * envelopeHash(first.hash, { ...second, type: 'Finished' }) === second.hash; // → false
 * ```
 */
export function envelopeHash(previousHash: string, record: Omit<Envelope, 'hash'>): string {
  const { stream, seq, at, type, version, data, extra } = record;
  const fields = [previousHash, stream, seq, at, type, version, canonicalJson(data ?? null)];
  if (extra !== undefined) fields.push(canonicalJson(extra));
  const text = fields.join('\n');
  return bytesToHex(sha256(encoder.encode(text)));
}

/**
 * Seals records of one stream in order, chaining each to the one before.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { sealStream } from 'swapfold/events';
 *
 * const stream = 'taker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86';
 * const record = { stream, at: millisOf(1734560398123), type: 'Finished', version: 1, data: null };
 * const [sealed] = sealStream([{ ...record, seq: 0 }]);
 * sealed?.hash; // → 'f2e424d8fe6b6e796e026549e882325193639037e7f6a7208036c73158b60fbe'
 * ```
 */
export function sealStream(records: Iterable<Omit<Envelope, 'hash'>>, previousHash = GENESIS_HASH): Envelope[] {
  const sealed: Envelope[] = [];
  let hash = previousHash;
  for (const record of records) {
    hash = envelopeHash(hash, record);
    sealed.push({ ...record, hash });
  }
  return sealed;
}
