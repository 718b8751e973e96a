/** Whether the character at `index` is white space to C's isspace: blank, tab, line feed, vertical tab, form feed, return. */
export function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Index of the first character from `from` on that is no white space; the length of the text when there is none. */
export function skipSpaces(text: string, from: number): number {
  let index = from;
  while (isSpaceAt(text, index)) index++;
  return index;
}

/** The text without white space at either end. JavaScript's own trim also takes characters that the node refuses. */
export function trimSpaces(text: string): string {
  const start = skipSpaces(text, 0);
  let end = text.length;
  while (end > start && isSpaceAt(text, end - 1)) end--;
  return text.slice(start, end);
}
