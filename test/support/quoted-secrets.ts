import { base58 } from '@scure/base';

const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
const pairs = (hex: string) => hex.match(/../g) ?? [];
const half = (hex: string) => [hex.slice(0, hex.length / 2), hex.slice(hex.length / 2)];

/** How programs write bytes into the text of an error. */
export const SPELLINGS: Readonly<Record<string, (hex: string) => string>> = {
  hex: (hex) => hex,
  'hex in capitals': (hex) => hex.toUpperCase(),
  'hex with a prefix': (hex) => `0x${hex}`,
  'hex in quotes': (hex) => JSON.stringify({ value: hex }),
  'hex in two lines': (hex) => half(hex).join('\n'),
  'hex in two lines, escaped': (hex) => half(hex).join('\\n'),
  'hex in groups of eight': (hex) => (hex.match(/.{8}/g) ?? []).join(' '),
  'hex in pairs': (hex) => pairs(hex).join(':'),
  'hex in pairs with prefixes': (hex) =>
    pairs(hex)
      .map((pair) => `0x${pair}`)
      .join(', '),
  'hex, last byte first': (hex) => pairs(hex).toReversed().join(''),
  'half of the hex': (hex) => hex.slice(0, 40),
  base64: (hex) => bytesOf(hex).toString('base64'),
  'base64 of addresses': (hex) => bytesOf(hex).toString('base64url'),
  'base64 in two lines': (hex) =>
    bytesOf(hex)
      .toString('base64')
      .match(/.{1,30}/g)
      ?.join('\n') ?? '',
  'base64 inside of more': (hex) =>
    Buffer.concat([Buffer.from('key='), bytesOf(hex), Buffer.from(';end')]).toString('base64'),
  'base64 of the hex': (hex) => Buffer.from(hex).toString('base64'),
  base58: (hex) => base58.encode(bytesOf(hex)),
  'percent signs': (hex) =>
    pairs(hex)
      .map((pair) => `%${pair}`)
      .join(''),
  'the hex in percent signs': (hex) => [...hex].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join(''),
  'a list of numbers': (hex) => JSON.stringify([...bytesOf(hex)]),
  'a buffer': (hex) => JSON.stringify(bytesOf(hex)),
  'a list in lines': (hex) => JSON.stringify([...bytesOf(hex)], null, 2),
  'escapes of bytes': (hex) =>
    pairs(hex)
      .map((pair) => `\\x${pair}`)
      .join(''),
  'escapes of characters': (hex) =>
    pairs(hex)
      .map((pair) => `\\u00${pair}`)
      .join(''),
  'a decimal number': (hex) => BigInt(`0x${hex}`).toString(),
  'inside of a transaction': (hex) => `0100000001${'c3'.repeat(40)}20${hex}514cff`,
};

/** Pieces of a spelling that must not be seen either; none of them stands in a text by chance. */
export function piecesOf(spelled: string): readonly string[] {
  const pieces = [spelled];
  for (let start = 0; start + 24 <= spelled.length; start += 12) pieces.push(spelled.slice(start, start + 24));
  return pieces;
}
