/** Longest word in letters of one case, longest compound name, and the most characters in odd short pieces. */
const LONGEST_WORD = 24;
const LONGEST_NAME = 60;
const MOST_ODD = 16;
/** Longest odd piece, such as secp256k1. */
const LONGEST_ODD = 9;
/** What base64 has and names have not: a plus beside letters of both cases, or padding at its end. */
const BASE64 = /^(?=.*[A-Z])(?=.*[a-z]).*(?:\+|=$)/;
/** Longest run of capitals in a name that also has small letters; zero bytes become a long one in base64. */
const LONGEST_CAPITALS = 6;
/** Most runs of capitals in such a name. */
const MOST_CAPITALS = 2;
/** No word has the same letter three times in a row; zero bytes do in base64. */
const TRIPLE = /([A-Za-z])\1\1/;
/** The words inside a name: capitals end before the one that starts a word. */
const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const SHORT = new Set('as at by db do id if in ip is it my no of ok on or os to tx up'.split(' '));

/**
 * Whether a run without a space consists of words and short numbers, as names of errors, classes and files do. Letters
 * that encode bytes (base58, base64) seldom form pronounceable words; a doubtful run is not a name.
 */
export function isWords(run: string): boolean {
  if (TRIPLE.test(run) || BASE64.test(run)) return false;
  const shouted = run === run.toUpperCase();
  if (!shouted && (run.match(/[A-Z]{2,}/g) ?? []).length > MOST_CAPITALS) return false;
  let odd = 0;
  for (const part of run.split(/[+/=_\\%-]+/)) {
    if (/^[A-Za-z]+$/.test(part) && part.length > 4) {
      if (!(shouted ? part.length <= LONGEST_WORD : isName(part))) return false;
    } else if (!/^\d{0,31}$/.test(part)) {
      if (part.length > LONGEST_ODD) return false;
      odd += part.length;
    }
  }
  return odd <= MOST_ODD && (odd === 0 || odd < run.length / 2);
}

function isName(part: string): boolean {
  const words = part.match(WORDS) ?? [];
  if (words.length === 1) return part.length <= LONGEST_WORD && isWord(part);
  const capitals = words.filter((word) => word === word.toUpperCase());
  return (
    part.length <= LONGEST_NAME &&
    part.length >= 4 * words.length &&
    3 * capitals.join('').length <= part.length &&
    words.every(isWord)
  );
}

function isWord(word: string): boolean {
  if (word === word.toUpperCase()) return word.length <= LONGEST_CAPITALS;
  return word.length > 2 ? /[aeiouy]/i.test(word) : SHORT.has(word.toLowerCase());
}
