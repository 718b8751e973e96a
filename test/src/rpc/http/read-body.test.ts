import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../../../src/primitives/json.ts';
import { BodyTooFull, readBody } from '../../../../src/rpc/http/read-body.ts';

const BOUNDS = { values: 100_000, wholeNumbers: true };
const TWO_MEBIBYTES = 0x20_0000;

describe('the body of a request', () => {
  it('is read as JSON, whether as text or as bytes, short or long', async () => {
    const padding = fc.constantFrom('', ' '.repeat(0x1_0001));
    await fc.assert(
      fc.asyncProperty(fc.json(), padding, async (text, space) => {
        const body = text + space;
        expect(await readBody(body, BOUNDS)).toEqual(parseJson(text));
        expect(await readBody(new TextEncoder().encode(body), BOUNDS)).toEqual(parseJson(text));
      }),
    );
  });

  it('is refused if it is not UTF-8, and read as UTF-8 if it is not ASCII', async () => {
    await expect(readBody(Uint8Array.of(0x22, 0xc3, 0x22), BOUNDS)).rejects.toThrow(TypeError);
    await expect(readBody(Uint8Array.of(0x22, 0xe4, 0x22), BOUNDS)).rejects.toThrow(TypeError);
    expect(await readBody(Uint8Array.of(0x22, 0xc3, 0xa4, 0x22), BOUNDS)).toBe('ä');
    const part = new TextEncoder().encode('x"a"x').subarray(1, 4);
    expect(await readBody(part, BOUNDS)).toBe('a');
  });

  it.each([
    ['lists without end', `[${'[],'.repeat(100_000)}[]]`],
    ['members without end', `{${'"a":{},'.repeat(100_000)}"a":1}`],
    ['what is no JSON', '{'.repeat(100_001)],
  ])('with more values than are allowed is refused before it is read: %s', async (_, body) => {
    await expect(readBody(body, BOUNDS)).rejects.toThrow(new BodyTooFull('a body may hold at most 100000 values'));
  });

  it('may hold as many as are allowed, and any number of brackets in texts', async () => {
    const most = `["${'\\",[{1.5-'.repeat(20_000)}",${'1,'.repeat(99_998)}1]`;
    expect(((await readBody(most, BOUNDS)) as readonly unknown[]).length).toBe(100_000);
    await expect(readBody(most.replace(',1]', ',1,1]'), BOUNDS)).rejects.toThrow(BodyTooFull);
  });

  it.each([
    ['1.5', false],
    ['1e3', false],
    ['-1', false],
    ['1234567890123456', false],
    ['123456789012345', true],
    ['"1.5e-3 1234567890123456"', true],
    ['true', true],
  ])('of more than two mebibytes may hold whole numbers of at most 15 digits: %s', async (value, isRead) => {
    const text = `"${'a'.repeat(TWO_MEBIBYTES)}"`;
    const reading = readBody(`[${text},${value}]`, BOUNDS);
    if (isRead) await expect(reading).resolves.toHaveLength(2);
    else await expect(reading).rejects.toThrow('only whole numbers of at most 15 digits');
    await expect(readBody(`["a",${value}]`, BOUNDS)).resolves.toHaveLength(2);
    await expect(readBody(`[${text},${value}]`, { ...BOUNDS, wholeNumbers: false })).resolves.toHaveLength(2);
  });

  it('of two million values is read in turns with all else of the process', async () => {
    // Each look at the clock finds a turn gone by, so what counts is how often the reader looks.
    let looks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => 20 * ++looks);
    let turns = 0;
    let isRead = false;
    const other = (): void => {
      turns++;
      if (!isRead) setImmediate(other);
    };
    setImmediate(other);
    const body = `[${'1,'.repeat(1_999_999)}1]`;
    const value = await readBody(body, { values: 2_000_000, wholeNumbers: false });
    isRead = true;
    vi.restoreAllMocks();
    expect(value).toHaveLength(2_000_000);
    expect(turns).toBeGreaterThan(body.length / 0x1_0000);
  });

  it('that is not UTF-8 is refused', async () => {
    await expect(readBody(Uint8Array.of(0x22, 0xff, 0x22), BOUNDS)).rejects.toThrow(TypeError);
  });
});
