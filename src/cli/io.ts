import type { Writable } from 'node:stream';

/** A stream to a person or a program; `isTTY` and `columns` are those of a terminal. */
export type CliStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Everything outside that a command uses, so tests can replace it. */
export type CliIo = {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How much to print besides results and errors. @defaultValue 'usual' */
  readonly verbosity?: Verbosity;
};

/**
 * `quiet`: only results and errors. `verbose`: also what is read, why something failed, and how long it took, on
 * standard error.
 */
export type Verbosity = 'quiet' | 'usual' | 'verbose';

/** All well; something was found in the data (an error, a fault, a violated check); the command line itself is wrong. */
export const EXIT = { ok: 0, findings: 1, usage: 2 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Columns if the output is not a terminal and the environment names none. */
const USUAL_COLUMNS = 80;

const FEWEST_COLUMNS = 40;

/** Columns to fill: those of the terminal; in a pipe or a file those that `COLUMNS` names, else 80; never fewer than 40. */
export function columnsOf({ columns }: CliStream, { COLUMNS }: CliIo['env']): number {
  // Only a terminal has them; one that does not know how wide it is has none.
  const ofTerminal = columns !== undefined && columns > 0 ? columns : undefined;
  const named = COLUMNS !== undefined && /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : USUAL_COLUMNS;
  return Math.max(FEWEST_COLUMNS, ofTerminal ?? named);
}

/** A command line that asks for what makes no sense, told in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
