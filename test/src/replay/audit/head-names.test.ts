import { describe, expect, it } from 'vitest';
import type { SwapLog } from '../../../../src/events/saved-swap.ts';
import { eventNamesRule } from '../../../../src/replay/audit/head.ts';
import { buildSwapPair } from '../../../../src/testing/logs/swap-builder.ts';
import { type Finding, judge, notCheckable, verified, withHead } from '../../../support/audited.ts';

type Names = readonly string[];
type History = { readonly current: Names; readonly gained: readonly Names[]; readonly sizes: readonly number[] };

const plain = buildSwapPair({ seed: 92 });
const watched = buildSwapPair({ seed: 92, watchers: true });

/** What each release added to a list, oldest first, and how long the list was with and before it. */
const TAKER_ERROR: History = {
  current: plain.taker.head.error_events,
  gained: [
    ['MakerPaymentWaitConfirmFailed'],
    ['TakerPaymentWaitConfirmFailed'],
    ['TakerPaymentWaitRefundStarted'],
    ['TakerPaymentRefundStarted', 'TakerPaymentRefundFinished'],
    ['TakerPaymentRefundedByWatcher'],
    ['MakerPaymentSpendConfirmFailed'],
  ],
  sizes: [10, 11, 12, 13, 15, 16, 17],
};
const TAKER_SUCCESS: History = {
  current: plain.taker.head.success_events,
  gained: [['TakerPaymentInstructionsReceived'], ['MakerPaymentSpendConfirmed']],
  sizes: [10, 11, 12],
};
const WATCHER_SUCCESS: History = {
  current: watched.taker.head.success_events,
  gained: [['TakerPaymentInstructionsReceived'], ['MakerPaymentSpentByWatcher'], ['MakerPaymentSpendConfirmed']],
  sizes: [11, 12, 13, 14],
};
const MAKER_SUCCESS: History = {
  current: plain.maker.head.success_events,
  gained: [['TakerPaymentSpendConfirmStarted', 'TakerPaymentSpendConfirmed'], ['MakerPaymentInstructionsReceived']],
  sizes: [9, 11, 12],
};
const MAKER_ERROR: History = {
  current: plain.maker.head.error_events,
  gained: [
    ['TakerPaymentWaitConfirmFailed'],
    ['MakerPaymentWaitConfirmFailed'],
    ['MakerPaymentWaitRefundStarted'],
    ['TakerPaymentSpendConfirmFailed'],
    ['MakerPaymentRefundStarted', 'MakerPaymentRefundFinished'],
  ],
  sizes: [9, 10, 11, 12, 13, 15],
};

const CASES = [
  [plain.taker, 'error_events', TAKER_ERROR],
  [plain.taker, 'success_events', TAKER_SUCCESS],
  [plain.taker, 'success_events', WATCHER_SUCCESS],
  [plain.maker, 'success_events', MAKER_SUCCESS],
  [plain.maker, 'error_events', MAKER_ERROR],
] as const;

function judged(log: SwapLog, member: string, names: Names): Finding | undefined {
  return judge(eventNamesRule, withHead(log, { [member]: names })).find((finding) =>
    (finding.found ?? finding.reason ?? '').startsWith(member),
  );
}

/** The list as it was at each step, oldest first. */
function steps({ current, gained }: History): readonly Names[] {
  return [...gained.keys(), gained.length].map((step) => {
    const later = new Set(gained.slice(step).flat());
    return current.filter((name) => !later.has(name));
  });
}

describe('the lists of names', () => {
  it('are those of a release, from 2019 to today', () => {
    for (const [log, member, history] of CASES) {
      const lists = steps(history);
      expect(lists.map(({ length }) => length)).toEqual(history.sizes);
      for (const names of lists) {
        expect(judged(log, member, names)).toEqual(verified(null, `${member} of ${names.length} names`));
      }
    }
  });

  it('prove nothing when they are of no release: another order, another selection, or none', () => {
    for (const [log, member, { current, gained }] of CASES) {
      const others = [current.toReversed(), current.slice(1), [...current, 'Finished'], []];
      const firstOnly = current.filter((name) => !gained[0]?.includes(name));
      const selections = gained.length > 1 ? [...others, firstOnly] : others;
      for (const names of selections) {
        expect(judged(log, member, names)).toEqual(
          notCheckable(null, `${member} is not the list of any known release; it is only for display`),
        );
      }
    }
  });

  it('are both judged, the successes first', () => {
    expect(judge(eventNamesRule, watched.taker)).toEqual([
      verified(null, 'success_events of 14 names'),
      verified(null, 'error_events of 17 names'),
    ]);
    expect(judge(eventNamesRule, plain.maker)).toEqual([
      verified(null, 'success_events of 12 names'),
      verified(null, 'error_events of 15 names'),
    ]);
  });
});
