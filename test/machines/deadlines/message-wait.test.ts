import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf, overFrom, waitedFor } from '../../../machines/deadlines/message-wait.ts';
import { millisOf } from '../../../src/primitives/time.ts';

const START = 1_700_000_000_000;

describe('a wait for a message', () => {
  it('is counted in whole seconds, and is over in the first one after its limit', () => {
    const moment = fc.integer({ min: 0, max: 999_999 });
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: 0, max: 900 }), (started, passed, limit) => {
        const wait = { since: millisOf(START + started), limit };
        const now = millisOf(START + started + passed);
        expect(waitedFor(wait, now)).toBe(
          Math.floor((START + started + passed) / 1000) - Math.floor((START + started) / 1000),
        );
        expect(waitedFor(wait, now) > limit).toBe(now >= overFrom(wait));
      }),
    );
  });

  it('ends its limit after its start', () => {
    expect(endOf({ since: millisOf(START + 5), limit: 90 })).toBe(START + 90_005);
  });
});
