import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foreignText } from '../../../src/primitives/foreign-text.ts';

describe('what a stranger said', () => {
  it('is one line, in which nothing forges another or reverses what follows', () => {
    expect(foreignText('\u202e evil\u0000 words \n{"level":"error","msg":"forged"}\r\n')).toBe(
      'evil  words  {"level":"error","msg":"forged"}',
    );
  });

  it('is unchanged if it is plain, in any script', () => {
    for (const text of ['nonce too low: next nonce 7, tx nonce 3', 'недостаточно средств', '残高不足']) {
      expect(foreignText(text)).toBe(text);
    }
  });

  it('never has more than 2,000 characters and a note that there was more', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6000, unit: 'binary', size: 'max' }), (text) => {
        const told = foreignText(text);
        expect(told.length).toBeLessThanOrEqual(2002);
        expect(told).not.toMatch(/\p{Cc}|\u202e/u);
      }),
    );
    expect(foreignText('x'.repeat(500_000))).toBe(`${'x'.repeat(2000)} …`);
  });
});
