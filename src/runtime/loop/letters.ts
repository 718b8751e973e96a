import type { SwapfoldError } from '../../primitives/error.ts';
import type { Letter, Slot } from './slot.ts';

type Box = Pick<Slot, 'letters'>;
type Writable = { letters: readonly Letter[] };

/** After those that wait already. */
export function addLetter(slot: Box, letter: Letter): void {
  const box: Writable = slot;
  box.letters = [...slot.letters, letter];
}

/** Before those that wait: it was the next, and still is. */
export function putBackLetter(slot: Box, letter: Letter): void {
  const box: Writable = slot;
  box.letters = [letter, ...slot.letters];
}

export function takeLetter(slot: Box): Letter | undefined {
  const [first, ...others] = slot.letters;
  const box: Writable = slot;
  box.letters = others;
  return first;
}

export function rejectLetters(slot: Box, error: SwapfoldError): void {
  const { letters } = slot;
  const box: Writable = slot;
  box.letters = [];
  for (const letter of letters) letter.reject(error);
}
