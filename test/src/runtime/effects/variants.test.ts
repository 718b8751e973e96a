import { describe, expect, it } from 'vitest';
import type { PreparedRecord } from '../../../../machines/journal/context.ts';
import { isBlocked, isTooCheap, urgencyAfter } from '../../../../src/runtime/effects/variants.ts';
import { MOST_URGENT } from '../../../../src/runtime/policy.ts';
import { abandoned } from '../../../../src/testing/incidents/endings.ts';
import { during, momentOf, swapWith } from '../../../../src/testing/incidents/moments.ts';
import { EPOCH, type Scenario } from '../../../../src/testing/world/scenario.ts';
import { type RunResult, runScenario } from '../../../../src/testing/world/simulate.ts';
import type { Observer, World } from '../../../../src/testing/world/world.ts';
import { after, preparedOf, turnOf } from '../../../support/turns.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const PARTIES = ['maker', 'taker'] as const;

function played(scenario: Scenario, meddler: Observer = {}): { readonly result: RunResult; readonly world: World } {
  let seen: World | undefined;
  const watch: Observer = {
    ...meddler,
    settled(world) {
      seen = world;
      meddler.settled?.(world);
    },
  };
  const result = runScenario(scenario, { watch });
  if (seen === undefined) throw new RangeError('nothing happened');
  return { result, world: seen };
}

describe('a refund that does not confirm', () => {
  it.each(PARTIES)('of a %s is replaced by a dearer one while the chain still shows the first', (party) => {
    for (const seed of SEEDS) {
      const { at } = momentOf(abandoned(swapWith(seed), party), { party, broadcast: 'refund' });
      const spike = during({ kind: 'feeSpike', factor: 8 } as const, at + 1, at + 9000);
      const { result, world } = played(abandoned(swapWith(seed, { [party]: { faults: [spike] } }), party));
      const refunds = world.chains[party].ledger.transactions(party).filter(({ purpose }) => purpose === 'refund');
      expect(result.violations).toEqual([]);
      expect(refunds.map(({ status }) => status)).toEqual(['gone', 'confirmed']);
      expect((refunds[1]?.firstSeen ?? 0) - EPOCH - at).toBeLessThan(1200);
    }
  });

  it('is signed with the free nonce when a stranger left a gap before its own', () => {
    for (const seed of SEEDS) {
      const account = { kind: 'account' } as const;
      const { at } = momentOf(abandoned(swapWith(seed, { maker: account }), 'maker'), {
        party: 'maker',
        broadcast: 'refund',
      });
      const censor = during({ kind: 'censor', purposes: ['fee', 'refund'] } as const, 0, at + 300);
      const left = abandoned(swapWith(seed, { maker: { ...account, faults: [censor] } }), 'maker');
      const { result, world } = played(left, strangerBeforeRefund());
      expect(result.violations).toEqual([]);
      expect(result.endings[0]).toMatchObject({ party: 'maker', money: 'refunded', state: 'finished' });
      const refused = world.nodes.maker.records.filter(({ type }) => type === 'BroadcastRefused');
      expect(refused.map(({ data }) => (data as { kind: string }).kind)).toContain('nonceGap');
    }
  });
});

/** Another process of the maker's account sends something before the refund, and the network drops it afterwards. */
function strangerBeforeRefund(): Observer {
  let foreign: string | null = null;
  return {
    settled({ chains, nodes }) {
      const { runner, records } = nodes.maker;
      if (foreign === null && records.some(({ type }) => type === 'MakerPaymentWaitRefundStarted')) {
        const spent = { feeSat: 1000n, burnSat: 0n, urgency: 0, replaces: null };
        const made = chains.maker.wallet({ party: 'maker' }).prepare({ purpose: 'fee', ...spent });
        if (!made.ok) throw new RangeError(made.fault.message);
        foreign = made.value.tx_hash;
        chains.maker.submit(made.value.tx_hex);
      } else if (foreign !== null && runner.journal.prepared.refund.length > 0) chains.maker.drop(foreign);
    },
  };
}

describe('the urgency of a new try', () => {
  const variant = (target: string, urgency: number, dead: boolean) => ({ target, urgency, dead }) as PreparedRecord;

  it('is above that of every one that was included without effect', () => {
    expect(urgencyAfter([], 'a')).toBe(0);
    expect(urgencyAfter([variant('a', 0, true), variant('a', 3, true), variant('a', 1, true)], 'a')).toBe(4);
  });

  it('does not depend on those that may still confirm, nor on those of another funding', () => {
    expect(urgencyAfter([variant('a', 5, false), variant('b', 7, true)], 'a')).toBe(0);
  });

  it('has a bound', () => {
    expect(urgencyAfter([variant('a', MOST_URGENT, true)], 'a')).toBe(MOST_URGENT);
  });
});

describe('a variant that was refused', () => {
  it('is too cheap for its fee alone, and until the fee is the highest', () => {
    const cheap = (urgency: number) => preparedOf({ refused: 'feeTooLow', urgency });
    expect([MOST_URGENT - 1, MOST_URGENT].map((urgency) => isTooCheap(turnOf(), cheap(urgency)))).toEqual([
      true,
      false,
    ]);
    for (const refused of [null, 'nonceGap']) expect(isTooCheap(turnOf(), preparedOf({ refused }))).toBe(false);
  });

  it('is blocked where the one before waited for a nonce for more than ten minutes', () => {
    const turn = turnOf({ policy: { bumpAfter: 600 } });
    const record = preparedOf({ refused: 'nonceGap' });
    const before = (seconds: number, tried = record) =>
      isBlocked(turn, [preparedOf(), preparedOf({ preparedAt: after(-60 - seconds) }), tried, preparedOf()], tried);
    expect([600, 600.001].map((seconds) => before(seconds))).toEqual([false, true]);
    expect(before(900, preparedOf({ refused: 'feeTooLow' }))).toBe(false);
    expect(before(900, preparedOf({ refused: 'nonceGap', urgency: MOST_URGENT - 1 }))).toBe(true);
    expect(before(900, preparedOf({ refused: 'nonceGap', urgency: MOST_URGENT }))).toBe(false);
  });

  it('is not blocked as the first', () => {
    const record = preparedOf({ refused: 'nonceGap' });
    expect(isBlocked(turnOf(), [record, preparedOf({ preparedAt: after(-9000) })], record)).toBe(false);
  });
});
