import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitJsonValues } from '../../../src/events/json-values.ts';

const gap = fc.constantFrom('', ' ', '\n', '\r\n\t');
const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));

describe('JSON values one behind the other', () => {
  it('are split where each of them ends, however they are laid out', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, gap, fc.nat({ max: 4 })), { minLength: 2, maxLength: 5 }), (parts) => {
        const texts = parts.map(([part, , indent]) => JSON.stringify(part, null, indent));
        const text = parts.map(([, space], index) => `${space}${texts[index]}`).join('');
        expect(splitJsonValues(text)).toEqual(texts);
      }),
    );
  });

  it('are not one value, none, or anything else', () => {
    for (const text of ['', ' ', '{}', '[1,2]', '{"a":[{}]}', '"a""b"', '1 2', '{} 1', '}{', '{}]', 'x{}{}']) {
      expect(splitJsonValues(text), text).toBeUndefined();
    }
  });

  it('have a last one that was cut off', () => {
    expect(splitJsonValues('{"a":1}\n{"b":"}')).toEqual(['{"a":1}', '{"b":"}']);
    expect(splitJsonValues('{"a":"\\"}"}{"b')).toEqual(['{"a":"\\"}"}', '{"b']);
  });
});
