import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/primitives/json.ts';
import {
  chainBroken,
  JsonlError,
  MAX_LINE_BYTES,
  notUtf8,
  tooLong,
  torn,
} from '../../../../src/replay/jsonl/errors.ts';

describe('the errors of a log file', () => {
  it('say what is wrong, where, and what to do', () => {
    const broken = chainBroken({ line: 7, stream: 'watcher/1', seq: 3, why: 'record 3 is changed' });
    const errors = [tooLong(12, 1000), notUtf8(9), broken];
    for (const error of errors) expect(error).toBeInstanceOf(JsonlError);
    expect(errors.map(({ message }) => message).join('\n\n')).toMatchInlineSnapshot(`
      "[LINE_TOO_LONG] A line of the log is longer than a record can be.

        line            12
        bound in bytes  1000

      Check that the file is a swapfold log: one JSON object on each line.

      Docs: docs/reference/errors.md#line_too_long

      [LINE_NOT_UTF8] A line of the log is not UTF-8 text.

        line  9

      The file was damaged or written in another encoding; restore the line from a copy.

      Docs: docs/reference/errors.md#line_not_utf8

      [CHAIN_BROKEN] A stream of the log changed after it was written.

        line    7
        stream  watcher/1
        seq     3
        found   record 3 is changed

      The stream is not a swap and was not replayed; restore it from a copy of the log.

      Docs: docs/reference/errors.md#chain_broken"
    `);
  });

  it('name in an incomplete line what the reader stumbled over', () => {
    const cause = thrownBy(() => parseJson('{"stream":'));
    expect(torn(5, cause).message).toMatchInlineSnapshot(`
      "[TORN_LINE] The last line of the log is incomplete: it ends in the middle of a record, without a line feed.

        line   5
        found  The text is not JSON.

      A writer was interrupted. All lines before it were read; remove the incomplete line before you append.

      Docs: docs/reference/errors.md#torn_line"
    `);
    expect(torn(5, notUtf8(5)).facts).toEqual({ line: 5, found: 'A line of the log is not UTF-8 text.' });
  });

  it('bound a line at 64 MiB', () => {
    expect(MAX_LINE_BYTES).toBe(2 ** 26);
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
