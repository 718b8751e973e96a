import fc from 'fast-check';
import { expect, it } from 'vitest';
import { envelopeHash, GENESIS_HASH, sealStream } from '../../../src/primitives/envelope.ts';
import type { Millis } from '../../../src/primitives/time.ts';

const record = fc.record({
  stream: fc.constant('taker-swap/x'),
  seq: fc.nat(),
  at: fc.nat().map((at) => at as Millis),
  type: fc.stringMatching(/^[A-Z][A-Za-z]{0,20}$/),
  version: fc.integer({ min: 1, max: 3 }),
  data: fc.jsonValue(),
});

it('each record is chained to the one before', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), (records) => {
      const sealed = sealStream(records);
      let previous = GENESIS_HASH;
      for (const { hash, ...rest } of sealed) {
        expect(hash).toBe(envelopeHash(previous, rest));
        previous = hash;
      }
    }),
  );
});

it('a change of any field of any record changes its hash', () => {
  fc.assert(
    fc.property(record, fc.constantFrom('seq', 'at', 'type', 'version', 'data', 'extra'), (given, field) => {
      const changed = {
        ...given,
        [field]: field === 'data' || field === 'extra' ? { changed: given.data } : `${given[field as 'seq']}1`,
      };
      expect(envelopeHash(GENESIS_HASH, changed as typeof given)).not.toBe(envelopeHash(GENESIS_HASH, given));
    }),
  );
});
