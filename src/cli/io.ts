import type { Writable } from 'node:stream';

/** A stream to a person or a program; `isTTY` and `columns` are those of a terminal. */
export type CliStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** All that a command touches of the world around it, so that tests can stand in for it. */
export type CliIo = {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** All well; something was found in the data (an error, a fault, a violated check); the command line itself is wrong. */
export const EXIT = { ok: 0, findings: 1, usage: 2 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Widest line of text output; a narrower terminal narrows it. */
export const MAX_COLUMNS = 100;

/** Columns to fill: those of the terminal, at most {@link MAX_COLUMNS}, at least 40. */
export function columnsOf({ columns }: CliStream): number {
  return Math.max(40, Math.min(columns || MAX_COLUMNS, MAX_COLUMNS));
}

/** A command line that asks for what makes no sense, told in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
