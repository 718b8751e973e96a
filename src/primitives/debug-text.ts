const NAMED: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\t': '\\t',
  '\r': '\\r',
  '\n': '\\n',
  '"': '\\"',
  '\\': '\\\\',
};

// Control, format, private and unassigned characters, separators but the plain space, and marks that join the character before.
const ESCAPED = /["\\\p{C}\p{Zl}\p{Zp}\p{Grapheme_Extend}]|(?! )\p{Zs}/gu;

/**
 * The text in quotes as Rust's `Debug` prints a string. The real node stores some error texts in this form, quotes and
 * all, so that inside of JSON their quotes stand escaped twice.
 */
export function debugText(text: string): string {
  const inner = text.replace(ESCAPED, (char) => NAMED[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${inner}"`;
}
