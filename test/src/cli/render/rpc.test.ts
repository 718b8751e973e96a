import { describe, expect, it } from 'vitest';
import { rpcErrorText, rpcResultText } from '../../../../src/cli/render/rpc.ts';
import { parseJson } from '../../../../src/primitives/json.ts';

const shown = (text: string, terminal = false) => rpcResultText(parseJson(text), { terminal });

describe('a result', () => {
  it.each([
    ['null', ''],
    ['"a text"', 'a text\n'],
    ['true', 'true\n'],
    ['10.00000000', '10.00000000\n'],
    ['[]', '[\n]\n'],
    ['{}', '{\n}\n'],
    ['["a","b"]', '[\n  "a",\n  "b"\n]\n'],
    ['{"a":1,"b":[],"c":{"d":null}}', '{\n  "a": 1,\n  "b": [\n  ],\n  "c": {\n    "d": null\n  }\n}\n'],
  ])('%s is printed as the client of the node does', (result, text) => {
    expect(shown(result)).toBe(text);
  });

  it('sends a terminal no control characters', () => {
    expect(shown('"a\\u001b[31mb\\nc"', true)).toBe('a [31mb\nc\n');
    expect(shown('"a\\u001b[31mb"')).toBe('a\u001b[31mb\n');
    expect(shown('["\\u009b31m"]', true)).toBe('[\n  "\\u009b31m"\n]\n');
  });
});

describe('an error', () => {
  it('has its code and its text on lines of their own', () => {
    expect(rpcErrorText({ code: -5, message: 'Block not found' })).toBe(
      'error code: -5\nerror message:\nBlock not found\n',
    );
    expect(rpcErrorText({ code: -1, message: 'a\n\u001bb\n' })).toBe('error code: -1\nerror message:\na\n b\n\n');
  });
});
