import { describe, expect, it } from 'vitest';
import {
  applyJournal,
  currentPrepared,
  everAccepted,
  everAttempted,
  initialJournalContext,
  type JournalContext,
  variantWith,
} from '../../../machines/journal/context.ts';
import type { JournalEvent, JournalPayloads, Purpose } from '../../../src/events/journal.ts';
import { at, tx } from '../../support/swap-contexts.ts';

type Noted = readonly [type: keyof JournalPayloads, data: unknown];

/** The journal after these events, the first at the start and each a second after the one before. */
function journalOf(...noted: readonly Noted[]): JournalContext {
  const journal = initialJournalContext();
  for (const [index, [type, data]] of noted.entries()) {
    applyJournal(journal, { type, at: at(index), data } as JournalEvent);
  }
  return journal;
}

const signed = (purpose: Purpose, id: string): Noted => [
  'TransactionPrepared',
  { purpose, tx: { ...tx(id), spends: ['input'], fee: '0.1' }, target: 'output', urgency: 2 },
];
const about = (type: keyof JournalPayloads, purpose: Purpose, id: string, more = {}): Noted => [
  type,
  { purpose, tx_hash: id, ...more },
];
const acted = (action: string): Noted => ['OperatorActed', { action }];

describe('a journal without a record', () => {
  it('knows nothing', () => {
    const unknown = { maker: null, taker: null };
    expect(initialJournalContext()).toEqual({
      kept: true,
      request: null,
      prepared: {
        fee: [],
        payment: [],
        claim: [],
        refund: [],
        void: [],
        claimChild: [],
        refundChild: [],
        paymentChild: [],
      },
      settled: unknown,
      reorged: unknown,
      messages: {},
      heardAt: {},
      deadlines: [],
      paused: false,
      retryAt: null,
      feesAllowed: { maker: null, taker: null },
      recoverSince: null,
      recovered: null,
      recoveryRefused: null,
    });
  });
});

describe('the journal of a signed transaction', () => {
  it('begins with what was signed, and nobody has it yet', () => {
    expect(journalOf(signed('claim', 'a')).prepared.claim).toEqual([
      {
        tx: { ...tx('a'), spends: ['input'], fee: '0.1' },
        target: 'output',
        urgency: 2,
        preparedAt: at(0),
        attemptedAt: null,
        acceptedAt: null,
        refused: null,
        refusedAt: null,
        dropped: false,
        dead: false,
      },
    ]);
  });

  it('keeps the first moment at which somebody may have received it', () => {
    const journal = journalOf(
      signed('claim', 'a'),
      about('BroadcastAttempted', 'claim', 'a'),
      about('BroadcastAttempted', 'claim', 'a'),
    );
    expect(journal.prepared.claim[0]?.attemptedAt).toBe(at(1));
  });

  it('keeps the last refusal, until the transaction is taken', () => {
    const refused = [signed('claim', 'a'), about('BroadcastRefused', 'claim', 'a', { kind: 'feeTooLow' })];
    expect(journalOf(...refused).prepared.claim[0]).toMatchObject({ refused: 'feeTooLow', acceptedAt: null });
    expect(journalOf(...refused, about('BroadcastAccepted', 'claim', 'a')).prepared.claim[0]).toMatchObject({
      refused: null,
      acceptedAt: at(2),
    });
  });

  it('notes that it went missing, and that it is dead', () => {
    const [dropped] = journalOf(signed('claim', 'a'), about('TransactionDropped', 'claim', 'a')).prepared.claim;
    expect(dropped).toMatchObject({ dropped: true, dead: false });
    const [dead] = journalOf(signed('claim', 'a'), about('TransactionReverted', 'claim', 'a')).prepared.claim;
    expect(dead).toMatchObject({ dropped: false, dead: true });
  });

  it.each([
    'BroadcastAttempted',
    'BroadcastAccepted',
    'BroadcastRefused',
    'TransactionDropped',
    'TransactionReverted',
  ] as const)('%s is recorded with its transaction, or with none if there is none', (type) => {
    const two = [signed('claim', 'a'), signed('claim', 'b'), signed('refund', 'b')];
    const before = journalOf(...two);
    const after = journalOf(...two, about(type, 'claim', 'b', { kind: 'feeTooLow' }));
    expect(after.prepared.claim[0]).toEqual(before.prepared.claim[0]);
    expect(after.prepared.claim[1]).not.toEqual(before.prepared.claim[1]);
    expect(after.prepared.refund).toEqual(before.prepared.refund);
    expect(journalOf(...two, about(type, 'fee', 'a', { kind: 'feeTooLow' }))).toEqual(before);
  });
});

describe('the variants of a transaction', () => {
  const two = [signed('claim', 'a'), signed('claim', 'b')];
  const current = (...noted: readonly Noted[]) => currentPrepared(journalOf(...noted), 'claim')?.tx.tx_hash ?? null;

  it('count from the last one that can still confirm', () => {
    expect(current()).toBeNull();
    expect(current(...two)).toBe('b');
    expect(current(...two, about('TransactionReverted', 'claim', 'b'))).toBe('a');
    expect(current(...two, about('TransactionReverted', 'claim', 'a'))).toBe('b');
    const dead = ['a', 'b'].map((id) => about('TransactionReverted', 'claim', id));
    expect(current(...two, ...dead)).toBeNull();
  });

  const again = (id: string, urgency: number): Noted => [
    'TransactionPrepared',
    { purpose: 'claim', tx: tx(id), target: 'another', urgency },
  ];

  it('are one if it was signed twice, which then is the last and keeps its history', () => {
    const noted = [
      ...two,
      about('BroadcastAttempted', 'claim', 'a'),
      about('BroadcastRefused', 'claim', 'a', { kind: 'feeTooLow' }),
      about('TransactionDropped', 'claim', 'a'),
      again('a', 7),
    ];
    const { claim } = journalOf(...noted).prepared;
    expect(claim.map((record) => record.tx.tx_hash)).toEqual(['b', 'a']);
    expect(claim[1]).toEqual({
      tx: tx('a'),
      target: 'another',
      urgency: 7,
      preparedAt: at(5),
      attemptedAt: at(2),
      acceptedAt: null,
      refused: 'feeTooLow',
      refusedAt: at(3),
      dropped: true,
      dead: false,
    });
    const taken = journalOf(...two, about('BroadcastAccepted', 'claim', 'b'), again('b', 3)).prepared.claim;
    expect(taken.map(({ acceptedAt, urgency }) => [acceptedAt, urgency])).toEqual([
      [null, 2],
      [at(2), 3],
    ]);
  });

  it('are two if it is signed again after it had no effect: later events are about the second', () => {
    const noted = [
      signed('claim', 'a'),
      about('BroadcastAccepted', 'claim', 'a'),
      about('TransactionReverted', 'claim', 'a'),
      again('a', 3),
      about('BroadcastAttempted', 'claim', 'a'),
    ];
    const journal = journalOf(...noted);
    expect(journal.prepared.claim.map(({ dead, acceptedAt }) => [dead, acceptedAt])).toEqual([
      [true, at(1)],
      [false, null],
    ]);
    expect(journal.prepared.claim[1]).toMatchObject({ attemptedAt: at(4), urgency: 3 });
    expect(variantWith(journal.prepared.claim, 'a')).toBe(journal.prepared.claim[1]);
    expect(variantWith(journal.prepared.claim, 'b')).toBeUndefined();
    // The secret of the first is out for good.
    expect(everAccepted(journal, 'claim')).toBe(true);
    const gone = journalOf(...noted, about('TransactionReverted', 'claim', 'a')).prepared.claim;
    expect(gone.map(({ dead }) => dead)).toEqual([true, true]);
  });

  it('may have reached somebody once any of them was broadcast', () => {
    expect(everAttempted(journalOf(...two), 'claim')).toBe(false);
    expect(everAttempted(journalOf(...two, about('BroadcastAttempted', 'claim', 'a')), 'claim')).toBe(true);
    expect(everAttempted(journalOf(...two, about('BroadcastAttempted', 'claim', 'a')), 'refund')).toBe(false);
  });
});

describe('the journal of a payment', () => {
  const end = { payment: 'maker', how: 'refunded', by: 'counterparty', tx_hash: 's', confirmations: 4 };
  const undone = { payment: 'maker', tx_hash: 's', confirmations: 1, before: 5 };
  const settled: Noted = ['PaymentSettled', end];
  const reorged: Noted = ['PaymentReorged', undone];
  const recovered: Noted = ['FundsRecovered', { action: 'spendOtherPayment' }];

  it('records an end, until a chain has undone it', () => {
    const endsOf = (...notes: readonly Noted[]) => {
      const { settled, reorged } = journalOf(...notes);
      return { settled, reorged };
    };
    const none = { maker: null, taker: null };
    expect(endsOf(settled)).toStrictEqual({ settled: { maker: { ...end, at: at(0) }, taker: null }, reorged: none });
    expect(endsOf(settled, reorged)).toStrictEqual({
      settled: none,
      reorged: { maker: { ...undone, at: at(1) }, taker: null },
    });
    expect(journalOf(settled, reorged, settled)).toMatchObject({
      settled: { maker: { at: at(2) } },
      reorged: { maker: null },
    });
  });

  it('treats what was recovered as open again once a chain has undone an end', () => {
    expect(journalOf(recovered).recovered).toEqual({ action: 'spendOtherPayment' });
    expect(journalOf(recovered, reorged).recovered).toBeNull();
    expect(journalOf(recovered, settled).recovered).not.toBeNull();
  });
});

describe('the journal of messages and deadlines', () => {
  it('keeps the last message of a kind, and when it came', () => {
    const message = (kind: unknown, number: number): Noted => ['MessageReceived', { message: { kind, number } }];
    const journal = journalOf(message('negotiation', 1), message('takerFee', 2), message('negotiation', 3));
    expect(journal.messages).toEqual({
      negotiation: { kind: 'negotiation', number: 3 },
      takerFee: { kind: 'takerFee', number: 2 },
    });
    expect(journal.heardAt).toEqual({ negotiation: at(2), takerFee: at(1) });
  });

  it.each([null, 'text', 5, {}, { kind: 5 }, undefined])('leaves a message without a kind: %j', (message) => {
    expect(journalOf(['MessageReceived', { message }])).toEqual(initialJournalContext());
  });

  it('keeps the request of the swap, and every deadline in turn', () => {
    const journal = journalOf(
      ['SwapRequested', { uuid: 'u' }],
      ['DeadlineReached', { kind: 'negotiation' }],
      ['DeadlineReached', { kind: 'expiry' }],
    );
    expect(journal.request).toEqual({ uuid: 'u' });
    expect(journal.deadlines).toEqual(['negotiation', 'expiry']);
  });
});

describe('the journal of an operator’s actions', () => {
  it('pauses, continues, and tries at once', () => {
    expect(journalOf(acted('pause'))).toEqual({ ...initialJournalContext(), paused: true });
    expect(journalOf(acted('pause'), acted('resume'))).toEqual(initialJournalContext());
    expect(journalOf(acted('retry'))).toEqual({ ...initialJournalContext(), retryAt: at(0) });
    expect(journalOf(acted('pause'), acted('retry'))).toMatchObject({ paused: true, retryAt: at(1) });
  });

  it('asks for a recovery, which is open until it is answered or called off', () => {
    const asked = journalOf(acted('recover'));
    expect(asked).toEqual({ ...initialJournalContext(), recoverSince: at(0) });
    expect(journalOf(acted('recover'), acted('cancelRecovery'))).toEqual(initialJournalContext());
    expect(journalOf(acted('recover'), ['FundsRecovered', { action: 'a' }])).toMatchObject({
      recoverSince: null,
      recovered: { action: 'a' },
      recoveryRefused: null,
    });
    expect(journalOf(acted('recover'), ['RecoveryRefused', { reason: 'tooEarly' }])).toMatchObject({
      recoverSince: null,
      recovered: null,
      recoveryRefused: 'tooEarly',
    });
  });

  it('forgets the answer to the recovery before when it asks again', () => {
    const refused: Noted = ['RecoveryRefused', { reason: 'tooEarly' }];
    const again = journalOf(['FundsRecovered', { action: 'a' }], refused, acted('recover'));
    expect(again).toMatchObject({ recoverSince: at(2), recovered: null, recoveryRefused: null });
  });

  it('allows fees on one chain at a time; anything that is not such an order changes nothing', () => {
    const allow = (fees?: unknown): Noted => ['OperatorActed', { action: 'allowFees', reason: null, fees }];
    const order = (payment: string, most: unknown) => allow({ payment, most });
    const allowed = (...noted: Noted[]) => journalOf(...noted).feesAllowed;
    expect(allowed(order('taker', '0.5'))).toEqual({ maker: null, taker: '0.5' });
    expect(allowed(order('taker', '0.5'), order('maker', null))).toEqual({ maker: 'any', taker: '0.5' });
    expect(allowed(order('taker', '0.5'), order('taker', '0.0'))).toEqual({ maker: null, taker: null });
    const wrong = [allow(), allow(null), allow(7), order('other', '1'), order('maker', 7), order('maker', 'much')];
    expect(allowed(order('maker', '2'), ...wrong, acted('liftAll'))).toEqual({ maker: '2', taker: null });
  });
});
