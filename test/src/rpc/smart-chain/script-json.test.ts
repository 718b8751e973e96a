import { expect, it } from 'vitest';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import { stringifyJson } from '../../../../src/primitives/json.ts';
import { inputScriptJson, scriptAddresses, scriptJson } from '../../../../src/rpc/smart-chain/script-json.ts';
import { PREFIXES } from '../../../../src/smartchain/params.ts';

/** Pays to the first key of the published samples. */
const PAID = '2103b22eeb6cf6408607fddd770abb2ba3bbb64b112a3c626a8e8ac5fb090287c710ac';

it('names each network its own addresses of one script, however often it is asked', () => {
  const names = [PREFIXES.main, PREFIXES.test, PREFIXES.main].map((prefixes) => {
    const [address] = scriptAddresses(hexToBytes(PAID), prefixes);
    expect(JSON.parse(stringifyJson(scriptJson(hexToBytes(PAID), prefixes)))).toMatchObject({ addresses: [address] });
    return address;
  });
  expect(names[0]).toBe('RTCqmfQr3e5csyPpRNnLZLbzMcHmcngiSb');
  expect(names[1]).not.toBe(names[0]);
  expect(names[2]).toBe(names[0]);
});

it('shows scripts as they are now, though their bytes are changed later', () => {
  const bytes = hexToBytes(PAID);
  const before = stringifyJson(scriptJson(bytes, PREFIXES.main));
  const input = stringifyJson(inputScriptJson(bytes));
  bytes[1] = 2;
  expect(stringifyJson(scriptJson(bytes, PREFIXES.main))).toBe(
    before
      .replaceAll('03b22eeb', '02b22eeb')
      .replace(/"addresses":.*/, `"addresses":${JSON.stringify(scriptAddresses(bytes, PREFIXES.main))}}`),
  );
  expect(stringifyJson(inputScriptJson(bytes))).toBe(input.replaceAll('03b22eeb', '02b22eeb'));
  expect(scriptAddresses(bytes, PREFIXES.main)).not.toEqual(scriptAddresses(hexToBytes(PAID), PREFIXES.main));
});

it.each([256, 257])('shows a script of %i bytes, around the bound of what is kept', (length) => {
  const script = new Uint8Array(length).fill(0x61);
  const text = stringifyJson(scriptJson(script, PREFIXES.main));
  expect(JSON.parse(text)).toEqual({
    asm: Array(length).fill('OP_NOP').join(' '),
    hex: '61'.repeat(length),
    type: 'nonstandard',
  });
  expect(stringifyJson(scriptJson(script, PREFIXES.main))).toBe(text);
  expect(scriptAddresses(script, PREFIXES.main)).toEqual([]);
});
