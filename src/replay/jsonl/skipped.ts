import { type Envelope, envelopeHash, GENESIS_HASH } from '../../primitives/envelope.ts';
import { chainBroken, type LineError } from './errors.ts';

/** A stream of a log file that is no swap, such as a watch: its hash chain was checked, but not replayed. */
export type SkippedStream = {
  /** `watcher/<uuid>` */
  readonly stream: string;
  readonly records: number;
  /** `unsealed`: another program wrote it, without hashes. */
  readonly chain: 'verified' | 'broken' | 'unsealed';
};

/** Follows the streams of a file that are not swaps. */
export type SkippedStreams = {
  /** Takes the next record; the error of the first record of its stream that breaks the chain. */
  readonly take: (envelope: Envelope, line: number) => LineError | undefined;
  /** The streams so far, in the order of their first lines. */
  readonly all: () => readonly SkippedStream[];
};

type Open = { records: number; hash: string; chain: SkippedStream['chain'] };

export function createSkippedStreams(): SkippedStreams {
  const streams = new Map<string, Open>();

  const check = (stream: Open, envelope: Envelope): string | undefined => {
    const { seq, hash } = envelope;
    if (seq !== stream.records) return `record ${seq} is in the place of record ${stream.records}`;
    if (stream.chain === 'unsealed')
      return hash === '' ? undefined : 'it has a hash, but the records before it have none';
    return sealed(stream.hash, envelope) ? undefined : 'its hash does not match it and the record before it';
  };

  return {
    take(envelope, line) {
      const { stream: name, seq, hash } = envelope;
      const known = streams.get(name);
      const stream = known ?? { records: 0, hash: GENESIS_HASH, chain: hash === '' ? 'unsealed' : 'verified' };
      if (known === undefined) streams.set(name, stream);
      const why = stream.chain === 'broken' ? undefined : check(stream, envelope);
      stream.records++;
      stream.hash = hash;
      if (why === undefined) return undefined;
      stream.chain = 'broken';
      return { line, stream: name, seq, error: chainBroken({ line, stream: name, seq, why }) };
    },
    all: () => [...streams].map(([stream, { records, chain }]) => ({ stream, records, chain })),
  };
}

function sealed(previous: string, envelope: Envelope): boolean {
  try {
    return envelopeHash(previous, envelope) === envelope.hash;
  } catch {
    // Nested too deeply to be hashed, which no writer of ours makes.
    return false;
  }
}
