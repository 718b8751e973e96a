import { describe, expect, it } from 'vitest';
import { adviceOf } from '../../../../src/replay/explain/advice.ts';
import { claimBy, explainFacts, type FactsOptions, LOCK, refundBy, SWAP_ID } from '../../../support/explain-facts.ts';

const advice = (options: FactsOptions) => adviceOf(explainFacts(options));

const ownLocked = { status: 'locked', claimable: [refundBy('taker')] } as const;
const otherLocked = { status: 'locked', claimable: [claimBy('taker'), refundBy('maker')] } as const;

describe('what to do about a settled swap', () => {
  it('is nothing once the coins arrived, but to let an open swap end', () => {
    const finished = { kdf: { finished: true } };
    expect(advice({ outcome: 'completed', ...finished })).toEqual(['Nothing: the taker received 2.4 DOC.']);
    expect(advice({ outcome: 'completed', role: 'maker', ...finished })).toEqual([
      'Nothing: the maker received 3 MARTY.',
    ]);
    expect(advice({ outcome: 'completed' })).toEqual([
      'Nothing: the taker received 2.4 DOC. Let the node close the swap.',
    ]);
  });

  it('is nothing once the payment came back', () => {
    expect(advice({ outcome: 'refunded' })).toEqual([
      'Nothing: the taker has its 3 MARTY back, less the fees of the transactions.',
    ]);
  });

  it('is nothing where nothing was locked, though the taker may have paid its fee', () => {
    const failed = (role: 'taker' | 'maker', ...events: string[]) =>
      advice({ outcome: 'failed-before-payment', role, events });
    expect(failed('taker', 'Started')).toEqual(['Nothing: no coins of the taker are locked.']);
    expect(failed('taker', 'TakerFeeSent')).toEqual([
      'Nothing: no coins of the taker are locked; only the taker fee is gone.',
    ]);
    expect(failed('maker', 'TakerFeeSent')).toEqual(['Nothing: no coins of the maker are locked.']);
  });
});

describe('what to do while a swap is under way', () => {
  it('is to keep the node running, and to pay no more once it is late', () => {
    const running =
      'Keep the node running. Where it stopped here, start it again with both coins active and it goes on; nothing of its own is locked yet.';
    const late = 'The time of this step has passed. Do not send a payment now: let the node close the swap.';
    for (const status of ['none', 'uncertain'] as const) {
      const takerPayment = { status };
      expect(advice({ takerPayment, next: { until: LOCK } })).toEqual([running]);
      expect(advice({ takerPayment, next: { until: LOCK }, now: 0 })).toEqual([running]);
      expect(advice({ takerPayment, next: { until: LOCK }, now: 1 })).toEqual([late]);
      expect(advice({ takerPayment, next: {}, now: 1 })).toEqual([running]);
      expect(advice({ takerPayment, now: 1 })).toEqual([running]);
    }
  });

  it('tells from when on both payments can go back', () => {
    const legs = { takerPayment: ownLocked, makerPayment: otherLocked };
    expect(advice(legs)).toMatchInlineSnapshot(`
      [
        "Keep the node running and online. Where it stopped here, start it again with both coins active. Its own payment can be refunded from 2023-11-14 22:13:20 UTC on; the other side can take back its own from 2023-11-14 22:13:20 UTC on.",
      ]
    `);
    expect(advice({ ...legs, next: { until: LOCK }, now: 60 })).toMatchInlineSnapshot(`
      [
        "The time of this step has passed. Look first whether the maker has spent the taker payment: if so, take the secret from that spend and claim 2.4 DOC at once; if not, refund it when its lock has passed. Its own payment can be refunded from 2023-11-14 22:13:20 UTC (1 min ago) on; the other side can take back its own from 2023-11-14 22:13:20 UTC (1 min ago) on.",
      ]
    `);
    const undated = {
      takerPayment: { ...ownLocked, claimable: [] },
      makerPayment: { claimable: [refundBy('maker', null)] },
    };
    expect(advice(undated)).toMatchInlineSnapshot(`
      [
        "Keep the node running and online. Where it stopped here, start it again with both coins active. Its own payment can be refunded from a time that this log does not hold on; the other side can take back its own from a time that this log does not hold on.",
      ]
    `);
  });
});

describe('what to do about coins in the open', () => {
  it('is to keep the node running until they are home', () => {
    expect(advice({ outcome: 'claim-pending', next: {} })).toMatchInlineSnapshot(`
      [
        "Keep the node running with both coins active until the claim of 2.4 DOC is confirmed; where it stopped here, start it again at once.",
      ]
    `);
    expect(advice({ outcome: 'claim-pending' })).toEqual(advice({ outcome: 'claim-pending', next: {} }));
    expect(advice({ outcome: 'refund-pending', next: { who: 'operator' } })).toMatchInlineSnapshot(`
      [
        "Keep the node running with both coins active until 3 MARTY is back; where it stopped here, start it again.",
      ]
    `);
  });

  it('is the next step of a person, and what the real node can do for it', () => {
    const next = { who: 'operator', text: 'Claim the payment.', until: LOCK } as const;
    const rescue = (kdf: FactsOptions['kdf'] = {}) => advice({ outcome: 'funds-at-risk', next, kdf, now: -60 });
    expect(rescue({ recoverable: true, finished: true })).toEqual([
      'Claim the payment. There are 1 min left.',
      `On the real node: activate both coins, then call recover_funds_of_swap with the uuid ${SWAP_ID}.`,
    ]);
    expect(rescue({ finished: true }).slice(1)).toMatchInlineSnapshot(`
      [
        "The real node refuses recover_funds_of_swap for this log, so the transaction has to be made with the keys themselves.",
      ]
    `);
    expect(rescue().slice(1)).toMatchInlineSnapshot(`
      [
        "The real node refuses recover_funds_of_swap for a swap that is not finished, and started again it may head for a refund: make the transaction with the keys themselves, or let the node close the swap first.",
      ]
    `);
    expect(advice({ outcome: 'claim-pending', next, now: -60 })).toEqual(rescue());
    expect(advice({ outcome: 'funds-at-risk' })[0]).toBe('Look on both chains where the payments are.');
  });
});
