import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssembler, REPORT_BYTES, reportsOf } from '../../../../src/hardware/trezor/reports.ts';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.ts';

const MOST = 16_384;

function assembled(reports: readonly Uint8Array[], mostBytes = MOST) {
  const assembler = createAssembler(mostBytes);
  return reports.map((report) => assembler.take(report));
}

describe('a message in reports', () => {
  it('is one report with mark, type and length, padded with zeros', () => {
    const payload = '0a0fac80808008bc8080800880808080081000';
    const [report, ...more] = reportsOf({ type: 450, payload: hexToBytes(payload) });
    expect(more).toEqual([]);
    expect(bytesToHex(report ?? new Uint8Array(0))).toBe(`3f232301c200000013${payload}`.padEnd(128, '0'));
  });

  it('of any size survives a round trip, in reports of 64 bytes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffff }), fc.uint8Array({ maxLength: 700 }), (type, payload) => {
        const reports = reportsOf({ type, payload });
        expect(reports.every(({ length }) => length === REPORT_BYTES)).toBe(true);
        expect(reports.length).toBe(1 + Math.ceil(Math.max(0, payload.length - 55) / 63));
        const found = assembled(reports);
        expect(found.at(-1)).toEqual({ kind: 'message', message: { type, payload } });
        expect(found.slice(0, -1).every(({ kind }) => kind === 'more')).toBe(true);
      }),
    );
  });

  it('may continue with bytes that would begin another one', () => {
    const payload = new Uint8Array(300).fill(0x23);
    expect(assembled(reportsOf({ type: 3, payload })).at(-1)).toEqual({
      kind: 'message',
      message: { type: 3, payload },
    });
  });
});

describe('an invalid report of a message', () => {
  const [first = new Uint8Array(0)] = reportsOf({ type: 2, payload: new Uint8Array(0) });
  it.each([
    ['nothing', new Uint8Array(0)],
    ['63 bytes', first.subarray(0, 63)],
    ['65 bytes', Uint8Array.of(...first, 0)],
    ['another mark', first.with(0, 0x3e)],
    ['half a mark', first.with(2, 0x24)],
    ['a message that is longer than any', first.with(5, 1)],
  ])('%s is reported, and what follows is read', (_, report) => {
    const found = assembled([report, first]);
    expect(found.map(({ kind }) => kind)).toEqual(['garbled', 'message']);
  });

  it('in the middle of a message drops what was there', () => {
    const [begin = new Uint8Array(0)] = reportsOf({ type: 2, payload: new Uint8Array(100) });
    expect(assembled([begin, first.with(0, 0), first]).map(({ kind }) => kind)).toEqual(['more', 'garbled', 'message']);
  });

  it('never breaks the reader', () => {
    const report = fc.oneof(
      fc.uint8Array({ maxLength: 130 }),
      fc.uint8Array({ minLength: 61, maxLength: 61 }).map((rest) => Uint8Array.of(0x3f, 0x23, 0x23, ...rest)),
      fc.uint8Array({ minLength: 63, maxLength: 63 }).map((rest) => Uint8Array.of(0x3f, ...rest)),
    );
    fc.assert(
      fc.property(fc.array(report, { maxLength: 30 }), (reports) => {
        for (const found of assembled(reports, 512)) {
          if (found.kind === 'message') expect(found.message.payload.length).toBeLessThanOrEqual(512);
        }
      }),
    );
  });
});
