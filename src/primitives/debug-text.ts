const NAMED: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\t': '\\t',
  '\r': '\\r',
  '\n': '\\n',
  '"': '\\"',
  '\\': '\\\\',
};

// Control, format, private and unassigned characters, separators except the plain space, and combining marks.
const ESCAPED = /["\\\p{C}\p{Zl}\p{Zp}\p{Grapheme_Extend}]|(?! )\p{Zs}/gu;

/**
 * The text in quotes as Rust's `Debug` prints a string. The real node stores some error texts in this form, with their
 * quotes, so the quotes are escaped twice in JSON.
 */
export function debugText(text: string): string {
  const inner = text.replace(ESCAPED, (char) => NAMED[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${inner}"`;
}
