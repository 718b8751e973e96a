import type { ReadSwap } from '../log/files/read-swap.ts';
import { SwapfoldError } from '../primitives/error.ts';
import { counted } from './render/text.ts';

type UnreadSwap = Extract<ReadSwap, { readonly ok: false }>;

/** How many errors of one kind in one file to report individually. */
export const MOST_OF_A_KIND = 100;

/** Keeps errors from being told without end: of a file with millions of bad lines a hundred of each kind are, and then how many more there were. */
export class RepeatedErrors {
  #file: string | null = null;
  readonly #counts = new Map<string, number>();

  /** What is told now: perhaps how many more an earlier file had, and the error unless there were many of its kind. */
  next(unread: UnreadSwap): readonly UnreadSwap[] {
    const before = unread.file === this.#file ? [] : this.end();
    this.#file = unread.file;
    const { code } = unread.error;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    return count > MOST_OF_A_KIND ? before : [...before, unread];
  }

  /** How many more there were of each kind that was told no more. */
  end(): readonly UnreadSwap[] {
    const file = this.#file ?? '';
    const more = [...this.#counts].flatMap(([code, count]) =>
      count <= MOST_OF_A_KIND ? [] : [moreOf(code, { file, count: count - MOST_OF_A_KIND })],
    );
    this.#counts.clear();
    return more;
  }
}

function moreOf(code: string, { file, count }: { readonly file: string; readonly count: number }): UnreadSwap {
  const error = new SwapfoldError(`There ${count === 1 ? 'is' : 'are'} ${counted(count, 'more error')} of this kind.`, {
    code,
    facts: { more: count },
    next: `The first ${MOST_OF_A_KIND} of a kind in a file are told; look at these first.`,
  });
  return { file, ok: false, uuid: null, error };
}
