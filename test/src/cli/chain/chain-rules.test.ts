import { describe, expect, it } from 'vitest';
import { keptRules, rulesOf } from '../../../../src/cli/chain/chain-rules.ts';

describe('rules of a chain', () => {
  it('are kept in the conf file and read from it', () => {
    const rules = { supply: 150_000_000n, reward: 0n, maturity: 3 };
    const kept = keptRules(rules);
    expect(kept).toEqual({ supply: '1.5', reward: '0', maturity: '3' });
    expect(rulesOf({}, { others: new Map(Object.entries(kept)) })).toEqual(rules);
    expect(keptRules({})).toEqual({});
    expect(rulesOf({}, { others: new Map() })).toEqual({});
  });

  it('on the command line override those of the file', () => {
    const others = new Map([['maturity', '3']]);
    expect(rulesOf({ maturity: 5 }, { others })).toEqual({ maturity: 5 });
  });

  it.each([
    ['supply', 'much'],
    ['reward', '1e3'],
    ['reward', '0.000000001'],
    ['maturity', '1.5'],
  ])('%s = %s in the file is refused', (name, value) => {
    expect(() => rulesOf({}, { others: new Map([[name, value]]) })).toThrow(`for ${name}.`);
  });
});
