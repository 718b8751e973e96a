import { describe, expect, it } from 'vitest';
import type { MakerNegotiated, StoredTransaction, TakerNegotiated } from '../../../../src/events/payloads.ts';
import type { Draft } from '../../../../src/replay/recreate/draft.ts';
import { recreateMakerEvents } from '../../../../src/replay/recreate/maker-log.ts';
import type { RecreateForm } from '../../../../src/replay/recreate/source.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const takerLog = (...path: readonly string[]) =>
  buildSwap({ role: 'taker', seed: 'recreate', path: ['Started', 'Negotiated', ...path] });
const recreated = (path: readonly string[], form: RecreateForm = 'kdf') => recreateMakerEvents(takerLog(...path), form);
const types = (path: readonly string[], form?: RecreateForm) =>
  recreated(path, form)
    .events.slice(2)
    .map(({ type }) => type);
const dataOf = <T>(event: { readonly data: unknown } | undefined) => event?.data as T;
/** What is said of each event after the negotiation. */
const reasons = ({ inferred }: Draft) =>
  inferred
    .filter(({ seq }) => seq !== null && seq > 1)
    .map(({ event, certainty, from, because }) => `${event} (${certainty}, ${from}): ${because}`);

const PAID = ['TakerFeeSent', 'MakerPaymentReceived'];
const SENT = [...PAID, 'MakerPaymentWaitConfirmStarted', 'MakerPaymentValidatedAndConfirmed', 'TakerPaymentSent'];
const MAKER_PAID = ['TakerFeeValidated', 'MakerPaymentSent'];
const HEADS_FOR_REFUND = 'MakerPaymentWaitRefundStarted';

describe("a maker's log made from its taker's, as the real node writes it", () => {
  it.each([
    ['TakerFeeSendFailed', [], ['TakerFeeValidateFailed', 'Finished']],
    ['MakerPaymentReceived', ['TakerFeeSent'], MAKER_PAID],
    ['MakerPaymentReceived', [], ['MakerPaymentSent']],
    ['MakerPaymentValidateFailed', PAID, [...MAKER_PAID, 'TakerPaymentValidateFailed', HEADS_FOR_REFUND]],
    ['MakerPaymentWaitConfirmFailed', PAID, [...MAKER_PAID, 'TakerPaymentValidateFailed', HEADS_FOR_REFUND]],
    ['TakerPaymentTransactionFailed', PAID, [...MAKER_PAID, 'TakerPaymentValidateFailed', HEADS_FOR_REFUND]],
    ['TakerPaymentDataSendFailed', PAID, [...MAKER_PAID, 'TakerPaymentValidateFailed', HEADS_FOR_REFUND]],
    ['TakerPaymentWaitConfirmFailed', PAID, [...MAKER_PAID, 'TakerPaymentValidateFailed', HEADS_FOR_REFUND]],
    ['TakerPaymentSent', [], ['TakerPaymentReceived', 'TakerPaymentWaitConfirmStarted']],
    [
      'TakerPaymentSpent',
      [],
      [
        'TakerPaymentValidatedAndConfirmed',
        'TakerPaymentSpent',
        'TakerPaymentSpendConfirmStarted',
        'TakerPaymentSpendConfirmed',
        'Finished',
      ],
    ],
    ['TakerPaymentWaitForSpendFailed', [], ['TakerPaymentSpendFailed', HEADS_FOR_REFUND]],
    ['TakerFeeSent', [], []],
    ['TakerPaymentInstructionsReceived', [], []],
    ['MakerPaymentWaitConfirmStarted', [], []],
    ['MakerPaymentValidatedAndConfirmed', [], []],
    ['WatcherMessageSent', [], []],
    ['MakerPaymentSpent', [], []],
    ['TakerPaymentWaitRefundStarted', [], []],
    ['TakerPaymentRefunded', [], []],
  ])('%s after %j becomes %j', (event, before, expected) => {
    expect(types([...before, event])).toEqual(expected);
  });

  it.each([
    'TakerFeeSendFailed',
    'MakerPaymentValidateFailed',
    'MakerPaymentWaitConfirmFailed',
    'TakerPaymentTransactionFailed',
    'TakerPaymentDataSendFailed',
    'TakerPaymentWaitConfirmFailed',
    'TakerPaymentSpent',
    'TakerPaymentWaitForSpendFailed',
  ])('%s ends it, whatever follows', (event) => {
    expect(types([event, 'MakerPaymentReceived', 'TakerPaymentSent'])).toEqual(types([event]));
  });

  it('records the fee once, when the maker has paid', () => {
    expect(types(['TakerFeeSent', 'MakerPaymentReceived', 'MakerPaymentReceived'])).toEqual([
      ...MAKER_PAID,
      'MakerPaymentSent',
    ]);
  });

  it('copies times, and transactions without what they did to a balance', () => {
    const log = takerLog(...SENT, 'TakerPaymentSpent');
    const { events } = recreateMakerEvents(log, 'kdf');
    const at = (type: string) => log.events.find((event) => event.type === type);
    const bare = (type: string) => {
      const { tx_hex, tx_hash } = dataOf<StoredTransaction>(at(type));
      return { tx_hex, tx_hash };
    };
    const spend = dataOf<{ readonly transaction: StoredTransaction }>(at('TakerPaymentSpent')).transaction;
    expect(events.slice(0, 2).map((event) => event.at)).toEqual(log.events.slice(0, 2).map((event) => event.at));
    expect(events.slice(2)).toEqual(
      [
        { type: 'TakerFeeValidated', at: at('MakerPaymentReceived')?.at, data: bare('TakerFeeSent') },
        { type: 'MakerPaymentSent', at: at('MakerPaymentReceived')?.at, data: bare('MakerPaymentReceived') },
        { type: 'TakerPaymentReceived', at: at('TakerPaymentSent')?.at, data: bare('TakerPaymentSent') },
        { type: 'TakerPaymentWaitConfirmStarted', at: at('TakerPaymentSent')?.at, data: null },
        { type: 'TakerPaymentValidatedAndConfirmed', at: at('TakerPaymentSpent')?.at, data: null },
        {
          type: 'TakerPaymentSpent',
          at: at('TakerPaymentSpent')?.at,
          data: { tx_hex: spend.tx_hex, tx_hash: spend.tx_hash },
        },
        { type: 'TakerPaymentSpendConfirmStarted', at: at('TakerPaymentSpent')?.at, data: null },
        { type: 'TakerPaymentSpendConfirmed', at: at('TakerPaymentSpent')?.at, data: null },
        { type: 'Finished', at: at('TakerPaymentSpent')?.at, data: null },
      ].map((event) => ({ ...event, known: true })),
    );
  });

  it("holds the taker's error in the words of the real node, and waits 3700 s past the maker's lock", () => {
    const log = takerLog(...PAID, 'MakerPaymentWaitConfirmFailed');
    const failed = log.events.map((event) =>
      event.type.endsWith('Failed') ? { ...event, data: { error: 'An error' } } : event,
    );
    const { events } = recreateMakerEvents({ ...log, events: failed }, 'kdf');
    const lock = dataOf<TakerNegotiated>(log.events[1]).maker_payment_locktime;
    expect(events.slice(-2).map(({ data }) => data)).toEqual([
      { error: 'Origin Taker error event: MakerPaymentWaitConfirmFailed(SwapError { error: "An error" })' },
      { wait_until: lock + 3700 },
    ]);
  });

  it('begins with what the taker records about the maker', () => {
    const log = takerLog();
    const { events } = recreateMakerEvents(log, 'kdf');
    expect(events.map(({ type }) => type)).toEqual(['Started', 'Negotiated']);
    expect(dataOf<MakerNegotiated>(events[1]).taker_payment_locktime).toBe(
      dataOf<{ readonly taker_payment_lock: number }>(log.events[0]).taker_payment_lock,
    );
  });
});

describe("a maker's log that a node can continue", () => {
  it('looks for a payment that the taker never saw, if the fee was sent', () => {
    expect(types(['TakerFeeSent', 'MakerPaymentValidateFailed'], 'replayable')).toEqual([
      'TakerFeeValidated',
      'MakerPaymentTransactionFailed',
      'Finished',
    ]);
  });

  it('ends at the fee, if that was not sent either', () => {
    expect(types(['MakerPaymentValidateFailed'], 'replayable')).toEqual(['TakerFeeValidateFailed', 'Finished']);
  });

  it('heads for the refund of a payment that the taker saw', () => {
    expect(types([...PAID, 'MakerPaymentValidateFailed'], 'replayable')).toEqual(
      types([...PAID, 'MakerPaymentValidateFailed'], 'kdf'),
    );
  });

  it('reports a payment as not confirmed if its spend was never seen', () => {
    expect(types([...SENT, 'TakerPaymentWaitForSpendFailed'], 'replayable').slice(-2)).toEqual([
      'TakerPaymentWaitConfirmFailed',
      HEADS_FOR_REFUND,
    ]);
  });

  it.each(['MakerPaymentReceived', 'TakerPaymentSent', 'TakerPaymentSpent'])(
    'passes over a failure that %s took back',
    (event) => {
      const failed = ['MakerPaymentWaitConfirmFailed', event];
      expect(types(failed, 'replayable')).toEqual(types([event], 'replayable'));
      expect(types(failed, 'kdf')).toEqual(types(['MakerPaymentWaitConfirmFailed'], 'kdf'));
    },
  );
});

describe("why a maker's event is what it is", () => {
  it('on the way of success', () => {
    expect(reasons(recreated(successPath('taker').slice(2)))).toMatchInlineSnapshot(`
      [
        "TakerFeeValidated (certain, MakerPaymentReceived at 4): The maker pays only after it has found the fee valid. The fee is TakerFeeSent at 2.",
        "MakerPaymentSent (certain, MakerPaymentReceived at 4): The maker sent it.",
        "TakerPaymentReceived (assumed, TakerPaymentSent at 7): The taker sends it again and again; the message may still have been lost.",
        "TakerPaymentWaitConfirmStarted (assumed, TakerPaymentSent at 7): It follows at once.",
        "TakerPaymentValidatedAndConfirmed (certain, TakerPaymentSpent at 8): The maker spends only what it found valid.",
        "TakerPaymentSpent (certain, TakerPaymentSpent at 8): Only the maker knew the secret.",
        "TakerPaymentSpendConfirmStarted (certain, TakerPaymentSpent at 8): It follows at once.",
        "TakerPaymentSpendConfirmed (assumed, TakerPaymentSpent at 8): The taker saw the spend on the chain; how deep it lay is not known.",
        "Finished (assumed, TakerPaymentSpent at 8): Nothing is left to do for the maker.",
      ]
    `);
    const first = recreated([]).inferred.filter(({ member }) => member === null);
    expect(first.map(({ certainty, from, because }) => `${certainty}, ${from}: ${because}`)).toMatchInlineSnapshot(`
      [
        "certain, Started at 0: The parties start the same swap; the time is the taker's.",
        "certain, Negotiated at 1: The maker agrees first; the time is the taker's.",
      ]
    `);
  });

  it('where the taker gave up', () => {
    expect(reasons(recreated(['TakerFeeSendFailed']))).toMatchInlineSnapshot(`
      [
        "TakerFeeValidateFailed (assumed, TakerFeeSendFailed at 2): Without the fee the maker goes no further.",
        "Finished (assumed, TakerFeeSendFailed at 2): Nothing is left to do for the maker.",
      ]
    `);
    expect(reasons(recreated(['MakerPaymentValidateFailed']))).toMatchInlineSnapshot(`
      [
        "TakerPaymentValidateFailed (assumed, MakerPaymentValidateFailed at 2): The taker gave up, so the maker could not go on either.",
        "MakerPaymentWaitRefundStarted (assumed, MakerPaymentValidateFailed at 2): The maker's payment stays locked, so it heads for the refund.",
      ]
    `);
    expect(reasons(recreated(['TakerFeeSent', 'MakerPaymentValidateFailed'], 'replayable'))).toMatchInlineSnapshot(`
      [
        "TakerFeeValidated (assumed, MakerPaymentValidateFailed at 3): The maker may have found it valid and paid unseen. The fee is TakerFeeSent at 2.",
        "MakerPaymentTransactionFailed (assumed, MakerPaymentValidateFailed at 3): The taker saw no payment of the maker; whether there is one, the chain must tell.",
        "Finished (assumed, MakerPaymentValidateFailed at 3): Nothing is left to do for the maker.",
      ]
    `);
    expect(reasons(recreated(['TakerPaymentWaitForSpendFailed']))).toMatchInlineSnapshot(`
      [
        "TakerPaymentSpendFailed (assumed, TakerPaymentWaitForSpendFailed at 2): The taker saw no spend until its lock; why is not known.",
        "MakerPaymentWaitRefundStarted (assumed, TakerPaymentWaitForSpendFailed at 2): The maker's payment stays locked, so it heads for the refund.",
      ]
    `);
  });
});
