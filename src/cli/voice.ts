import type { SwapfoldError } from '../primitives/error.ts';
import type { CliIo } from './io.ts';
import { fitted } from './render/fitted.ts';
import { asideOf, errorText } from './render/text.ts';

type Aside = Pick<CliIo, 'stderr' | 'env'>;

/** Says something on standard error, in lines that fit it. */
export function complain(io: Aside, text: string): void {
  io.stderr.write(fitted(text, asideOf(io).columns));
}

type Unread = {
  readonly file: string;
  readonly line?: number;
  readonly uuid: string | null;
  readonly error: SwapfoldError;
};

/** Tells of a swap that cannot be read or taken, and what else is to be said of it below. */
export function complainOf(io: Aside, unread: Unread, more = ''): void {
  const { paint, columns } = asideOf(io);
  complain(io, errorText(unread, { mark: paint.red('error'), columns }) + more);
}
