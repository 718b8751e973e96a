import { describe, expect, it } from 'vitest';
import { isJournalType } from '../../../../../src/events/journal.ts';
import { foreignSwap } from '../../../../support/foreign-swap.ts';
import type { Pair } from '../../../../support/swap-pair.ts';

function publicTypes(pair: Pair, after: string): readonly string[] {
  const types = pair.types('taker').filter((type) => !isJournalType(type));
  return types.slice(types.indexOf(after) + 1);
}

describe('a taker’s log of another node, taken over when its payments are spent already', () => {
  it.each([
    [true, 'WatcherMessageSent', 'MakerPaymentSpentByWatcher'],
    [false, 'TakerPaymentSent', 'MakerPaymentSpent'],
  ])('names who can have made the claim, with watchers told: %s', async (use_watchers, last, claimed) => {
    const { pair, text } = await foreignSwap({
      side: 'taker',
      runUntil: 'Finished',
      cutBefore: 'TakerPaymentSpent',
      request: { use_watchers },
    });
    await pair.nodes.taker.runtime.importText(text);
    await pair.minutes(5);
    expect(publicTypes(pair, last)).toEqual(['TakerPaymentSpent', claimed, 'MakerPaymentSpendConfirmed', 'Finished']);
    const records = await pair.nodes.taker.log.read(`taker-swap/3447b727-fe93-4357-8e5a-8cf2699b7e86`);
    expect(records.find(({ type }) => type === 'PaymentSettled')?.data).toMatchObject({
      by: use_watchers ? 'watcher' : 'self',
    });
  });

  it.each([
    [true, ['TakerPaymentRefundedByWatcher', 'Finished']],
    [false, ['TakerPaymentRefunded', 'TakerPaymentRefundFinished', 'Finished']],
  ])('names who can have made the refund, with watchers told: %s', async (use_watchers, end) => {
    const { pair, text } = await foreignSwap({
      side: 'taker',
      otherDiesAfter: 'MakerPaymentSent',
      runUntil: 'Finished',
      cutBefore: 'TakerPaymentWaitForSpendFailed',
      request: { use_watchers },
    });
    await pair.nodes.taker.runtime.importText(text);
    await pair.minutes(5);
    expect(publicTypes(pair, 'TakerPaymentRefundStarted')).toEqual(end);
  });
});
