import { expect, it } from 'vitest';
import { check } from '../../../../src/testing/check/check.ts';
import { thoroughBounds } from '../../../../src/testing/check/published.ts';
import { renderViolation } from '../../../../src/testing/check/render.ts';
import { documentedRows, rowOf } from './table.ts';

/** The others take minutes each: `SWAPFOLD_THOROUGH=1` runs all that are documented, as `swapfold check --thorough` does. */
const QUICK: ReadonlySet<string> = new Set(['crashes', 'node errors']);
const all = process.env['SWAPFOLD_THOROUGH'] === '1';

const documented = documentedRows('The thorough bounds').map((row) => row.split(' | ')[0]?.slice(2));

it.each(thoroughBounds.filter(({ name }) => documented.includes(name) && (all || QUICK.has(name))))(
  'the engines break no rule within the thorough bounds: $name',
  (named) => {
    const result = check(named.bounds);
    expect(result.violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(result.complete).toBe(true);
    expect(documentedRows('The thorough bounds')).toContain(rowOf(named, result));
  },
);

it('every documented search is one of them', () => {
  const names = thoroughBounds.map(({ name }) => name);
  expect(documented.filter((name) => !names.includes(name ?? ''))).toEqual([]);
  expect(documented.length).toBeGreaterThan(0);
});
