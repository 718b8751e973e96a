import { describe, expect, it } from 'vitest';
import { defaultWatchTiming } from '../../../src/events/watcher.ts';
import type { NewRecord } from '../../../src/ports/event-log.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import { DEFAULT_POLICY } from '../../../src/runtime/policy.ts';
import { watcherKind } from '../../../src/runtime/watcher/kind.ts';
import { scriptedChain } from '../../support/scripted.ts';
import { UUID } from '../../support/swap-pair.ts';

const AT = 1_700_000_000_000 as Millis;
const STREAM = `watcher/${UUID}`;
const WATCH = {
  uuid: 'another uuid',
  maker_coin: 'DOC',
  taker_coin: 'MARTY',
  taker_pub: `02${'b2'.repeat(32)}`,
  taker_fee_hash: 'fe'.repeat(32),
};
const record = (type: string, data: unknown = null): NewRecord => ({ at: AT, type, version: 1, data });
const REQUESTED = record('WatchRequested', { watch: WATCH, timing: defaultWatchTiming });

function driven(records: readonly NewRecord[], active: readonly string[] = ['DOC', 'MARTY']) {
  const chain = (coin: string) =>
    active.includes(coin) ? scriptedChain(coin, () => expect.unreachable('nothing is asked')) : undefined;
  return watcherKind().create(STREAM, records, { policy: DEFAULT_POLICY, chain });
}

describe('how watches are accepted', () => {
  it('is as the real node does, at most 1000 at the same time', () => {
    expect(watcherKind()).toMatchObject({ machine: 'watcher', watches: { timing: defaultWatchTiming, most: 1000 } });
  });

  it('is as the options say', () => {
    const timing = { ...defaultWatchTiming, wait_taker_payment: 5 };
    expect(watcherKind({ timing, most: 7 }).watches).toEqual({ timing, most: 7 });
  });
});

describe('a watch', () => {
  it('is of the coins and the swap that its request names', () => {
    const { coins, watched, missing, listens, stream } = driven([
      record('OperatorActed', { action: 'pause' }),
      REQUESTED,
    ]);
    expect({ coins, watched, missing, stream }).toEqual({
      coins: { maker: 'DOC', taker: 'MARTY' },
      watched: { uuid: WATCH.uuid, taker: WATCH.taker_pub, fee: WATCH.taker_fee_hash },
      missing: [],
      stream: STREAM,
    });
    expect(listens()).toBeNull();
  });

  it('waits for every inactive coin, because it holds no money', () => {
    expect(driven([REQUESTED], ['DOC']).missing).toEqual(['MARTY']);
    expect(driven([REQUESTED], ['MARTY']).missing).toEqual(['DOC']);
    expect(driven([REQUESTED], []).missing).toEqual(['DOC', 'MARTY']);
  });

  it('has labels, and is over when it has stopped', () => {
    const { preview } = driven([REQUESTED]);
    const labels = { makerCoin: 'DOC', takerCoin: 'MARTY', outcome: expect.any(String), finished: false };
    expect(preview([])).toEqual({ ...labels, state: expect.any(String) });
    const stopped = preview([record('Stopped', { reason: 'InvalidTakerFee', error: null })]);
    expect(stopped).toMatchObject({ makerCoin: 'DOC', takerCoin: 'MARTY', finished: true });
    expect(stopped.outcome).not.toBe(preview([]).outcome);
    expect(stopped.state).not.toBe(preview([]).state);
  });

  it('reports its state: no money of its own, and a claim on the maker’s chain', () => {
    const view = driven([REQUESTED]).look();
    const { state, outcome } = driven([REQUESTED]).preview([]);
    expect(view).toMatchObject({ role: 'watcher', state, outcome, funds: null, next: null });
    expect(view.tries.size).toBe(0);
    expect(view.journal.paused).toBe(false);
    expect((['claim', 'refund', 'payment', 'fee', 'void'] as const).map((purpose) => view.legOf(purpose))).toEqual([
      'maker',
      'taker',
      'taker',
      'taker',
      'taker',
    ]);
  });

  it('without a request has no coins and watches no swap', () => {
    const none = driven([]);
    expect(none).toMatchObject({ coins: { maker: null, taker: null }, missing: [] });
    expect('watched' in none).toBe(false);
    expect(Object.keys(none.preview([])).toSorted()).toEqual(['finished', 'outcome', 'state']);
    expect(driven([record('OperatorActed', { watch: WATCH, action: 'pause' })]).coins.maker).toBeNull();
  });
});
