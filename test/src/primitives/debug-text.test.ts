import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { debugText } from '../../../src/primitives/debug-text.ts';

describe('the debug form of a text', () => {
  it('is as Rust prints it', () => {
    expect(debugText('Timeout (181 > 180)')).toBe('"Timeout (181 > 180)"');
    expect(debugText('say "no"\\\n\t\r\0 it\'s')).toBe('"say \\"no\\"\\\\\\n\\t\\r\\0 it\'s"');
    expect(debugText('a\u0007b\u00a0c\u200dd\u0301é→€😀')).toBe('"a\\u{7}b\\u{a0}c\\u{200d}d\\u{301}é→€😀"');
  });

  it('is ASCII that JSON reads back for plain texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...' abcXYZ019"\\\n\t\r(){}:>]') }), (text) => {
        expect(JSON.parse(debugText(text))).toBe(text);
      }),
    );
  });

  it('never holds a line break, and tells texts apart', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        expect(debugText(left)).not.toMatch(/[\n\r\t\0]/);
        expect(debugText(left) === debugText(right)).toBe(left === right);
      }),
    );
  });
});
