import { SwapfoldError } from '../primitives/error.ts';
import type { CliIo } from './io.ts';
import { fitted } from './render/fitted.ts';
import { asideOf, clean, errorText } from './render/text.ts';

type Aside = Pick<CliIo, 'stderr' | 'env' | 'verbosity'>;

/** Says what went wrong on standard error, in lines that fit it. */
export function complain(io: Aside, text: string): void {
  io.stderr.write(fitted(text, asideOf(io).columns));
}

/** Says on standard error what was done, unless nothing but results and errors is asked for. */
export function note(io: Aside, text: string): void {
  if (io.verbosity !== 'quiet') complain(io, text);
}

/** Writes to standard error what only a reader looking for the reason wants to know. */
export function detail(io: Aside, text: string): void {
  if (io.verbosity === 'verbose')
    complain(
      io,
      asideOf(io)
        .paint.dim(`swapfold: ${clean(text)}`)
        .concat('\n'),
    );
}

/** A text whose first line is the result; the rest has more detail. */
export function said({ verbosity }: Pick<CliIo, 'verbosity'>, text: string): string {
  return verbosity === 'quiet' ? text.slice(0, text.indexOf('\n') + 1) : text;
}

type Unread = {
  readonly file: string;
  readonly line?: number;
  readonly uuid: string | null;
  readonly error: SwapfoldError;
};

/** Reports a swap that cannot be read or imported, with further details below. */
export function complainOf(io: Aside, unread: Unread, more = ''): void {
  const { paint, columns } = asideOf(io);
  complain(io, errorText(unread, { mark: paint.red('error'), columns }) + more);
  detailCauses(io, unread.error);
}

/**
 * The causes of an error, the nearest first. For an unexpected error it names only the kind, because its text may quote
 * a log.
 */
export function detailCauses(io: Aside, error: unknown): void {
  for (let cause = causeOf(error); cause !== undefined; cause = causeOf(cause)) detail(io, `caused by ${named(cause)}`);
}

function causeOf(error: unknown): Error | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
}

function named(cause: Error): string {
  if (cause instanceof SwapfoldError) return `${cause.shortMessage} [${cause.code}]`;
  return typeof (cause as { readonly code?: unknown }).code === 'string' ? cause.message : cause.name;
}
