import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOf, uuidOfKey } from '../../../../src/node/orders/ids.ts';
import { parseUuid } from '../../../../src/primitives/ids.ts';

const key = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
const drawn = fc.uint8Array({ minLength: 8, maxLength: 16 });

describe('the uuid of an order', () => {
  it('proves whose it is, and whose it is not', () => {
    fc.assert(
      fc.property(key, key, drawn, (own, other, bytes) => {
        fc.pre(own !== other);
        const uuid = uuidOfKey(own, bytes);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(parseUuid(uuid)).toBe(uuid);
        expect(claimOf(uuid, own)).toBe('theirs');
        expect(claimOf(uuid, other)).toBe('anothers');
      }),
    );
  });

  it('has sixty random bits', () => {
    const of = (bytes: readonly number[]): string => uuidOfKey('07'.repeat(32), Uint8Array.from(bytes));
    const all = new Set(
      Array.from({ length: 64 }, (_, bit) =>
        of(Array.from({ length: 8 }, (_b, at) => (bit >> 3 === at ? 1 << (bit & 7) : 0))),
      ),
    );
    expect(all.size).toBe(61);
  });

  it('says nothing if it is one of the real node’s', () => {
    expect(claimOf('41383f43-46a5-478c-9386-3b2cce0aca20', '07'.repeat(32))).toBe('nobodys');
  });

  it('stays the same in later releases: takers and makers of all of them must agree', () => {
    expect(uuidOfKey('ab'.repeat(32), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))).toMatchInlineSnapshot(
      `"01020304-0506-8708-93fa-6a41f78c81a3"`,
    );
  });
});
