import { describe, expect, it } from 'vitest';
import { scriptErrorText } from '../../../../src/smartchain/script/errors.ts';

describe('texts of script errors', () => {
  it('are those by which a wallet tells a broken token rule from a broken fulfillment', () => {
    expect(scriptErrorText('EVAL_FALSE')).toBe(
      'Script evaluated without error but finished with a false/empty top stack element',
    );
    expect(scriptErrorText('CRYPTOCONDITION_INVALID_FULFILLMENT')).toBe('Crypto-Condition payload is invalid');
  });

  it('are unknown if the node has none', () => {
    for (const error of ['CLEANSTACK', 'CRYPTOCONDITION_VERIFY', 'UNKNOWN_ERROR'] as const) {
      expect(scriptErrorText(error)).toBe('unknown error');
    }
  });
});
