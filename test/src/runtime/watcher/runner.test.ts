import { describe, expect, it } from 'vitest';
import { defaultWatchTiming, type Watch } from '../../../../src/events/watcher.ts';
import { DEFAULT_POLICY } from '../../../../src/runtime/policy.ts';
import { applyRecords, receive } from '../../../../src/runtime/swap/runner.ts';
import type { Traits } from '../../../../src/runtime/swap/side-inputs.ts';
import { decideWatcher } from '../../../../src/runtime/watcher/decide.ts';
import { createWatcherRunner, watcherViewOf } from '../../../../src/runtime/watcher/runner.ts';
import { watcherTurn } from '../../../../src/runtime/watcher/turn.ts';
import { REQUESTED, sample } from '../../../machines/watcher/support.ts';
import { appended, event, found } from '../../../support/effect-turns.ts';
import { TRAITS } from './drive.ts';

const { watch, txs } = sample;
const UNTOLD = { taker_amount: null, maker_amount: null };

/** A runner whose log holds the request of a watch. */
function requestedRunner(changes: Partial<Watch> = {}, { traits = TRAITS, finality = {} } = {}) {
  const runner = createWatcherRunner({
    uuid: watch.uuid,
    traits: traits as Traits,
    policy: { ...DEFAULT_POLICY, finality },
  });
  const data = { watch: { ...watch, ...changes }, timing: defaultWatchTiming };
  applyRecords(runner, [{ at: REQUESTED, type: 'WatchRequested', version: 1, data }]);
  return runner;
}

describe('what a watcher knows of the payments', () => {
  it('is empty before a request', () => {
    const runner = createWatcherRunner({ uuid: watch.uuid, traits: TRAITS, policy: DEFAULT_POLICY });
    expect(watcherViewOf(runner)).toBeNull();
  });

  it('is what the message says, with the contracts of the chains', () => {
    const contracts = { maker: { ...TRAITS.maker, contract: '0a' }, taker: { ...TRAITS.taker, contract: '0b' } };
    const view = watcherViewOf(requestedRunner({}, { traits: contracts as never }));
    expect(view).toMatchObject({
      watch,
      own: 'taker',
      otherPayment: null,
      startBlocks: { maker: 2000, taker: 1000 },
      refundProblem: null,
      amounts: { maker: watch.maker_amount, taker: watch.taker_amount },
      ownTerms: { amount: watch.taker_amount, contract: '0b' },
      otherTerms: { amount: watch.maker_amount, contract: '0a' },
    });
  });

  it('is kept until the log changes', () => {
    const runner = requestedRunner();
    expect(watcherViewOf(runner)).toBe(watcherViewOf(runner));
  });
});

describe('what a payment pays', () => {
  it('is read from the payments if the message does not give the amounts', () => {
    const runner = requestedRunner(UNTOLD);
    expect(watcherViewOf(runner)).toMatchObject({
      amounts: { maker: null, taker: null },
      ownTerms: null,
      otherTerms: null,
    });
    runner.facts.transactions = found(watch.taker_payment_hash, {
      status: 'mempool',
      tx_hex: txs.takerPayment().tx_hex,
    });
    expect(watcherViewOf(runner)).toMatchObject({
      amounts: { maker: null, taker: watch.taker_amount },
      ownTerms: { amount: watch.taker_amount },
      otherTerms: null,
    });
    runner.facts.transactions = found(watch.maker_payment_hash, { tx_hex: txs.makerPayment().tx_hex });
    expect(watcherViewOf(runner)?.amounts).toEqual({ maker: watch.maker_amount, taker: watch.taker_amount });
    expect(watcherViewOf(runner)).toBe(watcherViewOf(runner));
    runner.facts.transactions = new Map();
    expect(watcherViewOf(runner)?.amounts).toEqual({ maker: watch.maker_amount, taker: watch.taker_amount });
  });

  it('is not read from the bytes of another transaction', () => {
    const runner = requestedRunner(UNTOLD);
    runner.facts.transactions = found(watch.taker_payment_hash, { tx_hex: txs.makerPayment().tx_hex });
    expect(watcherViewOf(runner)?.amounts).toEqual({ maker: null, taker: null });
    expect(watcherViewOf(runner)).toBe(watcherViewOf(runner));
    runner.facts.transactions = found(watch.taker_payment_hash, { status: 'confirmed' });
    expect(watcherViewOf(runner)?.amounts).toEqual({ maker: null, taker: null });
  });

  it('is what the message says if the bytes disagree: the payment is compared with it', () => {
    const runner = requestedRunner({ taker_amount: '9' as never });
    runner.facts.transactions = found(watch.taker_payment_hash, { tx_hex: txs.takerPayment().tx_hex });
    expect(watcherViewOf(runner)?.amounts.taker).toBe('9');
    expect(runner.learned).toEqual({ maker: null, taker: null });
  });

  it('decides how deep is final', () => {
    const finality = { [TRAITS.taker.coin]: [{ from: '0' as never, depth: 9 }] };
    const turn = watcherTurn(requestedRunner({}, { finality: finality as never }), REQUESTED);
    expect(turn?.inputs.traits.taker.finality).toBe(9);
    expect(turn?.inputs.traits.maker.finality).toBe(TRAITS.maker.finality);
    expect(turn?.inputs.helpers).toBe(true);
  });
});

describe('a request to watch', () => {
  it('becomes the first record, with the timings of this node', () => {
    const timing = { ...defaultWatchTiming, search_interval: 7 };
    const runner = createWatcherRunner({ uuid: watch.uuid, traits: TRAITS, policy: DEFAULT_POLICY, timing });
    receive(runner, { kind: 'watcher', watch });
    expect(decideWatcher(runner, REQUESTED)).toStrictEqual(appended(event('WatchRequested', { watch, timing })));
  });

  it('that cannot be read is waited for', () => {
    const runner = createWatcherRunner({ uuid: watch.uuid, traits: TRAITS, policy: DEFAULT_POLICY });
    receive(runner, { kind: 'watcher', watch: { ...watch, taker_fee_hash: 'zz' } });
    expect(decideWatcher(runner, REQUESTED)).toMatchObject({ kind: 'wait' });
  });
});
