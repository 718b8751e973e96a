import { describe, expect, it } from 'vitest';
import { unixSecondsOf } from '../../../../src/primitives/time.ts';
import { adviceOf } from '../../../../src/replay/explain/advice.ts';
import { claimBy, explainFacts, type FactsOptions, LOCK, refundBy, SWAP_ID } from '../../../support/explain-facts.ts';

const advice = (options: FactsOptions) => adviceOf(explainFacts({ events: ['Started'], ...options }));

const ownLocked = { status: 'locked', claimable: [refundBy('taker')] } as const;
const otherLocked = { status: 'locked', claimable: [claimBy('taker'), refundBy('maker')] } as const;

const SPENT = { status: 'spent', tx: 'ab12', by: 'taker' } as const;

describe('what to do about a settled swap', () => {
  it('is nothing once the coins arrived, except to let an open swap end', () => {
    const finished = { kdf: { finished: true } };
    const taker = { outcome: 'completed', makerPayment: SPENT, events: ['MakerPaymentSpendConfirmed'] } as const;
    const arrived = 'before network fees, which this log does not tell';
    expect(advice({ ...taker, ...finished })).toEqual([`Nothing: the taker received 2.4 DOC ${arrived}.`]);
    const maker = { outcome: 'completed', takerPayment: SPENT, events: ['TakerPaymentSpendConfirmed'] } as const;
    expect(advice({ ...maker, role: 'maker', ...finished })).toEqual([
      `Nothing: the maker received 3 MARTY ${arrived}.`,
    ]);
    expect(advice(taker)).toEqual([`Nothing: the taker received 2.4 DOC ${arrived}. Let the node close the swap.`]);
  });

  it('is to check if the log shows a broadcast, and no confirmation', () => {
    expect(advice({ outcome: 'completed', makerPayment: SPENT, kdf: { finished: true } })).toEqual([
      'Check whether the claim (ab12) is confirmed on the DOC chain: the log shows that it was broadcast, and no confirmation. If it is, there is nothing to do: the taker received 2.4 DOC before network fees, which this log does not tell.',
    ]);
    expect(advice({ outcome: 'refunded', takerPayment: { status: 'refunded', tx: 'cd34', by: 'taker' } })).toEqual([
      'Check whether the refund (cd34) is confirmed on the MARTY chain: the log shows that it was broadcast, and no confirmation. If it is, there is nothing to do: the taker got back 3 MARTY before network fees, which this log does not tell.',
    ]);
  });

  it('is to check whether a chain refunds a payment automatically', () => {
    expect(advice({ outcome: 'refunded', takerPayment: { status: 'refunded', by: 'taker' } })).toEqual([
      'Check whether 3 MARTY is back on the MARTY chain, which gives it back by itself: the log shows no transaction. If it is, there is nothing to do.',
    ]);
  });

  it('is nothing if nothing was locked, although the taker may have paid its fee', () => {
    const failed = (role: 'taker' | 'maker', ...events: string[]) =>
      advice({ outcome: 'failed-before-payment', role, events });
    expect(failed('taker', 'Started')).toEqual(['Nothing: no coins of the taker are locked.']);
    expect(failed('taker', 'TakerFeeSent')).toEqual([
      'Nothing: no coins of the taker are locked; only the taker fee is gone.',
    ]);
    expect(failed('maker', 'TakerFeeSent')).toEqual(['Nothing: no coins of the maker are locked.']);
  });
});

describe('what to do before the next swap', () => {
  const failed = (error: string) =>
    advice({ outcome: 'failed-before-payment', events: ['Started', ['MakerPaymentValidateFailed', { error }]] })[1];

  it('is what fixes the last error, unless it is about a transaction of this one', () => {
    expect(failed('All electrums are currently disconnected')).toBe(
      'Before the next swap: configure working servers for the coin, then retry the step.',
    );
    expect(failed('Waited too long until 1578610248 for transaction ab to be confirmed 2 times')).toBeUndefined();
  });
});

describe('what to do about a log that the real node does not load', () => {
  const open = (anomaly: boolean, ...events: string[]) => {
    const facts = explainFacts({ outcome: 'refund-pending', events: ['Started', ...events] });
    const anomalies = [
      { seq: 0, code: 'SHAPE_UPCAST', severity: 'notice', message: 'Started is odd; the real node refuses it.' },
    ] as const;
    return adviceOf(anomaly ? { ...facts, replayed: { ...facts.replayed, anomalies } } : facts);
  };

  it('is to convert it first, if coins are still in the swap', () => {
    expect(open(false)).toHaveLength(1);
    expect(open(true).slice(1)).toMatchInlineSnapshot(`
      [
        "The real node cannot read this log as it is stored (Started is odd). Convert it first: swapfold export --format kdf --secrets --out fixed.json <this file>.",
        "Then let the real node take it over: send {"userpass": "<rpc_password>", "method": "import_swaps", "params": {"swaps": [<what fixed.json holds>]}} to it, and start it again with DOC and MARTY active: it goes on with the swap.",
      ]
    `);
  });
});

describe('what to do while a swap is under way', () => {
  it('is to keep the node running, and to pay no more once it is late', () => {
    const running =
      'Keep the node running. Where it stopped here, start it again with both coins active and it goes on. Nothing of its own is locked yet.';
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

  it('says from when on both payments can be refunded', () => {
    const legs = { takerPayment: ownLocked, makerPayment: otherLocked };
    expect(advice(legs)).toMatchInlineSnapshot(`
      [
        "Keep the node running and online. Where it stopped here, start it again with both coins active and it goes on. The taker's payment can be refunded from 2023-11-14 22:13:20 UTC on; the maker's payment can be refunded from 2023-11-14 22:13:20 UTC on.",
      ]
    `);
    expect(advice({ ...legs, next: { until: LOCK }, now: 60 })).toMatchInlineSnapshot(`
      [
        "The time of this step has passed. Check first whether the maker has spent the taker payment: if so, take the secret from that spend and claim 2.4 DOC at once; if not, refund it when its lock has passed. The taker's payment can be refunded from 2023-11-14 22:13:20 UTC (1 min ago) on; the maker's payment can be refunded from 2023-11-14 22:13:20 UTC (1 min ago) on.",
        "A node that starts again with this log and both coins active looks and does so by itself.",
      ]
    `);
    const undated = {
      takerPayment: { ...ownLocked, claimable: [] },
      makerPayment: { claimable: [refundBy('maker', null)] },
    };
    expect(advice(undated)).toMatchInlineSnapshot(`
      [
        "Keep the node running and online. Where it stopped here, start it again with both coins active and it goes on. The taker's payment can be refunded once its lock, which the log does not date, has passed.",
      ]
    `);
  });
});

describe('what to do about coins still in the swap', () => {
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
    const rescue = (...events: string[]) => advice({ outcome: 'funds-at-risk', next, events, now: -60 });
    const head = { maker_coin: 'DOC', taker_coin: 'MARTY' };
    expect(
      advice({ outcome: 'funds-at-risk', next, now: -60, head, events: ['MakerPaymentReceived', 'Finished'] }),
    ).toEqual([
      'Claim the payment. There are 1 min left.',
      `On the real node: activate DOC and MARTY, then send {"userpass": "<rpc_password>", "method": "recover_funds_of_swap", "params": {"uuid": "${SWAP_ID}"}} to it.`,
    ]);
    expect(rescue('Finished').slice(1)).toEqual([
      'The real node refuses recover_funds_of_swap for this log (“No info about maker payment, swap is not recoverable”), so the transaction has to be made with the keys themselves.',
    ]);
    expect(rescue().slice(1)).toEqual([
      'The real node refuses recover_funds_of_swap for this log (“Swap must be finished before recover funds attempt”), and started again it may head for a refund: make the transaction with the keys themselves, or let the node close the swap first.',
    ]);
    expect(advice({ outcome: 'claim-pending', next, events: [], now: -60 })).toEqual(rescue());
    expect(advice({ outcome: 'funds-at-risk' })[0]).toBe('Look on both chains where the payments are.');
  });
});

describe('the fix for the last error', () => {
  const next = { action: 'refundTakerPayment', who: 'operator', text: 'Refund it.', until: null } as const;
  const told = (error: string) =>
    advice({ outcome: 'funds-at-risk', next, events: [['TakerPaymentWaitForSpendFailed', { error }], 'Finished'] });

  it.each([
    ['All electrums are currently disconnected', 'Configure working servers for the coin, then retry the step.'],
    [
      'Waited too long until 1578610248 for transaction ab to be confirmed 2 times',
      'Check whether the transaction has its confirmations now: one that waits long usually pays too low a fee.',
    ],
  ])('comes with the step: %s', (error, cure) => {
    expect(told(error)).toContain(cure);
  });

  it.each([
    'Waited too long until 1578610248 for transaction ab to be spent',
    'Could not extract secret from taker payment spend transaction',
    'Transaction with the same hash was already imported',
  ])('is left out if the step begins with that check: %s', (error) => {
    expect(told(error).filter((line) => /^(?:Check whether the payment is spent|Look (?:at|for))/.test(line))).toEqual(
      [],
    );
  });
});

describe('a claim whose time has passed', () => {
  const late = {
    action: 'spendMakerPayment',
    who: 'operator',
    text: 'Spend it: after that, check first whether it is still there.',
    until: LOCK,
  } as const;
  const paid = ['MakerPaymentReceived', { tx_hash: 'ab12' }] as const;

  it('is a look first: the other side could refund since its lock, not since the time of the step', () => {
    const swap = { outcome: 'funds-at-risk', makerPayment: otherLocked, events: [paid] } as const;
    const [first] = advice({ ...swap, next: { ...late, until: unixSecondsOf(LOCK - 600) }, now: 86_400 });
    expect(first).toBe(
      'Check on the DOC chain whether the maker payment of 2.4 DOC (ab12) is still there. Since 2023-11-14 22:13:20 UTC (1 d ago) the maker could refund it: where it did, it cannot be claimed any more; where it did not, spend it with the secret at once.',
    );
    expect(advice({ ...swap, next: late, now: -60 })[0]).toMatch(/^Spend it: after that, check first/);
  });

  it('is looked for by its own id, and the payment by that of the payment', () => {
    const makerPayment = { ...otherLocked, status: 'uncertain', tx: 'cd34' } as const;
    const events = [paid, ['MakerPaymentSpent', { tx_hash: 'cd34' }]] as const;
    expect(advice({ outcome: 'claim-pending', next: late, makerPayment, events, now: 60 })[0]).toBe(
      'Check on the DOC chain whether the claim (cd34) is confirmed: where it is, nothing is left to do. Where it is not there, check whether the maker payment of 2.4 DOC (ab12) is. Since 2023-11-14 22:13:20 UTC (1 min ago) the maker could refund it: where it did, it cannot be claimed any more; where it did not, spend it with the secret at once.',
    );
  });

  it('is no longer made by a maker that has not revealed its secret', () => {
    const takerPayment = { status: 'locked', claimable: [claimBy('maker'), refundBy('taker')] } as const;
    const makerPayment = { status: 'locked', claimable: [refundBy('maker', unixSecondsOf(LOCK + 7200))] } as const;
    const swap = { role: 'maker', outcome: 'claim-pending', takerPayment, makerPayment, now: 3600 } as const;
    const kept =
      "do not claim it any more: a claim that loses against the refund of the taker shows the secret, and the maker payment can be lost as well. The maker payment (2.4 DOC) can be refunded from 2023-11-15 00:13:20 UTC (in 1 h) on, by the chain's own time, unless the taker has spent it.";
    const events = [['TakerPaymentReceived', { tx_hash: 'ef56' }]] as const;
    expect(advice({ ...swap, next: { ...late, action: 'spendTakerPayment', who: 'engine' }, events })).toEqual([
      'Start the node again with both coins active: the time to claim 3 MARTY has passed, and it takes 2.4 DOC back instead.',
      `Check on the MARTY chain whether the taker payment of 3 MARTY (ef56) is spent. Where it is not, ${kept}`,
    ]);
    const failed = [...events, 'TakerPaymentSpendFailed'] as const;
    expect(advice({ ...swap, next: { ...late, action: 'spendTakerPayment' }, events: failed })[0]).toBe(
      `Check on the MARTY chain whether the taker payment of 3 MARTY (ef56) is spent: a claim that was reported as failed may be there. Where it is not, ${kept}`,
    );
  });
});
