import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/primitives/json.ts';
import {
  bytesField,
  decimalField,
  fieldsOf,
  isZeroHex,
  textField,
  wholeField,
} from '../../../../src/replay/audit/stored-fields.ts';

const NOT_TEXT = [undefined, null, 5, true, [], {}];

describe('the members of a stored payload', () => {
  it('are those of an object, and none of anything else', () => {
    const data = { a: 1 };
    expect(fieldsOf(data)).toBe(data);
    for (const other of [null, undefined, 'text', 7, ['a'], true]) expect(fieldsOf(other)).toEqual({});
  });

  it('are its own, not those that every object has', () => {
    for (const name of ['toString', 'constructor', '__proto__']) {
      expect(textField({}, name)).toBeUndefined();
      expect(wholeField({}, name)).toBeUndefined();
      expect(decimalField({}, name)).toBeUndefined();
    }
    const inherited = Object.create({ text: '12', whole: 12 });
    expect(textField(inherited, 'text')).toBeUndefined();
    expect(decimalField(inherited, 'text')).toBeUndefined();
    expect(wholeField(inherited, 'whole')).toBeUndefined();
  });
});

describe('a member', () => {
  it('is a text, where an empty one counts as absent', () => {
    expect(textField({ a: 'text' }, 'a')).toBe('text');
    expect(textField({ a: '' }, 'a')).toBeUndefined();
    for (const a of NOT_TEXT) expect(textField({ a }, 'a')).toBeUndefined();
  });

  it('is bytes as hex', () => {
    expect(bytesField({ a: '00fF' }, 'a')).toEqual(Uint8Array.of(0, 255));
    for (const a of ['', '0', 'zz', '0x00', ...NOT_TEXT]) expect(bytesField({ a }, 'a')).toBeUndefined();
  });

  it('is a whole number from 0 to 2^53 - 1', () => {
    for (const a of [0, 1, 2 ** 53 - 1]) expect(wholeField({ a }, 'a')).toBe(a);
    for (const a of [-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined]) {
      expect(wholeField({ a }, 'a')).toBeUndefined();
    }
  });

  it('is an amount as text or number, in plain notation', () => {
    expect(decimalField({ a: '1.50' }, 'a')).toBe('1.50');
    expect(decimalField({ a: '1e2' }, 'a')).toBe('100');
    expect(decimalField({ a: 0.5 }, 'a')).toBe('0.5');
    expect(decimalField(fieldsOf(parseJson('{"a":0.10000000000000000000001}')), 'a')).toBe('0.10000000000000000000001');
    for (const a of ['', 'one', '1,5', null, undefined, true, {}, []]) expect(decimalField({ a }, 'a')).toBeUndefined();
  });
});

describe('a text of zeros', () => {
  it('is how the real node hides a key or a secret', () => {
    for (const text of ['0', '00', '0'.repeat(66)]) expect(isZeroHex(text)).toBe(true);
    for (const text of ['', '1', '01', '10', '0x00', '00 ', '0\n1']) expect(isZeroHex(text)).toBe(false);
  });
});
