import { describe, it } from 'vitest';

export type OptionalPart = {
  readonly present: boolean;
  /** What is absent, and what to do about it: the rest of one line. */
  readonly absence: string;
};

/**
 * A suite that needs a part which may be absent. It is then skipped with one line that says so, or fails when
 * `SWAPFOLD_REQUIRE=all` is set.
 */
export function describeWith({ present, absence }: OptionalPart, name: string, body: () => void): void {
  if (present) {
    describe(name, body);
    return;
  }
  if (process.env['SWAPFOLD_REQUIRE'] === 'all') throw new Error(`${absence}; SWAPFOLD_REQUIRE=all forbids to skip it`);
  console.log(`skipped: ${name}: ${absence}`);
  describe.skip(name, () => {
    it('needs an optional part', () => {});
  });
}
