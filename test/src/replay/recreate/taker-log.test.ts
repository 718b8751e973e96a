import { describe, expect, it } from 'vitest';
import type {
  MakerNegotiated,
  MakerStarted,
  StoredTransaction,
  TakerNegotiated,
} from '../../../../src/events/payloads.ts';
import { hexToBytes } from '../../../../src/primitives/hex.ts';
import type { Draft } from '../../../../src/replay/recreate/draft.ts';
import { shownSecret } from '../../../../src/replay/recreate/shown-secret.ts';
import type { RecreateForm } from '../../../../src/replay/recreate/source.ts';
import { recreateTakerEvents, type TakerLogOptions } from '../../../../src/replay/recreate/taker-log.ts';
import { buildSwap, successPath } from '../../../../src/testing/logs/swap-builder.ts';

const makerLog = (...path: readonly string[]) =>
  buildSwap({ role: 'maker', seed: 'recreate', path: ['Started', 'Negotiated', ...path] });
const options = (changes: Partial<TakerLogOptions> = {}): TakerLogOptions => ({
  ...{ form: 'kdf', hasCoin: () => true, extractSecret: shownSecret },
  ...changes,
});
const recreated = (path: readonly string[], changes?: Partial<TakerLogOptions>) =>
  recreateTakerEvents(makerLog(...path), options(changes));
const types = (path: readonly string[], form: RecreateForm = 'kdf') =>
  recreated(path, { form })
    .events.slice(2)
    .map(({ type }) => type);
const dataOf = <T>(event: { readonly data: unknown } | undefined) => event?.data as T;
/** What is said of each event after the negotiation, and of its members. */
const reasons = ({ inferred }: Draft) =>
  inferred
    .filter(({ seq }) => seq !== null && seq > 1)
    .map(({ event, member, certainty, from, because }) => {
      const name = member === null ? event : `${event}.${member}`;
      return `${name} (${certainty}, ${from}): ${because}`;
    });

const PAID = ['TakerFeeValidated', 'MakerPaymentSent'];
const RECEIVED = [...PAID, 'TakerPaymentReceived'];
const TAKER_FEE = ['TakerFeeSent'];
const TAKER_RECEIVED = [...TAKER_FEE, 'MakerPaymentReceived', 'MakerPaymentWaitConfirmStarted'];
const TAKER_SENT = [...TAKER_RECEIVED, 'MakerPaymentValidatedAndConfirmed', 'TakerPaymentSent'];
const HEADS_FOR_REFUND = ['TakerPaymentWaitForSpendFailed', 'TakerPaymentWaitRefundStarted'];

describe("a taker's log made from its maker's, as the real node writes it", () => {
  it.each([
    ['TakerFeeValidated', [], TAKER_FEE],
    ['TakerFeeValidateFailed', [], ['MakerPaymentValidateFailed', 'Finished']],
    ['MakerPaymentSent', ['TakerFeeValidated'], TAKER_RECEIVED],
    ['MakerPaymentTransactionFailed', ['TakerFeeValidated'], [...TAKER_FEE, 'MakerPaymentValidateFailed', 'Finished']],
    ['MakerPaymentDataSendFailed', PAID, [...TAKER_RECEIVED, 'MakerPaymentValidateFailed', 'Finished']],
    ['MakerPaymentWaitConfirmFailed', PAID, [...TAKER_RECEIVED, 'MakerPaymentValidateFailed', 'Finished']],
    ['TakerPaymentReceived', PAID, TAKER_SENT],
    ['TakerPaymentValidateFailed', RECEIVED, [...TAKER_SENT, ...HEADS_FOR_REFUND]],
    ['TakerPaymentSpendFailed', RECEIVED, [...TAKER_SENT, ...HEADS_FOR_REFUND]],
    ['TakerPaymentWaitConfirmFailed', RECEIVED, [...TAKER_SENT, ...HEADS_FOR_REFUND]],
    ['TakerPaymentSpent', RECEIVED, [...TAKER_SENT, 'TakerPaymentSpent']],
    ['MakerPaymentInstructionsReceived', [], []],
    ['TakerPaymentWaitConfirmStarted', [], []],
    ['TakerPaymentValidatedAndConfirmed', [], []],
    ['TakerPaymentSpendConfirmStarted', [], []],
    ['MakerPaymentWaitRefundStarted', [], []],
    ['MakerPaymentRefunded', [], []],
  ])('%s after %j becomes %j', (event, before, expected) => {
    expect(types([...before, event])).toEqual(expected);
  });

  it.each([
    'TakerFeeValidateFailed',
    'MakerPaymentTransactionFailed',
    'MakerPaymentDataSendFailed',
    'MakerPaymentWaitConfirmFailed',
    'TakerPaymentValidateFailed',
    'TakerPaymentSpendFailed',
    'TakerPaymentWaitConfirmFailed',
    'TakerPaymentSpent',
  ])('%s ends it, whatever follows', (event) => {
    expect(types([event, ...RECEIVED])).toEqual(types([event]));
  });

  it('fails the payment that the taker should validate if the maker gives up after both paid', () => {
    expect(types([...RECEIVED, 'MakerPaymentWaitConfirmFailed'])).toEqual([
      ...TAKER_SENT,
      ...['MakerPaymentValidateFailed', 'Finished'],
    ]);
  });

  it('heads for the refund of a payment that the maker never saw', () => {
    expect(types([...PAID, 'TakerPaymentWaitConfirmFailed'])).toEqual([...TAKER_RECEIVED, ...HEADS_FOR_REFUND]);
  });

  it("needs the hash of the secret, and then the maker's coin", () => {
    const log = makerLog();
    const [started, ...rest] = log.events;
    const data = { ...dataOf<MakerStarted>(started), secret_hash: null };
    const lost = { ...log, events: [{ ...started, data } as (typeof rest)[number], ...rest] };
    expect(() => recreateTakerEvents(lost, options({ hasCoin: () => false }))).toThrow("'secret_hash' not found");
    const others = (ticker: string) => ticker !== 'DOC';
    expect(() => recreateTakerEvents(log, options({ hasCoin: others }))).toThrow('No such coin DOC');
  });

  it('copies times, and transactions without what they did to a balance', () => {
    const log = makerLog(...RECEIVED);
    const { events } = recreateTakerEvents(log, options());
    const [started, negotiated, fee, payment, received] = log.events;
    const bare = (data: unknown) => {
      const { tx_hex, tx_hash } = data as StoredTransaction;
      return { tx_hex, tx_hash };
    };
    expect(events.slice(0, 2).map(({ type, at }) => [type, at])).toEqual([
      ['Started', started?.at],
      ['Negotiated', negotiated?.at],
    ]);
    expect(events.slice(2)).toEqual(
      [
        { type: 'TakerFeeSent', at: fee?.at, data: bare(fee?.data) },
        { type: 'MakerPaymentReceived', at: payment?.at, data: bare(payment?.data) },
        { type: 'MakerPaymentWaitConfirmStarted', at: payment?.at, data: null },
        { type: 'MakerPaymentValidatedAndConfirmed', at: received?.at, data: null },
        { type: 'TakerPaymentSent', at: received?.at, data: bare(received?.data) },
      ].map((event) => ({ ...event, known: true })),
    );
  });

  it("holds the maker's error in the words of the real node, and waits 3700 s past the taker's lock", () => {
    const log = makerLog(...RECEIVED, 'TakerPaymentWaitConfirmFailed');
    const failed = log.events.map((event) =>
      event.type.endsWith('Failed') ? { ...event, data: { error: 'An error' } } : event,
    );
    const { events } = recreateTakerEvents({ ...log, events: failed }, options());
    const lock = dataOf<MakerNegotiated>(log.events[1]).taker_payment_locktime;
    expect(events.slice(-2).map(({ data }) => data)).toEqual([
      { error: 'Origin Maker error event: TakerPaymentWaitConfirmFailed(SwapError { error: "An error" })' },
      { wait_until: lock + 3700 },
    ]);
  });

  it('takes the hash of the secret from the start', () => {
    const log = makerLog();
    const negotiated = dataOf<TakerNegotiated>(recreateTakerEvents(log, options()).events[1]);
    expect(negotiated.secret_hash).toBe(dataOf<MakerStarted>(log.events[0]).secret_hash);
  });
});

describe("a taker's log that a node can continue", () => {
  it('says that the fee was not sent, if the maker found none', () => {
    expect(types(['TakerFeeValidateFailed'], 'replayable')).toEqual(['TakerFeeSendFailed', 'Finished']);
  });

  it('heads for the refund of its payment, if the maker gives up after that', () => {
    for (const failure of ['MakerPaymentWaitConfirmFailed', 'TakerPaymentValidateFailed']) {
      expect(types([...RECEIVED, failure], 'replayable')).toEqual([...TAKER_SENT, ...HEADS_FOR_REFUND]);
    }
  });

  it('ends before its payment, if the maker gives up before that', () => {
    expect(types([...PAID, 'MakerPaymentWaitConfirmFailed'], 'replayable')).toEqual([
      ...TAKER_RECEIVED,
      'MakerPaymentValidateFailed',
      'Finished',
    ]);
  });

  it('looks for a payment that the maker never saw', () => {
    expect(types([...PAID, 'TakerPaymentWaitConfirmFailed'], 'replayable')).toEqual([
      ...TAKER_RECEIVED,
      'MakerPaymentValidatedAndConfirmed',
      'TakerPaymentTransactionFailed',
      'Finished',
    ]);
  });

  it.each(['MakerPaymentSent', 'TakerPaymentReceived', 'TakerPaymentSpent'])(
    'passes over a failure that %s took back',
    (event) => {
      const failed = ['MakerPaymentTransactionFailed', event];
      expect(types(failed, 'replayable')).toEqual(types([event], 'replayable'));
      expect(types(failed, 'kdf')).toEqual(types(['MakerPaymentTransactionFailed'], 'kdf'));
    },
  );
});

describe('the secret of a spend', () => {
  const spent = [...RECEIVED, 'TakerPaymentSpent'];
  const own = dataOf<MakerStarted>(makerLog().events[0]).secret;
  const other = '77'.repeat(32);

  it('is read with the hash that the maker chose', () => {
    const asked: (readonly Uint8Array[])[] = [];
    const extractSecret = (spend: Uint8Array, hash: Uint8Array) => {
      asked.push([spend, hash]);
      return hexToBytes(other);
    };
    const { events } = recreated(spent, { extractSecret });
    const { secret_hash } = dataOf<{ readonly secret_hash: string }>(makerLog().events[0]);
    const { tx_hex, tx_hash } = dataOf<StoredTransaction>(makerLog(...spent).events.at(-1));
    expect(asked).toEqual([[hexToBytes(tx_hex), hexToBytes(secret_hash)]]);
    expect(events.at(-1)?.data).toEqual({ transaction: { tx_hex, tx_hash }, secret: other });
  });

  it("is the maker's own if the spend shows none, but not for the real node", () => {
    const none = { extractSecret: () => undefined };
    expect(recreated(spent, { ...none, form: 'replayable' }).events.at(-1)?.data).toMatchObject({ secret: own });
    expect(recreated(spent, none).events.slice(-2)).toMatchObject([
      { type: 'TakerPaymentWaitForSpendFailed', data: { error: "Couldn't extract secret" } },
      { type: 'TakerPaymentWaitRefundStarted' },
    ]);
  });
});

describe("why a taker's event is what it is", () => {
  it('on the way of success', () => {
    expect(reasons(recreated(successPath('maker').slice(2)))).toMatchInlineSnapshot(`
      [
        "TakerFeeSent (certain, TakerFeeValidated at 3): The taker signed and sent it.",
        "MakerPaymentReceived (assumed, MakerPaymentSent at 4): The maker sends it again and again; the message may still have been lost.",
        "MakerPaymentWaitConfirmStarted (assumed, MakerPaymentSent at 4): It follows at once.",
        "MakerPaymentValidatedAndConfirmed (certain, TakerPaymentReceived at 5): The taker pays only after it has found the maker's payment valid and confirmed.",
        "TakerPaymentSent (certain, TakerPaymentReceived at 5): The taker signed and sent it.",
        "TakerPaymentSpent (assumed, TakerPaymentSpent at 8): The taker can see the spend on the chain; whether it did is not known.",
        "TakerPaymentSpent.secret (certain, TakerPaymentSpent.tx_hex at 8): It has the negotiated hash.",
      ]
    `);
    const first = recreated([]).inferred.filter(({ member }) => member === null);
    expect(first.map(({ certainty, from, because }) => `${certainty}, ${from}: ${because}`)).toMatchInlineSnapshot(`
      [
        "certain, Started at 0: The parties start the same swap; the time is the maker's.",
        "assumed, Negotiated at 1: The taker agrees once it hears that the maker does; the time is the maker's.",
      ]
    `);
  });

  it('if the maker gave up', () => {
    expect(reasons(recreated(['TakerFeeValidateFailed']))).toMatchInlineSnapshot(`
      [
        "MakerPaymentValidateFailed (assumed, TakerFeeValidateFailed at 2): The maker found no valid fee.",
        "Finished (assumed, TakerFeeValidateFailed at 2): Nothing is left to do for the taker.",
      ]
    `);
    expect(reasons(recreated(['MakerPaymentTransactionFailed']))).toMatchInlineSnapshot(`
      [
        "MakerPaymentValidateFailed (assumed, MakerPaymentTransactionFailed at 2): The maker gave up, so the taker could not go on either.",
        "Finished (assumed, MakerPaymentTransactionFailed at 2): Nothing is left to do for the taker.",
      ]
    `);
    const paid = recreated([...RECEIVED, 'MakerPaymentWaitConfirmFailed'], { form: 'replayable' });
    expect(reasons(paid).slice(-2)).toMatchInlineSnapshot(`
      [
        "TakerPaymentWaitForSpendFailed (assumed, MakerPaymentWaitConfirmFailed at 5): The taker's payment is out and the maker will not spend it.",
        "TakerPaymentWaitRefundStarted (assumed, MakerPaymentWaitConfirmFailed at 5): The taker's payment stays locked, so it heads for the refund.",
      ]
    `);
    expect(reasons(recreated(['TakerPaymentValidateFailed'], { form: 'replayable' }))).toMatchInlineSnapshot(`
      [
        "MakerPaymentValidatedAndConfirmed (assumed, TakerPaymentValidateFailed at 2): The taker may have found it valid and paid unseen.",
        "TakerPaymentTransactionFailed (assumed, TakerPaymentValidateFailed at 2): The maker saw no payment of the taker; whether there is one, the chain must tell.",
        "Finished (assumed, TakerPaymentValidateFailed at 2): Nothing is left to do for the taker.",
      ]
    `);
  });

  it('if the spend shows no secret', () => {
    const none = { extractSecret: () => undefined };
    expect(reasons(recreated(['TakerPaymentSpent'], none))).toMatchInlineSnapshot(`
      [
        "TakerPaymentWaitForSpendFailed (assumed, TakerPaymentSpent at 2): The spend shows no secret that could be read, so the taker is taken to have missed it.",
        "TakerPaymentWaitRefundStarted (assumed, TakerPaymentSpent at 2): The taker's payment stays locked, so it heads for the refund.",
      ]
    `);
    expect(reasons(recreated(['TakerPaymentSpent'], { ...none, form: 'replayable' }))).toMatchInlineSnapshot(`
      [
        "TakerPaymentSpent (assumed, TakerPaymentSpent at 2): The taker can see the spend on the chain; whether it did is not known.",
        "TakerPaymentSpent.secret (certain, Started.secret at 0): It has the negotiated hash.",
      ]
    `);
  });
});
