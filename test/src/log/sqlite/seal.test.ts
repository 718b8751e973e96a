import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sealOf } from '../../../../src/log/sqlite/seal.ts';
import { envelopeHash } from '../../../../src/primitives/envelope.ts';
import { canonicalJson } from '../../../../src/primitives/json.ts';
import type { Millis } from '../../../../src/primitives/time.ts';

const sealable = fc.record({
  before: fc.stringMatching(/^[0-9a-f]{64}$/),
  stream: fc.string({ unit: 'grapheme' }),
  seq: fc.nat(),
  at: fc.nat().map((at) => at as Millis),
  type: fc.string({ unit: 'grapheme' }),
  version: fc.nat(),
  data: fc.jsonValue(),
  extra: fc.option(fc.jsonValue(), { nil: undefined }),
});

it('a seal over stored texts is the seal over the values', () => {
  fc.assert(
    fc.property(sealable, ({ before, data, extra, ...rest }) => {
      const text = { data: canonicalJson(data), extra: extra === undefined ? null : canonicalJson(extra) };
      const given = extra === undefined ? { ...rest, data } : { ...rest, data, extra };
      expect(sealOf(before, { ...rest, ...text })).toBe(envelopeHash(before, given));
    }),
  );
});
