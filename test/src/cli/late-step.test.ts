import { describe, expect, it } from 'vitest';
import type { NextStep, SwapFunds } from '../../../machines/swap-verdict.ts';
import { stepAt, stepText } from '../../../src/cli/late-step.ts';
import { decimalOf } from '../../../src/primitives/decimal.ts';
import { type UnixSeconds, unixSecondsOf } from '../../../src/primitives/time.ts';

const LOCK = unixSecondsOf(1_700_000_000);
const leg = (coin: string, amount: string) => {
  return { coin, amount: decimalOf(amount), status: 'locked', tx: 'ab', by: null, claimable: [] } as const;
};
const funds: SwapFunds = { makerPayment: leg('BEER', '3'), takerPayment: leg('PIZZA', '7') };
const next: NextStep = {
  action: 'spendMakerPayment',
  who: 'operator',
  notBefore: null,
  until: LOCK,
  text: 'Spend it at once. From then on the maker can refund it: after that, check first whether it is still there.',
};

describe('a claim that a person must make', () => {
  it('is a look first, once the other side could refund', () => {
    const now = (LOCK + 1) as UnixSeconds;
    expect(stepText(next, { role: 'taker', funds, now })).toBe(
      'Check first whether the maker payment (3 BEER) is still there: since 2023-11-14 22:13:20 UTC (1 s ago) the maker could refund it. Where it did, it cannot be claimed any more. Where it did not, spend it with the secret at once.',
    );
    const maker = stepText({ ...next, action: 'spendTakerPayment' }, { role: 'maker', funds, now });
    expect(maker).toContain('whether the taker payment (7 PIZZA) is still there');
    expect(maker).toContain('claim it only if the secret is public already');
  });

  it('is the same moment in the data of a command, without the remaining time', () => {
    const now = (LOCK + 1) as UnixSeconds;
    const late = stepAt(next, { role: 'taker', funds, now });
    expect(late).toEqual({ ...next, text: stepText(next, { role: 'taker', funds, now }) });
    expect(stepAt(next, { role: 'taker', funds, now: LOCK })).toBe(next);
  });

  it('is as the machine gives it if no moment is known, and before the lock', () => {
    expect(stepText(next, { role: 'taker', funds, now: undefined })).toBe(next.text);
    expect(stepText(next, { role: 'taker', funds, now: LOCK })).toContain(
      'check first whether it is still there. There are',
    );
  });

  it('is left as it is if a node makes it', () => {
    expect(stepText({ ...next, who: 'engine' }, { role: 'taker', funds, now: undefined })).toBe(next.text);
  });
});
