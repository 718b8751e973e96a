import { expect, it } from 'vitest';
import { isOnOtherChain, PURPOSES } from '../../../src/events/journal.ts';

it('what claims the other side’s payment, and what speeds that up, is on its chain; all else is on the own one', () => {
  expect(PURPOSES.filter(isOnOtherChain)).toEqual(['claim', 'claimChild']);
  expect(PURPOSES.filter((purpose) => !isOnOtherChain(purpose))).toEqual([
    ...['fee', 'payment', 'refund', 'void', 'refundChild', 'paymentChild'],
  ]);
});
