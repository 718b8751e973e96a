// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not reach a terminal, an error or a log.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;
/** More than any node writes for people. */
const LONGEST = 2000;

/** The text without line breaks, escape sequences and bidirectional controls: one space replaces each run of them. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, ' ');
}

/** Foreign text, made safe for an error or a log line: in one line, and at most 2,000 characters. */
export function foreignText(text: string): string {
  const line = oneLine(text.slice(0, 2 * LONGEST)).trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)} …`;
}
