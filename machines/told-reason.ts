import { reasonIn } from '../src/events/stored-errors/reason.ts';

/** The reason of a failure in brackets, for the end of a clause; empty if there is none. */
export function toldReason({ error }: { readonly error: string }): string {
  const reason = reasonIn(error);
  return reason === '' ? '' : ` (${reason})`;
}
