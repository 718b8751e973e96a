import { describe, expect, it } from 'vitest';
import { isJournalType } from '../../../../src/events/journal.ts';
import { stopReasons, type WatcherEventType, watcherPayloads } from '../../../../src/events/watcher.ts';
import { millisOf, unixSecondsOf } from '../../../../src/primitives/time.ts';
import { NEVER } from '../../../../src/runtime/command.ts';
import { DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { absorb, applyRecords } from '../../../../src/runtime/swap/runner.ts';
import { decideWatcher } from '../../../../src/runtime/watcher/decide.ts';
import { createWatcherRunner } from '../../../../src/runtime/watcher/runner.ts';
import { L, sample } from '../../../machines/watcher/support.ts';
import { drive, TRAITS } from './drive.ts';
import { cases, groups } from './scenarios.ts';

for (const group of Object.keys(groups)) {
  describe(group, () => {
    for (const { name, watched, script, events, reason, error } of cases.filter((one) => one.group === group)) {
      it(`${name}: ${reason}`, () => {
        const run = drive(watched, script);
        expect(run.events).toEqual(['WatchRequested', ...events, 'Stopped']);
        expect(run.reason).toBe(reason);
        if (error !== undefined) expect(run.error).toBe(error);
      });
    }
  });
}

describe('the scenarios', () => {
  it('reach every reason to stop', () => {
    expect(new Set(cases.map(({ reason }) => reason))).toEqual(new Set(stopReasons));
  });

  it('write events that their schemas read back unchanged', () => {
    for (const { watched, script } of cases) {
      for (const { type, data } of drive(watched, script).records) {
        if (!isJournalType(type)) expect(watcherPayloads[type as WatcherEventType].parse(data)).toEqual(data);
      }
    }
  });
});

describe('the journal of a watch', () => {
  const typesOf = (start: string) => {
    const { watched, script } = named(start);
    return drive(watched, script).records.map(({ type }) => type);
  };

  it('holds what is sent before it is sent, and its outcome once', () => {
    expect(typesOf('the maker claims while')).toEqual([
      'WatchRequested',
      'TakerFeeValidated',
      'TakerPaymentValidated',
      'TakerPaymentSpendFound',
      'TransactionPrepared',
      'BroadcastAttempted',
      'BroadcastAccepted',
      'MakerPaymentSpent',
      'PaymentSettled',
      'Stopped',
    ]);
    expect(typesOf('nobody moves')).toEqual([
      'WatchRequested',
      'TakerFeeValidated',
      'TakerPaymentValidated',
      'DeadlineReached',
      'TransactionPrepared',
      'BroadcastAttempted',
      'BroadcastAccepted',
      'TakerPaymentRefunded',
      'PaymentSettled',
      'Stopped',
    ]);
  });

  it('notes an arrival once, also when it is dropped at once and sent again', () => {
    let repeated = 0;
    for (let step = 0; step < 12; step += 1) {
      const { script, watched } = named('nobody moves');
      const dropped = { at: L * 1.5 + step * 0.04, kind: 'unspent' } as const;
      const { records, asked, reason } = drive(watched, { ...script, taker: [...script.taker, dropped] });
      expect(reason).toBe('TakerPaymentRefunded');
      expect(records.filter(({ type }) => type === 'BroadcastAccepted')).toHaveLength(1);
      if (asked.filter(({ op }) => op === 'broadcast').length > 1) repeated += 1;
    }
    expect(repeated).toBeGreaterThan(0);
  });

  it('names whose transaction settled a payment', () => {
    const settlement = (start: string) => {
      const { watched, script } = named(start);
      return drive(watched, script).records.find(({ type }) => type === 'PaymentSettled')?.data;
    };
    const own = { by: 'self', confirmations: 3 };
    const others = { by: 'counterparty', confirmations: 3 };
    expect(settlement('the maker claims while')).toMatchObject({ payment: 'maker', how: 'claimed', ...own });
    expect(settlement('nobody moves')).toMatchObject({ payment: 'taker', how: 'refunded', ...own });
    expect(settlement('the claim of the taker replaces')).toMatchObject({
      payment: 'maker',
      how: 'claimed',
      ...others,
    });
    expect(settlement('the refund of the taker replaces')).toMatchObject({
      payment: 'taker',
      how: 'refunded',
      ...others,
    });
  });

  it('records a refusal once for each kind, and an arrival that only the chain reported', () => {
    expect(typesOf('the node refuses the claim').filter((type) => type === 'BroadcastRefused')).toHaveLength(1);
    expect(typesOf('the answers to both').slice(4)).toEqual([
      'TransactionPrepared',
      'BroadcastAttempted',
      'BroadcastAccepted',
      'MakerPaymentSpent',
      'PaymentSettled',
      'Stopped',
    ]);
  });
});

function named(start: string) {
  const found = cases.find(({ name }) => name.startsWith(start));
  if (found === undefined) throw new Error(`no scenario starts with: ${start}`);
  return found;
}

describe('the timing of a watch', () => {
  it('checks the fee six times, ten seconds apart', () => {
    const { watched, script } = named('the fee was not paid');
    const { asked } = drive(watched, script);
    expect(asked.map(({ op }) => op)).toEqual(Array.from({ length: 6 }, () => 'checkFee'));
    const times = asked.map(({ at }) => Math.round(at - (asked[0]?.at ?? 0)));
    expect(times).toEqual([0, 10, 20, 30, 40, 50]);
  });

  it('looks for the payment after a minute, and for a spend every five minutes', () => {
    const { watched, script } = named('nobody moves');
    const { asked, end } = drive(watched, script);
    const looks = asked.filter(({ op }) => op === 'payment').map(({ at }) => at);
    expect(looks[0]).toBeGreaterThanOrEqual(460);
    expect(looks[0]).toBeLessThan(461);
    const quiet = looks.filter((at) => at > 1000 && at < L * 1.5 - 300);
    const pauses = quiet.slice(1).map((at, index) => Math.round(at - (quiet[index] ?? 0)));
    expect(new Set(pauses)).toEqual(new Set([300]));
    expect(end).toBeGreaterThan(L * 1.5);
    expect(end).toBeLessThan(L * 1.5 + 400);
  });

  it('polls often what is not settled yet', () => {
    const base = named('nobody moves').script;
    const [claim, refund] = [named('the taker claims by itself'), named('the taker refunds by itself')];
    for (let shift = 0; shift < 300; shift += 25) {
      const later = <T extends { readonly at: number }>(one: T | undefined): T[] =>
        one === undefined ? [] : [{ ...one, at: one.at + shift }];
      const claimed = { ...claim.script, maker: [...base.maker, ...later(claim.script.maker[1])] };
      expect(drive(claim.watched, claimed).end).toBeLessThan(3200 + shift + 320);
      const refunded = { ...refund.script, taker: [...base.taker, ...later(refund.script.taker[1])] };
      expect(drive(refund.watched, refunded).end).toBeLessThan(L * 1.1 + shift + 320);
    }
  });

  it('refunds strictly after its moment', () => {
    const { records } = drive(sample.watch, named('nobody moves').script);
    const validated = records.slice(0, records.findIndex(({ type }) => type === 'TakerPaymentValidated') + 1);
    const moment = millisOf((sample.watch.swap_started_at + L * 1.5) * 1000);
    const runner = createWatcherRunner({ uuid: sample.watch.uuid, traits: TRAITS, policy: DEFAULT_POLICY });
    applyRecords(runner, validated);
    const look = decideWatcher(runner, moment);
    if (look.kind !== 'ask' || look.question.op !== 'payment') throw new Error('the watcher does not look first');
    const tx = { tx_hex: 'aa', tx_hash: sample.watch.taker_payment_hash };
    const clock = unixSecondsOf(sample.watch.swap_started_at + L + 1);
    const view = { funding: { tx, confirmations: 9 }, problem: null, spend: null, refundable: true, clock, height: 9 };
    absorb(runner, look, { result: { ok: true, value: view }, now: moment });
    expect(decideWatcher(runner, moment)).toEqual({ kind: 'wait', until: moment + 1 });
    expect(decideWatcher(runner, millisOf(moment + 1))).toMatchObject({
      kind: 'append',
      events: [{ type: 'DeadlineReached' }, { type: 'TransactionPrepared' }, { type: 'BroadcastAttempted' }],
    });
  });

  it('claims within a second after one lock duration', () => {
    const { watched, script } = named('the maker claims while');
    const { asked } = drive(watched, script);
    const [sent] = asked.filter(({ op }) => op === 'broadcast');
    expect(sent?.at).toBeGreaterThanOrEqual(L);
    expect(sent?.at).toBeLessThan(L + 1);
  });

  it('gives up six hours after the lock of the maker', () => {
    const { watched, script } = named('the taker chain never');
    const { end } = drive(watched, script);
    expect(Math.floor(end)).toBe(2 * L + 21_600);
  });

  it('asks a chain that does not answer less and less often', () => {
    const { watched, script } = named('the taker chain never');
    expect(drive(watched, script).asked.length).toBeLessThan(150);
  });

  it('still helps when the message comes late', () => {
    const late = drive(sample.watch, named('nobody moves').script, { from: L * 2 });
    expect(late.reason).toBe('TakerPaymentRefunded');
    const claim = drive(sample.watch, named('the maker claims while').script, { from: L * 1.7 });
    expect(claim.reason).toBe('MakerPaymentSpent');
  });
});

describe('a watch', () => {
  const now = millisOf((sample.watch.swap_started_at + 500) * 1000);
  const runner = () => createWatcherRunner({ uuid: sample.watch.uuid, traits: TRAITS, policy: DEFAULT_POLICY });

  it('has a stream of its own, and waits for a request', () => {
    const empty = runner();
    expect(empty.stream).toBe(`watcher/${sample.watch.uuid}`);
    expect(decideWatcher(empty, now)).toEqual({ kind: 'wait', until: NEVER });
  });

  it('waits while an operator has paused it, and continues afterwards', () => {
    const [request] = drive(sample.watch, named('nobody moves').script).records;
    if (request === undefined) throw new Error('no record');
    const paused = runner();
    const operator = (action: string) => ({
      at: now,
      type: 'OperatorActed',
      version: 1,
      data: { action, reason: null },
    });
    applyRecords(paused, [request, operator('pause')]);
    expect(decideWatcher(paused, now)).toEqual({ kind: 'wait', until: NEVER });
    applyRecords(paused, [operator('resume')]);
    expect(decideWatcher(paused, now)).toMatchObject({ kind: 'ask', question: { op: 'checkFee' } });
  });

  it('is done once it has stopped', () => {
    const { records } = drive(sample.watch, named('nobody moves').script);
    const ended = runner();
    applyRecords(ended, records);
    expect(decideWatcher(ended, now)).toEqual({ kind: 'done' });
  });
});
