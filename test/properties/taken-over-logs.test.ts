import { describe, expect, it } from 'vitest';
import { IMPORTED, isJournalType } from '../../src/events/journal.ts';
import type { NewRecord } from '../../src/ports/event-log.ts';
import { conductOf, crashAt, scenario } from '../../src/sim/world/build.ts';
import { createJudge } from '../../src/sim/world/judge.ts';
import type { Scenario } from '../../src/sim/world/scenario.ts';
import type { World } from '../../src/sim/world/world.ts';
import { oneIn } from '../support/draws.ts';
import { foreignRecords, runTakeOver, type TakeOver } from '../support/foreign-log.ts';
import { commandsOf, RUNS } from './crashes.ts';

function moneyOf(planned: Scenario, takeOver: TakeOver) {
  const judge = createJudge();
  const world = runTakeOver(planned, takeOver, judge.observer);
  const { endings, violations } = judge.conclude(world);
  return { world, violations, money: Object.fromEntries(endings.map((ending) => [ending.party, ending.money])) };
}

function typesOf(world: World, party: 'maker' | 'taker'): readonly string[] {
  return world.nodes[party].records.map(({ type }) => type).filter((type) => type !== IMPORTED && !isJournalType(type));
}

function failure(records: readonly NewRecord[], type: string): NewRecord {
  const at = (records.at(-1) as NewRecord).at;
  return { at, type, version: 1, data: { error: 'the node did not answer' } };
}

// The real node decides the next step twice, live and at a restart, and both disagree in two places. There a restarted
// node heads for the refund of a payment that the maker has taken already, instead of claiming.
describe.each([
  ['soon', 600],
  ['after the watchers have given up', 12_500],
])('a log at which a restarted real node would go for the refund, taken over %s', (_, backAfter) => {
  it.each([
    ['MakerPaymentSpendFailed', 'TakerPaymentSpent', false],
    ['MakerPaymentSpendFailed', 'TakerPaymentSpent', true],
    ['TakerPaymentWaitForSpendFailed', 'TakerPaymentSent', false],
    ['TakerPaymentWaitForSpendFailed', 'TakerPaymentSent', true],
  ])('%s after %s (watchers: %s): the engine claims', (type, after, useWatchers) => {
    const planned = scenario({ useWatchers }, conductOf('taker', { kind: 'vanish', after, backAfter }));
    const { world, money } = moneyOf(planned, {
      party: 'taker',
      log: (records) => foreignRecords(records, [failure(records, type)]),
    });
    expect(money).toEqual({ maker: 'swapped', taker: 'swapped' });
    const events = typesOf(world, 'taker');
    expect(events.at(-1)).toBe('Finished');
    expect(events.slice(events.indexOf(type))).toEqual([
      type,
      ...(after === 'TakerPaymentSent' ? ['TakerPaymentSpent'] : []),
      'MakerPaymentSpent',
      'MakerPaymentSpendConfirmed',
      'Finished',
    ]);
    const refunds = world.chains.taker.ledger.transactions('taker').filter(({ purpose }) => purpose === 'refund');
    expect(refunds).toEqual([]);
  });
});

/** What the journal tells nobody any more: its transactions are strangers, and a fee that was sent cannot be found again. */
const FORGOTTEN = new Set(['R5', 'R8']);

describe.each(oneIn(5, RUNS))('%s, of which only the public events are left after a crash', (_, calm, money) => {
  it.each(['maker', 'taker'] as const)('ends the same wherever the %s crashes', (party) => {
    const wrong: string[] = [];
    for (const at of commandsOf(calm, party, 'telling')) {
      const planned = crashAt(party, { at, when: 'after', downFor: 0 })(calm);
      const taken = moneyOf(planned, {
        party,
        log: (records) => (negotiated(records) ? foreignRecords(records) : records),
      });
      if (JSON.stringify(taken.money) !== JSON.stringify(money)) wrong.push(`${at}: ${JSON.stringify(taken.money)}`);
      for (const { rule, text } of taken.violations) if (!FORGOTTEN.has(rule)) wrong.push(`${at}: ${rule} ${text}`);
    }
    expect(wrong).toEqual([]);
  });
});

/** Before that nothing is at stake, and the other side's message that the journal held does not come again. */
function negotiated(records: readonly NewRecord[]): boolean {
  return records.some(({ type }) => type === 'Negotiated');
}
