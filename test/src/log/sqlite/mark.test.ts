import { describe, expect, it } from 'vitest';
import {
  firstMark,
  follows,
  markAfter,
  markOfSession,
  markText,
  openSealed,
  parseMark,
  sameMark,
  sealedText,
} from '../../../../src/log/sqlite/mark.ts';

describe('a mark', () => {
  it('reads back, and is nothing once a bit of it is changed', () => {
    const mark = markOfSession(firstMark());
    const text = markText(mark);
    expect(parseMark(text)).toEqual(mark);
    for (let bit = 0; bit < text.length * 8; bit++) {
      const bytes = Buffer.from(text);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(parseMark(bytes.toString('latin1')), `bit ${bit}`).toBeUndefined();
    }
    expect(openSealed(sealedText('/a b/c.db'))).toBe('/a b/c.db');
    expect(openSealed(sealedText('/a b/c.db').replace('b/', 'd/'))).toBeUndefined();
    expect(openSealed('')).toBeUndefined();
  });

  it('follows the one before it in its session and in the next, and no other', () => {
    const first = firstMark();
    const opened = markOfSession(first);
    const second = markAfter(opened);
    const reopened = markOfSession(markAfter(second, 'closed'));
    const fork = markOfSession(first);
    expect([follows(first, opened), follows(opened, second), follows(markAfter(second, 'closed'), reopened)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([
      follows(first, second),
      follows(second, opened),
      follows(opened, opened),
      follows(opened, markAfter(fork)),
      follows(first, markOfSession(firstMark())),
    ]).toEqual([false, false, false, false, false]);
    expect([sameMark(opened, { ...opened }), sameMark(opened, fork)]).toEqual([true, false]);
    // What takes the place of a damaged log is the same log, and not the same session.
    const replaced = firstMark(first.log);
    expect([replaced.log, replaced.session === first.session]).toEqual([first.log, false]);
  });
});
