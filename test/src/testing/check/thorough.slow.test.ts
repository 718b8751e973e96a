import { expect, it } from 'vitest';
import { check } from '../../../../src/testing/check/check.ts';
import { thoroughBounds } from '../../../../src/testing/check/published.ts';
import { renderViolation } from '../../../../src/testing/check/render.ts';
import { documentedRows, rowOf } from './table.ts';

/** The others take minutes each: `SWAPFOLD_THOROUGH=1` runs all of them, as `swapfold check --thorough` does. */
const QUICK: ReadonlySet<string> = new Set(['crashes', 'node errors']);
const all = process.env['SWAPFOLD_THOROUGH'] === '1';

it.each(thoroughBounds.filter(({ name }) => all || QUICK.has(name)))(
  'the engines break no rule within the thorough bounds: $name',
  (named) => {
    const result = check(named.bounds);
    expect(result.violations.map((violation) => renderViolation(violation))).toEqual([]);
    expect(result.complete).toBe(true);
    expect(documentedRows('The thorough bounds')).toContain(rowOf(named, result));
  },
);

it('the page has a row for each of them, in their order, and no other', () => {
  expect(documentedRows('The thorough bounds').map((row) => row.split(' | ').slice(0, 2))).toEqual(
    thoroughBounds.map(({ name, text }) => [`| ${name}`, text]),
  );
});
