import { describe, expect, it } from 'vitest';
import { defaultWatchTiming } from '../../../../src/events/watcher.ts';
import { NEVER } from '../../../../src/runtime/command.ts';
import { DEFAULT_POLICY, type Policy } from '../../../../src/runtime/policy.ts';
import { applyRecords } from '../../../../src/runtime/swap/runner.ts';
import { createWatcherRunner, watcherStateOf, watcherViewOf } from '../../../../src/runtime/watcher/runner.ts';
import { knownNow, settled, stopped, wasAttempted, watcherTurn } from '../../../../src/runtime/watcher/turn.ts';
import { sample } from '../../../machines/watcher/support.ts';
import { event, TAKEN } from '../../../support/effect-turns.ts';
import { NOW, preparedOf } from '../../../support/turns.ts';
import { watcherTurnOf } from '../../../support/watcher-turns.ts';
import { TRAITS } from './drive.ts';

describe('what a watcher records', () => {
  it('is cut to 500 characters', () => {
    expect(stopped('Expired')).toStrictEqual(event('Stopped', { reason: 'Expired', error: null }));
    for (const length of [500, 501]) {
      expect(stopped('Expired', 'a'.repeat(length)).data).toMatchObject({ error: 'a'.repeat(500) });
    }
  });

  it('is the arrival of its own transaction, once', () => {
    const turn = (acceptedAt: typeof NOW | null) =>
      watcherTurnOf({ journal: { prepared: { claim: [preparedOf(), preparedOf({ tx: TAKEN, acceptedAt })] } } });
    const shown = (purpose: 'claim' | 'refund') => ({ purpose, tx_hash: TAKEN.tx_hash, confirmations: 0 });
    expect(knownNow(turn(null), shown('claim'))).toStrictEqual([
      event('BroadcastAccepted', { purpose: 'claim', tx_hash: TAKEN.tx_hash, how: 'known' }),
    ]);
    expect(knownNow(turn(NOW), shown('claim'))).toEqual([]);
    expect(knownNow(turn(null), { ...shown('claim'), tx_hash: 'other' })).toEqual([]);
    expect(knownNow(turn(null), shown('refund'))).toEqual([]);
  });

  it('is whose transaction it was: only what it tried is its own', () => {
    const turn = (attemptedAt: typeof NOW | null) =>
      watcherTurnOf({
        journal: { prepared: { claim: [preparedOf({ attemptedAt: null }), preparedOf({ tx: TAKEN, attemptedAt })] } },
      });
    expect(wasAttempted(turn(NOW), 'claim', TAKEN.tx_hash)).toBe(true);
    expect(wasAttempted(turn(null), 'claim', TAKEN.tx_hash)).toBe(false);
    expect(wasAttempted(turn(NOW), 'claim', preparedOf().tx.tx_hash)).toBe(false);
    expect(wasAttempted(turn(NOW), 'refund', TAKEN.tx_hash)).toBe(false);
  });

  it('shows where a payment ended, even without a transaction', () => {
    const end = { how: 'claimed', by: 'self', confirmations: 3 } as const;
    const data = { payment: 'maker', ...end };
    expect(settled('maker', { ...end, tx: TAKEN })).toStrictEqual(
      event('PaymentSettled', { ...data, tx_hash: TAKEN.tx_hash }),
    );
    expect(settled('maker', { ...end, tx: null })).toStrictEqual(event('PaymentSettled', { ...data, tx_hash: null }));
  });
});

describe('a turn of a watch', () => {
  const requested = (finality: Policy['finality']) => {
    const runner = createWatcherRunner({
      uuid: sample.watch.uuid,
      traits: TRAITS,
      policy: { ...DEFAULT_POLICY, finality },
    });
    const data = { watch: sample.watch, timing: defaultWatchTiming };
    applyRecords(runner, [{ type: 'WatchRequested', version: 1, at: NOW, data }]);
    return runner;
  };

  it('knows what its runner knows, and waits for nothing yet', () => {
    const runner = requested({});
    const turn = watcherTurn(runner, NOW);
    expect(turn).toMatchObject({ now: NOW, wakeAt: NEVER, state: watcherStateOf(runner), watch: sample.watch });
    expect(turn?.inputs).toBe(runner.inputs);
    expect(turn?.swap).toBe(watcherViewOf(runner));
  });

  it('uses the depth that the policy names for the amount of a payment, and leaves the runner as it is', () => {
    const { taker_coin, maker_coin } = sample.watch;
    for (const [coin, leg] of [
      [taker_coin, 'taker'],
      [maker_coin, 'maker'],
    ] as const) {
      const runner = requested({ [TRAITS[leg].coin]: [{ from: '0' as never, depth: 9 }] });
      const inputs = watcherTurn(runner, NOW)?.inputs;
      expect([coin, inputs?.traits[leg].finality]).toEqual([coin, 9]);
      expect({ ...inputs, traits: null }).toEqual({ ...runner.inputs, traits: null });
      expect(runner.inputs.traits).toBe(TRAITS);
    }
  });
});

it('a watch without a request has no turn', () => {
  const runner = createWatcherRunner({ uuid: sample.watch.uuid, traits: TRAITS, policy: DEFAULT_POLICY });
  expect(watcherTurn(runner, NOW)).toBeNull();
});
