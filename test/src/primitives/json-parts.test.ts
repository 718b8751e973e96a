import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../../src/primitives/json.ts';
import { parseJsonParts } from '../../../src/primitives/json-parts.ts';

function readInParts(text: string, atOnce?: number): { readonly value: unknown; readonly steps: number } {
  const parts = parseJsonParts(text, atOnce);
  for (let steps = 0; ; steps++) {
    const { done, value } = parts.next();
    if (done === true) return { value, steps };
  }
}

function answerOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch {
    return 'refused';
  }
}

const blank = fc.stringMatching(/^[ \t\n\r]{0,12}$/);
const atOnce = fc.integer({ min: 1, max: 60 });

describe('JSON that is read in parts', () => {
  it('has the value that it has when it is read at once, however short the parts are', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), blank, atOnce, (json, space, most) => {
        fc.pre(!json.includes('__proto__'));
        const text = space + json.replaceAll(/(?<=[[{,:])(?=["[{\d])/g, space) + space;
        const whole = answerOf(() => parseJson(text));
        expect(answerOf(() => readInParts(text, most).value)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused if it is refused when it is read at once', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      'null',
      'x',
      ' ',
      '"a":',
      '[]',
    );
    const edited = fc
      .tuple(fc.json({ maxDepth: 3, noUnicodeString: true }), fc.nat(40), pieces)
      .map(([json, at, piece]) => {
        return json.slice(0, at) + piece + json.slice(at + 1);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          edited,
          fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
        ),
        atOnce,
        (text, most) => {
          // What stands twice is refused beside a number that is delicate; see the library of lossless numbers.
          fc.pre(!/[.eE]|-0|\d{16}/.test(text));
          expect(answerOf(() => readInParts(text, most).value)).toEqual(answerOf(() => parseJson(text)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['nested too deep', `${'['.repeat(100_000)}`, '[TOO_DEEP]'],
    ['nested too deep behind a long part', `[${'1,'.repeat(50)}${'['.repeat(64)}${']'.repeat(65)}`, '[TOO_DEEP]'],
    ['with a member that stands for the prototype', `{"a":[${'1,'.repeat(50)}{"__proto__":1}]}`, '/a/50/__proto__'],
    ['with such a name of a long member', `{"__proto__":[${'1,'.repeat(50)}1]}`, '[FORBIDDEN_KEY]'],
  ])('is refused with its place: %s', (_, text, said) => {
    expect(() => readInParts(text, 20)).toThrow(said);
  });

  it('takes at most one part at once, and others have their turn after each', () => {
    const text = JSON.stringify({ a: Array.from({ length: 20_000 }, (_, index) => ({ index })), b: 'c' });
    const parse = vi.spyOn(JSON, 'parse');
    const { value, steps } = readInParts(text, 1000);
    const longest = Math.max(...parse.mock.calls.map(([part]) => part.length));
    vi.restoreAllMocks();
    expect(value).toEqual(JSON.parse(text));
    expect(longest).toBeLessThanOrEqual(1002);
    expect(steps).toBeGreaterThanOrEqual(text.length / 1000);
  });
});
