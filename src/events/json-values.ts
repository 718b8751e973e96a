/**
 * Splits a text of several JSON values, one behind the other, as `jq` prints them: with line breaks inside a value and nothing but white space between
 * two. Undefined where it is not at least two. The parts are not parsed: one that is no JSON is a part all the same, so that the others can be read.
 */
export function splitJsonValues(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = -1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      if (depth === 0) return undefined;
      at = endOfString(text, at);
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (depth === 0) from = at;
      depth += 1;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      if (depth === 0) return undefined;
      depth -= 1;
      if (depth === 0) parts.push(text.slice(from, at + 1));
    } else if (depth === 0 && character > SPACE) return undefined;
  }
  if (depth > 0) parts.push(text.slice(from));
  return parts.length > 1 ? parts : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at += 1;
  }
  return text.length;
}
