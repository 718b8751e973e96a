import { describe, expect, it } from 'vitest';
import { isJournalType } from '../../../../src/events/journal.ts';
import { runWorld } from '../../../../src/sim/world/advance.ts';
import { conductOf, scenario } from '../../../../src/sim/world/build.ts';
import { createJudge } from '../../../../src/sim/world/judge.ts';
import type { Scenario } from '../../../../src/sim/world/scenario.ts';
import { createWorld } from '../../../../src/sim/world/world.ts';

function run(planned: Scenario) {
  const judge = createJudge();
  const world = createWorld(planned, { observer: judge.observer });
  runWorld(world);
  const { endings, violations } = judge.conclude(world);
  const { maker, taker } = world.nodes;
  const types = [maker, taker].map(({ records }) =>
    records.map(({ type }) => type).filter((type) => !isJournalType(type)),
  );
  const money = Object.fromEntries(endings.map((ending) => [ending.party, ending.money]));
  return { world, violations, money, maker: types[0] ?? [], taker: types[1] ?? [] };
}

/** Both locks have passed, and a taker that was away for so long comes back. */
const LONG_AWAY = 20_000;

describe('a party that breaks the protocol', () => {
  it('a maker that pays less is caught by the taker, who keeps its coins', () => {
    const { maker, taker, money, violations } = run(scenario(conductOf('maker', { kind: 'underpay' })));
    expect(maker).toContain('MakerPaymentSent');
    expect(taker.slice(-2)).toEqual(['MakerPaymentValidateFailed', 'Finished']);
    expect({ taker: money['taker'], violations }).toEqual({ taker: 'untouched', violations: [] });
  });

  it('a taker that pays less is caught by the maker, who refunds its payment', () => {
    const { maker, taker, money, violations } = run(scenario(conductOf('taker', { kind: 'underpay' })));
    expect(taker).toContain('TakerPaymentSent');
    expect(maker).toContain('TakerPaymentValidateFailed');
    expect({ maker: money['maker'], violations }).toEqual({ maker: 'refunded', violations: [] });
  });

  it('a greedy maker gets nothing from a taker who is present', () => {
    const { money, violations } = run(scenario(conductOf('maker', { kind: 'greedy' })));
    expect({ money, violations }).toEqual({ money: { maker: 'swapped', taker: 'swapped' }, violations: [] });
  });

  it('a greedy maker claims both payments of a taker who is away until both locks have passed', () => {
    const away = conductOf('taker', { kind: 'vanish', after: 'TakerPaymentSent', backAfter: LONG_AWAY });
    const { money, taker } = run(scenario(conductOf('maker', { kind: 'greedy' }), away));
    expect(money).toEqual({ maker: 'gained', taker: 'lost' });
    expect(taker.slice(-3)).toEqual(['TakerPaymentSpent', 'MakerPaymentSpendFailed', 'Finished']);
  });

  it('a liar and one that names a short lock get no payment from a taker', () => {
    for (const conduct of [{ kind: 'liar' }, { kind: 'shortLock', seconds: 600, admit: true }] as const) {
      const { taker, money, violations } = run(scenario(conductOf('maker', conduct)));
      expect(taker).not.toContain('TakerPaymentSent');
      expect({ taker: money['taker'], violations }).toEqual({ taker: 'untouched', violations: [] });
    }
  });
});
