/** Values that no method wants, each as the JSON text that a caller sends. */
export const BAD_TEXTS: readonly string[] = [
  // Numbers at and beyond what machines hold, and forms of them that JSON allows.
  ...['-1', '-0', '0', '1', '0.5', '1e0', '1E2', '1e-7', '-1e-400', '1e400', '2147483647', '2147483648', '-2147483648'],
  ...[
    '-2147483649',
    '4294967296',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '1e308',
    '1e9999999',
  ],
  `1${'0'.repeat(5000)}`,
  `0.${'0'.repeat(5000)}1`,
  // The other types.
  ...['null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '[{}]', '[1,"a"]', '{"a":1}', '{"addresses":1}'],
  ...['{"addresses":[]}', '{"addresses":[null,1,{}]}', '{"addresses":["x"],"chainInfo":true}', '{"":0}'],
  ...['{"constructor":{"prototype":1}}', '{"toString":1}', '{"length":1}', '["__proto__"]', '{"then":1}'],
  `${'['.repeat(40)}${']'.repeat(40)}`,
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  `[${'"a",'.repeat(2000)}"a"]`,
  // Texts.
  ...['', ' ', '0', '-1', '1.5', '1e8', 'NaN', 'Infinity', '0x10', 'abc', 'zz', '00', 'f', '0g', ' 00', '00 '],
  ...['__proto__', 'constructor', 'null', 'undefined', '*', '\u0000', '\u{1f600}', '\u202e', '\ufeff', 'é'],
  ...['9'.repeat(400), '-'.repeat(64), '0'.repeat(64), 'g'.repeat(64), 'f'.repeat(64), ` 0x${'f'.repeat(64)}`],
  ...['\u0000'.repeat(64), '😀'.repeat(16), `02${'ff'.repeat(32)}`, `04${'11'.repeat(64)}`, `05${'00'.repeat(32)}`],
  // Addresses of other networks, and broken ones of this.
  ...['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ...['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe'],
  ...['RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha3', 'R', '1'.repeat(34), 'zs1', 'zc', 'U'.repeat(52)],
  // Half transactions and scripts.
  ...[
    '01000000',
    '0400008085202f89',
    '0400008085202f89fdffff',
    `01000000${'ff'.repeat(60)}`,
    '6a',
    '6a4dffff',
    '6a4effffffff',
  ],
].map((text) => (/^[-[{0-9ntf]/.test(text) && isJson(text) ? text : JSON.stringify(text)));

/** The texts that also read as JSON, as texts. */
export const BAD_NUMBER_TEXTS: readonly string[] = ['0', '-1', '1.5', '1e8', '00', 'null', '9'.repeat(400)].map(
  (text) => JSON.stringify(text),
);

/** Escapes that are half of a character. */
export const SURROGATES: readonly string[] = [
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"a\\udfff"',
  '["\\ud800"]',
  '{"\\ud800":1}',
];

/** Of a body. */
const MOST_VALUES = 100_000;
const MEGABYTE = 1 << 20;

/** Values of a megabyte. */
export const LONG_TEXTS: readonly string[] = [
  `"${'a'.repeat(MEGABYTE)}"`,
  `"${'1'.repeat(MEGABYTE)}"`,
  `"${' '.repeat(MEGABYTE)}"`,
  `"6a${'00'.repeat(MEGABYTE / 2)}"`,
  '1'.repeat(MEGABYTE),
  `[${'1234567890,'.repeat(MOST_VALUES / 2)}1]`,
  `{"addresses":[${'"RRRRRRRR",'.repeat(MOST_VALUES / 2)}"R"]}`,
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
