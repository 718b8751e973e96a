import { describe, expect, it } from 'vitest';
import type { WatcherWant } from '../../../../machines/watcher/wants.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import { giveUp, stop } from '../../../../src/runtime/watcher/give-up.ts';
import { stopped } from '../../../../src/runtime/watcher/turn.ts';
import { sample } from '../../../machines/watcher/support.ts';
import {
  appended,
  event,
  failed,
  found,
  fundedBy,
  inMillis,
  looked,
  TAKEN,
  wantOf,
} from '../../../support/effect-turns.ts';
import { after, NOW, preparedOf } from '../../../support/turns.ts';
import { type WatcherTurnChanges, watcherTurnOf } from '../../../support/watcher-turns.ts';

/** Both locks have passed. */
const whileLocked = { taker: (NOW / 1000 - 100) as UnixSeconds, maker: (NOW / 1000 - 61) as UnixSeconds };
const WANT: WatcherWant<string> = {
  ...wantOf('giveUp', { notBefore: after(0), contestedFrom: after(-61) }),
  whileLocked,
};
const givesUp = (changes: WatcherTurnChanges = {}, want = WANT) => giveUp(watcherTurnOf(changes), want);
const ends = (reason: string, error: string | null = null) =>
  appended(
    event('DeadlineReached', { kind: 'expiry', deadline: after(0), clock: 'host' }),
    event('Stopped', { reason, error }),
  );

describe('a watch whose time is over', () => {
  it('is given up at its moment, and not before', () => {
    const turn = watcherTurnOf();
    expect(giveUp(turn, { ...WANT, notBefore: inMillis(1) })).toBeNull();
    expect(turn.wakeAt - NOW).toBe(1);
    expect(givesUp()).toStrictEqual(ends('Expired'));
    expect(givesUp({}, wantOf('giveUp'))).toMatchObject({ events: [{ data: { deadline: 0 } }, {}] });
  });

  it('continues while a chain that answers says that its payment is locked: the host’s clock is ahead', () => {
    const clock = (NOW / 1000 - 60) as UnixSeconds;
    const lockedUntil = (taker: number, maker: number) => ({
      ...WANT,
      whileLocked: { taker: (clock + taker) as UnixSeconds, maker: (clock + maker) as UnixSeconds },
    });
    const cases: readonly (readonly ['maker' | 'taker', number, number, boolean])[] = [
      ['taker', 1, 9, true],
      ['taker', 0, 9, false],
      ['maker', 9, 1, true],
      ['maker', 9, 0, false],
    ];
    for (const [leg, taker, maker, goesOn] of cases) {
      const given = (ago: number) => ({ facts: { payments: { [leg]: looked({ clock }, ago) } } });
      const want = lockedUntil(taker, maker);
      const turn = watcherTurnOf(given(300_000));
      expect(giveUp(turn, want) === null, `${leg} ${taker} ${maker}`).toBe(goesOn);
      expect(turn.wakeAt === after(turn.policy.refundPoll)).toBe(goesOn);
      // A chain that has been silent since says nothing.
      expect(giveUp(watcherTurnOf(given(300_001)), want)).toStrictEqual(ends('Expired'));
    }
  });

  it('ends by the clock of a chain as well, if the host’s clock is behind', () => {
    const late = { now: after(-500) };
    expect(giveUp(watcherTurnOf(late), WANT)).toBeNull();
    const facts = { payments: { taker: looked({ clock: (NOW / 1000) as UnixSeconds }) } };
    expect(givesUp({ ...late, facts })).toMatchObject({ events: [{ data: { clock: 'takerChain' } }, {}] });
  });

  it('says what became of the refund', () => {
    const refund = (refused: string | null, facts: WatcherTurnChanges['facts'] = {}) =>
      givesUp({ journal: { prepared: { refund: [preparedOf({ tx: TAKEN, refused })] } }, facts });
    const reason = 'TakerPaymentRefundFailed';
    const tries = failed(`taker:broadcast:${TAKEN.tx_hash}`, { message: 'no route' });
    expect(refund(null)).toStrictEqual(ends(reason, 'the refund was not seen on the chain'));
    expect(refund('invalid')).toStrictEqual(ends(reason, 'invalid'));
    expect(refund('invalid', { tries })).toStrictEqual(ends(reason, 'no route'));
    expect(refund('invalid', { tries: failed(`maker:broadcast:${TAKEN.tx_hash}`) })).toStrictEqual(
      ends(reason, 'invalid'),
    );
  });

  it('says what became of the claim', () => {
    const claim = (refused: string | null, facts: WatcherTurnChanges['facts'] = {}) =>
      givesUp({ state: 'claiming', journal: { prepared: { claim: [preparedOf({ tx: TAKEN, refused })] } }, facts });
    const reason = 'MakerPaymentSpendFailed';
    const tries = failed(`maker:broadcast:${TAKEN.tx_hash}`, { message: 'no route' });
    expect(claim(null)).toStrictEqual(ends(reason, 'the claim was not seen on the chain'));
    expect(claim('invalid')).toStrictEqual(ends(reason, 'invalid'));
    expect(claim('invalid', { tries })).toStrictEqual(ends(reason, 'no route'));
    expect(claim('invalid', { payments: { maker: looked({ funding: fundedBy() }) } })).toStrictEqual(
      ends(reason, 'invalid'),
    );
  });
});

describe('a watch whose time is over before it could act', () => {
  it('says that the maker payment was not there, as of the last search', () => {
    const absent = ends(
      'MakerPaymentCouldNotBeFound',
      `the maker payment ${sample.watch.maker_payment_hash} is not on the chain`,
    );
    const looks = (ago: number) => givesUp({ state: 'claiming', facts: { payments: { maker: looked({}, ago) } } });
    expect(looks(300_000)).toStrictEqual(absent);
    expect(looks(300_001)).toStrictEqual(ends('Expired'));
    const facts = { transactions: found(sample.watch.maker_payment_hash, {}) };
    const swap = { amounts: { maker: null, taker: null }, otherTerms: null };
    expect(givesUp({ state: 'claiming', swap, facts })).toStrictEqual(absent);
  });

  it.each([
    ['invalid', ends('MakerPaymentSpendFailed', 'no claim')],
    ['unsupported', ends('MakerPaymentSpendFailed', 'no claim')],
    ['unavailable', ends('Expired')],
  ])('says that the taker signed no claim if its chain says %s', (kind, closing) => {
    const tries = failed('maker:prepare:claimPreimage', { kind, message: 'no claim' });
    expect(givesUp({ state: 'claiming', facts: { tries } })).toStrictEqual(closing);
    const elsewhere = failed('taker:prepare:claimPreimage', { kind, message: 'no claim' });
    expect(givesUp({ state: 'claiming', facts: { tries: elsewhere } })).toStrictEqual(ends('Expired'));
  });

  it('says nothing more in any other state', () => {
    const prepared = { claim: [preparedOf()], refund: [preparedOf()] };
    for (const state of ['validatingTakerFee', 'refundSent', 'claimSent']) {
      expect(givesUp({ state, journal: { prepared } })).toStrictEqual(ends('Expired'));
    }
  });
});

it('a watch stops when the taker has acted itself', () => {
  const by = (state: string) => stop(watcherTurnOf({ state }));
  expect(by('claimedByTaker')).toStrictEqual(appended(stopped('MakerPaymentSpentByTaker')));
  expect(by('refundedByTaker')).toStrictEqual(appended(stopped('TakerPaymentRefundedByTaker')));
});
