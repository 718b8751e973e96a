import { describe, expect, it } from 'vitest';
import type { LegFunds, Party } from '../../../../machines/swap-verdict.ts';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { fundsSentences, nextSentences } from '../../../../src/replay/explain/funds.ts';
import { claimBy, explainFacts, type FactsOptions, LOCK, refundBy } from '../../../support/explain-facts.ts';

const funds = (options: FactsOptions) => fundsSentences(explainFacts(options));
/** What is said of the maker's payment in the log of its taker. */
const makerLeg = (makerPayment: Partial<LegFunds>, options: FactsOptions = {}) =>
  funds({ makerPayment, ...options })[1];
/** What is said of the taker's payment in the log of its taker. */
const takerLeg = (takerPayment: Partial<LegFunds>, options: FactsOptions = {}) =>
  funds({ takerPayment, ...options })[0];

describe('where the coins are', () => {
  it('begins with the payment of the own side', () => {
    expect(funds({})).toEqual([
      'This log knows of no payment of the taker (3 MARTY).',
      'This log knows of no payment of the maker (2.4 DOC).',
    ]);
    expect(funds({ role: 'maker' })).toEqual([
      'This log knows of no payment of the maker (2.4 DOC).',
      'This log knows of no payment of the taker (3 MARTY).',
    ]);
  });

  it('says who has a payment that was moved, and who moved it', () => {
    const moved = (status: LegFunds['status'], by: Party | 'watcher', tx: string | null = null) => [
      makerLeg({ status, by, tx }),
      takerLeg({ status, by, tx }),
    ];
    expect(moved('spent', 'taker', 'ab12')).toMatchInlineSnapshot(`
      [
        "The taker spent the maker payment of 2.4 DOC (ab12): the log shows that this was broadcast, and no confirmation.",
        "The maker spent the taker payment of 3 MARTY (ab12): the log shows that this was broadcast, and no confirmation.",
      ]
    `);
    expect(moved('spent', 'watcher', 'ab12')).toMatchInlineSnapshot(`
      [
        "A watcher spent the maker payment of 2.4 DOC to the taker's address (ab12): the log shows that this was broadcast, and no confirmation.",
        "A watcher spent the taker payment of 3 MARTY to the maker's address (ab12): the log shows that this was broadcast, and no confirmation.",
      ]
    `);
    expect(moved('refunded', 'maker')).toMatchInlineSnapshot(`
      [
        "The maker payment of 2.4 DOC goes back to the maker by itself; the log shows no transaction.",
        "The taker payment of 3 MARTY goes back to the taker by itself; the log shows no transaction.",
      ]
    `);
    expect(moved('refunded', 'watcher', 'ab12')).toMatchInlineSnapshot(`
      [
        "The refund of the maker payment of 2.4 DOC by a watcher (ab12) was broadcast, and the log shows no confirmation.",
        "The refund of the taker payment of 3 MARTY by a watcher (ab12) was broadcast, and the log shows no confirmation.",
      ]
    `);
  });

  it('warns while a payment is in the open that the chain may show more', () => {
    const warning = 'This is what the log tells: what others did on the chains since then is not in it.';
    for (const status of ['locked', 'uncertain'] as const) {
      expect(funds({ makerPayment: { status } }).at(-1)).toBe(warning);
      expect(funds({ takerPayment: { status }, makerPayment: { status: 'spent' } }).at(-1)).toBe(warning);
    }
    for (const status of ['none', 'spent', 'refunded'] as const) {
      expect(funds({ makerPayment: { status }, takerPayment: { status } })).toHaveLength(2);
    }
  });
});

describe('a locked payment', () => {
  const locked = { status: 'locked', tx: 'ab12' } as const;

  it('that only a refund can move', () => {
    const claimable = [refundBy('maker')];
    expect(makerLeg({ ...locked, claimable })).toMatchInlineSnapshot(
      `"The maker payment of 2.4 DOC was sent to the DOC chain (ab12), and the log shows no spend of it. The taker cannot take it without the secret, which is not public by this log; the maker can refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time."`,
    );
    expect(makerLeg({ ...locked, claimable }, { now: -7200 })).toMatchInlineSnapshot(
      `"The maker payment of 2.4 DOC was sent to the DOC chain (ab12), and the log shows no spend of it. The taker cannot take it without the secret, which is not public by this log; the maker can refund it from 2023-11-14 22:13:20 UTC (in 2 h) on, by the chain's own time."`,
    );
    expect(makerLeg({ ...locked, claimable }, { now: 7200 })).toMatchInlineSnapshot(
      `"The maker payment of 2.4 DOC was sent to the DOC chain (ab12), and the log shows no spend of it. The taker could not take it without the secret, which is not public by this log; since 2023-11-14 22:13:20 UTC (2 h ago), by the chain's own time, the maker could refund it. The log does not show whether it did."`,
    );
    expect(makerLeg({ ...locked, claimable: [refundBy('maker', null)] })).toMatchInlineSnapshot(
      `"The maker payment of 2.4 DOC was sent to the DOC chain (ab12), and the log shows no spend of it. The taker cannot take it without the secret, which is not public by this log; the maker can refund it once its lock has passed, which this log does not date."`,
    );
  });

  it('that the secret moves as well', () => {
    const claimable = [claimBy('maker'), refundBy('taker')];
    expect(takerLeg({ ...locked, claimable })).toMatchInlineSnapshot(
      `"The taker payment of 3 MARTY was sent to the MARTY chain (ab12), and the log shows no spend of it. The maker can take it with the secret at once; the taker can refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time, and then whoever is first has it."`,
    );
    expect(takerLeg({ ...locked, claimable }, { now: 60 })).toMatchInlineSnapshot(
      `"The taker payment of 3 MARTY was sent to the MARTY chain (ab12), and the log shows no spend of it. The maker could take it with the secret at once, and since 2023-11-14 22:13:20 UTC (1 min ago), by the chain's own time, the taker could refund it as well: whoever was first has it, and the log does not show who."`,
    );
    expect(takerLeg({ ...locked, claimable: [claimBy('maker')] })).toMatchInlineSnapshot(
      `"The taker payment of 3 MARTY was sent to the MARTY chain (ab12), and the log shows no spend of it. The maker can take it with the secret at once; the taker can refund it once its lock has passed, which this log does not date."`,
    );
  });

  it('can be refunded after the second of its lock, not in it', () => {
    const said = (now: number) => makerLeg({ ...locked, claimable: [refundBy('maker')] }, { now });
    expect(said(0)).toContain('can refund it from');
    expect(said(1)).toContain('the maker could refund it');
  });
});

describe('an uncertain payment', () => {
  const uncertain = { status: 'uncertain', tx: 'ab12', claimable: [refundBy('maker')] } as const;
  const own = { status: 'uncertain', claimable: [claimBy('maker'), refundBy('taker')] } as const;

  it('of the own side is one whose sending was reported as failed', () => {
    expect(takerLeg(own)).toMatchInlineSnapshot(
      `"It is not known whether the taker payment of 3 MARTY is on the MARTY chain: sending it was reported as failed, and a node's answer is no proof. If it is there: the maker can take it with the secret at once; the taker can refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time, and then whoever is first has it."`,
    );
    const after = { events: ['MakerPaymentSpendConfirmFailed', 'TakerPaymentSpendConfirmFailed'] };
    expect(takerLeg(own, after)).toBe(takerLeg(own));
  });

  it('of the other side is one that was announced only', () => {
    expect(makerLeg(uncertain)).toMatchInlineSnapshot(
      `"The maker announced its payment of 2.4 DOC (ab12), which is still being checked. If it is on the DOC chain: the taker cannot take it without the secret, which is not public by this log; the maker can refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time."`,
    );
    expect(makerLeg(uncertain, { events: ['TakerPaymentSpendConfirmFailed'] })).toBe(makerLeg(uncertain));
  });

  it('of the other side is one whose check failed, for whichever reason the log gives', () => {
    const after = (error: string) => makerLeg(uncertain, { events: [['MakerPaymentValidateFailed', { error }]] });
    expect(after('Waited too long until 1578610248 for transaction ab to be confirmed 2 times')).toContain(
      ' (ab12), which was not confirmed in time.',
    );
    expect(after('All electrums are currently disconnected')).toContain(' (ab12), whose check failed.');
    expect(after('Provided payment tx output does not match')).toContain(' (ab12), which was not found valid.');
  });

  it('of the other side is one whose claim was not confirmed', () => {
    const claimable = [claimBy('taker'), refundBy('maker')];
    expect(makerLeg({ ...uncertain, claimable }, { events: ['MakerPaymentSpendConfirmFailed'] })).toMatchInlineSnapshot(
      `"The taker broadcast a spend of the maker payment of 2.4 DOC (ab12), but its confirmation failed. If it is not on the DOC chain: the taker can take it with the secret at once; the maker can refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time, and then whoever is first has it."`,
    );
    const taker = { takerPayment: { ...uncertain, claimable: own.claimable } };
    expect(funds({ role: 'maker', ...taker, events: ['TakerPaymentSpendConfirmFailed'] })[1]).toMatchInlineSnapshot(
      `"The maker broadcast a spend of the taker payment of 3 MARTY (ab12), but its confirmation failed. If it is not on the MARTY chain: the maker can take it with the secret at once; the taker can refund it from 2023-11-14 22:13:20 UTC on, by the chain's own time, and then whoever is first has it."`,
    );
    const announced = funds({ role: 'maker', ...taker, events: ['MakerPaymentSpendConfirmFailed'] })[1];
    expect(announced).toContain('announced its payment');
  });
});

describe('the taker fee', () => {
  const paid = ['The taker fee is paid (fe) and does not come back.'];
  const after = (event: readonly [string, unknown]) => funds({ events: ['Started', event] }).slice(2);

  it('is named once it is sent or seen', () => {
    expect(after(['TakerFeeSent', { tx_hex: '01', tx_hash: 'fe' }])).toEqual(paid);
    expect(after(['TakerFeeValidated', { tx_hex: '01', tx_hash: 'fe' }])).toEqual(paid);
  });

  it('is not named where there was none to pay, or nothing is known of it', () => {
    expect(after(['TakerFeeSent', { tx_hex: '', tx_hash: '' }])).toEqual([]);
    expect(after(['TakerFeeSent', null])).toEqual([]);
    expect(after(['TakerPaymentSent', { tx_hex: '01', tx_hash: 'fe' }])).toEqual([]);
  });
});

describe('what happens next', () => {
  const next = (step: FactsOptions['next'], options: FactsOptions = {}) =>
    nextSentences(explainFacts({ next: step ?? null, ...options }));

  it('is nothing in a closed swap', () => {
    expect(next(null)).toEqual(['Nothing: the swap is closed.']);
  });

  it('is what a running node does, or would have done', () => {
    expect(next({ until: LOCK })).toEqual(['The node acts. A running node does this by itself.']);
    expect(next({}, { now: 60 })).toEqual(['The node acts. A running node does this by itself.']);
    expect(next({ until: LOCK }, { now: 0 })).toEqual([
      'The node acts. A running node does this by itself. There are 0 s left.',
    ]);
    expect(next({ until: LOCK }, { now: 60 })).toEqual([
      'The node acts. A running node would have done this by itself. It is overdue by 1 min.',
    ]);
    expect(next({ notBefore: unixSecondsOf(LOCK + 120) }, { now: 60 })).toEqual([
      'The node acts. A running node does this by itself. It becomes possible in 1 min.',
    ]);
  });

  it('is nothing automatic if a person must act', () => {
    expect(next({ who: 'operator' }, { state: 'finished' })).toEqual([
      'Nothing happens automatically: every node considers the swap closed, so someone must act.',
    ]);
    expect(next({ who: 'operator' })).toEqual([
      'Nothing happens automatically that would settle it: someone must look.',
    ]);
  });
});
