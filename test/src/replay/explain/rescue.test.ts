import { describe, expect, it } from 'vitest';
import { rescue } from '../../../../src/replay/explain/rescue.ts';
import { claimBy, explainFacts, type FactsOptions, refundBy } from '../../../support/explain-facts.ts';

const step = (action: string, options: FactsOptions) =>
  [...rescue(explainFacts({ outcome: 'funds-at-risk', next: { action, who: 'operator' }, ...options }))][0];

const own = { status: 'locked', claimable: [claimBy('maker'), refundBy('taker')] } as const;

describe('what a person does about the own payment', () => {
  it('names its chain, what to claim, and whether a refund is possible yet', () => {
    const taker = { takerPayment: own } as const;
    expect(step('refundTakerPayment', taker)).toMatchInlineSnapshot(
      `"Check on the MARTY chain whether the maker has spent the taker payment (3 MARTY): if so, take the secret from that spend and claim 2.4 DOC at once, if the maker has not refunded it yet; if not, refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time."`,
    );
    expect(step('refundTakerPayment', { ...taker, now: -3600 })).toContain(
      'if not, refund it from 2023-11-14 22:13:20 UTC (in 1 h) on, by the chain',
    );
    expect(step('refundTakerPayment', { ...taker, now: 3600 })).toContain(
      'if not, refund it, which has been possible since 2023-11-14 22:13:20 UTC (1 h ago), by the chain',
    );
    expect(step('findTakerPayment', taker)).toMatchInlineSnapshot(
      `"Check on the MARTY chain whether the taker payment (3 MARTY) was broadcast nevertheless. If so, check whether the maker has spent it: if it has, take the secret from that spend and claim 2.4 DOC at once, if the maker has not refunded it yet; if not, refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time."`,
    );
  });

  it('of a maker, whose secret nobody has seen, is to refund it', () => {
    const maker = { role: 'maker', makerPayment: { status: 'locked', claimable: [refundBy('maker')] } } as const;
    expect(step('refundMakerPayment', maker)).toMatchInlineSnapshot(
      `"Check on the DOC chain whether the taker has spent the maker payment (2.4 DOC); if not, refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time."`,
    );
    expect(step('findMakerPayment', maker)).toMatchInlineSnapshot(
      `"Check on the DOC chain whether the maker payment (2.4 DOC) was broadcast nevertheless; if so, refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time."`,
    );
    const undated = { ...maker, makerPayment: { status: 'locked', claimable: [refundBy('maker', null)] } } as const;
    expect(step('findMakerPayment', undated)).toContain(
      'refund it once its lock, which the log does not date, has passed',
    );
  });

  it('is the step itself if it is a different one, or the coin is unknown', () => {
    expect(step('repair', { takerPayment: own })).toBe('The node acts.');
    expect(step('refundTakerPayment', { takerPayment: { ...own, coin: null }, head: { taker_coin: null } })).toBe(
      'The node acts.',
    );
  });
});
