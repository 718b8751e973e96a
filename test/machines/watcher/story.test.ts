import { describe, expect, it } from 'vitest';
import { initialWatcherContext, type WatcherContext } from '../../../machines/watcher/context.ts';
import { watcherSentence } from '../../../machines/watcher/story.ts';
import {
  defaultWatchTiming,
  type StopReason,
  stopReasons,
  type WatcherEvent,
  type WatcherEventType,
  watcherEventTypes,
} from '../../../src/events/watcher.ts';
import { SECRET, tx } from '../../support/swap-contexts.ts';
import { REQUESTED, watchedSwap } from './support.ts';

// Started at 2023-11-14 22:13:20 UTC, with locks of 7800 s.
const { watch } = watchedSwap({
  startedAt: 1_700_000_000,
  lockDuration: 7800,
  amounts: { maker: '2.4', taker: '3' },
});
const request = { watch, timing: defaultWatchTiming };

type Told = readonly [type: WatcherEventType, data: unknown, sentence: string];

const told: readonly Told[] = [
  [
    'WatchRequested',
    request,
    'The taker of a swap, who gives 3 MARTY and gets 2.4 DOC, asked to be watched: claim from 2023-11-15 00:23:20 UTC on, refund after 2023-11-15 01:28:20 UTC.',
  ],
  ['TakerFeeValidated', null, 'The taker fee was paid.'],
  ['TakerPaymentValidated', null, 'The taker payment of 3 MARTY is valid.'],
  [
    'TakerPaymentSpendFound',
    { transaction: tx('maker takes'), secret: SECRET },
    'The maker took the taker payment (maker takes), which revealed the secret.',
  ],
  ['MakerPaymentSpentByTaker', tx('taker takes'), 'The taker took the maker payment itself (taker takes).'],
  ['MakerPaymentSpentByTaker', null, 'The taker took the maker payment itself.'],
  [
    'MakerPaymentSpent',
    tx('watcher takes'),
    'This watcher took the maker payment of 2.4 DOC for the taker (watcher takes).',
  ],
  ['TakerPaymentRefundedByTaker', tx('back'), 'The taker refunded its payment itself (back).'],
  ['TakerPaymentRefundedByTaker', null, 'The taker refunded its payment itself.'],
  ['TakerPaymentRefunded', tx('returned'), 'This watcher sent the taker payment of 3 MARTY back (returned).'],
  ['Stopped', { reason: 'Expired', error: null }, 'The watch ended: its time is over.'],
];

/** What a taker of the real node does not tell, and what a log without its request does not hold. */
const toldOfCoins: readonly Told[] = [
  [
    'WatchRequested',
    request,
    'The taker of a swap, who gives MARTY and gets DOC, asked to be watched: claim from 2023-11-15 00:23:20 UTC on, refund after 2023-11-15 01:28:20 UTC.',
  ],
  ['TakerPaymentValidated', null, 'The taker payment of MARTY is valid.'],
  ['MakerPaymentSpent', tx('a'), 'This watcher took the maker payment of DOC for the taker (a).'],
];

const toldWithoutRequest: readonly Told[] = [
  [
    'WatchRequested',
    request,
    'The taker of a swap, who gives the taker coin and gets the maker coin, asked to be watched: claim from an unknown time on, refund after an unknown time.',
  ],
  ['TakerPaymentRefunded', tx('a'), 'This watcher sent the taker payment of the taker coin back (a).'],
];

const reasons: Readonly<Record<StopReason, string>> = {
  InvalidTakerFee: 'the taker fee is not valid',
  InvalidTakerPayment: 'the taker payment is not what the message says',
  TakerPaymentNotConfirmed: 'the taker payment was not confirmed in time',
  TakerPaymentRefundedByTaker: 'the taker refunded its payment itself',
  UnableToExtractSecret: "the maker's spend of the taker payment shows no secret",
  MakerPaymentCouldNotBeFound: 'the maker payment could not be found',
  MakerPaymentSpentByTaker: 'the taker took the maker payment itself',
  MakerPaymentSpent: 'the maker payment went to the taker for good',
  MakerPaymentSpendFailed: 'the maker payment could not be taken for the taker',
  TakerPaymentRefunded: 'the taker payment went back to the taker for good',
  TakerPaymentRefundFailed: 'the taker payment could not be refunded',
  Expired: 'its time is over',
};

const context: WatcherContext = { ...initialWatcherContext(), ...request };

function sentence([type, data]: readonly [WatcherEventType, unknown, ...unknown[]], of = context): string {
  return watcherSentence({ type, at: REQUESTED, data } as WatcherEvent, of);
}

describe('what the log of a watch says, event by event', () => {
  it('exists for every type of event', () => {
    expect([...new Set(told.map(([type]) => type))]).toEqual([...watcherEventTypes]);
  });

  it.each(told)('%s with %j', (...row) => {
    expect(sentence(row)).toBe(row[2]);
  });

  it.each(toldOfCoins)('%s, if the taker did not send the amounts', (...row) => {
    const untold = { ...context, watch: { ...watch, taker_amount: null, maker_amount: null } };
    expect(sentence(row, untold)).toBe(row[2]);
  });

  it.each(toldWithoutRequest)('%s, if the log does not hold the request', (...row) => {
    expect(sentence(row, initialWatcherContext())).toBe(row[2]);
    expect(sentence(row, { ...initialWatcherContext(), timing: defaultWatchTiming })).toBe(row[2]);
  });

  it('gives no moments without the timings of the watch', () => {
    expect(sentence(['WatchRequested', request], { ...context, timing: null })).toBe(
      'The taker of a swap, who gives 3 MARTY and gets 2.4 DOC, asked to be watched: claim from an unknown time on, refund after an unknown time.',
    );
  });

  it.each(stopReasons)('ended by %s, with the error if there was one', (reason) => {
    expect(sentence(['Stopped', { reason, error: null }])).toBe(`The watch ended: ${reasons[reason]}.`);
    expect(sentence(['Stopped', { reason, error: 'node is down' }])).toBe(
      `The watch ended: ${reasons[reason]} (node is down).`,
    );
  });
});
