import { BackendSilent } from '../../ports/silence.ts';

/** Nobody is asked, because this side has let go of the connection: of whoever is there that says nothing. */
export class LetGo extends BackendSilent {}

/** Fewer answer than must say the same. */
export class TooFew extends BackendSilent {}

/** Those that were asked contradict one another. */
export class Disagreement extends BackendSilent {}

/** For those who count answers: null for a node that is silent, whose reason is put to the others. @throws what is anything else */
export function silent(error: unknown, reasons: string[] = []): null {
  if (!(error instanceof BackendSilent)) throw error;
  reasons.push(error.message);
  return null;
}
