import type { NewRecord } from '../../ports/event-log.ts';
import { type Envelope, envelopeHash, GENESIS_HASH } from '../../primitives/envelope.ts';

export type SealedStream = {
  readonly name: string;
  readonly records: Envelope[];
  /** Hashes of the first records, as far as somebody has looked. */
  readonly hashes: string[];
};

/** The next envelope of a stream. Its `hash` is computed when it is first read, with those before it. */
export function lazyEnvelope(stream: SealedStream, { at, type, version, data, extra }: NewRecord): Envelope {
  const record = { stream: stream.name, seq: stream.records.length, at, type, version, data };
  const whole = extra === undefined ? record : { ...record, extra };
  new Membership(whole, stream);
  return Object.defineProperty(whole, 'hash', HASH) as Envelope;
}

/** Gives back what its constructor is given, so that a class over it adds its private fields to that. */
const Given = class {
  constructor(given: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what the class is for.
    return given;
  }
};

/**
 * Notes in a plain object which stream it belongs to, where no comparison, copy or listing of members can see it. One
 * accessor then serves all envelopes: with one for each log, objects of different logs had different shapes and an append
 * took four times as long.
 */
class Membership extends Given {
  #stream: SealedStream;

  constructor(envelope: object, stream: SealedStream) {
    super(envelope);
    this.#stream = stream;
  }

  static streamOf(envelope: object): SealedStream {
    return (envelope as Membership).#stream;
  }
}

const HASH: PropertyDescriptor & ThisType<Envelope> = {
  enumerable: true,
  get() {
    return hashAt(Membership.streamOf(this), this.seq);
  },
};

function hashAt({ records, hashes }: SealedStream, seq: number): string {
  for (let next = hashes.length; next <= seq; next++) {
    hashes.push(envelopeHash(hashes[next - 1] ?? GENESIS_HASH, records[next] as Envelope));
  }
  return hashes[seq] as string;
}
