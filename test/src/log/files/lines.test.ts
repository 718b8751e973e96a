import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, MAX_LINE_BYTES } from '../../../../src/log/files/lines.ts';

async function* pieces(text: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield text.subarray(at, at + size);
    at += size;
  }
}

describe('lines', () => {
  it('come out the same however the bytes are cut, blank ones left out but counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('', ' ', '\r', 'ü€')), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async (texts, sizes) => {
          const lines = texts.map((text) => text.replaceAll('\n', ''));
          const found: [number, string][] = [];
          for await (const { number, bytes } of linesOf(pieces(Buffer.from(lines.join('\n')), sizes), 'f')) {
            found.push([number, Buffer.from(bytes).toString()]);
          }
          const expected = lines.flatMap((line, index) => (/^[ \t\r]*$/.test(line) ? [] : [[index + 1, line]]));
          expect(found).toEqual(expected.map(([number, line]) => [number, Buffer.from(String(line)).toString()]));
        },
      ),
    );
  });

  it('above the bound are refused before they fill the memory', async () => {
    const chunk = new Uint8Array(16 * 1024 * 1024).fill(97);
    let given = 0;
    const endless = (async function* () {
      for (;;) {
        given += chunk.length;
        yield chunk;
      }
    })();
    await expect(linesOf(endless, 'f').next()).rejects.toMatchObject({ code: 'FILE_TOO_LARGE', facts: { line: 1 } });
    expect(given).toBeLessThanOrEqual(MAX_LINE_BYTES + 2 * chunk.length);
  });
});
