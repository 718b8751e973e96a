import { describe, expect, it } from 'vitest';
import type { Metrics } from '../../../src/runtime/host/metrics.ts';
import { DEFAULT_RUNTIME_POLICY } from '../../../src/runtime/runtime-policy.ts';
import { createPair, KEYS, type Pair, requestOf, UUID } from '../../support/swap-pair.ts';
import { watch, watching } from '../../support/watching-node.ts';
import { counted, type Meter } from '../../support/work-meter.ts';

const OTHER = '6f0e3a2c-3b1e-4f0a-9d58-0f7e5a0d6b11';
const TX = { tx_hex: 'ab01', tx_hash: 'cd'.repeat(32) };
const LONG = 'ab'.repeat(1_000_000);

/** What comes in a flood: sound messages that make a runner look again, others that change all the time, and none at all. */
const FLOOD: readonly ((index: number) => unknown)[] = [
  () => ({ kind: 'makerPayment', tx: TX, instructions: null }),
  (index) => ({
    kind: 'makerPayment',
    tx: { ...TX, tx_hash: index.toString(16).padStart(64, '0') },
    instructions: null,
  }),
  () => ({ kind: 'negotiated', accepted: true }),
  () => ({ kind: 'takerFee', tx: TX }),
  () => ({ kind: 'makerPayment', tx: { ...TX, tx_hex: LONG }, instructions: null }),
  () => ({ kind: 'makerPayment', tx: null }),
  () => LONG,
];

/** Counts what a node does, and what it drops. */
function tally() {
  const made = { decided: 0, asked: 0, dropped: new Map<string, number>() };
  const metrics: Metrics = {
    asked: () => void made.asked++,
    decided: () => void made.decided++,
    dropped: ({ from, why }) => void made.dropped.set(`${from} ${why}`, (made.dropped.get(`${from} ${why}`) ?? 0) + 1),
    late: () => {},
    appended: () => {},
    moved: () => {},
    runnerMoved: () => {},
  };
  return { made, metrics };
}

type Flooding = {
  /** Keys that speak, one after the other. */
  readonly keys: readonly string[];
  readonly topic: string;
  /** Messages in a minute. */
  readonly rate: number;
};

/** Lets minutes pass until the condition holds, with so many messages in each. The minutes that it took. */
async function flooded(pair: Pair, { keys, topic, rate }: Flooding, ended: () => boolean): Promise<number> {
  const senders = keys.map((key) => pair.network.peer(key));
  let index = 0;
  for (let minute = 0; minute < 500; minute++) {
    if (ended()) return minute;
    for (let turn = 0; turn < rate; turn++) {
      const message = FLOOD[index % FLOOD.length]?.(index);
      senders[index % senders.length]?.send(topic, message as never);
      index += 1;
    }
    await pair.minutes(1);
  }
  return Number.POSITIVE_INFINITY;
}

const both = async (pair: Pair, uuid = UUID) => {
  for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side, { uuid }));
};

describe('a counterparty that floods its own swap', () => {
  /** The taker has paid, and its maker is gone but for what it sends. */
  async function refundUnder(rate: number) {
    const { made, metrics } = tally();
    const pair = createPair({ options: (side) => (side === 'taker' ? { metrics } : {}) });
    await both(pair);
    expect(await pair.until(() => pair.types('taker').includes('TakerPaymentSent'), 60)).toBe(true);
    pair.nodes.maker.die();
    const before = { ...made };
    const minutes = await flooded(pair, { keys: [KEYS.maker], topic: `swap/${UUID}`, rate }, () =>
      pair.types('taker').includes('Finished'),
    );
    const done = { decided: made.decided - before.decided, asked: made.asked - before.asked };
    return { minutes, done, dropped: made.dropped, types: pair.types('taker') };
  }

  it('blocks no refund, and gets no more work done for it than its allowance', async () => {
    const calm = await refundUnder(0);
    const loud = await refundUnder(1500);
    expect(calm.types).toContain('TakerPaymentRefunded');
    expect(loud.types.filter((type) => type !== 'BroadcastAccepted')).toEqual(
      calm.types.filter((type) => type !== 'BroadcastAccepted'),
    );
    expect(loud.minutes).toBe(calm.minutes);
    const { burst, perSecond } = DEFAULT_RUNTIME_POLICY.hearing.counterparty.messages;
    const heard = burst + loud.minutes * 60 * perSecond;
    // Each message that is heard is worth a decision and at most one question, which is worth a second decision.
    expect(loud.done.asked - calm.done.asked).toBeLessThanOrEqual(heard);
    expect(loud.done.decided - calm.done.decided).toBeLessThanOrEqual(3 * heard);
    const dropped = [...loud.dropped.values()].reduce((sum, one) => sum + one, 0);
    expect(dropped).toBeGreaterThan(1500 * loud.minutes - heard - 1);
    expect(heard).toBeLessThan((1500 * loud.minutes) / 10);
  });

  it('does not hold up another swap, even one with the same party', async () => {
    const minutesOf = async (rate: number) => {
      const pair = createPair();
      await both(pair);
      await both(pair, OTHER);
      const ended = () => (['maker', 'taker'] as const).every((side) => pair.types(side, OTHER).includes('Finished'));
      const minutes = await flooded(pair, { keys: [KEYS.maker, KEYS.taker], topic: `swap/${UUID}`, rate }, ended);
      return { minutes, types: pair.types('taker', OTHER) };
    };
    const calm = await minutesOf(0);
    expect(calm.types).toContain('MakerPaymentSpendConfirmed');
    expect(await minutesOf(1500)).toEqual(calm);
  });
});

it('strangers on the topic of a swap take nothing from its parties, with any keys', async () => {
  const keys = Array.from({ length: 300 }, (_, index) => index.toString(16).padStart(64, '9'));
  const run = async (rate: number) => {
    const { made, metrics } = tally();
    const pair = createPair({ options: (side) => (side === 'taker' ? { metrics } : {}) });
    await both(pair);
    const minutes = await flooded(pair, { keys, topic: `swap/${UUID}`, rate }, () =>
      pair.types('taker').includes('Finished'),
    );
    return { minutes, types: pair.types('taker'), decided: made.decided, asked: made.asked, dropped: made.dropped };
  };
  const { dropped: none, ...calm } = await run(0);
  const { dropped, ...loud } = await run(900);
  expect(loud).toEqual(calm);
  expect(none.get('counterparty stranger')).toBeUndefined();
  expect(dropped.get('counterparty stranger')).toBe(900 * loud.minutes);
  expect(loud.types).toContain('MakerPaymentSpendConfirmed');
});

describe('Q4: a topic of watchers', () => {
  const { all, each } = DEFAULT_RUNTIME_POLICY.hearing.takers;

  /** A node that watches, with what it read of messages that say nothing, and what it said of them. */
  async function setUp() {
    const { made, metrics } = tally();
    const lines: string[] = [];
    const line = (message: string) => void lines.push(message);
    const node = await watching({}, { metrics, logger: { info: line, warn: line, error: line } });
    lines.length = 0;
    const meter: Meter = { count: 0 };
    const junk = counted({ kind: 'watcher', watch: { ...watch, uuid: LONG } }, meter);
    return { ...node, made, lines, meter, junk };
  }

  it('costs what all of them together may cost, however many keys speak', async () => {
    const { network, junk, meter, lines, clock, made } = await setUp();
    const send = (count: number, from: number) => {
      for (let index = 0; index < count; index++) {
        network.peer((from + index).toString(16).padStart(64, '7')).send(`swpwtchr/${watch.taker_coin}`, junk as never);
      }
    };
    send(1, 0);
    const cost = meter.count;
    for (let second = 1; second <= 60; second++) {
      send(200, second * 200);
      await clock.advance(1000);
    }
    const most = all.messages.burst + 61 * all.messages.perSecond;
    expect(meter.count).toBeLessThanOrEqual(most * cost);
    expect(made.dropped.get('taker tooMany')).toBeGreaterThanOrEqual(12_001 - most);
    expect(lines.length).toBeLessThanOrEqual(22);
  });

  it('is heard from a taker within its allowance, while another never stops', async () => {
    const { network, junk, clock, say, streams, made } = await setUp();
    const loud = network.peer('d4'.repeat(32));
    for (let second = 0; second <= 300; second++) {
      for (let turn = 0; turn < 100; turn++) loud.send(`swpwtchr/${watch.taker_coin}`, junk as never);
      await clock.advance(second < 300 ? 1000 : 0);
    }
    await say(watch);
    expect(streams()).toHaveLength(1);
    const heard = each.messages.burst + 300 * each.messages.perSecond;
    expect(made.dropped.get('taker tooMany')).toBeGreaterThanOrEqual(30_000 - heard - 1);
  });
});

it('what a flood makes the process write is a few lines', async () => {
  const lines: string[] = [];
  const line = (message: string) => void lines.push(message);
  const pair = createPair({
    options: (side) => (side === 'taker' ? { logger: { info: () => {}, warn: line, error: line } } : {}),
  });
  await both(pair);
  await flooded(pair, { keys: [KEYS.maker], topic: `swap/${UUID}`, rate: 5000 }, () =>
    pair.types('taker').includes('Finished'),
  );
  expect(lines.filter((text) => text === 'not a message' || text === 'messages dropped').length).toBeLessThanOrEqual(7);
});
