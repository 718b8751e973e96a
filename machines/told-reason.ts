import { reasonIn } from '../src/events/stored-errors/reason.ts';

/** The reason of a failure in brackets, for the end of a clause; nothing where none is given. */
export function toldReason({ error }: { readonly error: string }): string {
  const reason = reasonIn(error);
  return reason === '' ? '' : ` (${reason})`;
}
