import { describe, expect, it } from 'vitest';
import { redactLog } from '../../../../src/events/redact.ts';
import { adviceOf } from '../../../../src/replay/explain/advice.ts';
import { lacksSecret } from '../../../../src/replay/explain/evidence.ts';
import { fundsSentences } from '../../../../src/replay/explain/funds.ts';
import { explainSwap } from '../../../../src/replay/explain.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';
import { claimBy, explainFacts, type FactsOptions, refundBy } from '../../../support/explain-facts.ts';

const LOCKED = { status: 'locked', tx: 'ab12' } as const;
const takerPayment = { ...LOCKED, claimable: [claimBy('maker'), refundBy('taker')] };
const makerPayment = { ...LOCKED, tx: 'cd34', claimable: [claimBy('taker'), refundBy('maker')] };
const SPENT =
  'taker_swap:1] JsonRpcError { error: Response(Object({"message": String("18: bad-txns-inputs-spent")})) }';
const MISSING = '"utxo:1] Missing inputs"';

const funds = (options: FactsOptions) => fundsSentences(explainFacts(options));
const advice = (options: FactsOptions) => adviceOf(explainFacts(options));

describe('a payment that a node reported as spent', () => {
  const refundFailed = (error: string) =>
    ({ outcome: 'funds-at-risk', takerPayment, events: ['Started', ['TakerPaymentRefundFailed', { error }]] }) as const;

  it('is not called locked, and its possible takers are named', () => {
    expect(funds(refundFailed(SPENT))[0]).toBe(
      'The taker payment of 3 MARTY was sent to the MARTY chain (ab12). When the taker tried to refund it, a node answered that it is spent (event 1). Unless an earlier refund of the taker did it, only the maker, with the secret, can have taken it.',
    );
    expect(funds(refundFailed(MISSING))[0]).toBe(
      'The taker payment of 3 MARTY was sent to the MARTY chain (ab12). When the taker tried to refund it, a node answered that it does not find it: it is spent, or that node does not know the payment (event 1). If it is spent, then unless an earlier refund of the taker did it, only the maker, with the secret, can have taken it.',
    );
  });

  it('is advised to be looked for, since its spend shows the secret', () => {
    expect(advice(refundFailed(SPENT))[0]).toBe(
      'Look on the MARTY chain which transaction spent the taker payment (ab12): where it is a refund, nothing is left to do; where the maker took it, its input shows the secret: claim 2.4 DOC with it at once.',
    );
  });

  it('of the other side was taken by its claim, or back by its owner', () => {
    const failed = {
      outcome: 'funds-at-risk',
      makerPayment,
      events: ['Started', 'TakerPaymentSpent', ['MakerPaymentSpendFailed', { error: SPENT }]],
    } as const;
    expect(funds(failed)[1]).toBe(
      'The maker payment of 2.4 DOC was sent to the DOC chain (cd34). When the taker tried to claim it, a node answered that it is spent (event 2). Unless an earlier claim of the taker did it, only the maker, by a refund, can have taken it.',
    );
    expect(advice(failed)[0]).toBe(
      'Look on the DOC chain which transaction spent the maker payment (cd34): where it pays the taker, the swap is completed; where it is the refund of the maker, 2.4 DOC cannot be claimed any more.',
    );
  });

  it('is the payment that was tried, and no other', () => {
    const events = [['MakerPaymentSpendFailed', { error: SPENT }]] as const;
    expect(funds({ takerPayment, makerPayment, events })[0]).toContain(
      'was sent to the MARTY chain (ab12), and the log shows no spend of it',
    );
    expect(funds({ role: 'maker', takerPayment, makerPayment, events })[0]).toContain(
      'was sent to the DOC chain (cd34), and the log shows no spend of it',
    );
  });

  it('is called locked again if a later attempt got another answer', () => {
    const events = [
      ['TakerPaymentRefundFailed', { error: 'Connection refused' }],
      ['TakerPaymentRefundFailed', { error: '64: non-final' }],
    ] as const;
    expect(funds({ takerPayment, events })[0]).toContain('the log shows no spend of it');
  });
});

describe('a payment whose sending failed', () => {
  const failed = (error: string) => ({
    takerPayment: { status: 'uncertain', claimable: [refundBy('taker')] } as const,
    events: [['TakerPaymentTransactionFailed', { error }]] as const,
  });

  it('was broadcast if the node had it already', () => {
    expect(funds(failed('Transaction with the same hash was already imported.'))[0]).toMatch(
      /^A node of the MARTY chain refused the taker payment of 3 MARTY because it has the same transaction already: an earlier attempt reached it\. If it is there: /,
    );
    expect(funds(failed('nonce too low'))[0]).toMatch(
      /^It is not known whether the taker payment of 3 MARTY is on the MARTY chain/,
    );
  });
});

describe('a claim', () => {
  const spent = { makerPayment: { status: 'spent', tx: 'ef56', by: 'taker' } } as const;

  it('arrived if the log shows its confirmation', () => {
    expect(funds({ ...spent, events: ['MakerPaymentSpent'] })[1]).toContain('no confirmation');
    expect(funds({ ...spent, events: ['MakerPaymentSpent', 'MakerPaymentSpendConfirmed'] })[1]).toBe(
      'The taker spent the maker payment of 2.4 DOC (ef56) and has it.',
    );
  });

  it('of the other side does not prove its own confirmation', () => {
    const other = { takerPayment: { status: 'spent', tx: 'ef56', by: 'maker' } } as const;
    expect(funds({ ...other, events: ['TakerPaymentSpent', 'TakerPaymentSpendConfirmed'] })[0]).toContain(
      'no confirmation',
    );
  });
});

describe('advice about a failure before any payment', () => {
  it('is what the error says, for the next swap', () => {
    const events = [['StartFailed', { error: 'Not enough KMD for swap: available 1, required at least 2' }]] as const;
    expect(advice({ outcome: 'failed-before-payment', events })).toEqual([
      'Nothing: no coins of the taker are locked.',
      'Before the next swap: add more of the named coin to the wallet, or wait for other swaps to release what they hold.',
    ]);
  });
});

describe('a restart', () => {
  it('is not promised if the real node fails at each start, or if the log says nothing', () => {
    expect(advice({ events: ['TakerPaymentInstructionsReceived'] })[0]).toContain('it fails at each start');
    expect(advice({ role: 'maker', events: ['TakerPaymentInstructionsReceived'] })[0]).toContain('and it goes on');
    expect(advice({ events: [] })[0]).toContain('does not say whether a node that starts again goes on');
  });
});

describe('a payment in a place where it cannot be read', () => {
  const events = ['Finished', ['TakerPaymentSent', { tx_hash: 'ab12', tx_hex: '' }]] as const;

  it('is no failure before the payment', () => {
    const facts = { outcome: 'failed-before-payment', events } as const;
    expect(funds(facts)[0]).toBe(
      'Event 1 holds a payment of the taker (ab12), but in a place where it cannot be read: this log does not show where its coins are.',
    );
    expect(advice(facts)).toEqual([
      'Look on the MARTY chain for the taker payment (ab12): the log holds it, but its events are out of order or incomplete. Put them in the order of their times, or get the log anew from the node, and explain it again.',
    ]);
  });

  it('of the other side leaves nothing of the own side in the open', () => {
    const facts = { outcome: 'failed-before-payment', role: 'maker', events } as const;
    expect(advice(facts)).toEqual(['Nothing: no coins of the maker are locked.']);
  });

  it('makes a log whose events are reversed wait for a person', () => {
    const log = buildSwap({ role: 'taker', path: successPath('taker'), seed: 'reversed' });
    const { headline, waitsFor } = explainSwap({ ...log, events: [...log.events].reverse() });
    expect([headline, waitsFor]).toEqual([
      "A taker's swap of 2.4 MARTY for 2.4 DOC: it holds a payment in a place where it cannot be read, and someone must look.",
      'person',
    ]);
  });
});

describe('an amount that no chain can hold', () => {
  it('is said to be one', () => {
    const events = [['Started', { maker_amount: `1.${'3'.repeat(100)}`, taker_amount: '1.5000' }]] as const;
    expect(funds({ events }).slice(2)).toEqual([
      'The log writes the amount of the maker with 100 decimals; no chain has more than 18.',
    ]);
  });
});

describe('a claim or a refund with the block that holds it', () => {
  const refunded = { takerPayment: { status: 'refunded', tx: 'ef56', by: 'taker' }, outcome: 'refunded' } as const;
  const spent = { makerPayment: { status: 'spent', tx: 'ef56', by: 'taker' }, outcome: 'completed' } as const;
  const at = (type: string, block_height: unknown) =>
    ({ events: [[type, { tx_hash: 'ef56', block_height }]] }) as const;

  it('was confirmed there', () => {
    const back = { ...refunded, ...at('TakerPaymentRefunded', 957_817) };
    expect(funds(back)[0]).toBe('The refund of the taker payment of 3 MARTY (ef56) was confirmed in block 957817.');
    expect(advice(back)[0]).toMatch(
      /^Nothing: the refund was confirmed in block 957817, and the taker got back 3 MARTY/,
    );
    const claimed = { ...spent, ...at('MakerPaymentSpent', 962_256) };
    expect(funds(claimed)[1]).toBe(
      'The taker spent the maker payment of 2.4 DOC (ef56), confirmed in block 962256, and has it.',
    );
    expect(advice(claimed)[0]).toMatch(
      /^Nothing: the claim was confirmed in block 962256, and the taker received 2.4 DOC/,
    );
  });

  it('is one level down if a taker stored the claim beside the secret', () => {
    const events = [['TakerPaymentSpent', { transaction: { block_height: 5 }, secret: '00' }]] as const;
    expect(funds({ takerPayment: { status: 'spent', tx: 'ab12', by: 'maker' }, events })[0]).toContain('in block 5');
  });

  it('did not have it, if the height is 0, absent, or of another event', () => {
    for (const height of [0, undefined, '7', -1, 1.5]) {
      expect(funds({ ...refunded, ...at('TakerPaymentRefunded', height) })[0]).toContain('no confirmation');
    }
    expect(funds({ ...refunded, ...at('TakerPaymentSent', 7) })[0]).toContain('no confirmation');
  });
});

describe('the log of a maker without its secret', () => {
  const path = successPath('maker').slice(0, successPath('maker').indexOf('TakerPaymentSpent'));
  const log = buildSwap({ role: 'maker', path, seed: 'zeroed' });

  it('is no log to claim from or to run', () => {
    expect([lacksSecret(log), lacksSecret(redactLog(log))]).toEqual([false, true]);
    const told = explainSwap(redactLog(log));
    expect(told.advice[0]).toMatch(
      /^Find the log that the maker's node stores itself before all else: .* cannot claim/,
    );
    expect(told.advice.join(' ')).not.toContain('it goes on');
    expect(told.funds.join(' ')).toContain('with the secret, which this log does not hold, at once');
  });

  it('is explained as it is if its secret was only removed for display', () => {
    const told = explainSwap(redactLog(log), { secretMissing: false });
    expect(told).toEqual(explainSwap(log));
    expect(told.advice.join(' ')).not.toContain('does not hold');
  });

  it('needs none any more once a claim shows it, and a taker starts with none', () => {
    expect(lacksSecret(redactLog(buildSwap({ role: 'maker', path: successPath('maker'), seed: 'zeroed' })))).toBe(
      false,
    );
    expect(lacksSecret(redactLog(buildSwap({ role: 'taker', path: ['Started'], seed: 'zeroed' })))).toBe(false);
  });
});

describe('what watchers may have done', () => {
  const open = { takerPayment, makerPayment } as const;
  const WATCHED = /^A watcher may have acted for the taker already, if one got the message of the taker: /;

  it('is mentioned if the taker gave them what they need', () => {
    expect(funds({ ...open, events: ['WatcherMessageSent'] }).filter((one) => WATCHED.test(one))).toHaveLength(1);
    expect(funds(open).filter((one) => WATCHED.test(one))).toEqual([]);
    expect(
      funds({ ...open, role: 'maker', events: ['WatcherMessageSent'] }).filter((one) => WATCHED.test(one)),
    ).toEqual([]);
  });

  it('does not matter if nothing is open', () => {
    const events = ['WatcherMessageSent'] as const;
    expect(funds({ takerPayment: { status: 'refunded', tx: 'ab12' }, events }).join(' ')).not.toContain(
      'A watcher may',
    );
  });
});
