import type { SwapLog } from '../../events/saved-swap.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import type { SwapfoldError } from '../../primitives/error.ts';

/** A swap of a file, or why there is none at that place. One bad swap, line or file never hides the others. */
export type ReadSwap =
  | {
      readonly file: string;
      /** Number of the line from 1, in a file with one swap or record a line. */
      readonly line?: number;
      readonly ok: true;
      readonly log: SwapLog;
      /** The sealed records of the log, where it came as records and they were asked for. */
      readonly records?: readonly Envelope[];
      /** It comes from an event log that may lack records at its end, so what it wants done cannot be relied on. */
      readonly unsure?: true;
    }
  | {
      readonly file: string;
      readonly line?: number;
      readonly ok: false;
      readonly uuid: string | null;
      readonly error: SwapfoldError;
    };
