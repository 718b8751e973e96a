import type { ReplayedSwap } from '../swaps.ts';
import type { LineError } from './errors.ts';
import type { StreamFacts } from './scanner.ts';

/** What a range of a file gave, in order: streams as they were left, and lines that could not be read. */
export type RangeEntry = StreamEntry | { readonly error: LineError };

type StreamEntry = { readonly swap: ReplayedSwap; readonly facts: StreamFacts };

export type RangeJoin = {
  /**
   * Takes the entries of the next range. False where one of its streams may go on a stream of an earlier range: what was
   * handed on so far is right all the same, but the rest has to be read in one go.
   */
  readonly take: (range: { readonly entries: readonly RangeEntry[]; readonly firstLine: number }) => boolean;
  readonly end: () => void;
  /** How much was handed on so far. */
  readonly handedOn: () => { readonly swaps: number; readonly errors: number };
};

export type RangeJoinOptions = {
  readonly maxOpenStreams: number;
  readonly onSwap: (swap: ReplayedSwap, facts: StreamFacts) => void;
  readonly onError: (error: LineError) => void;
};

/**
 * Puts the results of ranges together in the order in which a single pass hands them on: finished streams at once,
 * unfinished ones at the end, or when more than `maxOpenStreams` are open.
 */
export function joinRanges({ maxOpenStreams, onSwap, onError }: RangeJoinOptions): RangeJoin {
  const aside = new Map<string, StreamEntry>();
  // The stream of the latest line: what becomes of it shows when the next one is known.
  let active: StreamEntry | undefined;
  let swaps = 0;
  let errors = 0;

  const handOn = ({ swap, facts }: StreamEntry): void => {
    swaps++;
    onSwap(swap, facts);
  };

  const leave = (): void => {
    const stream = active;
    active = undefined;
    if (stream === undefined) return;
    if (stream.facts.finished) {
      handOn(stream);
      return;
    }
    aside.set(stream.facts.stream, stream);
    const [oldest] = aside.size > maxOpenStreams ? aside.values() : [];
    if (oldest === undefined) return;
    aside.delete(oldest.facts.stream);
    handOn(oldest);
  };

  const goesOn = ({ facts: { stream } }: StreamEntry): boolean => aside.has(stream) || active?.facts.stream === stream;

  return {
    take({ entries, firstLine }) {
      // Lines that cannot be read stand before the stream that was under way, which is told when it is left.
      let faults: LineError[] = [];
      for (const entry of entries) {
        if ('error' in entry) {
          // A range begins with a stream of its own. Where its first line cannot be read, that is not known.
          if (active !== undefined && entry.error.line === firstLine) return false;
          faults.push(entry.error);
          continue;
        }
        if (goesOn(entry)) return false;
        leave();
        errors += faults.length;
        for (const fault of faults) onError(fault);
        faults = [];
        active = entry;
      }
      errors += faults.length;
      for (const fault of faults) onError(fault);
      return true;
    },
    end() {
      leave();
      for (const entry of aside.values()) handOn(entry);
      aside.clear();
    },
    handedOn: () => ({ swaps, errors }),
  };
}
