import { expect, it } from 'vitest';
import { doubted, fault, ok, unanswered } from '../../../../src/chains/accounts/answers.ts';
import { Disagreement, TooFew } from '../../../../src/chains/accounts/silence.ts';
import type { PaymentView } from '../../../../src/ports/chain.ts';
import { BackendSilent } from '../../../../src/ports/silence.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';

it('silence and contradiction are faults; a bug is not', () => {
  expect(unanswered(new BackendSilent('away'))).toEqual(fault('unavailable', 'away'));
  expect(unanswered(new TooFew('one'))).toEqual(fault('unavailable', 'one'));
  expect(unanswered(new Disagreement('two words'))).toEqual(fault('disagreement', 'two words'));
  expect(() => unanswered(new TypeError('a bug'))).toThrow('a bug');
});

it('an answer that too few nodes give comes with the fault, and without any answer it stays a fault', async () => {
  const view: PaymentView = {
    ...{ funding: null, problem: null, spend: null, refundable: false },
    ...{ clock: unixSecondsOf(1_700_000_000), height: 7 },
  };
  expect(await doubted(new TooFew('one'), async () => ok(view))).toEqual(
    fault('unavailable', 'one', { doubtful: view }),
  );
  const worse = fault('disagreement', 'two words');
  expect(await doubted(new TooFew('one'), async () => worse)).toEqual(worse);
  await expect(doubted(new BackendSilent('away'), async () => ok(view))).rejects.toThrow('away');
});
