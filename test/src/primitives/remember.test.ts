import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { remembering } from '../../../src/primitives/remember.ts';

describe('a function that remembers', () => {
  it('answers as the function does, whatever it was asked before and however little it keeps', () => {
    const questions = fc.array(fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(questions, fc.integer({ min: 1, max: 5 }), (asked, most) => {
        const square = remembering((value: number) => `${value * value}`, most);
        for (const question of asked) expect(square(question)).toBe(`${question * question}`);
      }),
    );
  });

  it('works out what it keeps once, and starts anew when it is full', () => {
    const asked: string[] = [];
    const length = remembering((text: string) => {
      asked.push(text);
      return text.length;
    }, 2);
    for (const text of ['a', 'bb', 'a', 'bb', 'ccc', 'a']) length(text);
    expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
  });

  it('keeps nothing of a key whose answer is undefined', () => {
    const known = remembering((text: string) => (text === 'secret' ? undefined : text.length), 1);
    known('a');
    const set = vi.spyOn(Map.prototype, 'set');
    expect(known('secret')).toBeUndefined();
    expect(set).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
