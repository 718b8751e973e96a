import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/ports/chain.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { Command } from '../../../../src/runtime/command.ts';
import { appendOf, deferred, GOOD, QUOTE, type Script, WAIT } from '../../../support/scripted.ts';
import { scriptedRuntime } from '../../../support/scripted-runtime.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const STREAM = 'scripted/1';
const OTHER = 'scripted/2';
const NO_ANSWER = new Promise<never>(() => {});
const BROADCAST: Command = {
  kind: 'ask',
  leg: 'maker',
  key: 'maker:broadcast',
  question: { op: 'broadcast', transaction: null as never },
};

const asksOnce: Script = { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) };
const faultOf = (kind: string, message: string) => ({ ok: false, fault: { kind, message } }) as Answer<unknown>;

describe('a question', () => {
  it('is answered with the moment of the answer, and counted with the time that it took', async () => {
    const answer = deferred<Answer<unknown>>();
    const absorbed: unknown[] = [];
    const { clock, begin, told, lines, runtime } = scriptedRuntime({
      script: asksOnce,
      answer: () => answer.promise,
      driven: ({ absorb }) => ({
        absorb(command, given) {
          absorbed.push([command, given]);
          absorb(command, given);
        },
      }),
    });
    await begin(STREAM);
    const start = clock.now();
    await clock.advance(1500);
    expect(runtime.sizes()).toMatchObject({ underWay: 1, chains: { DOC: { asking: 1, queued: 0, abandoned: 0 } } });
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(absorbed).toEqual([[QUOTE, { result: GOOD, now: start + 1500, took: 1500, answering: 1500 }]]);
    expect(told.asked).toEqual([[{ op: 'quote', coin: 'DOC', seconds: 1.5, fault: null }]]);
    expect(told.late).toEqual([]);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
    expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { asking: 0, queued: 0, abandoned: 0 } } });
  });

  it('goes to the chain of its side', async () => {
    const { clock, begin, chains } = scriptedRuntime({
      script: { decide: ({ answers }) => (answers.length === 0 ? { ...QUOTE, leg: 'taker' } : WAIT) },
    });
    await begin(STREAM);
    await clock.advance(0);
    expect([chains.DOC.asked, chains.MARTY.asked]).toEqual([[], ['quote']]);
  });
});

describe('a question to a chain', () => {
  it('without a useful answer is reported in one line, with the adapter’s own words', async () => {
    const { clock, begin, told, lines } = scriptedRuntime({
      script: asksOnce,
      answer: () => faultOf('disagreement', 'two nodes, two heights'),
    });
    await begin(STREAM);
    await clock.advance(0);
    expect(told.asked).toEqual([[{ op: 'quote', coin: 'DOC', seconds: 0, fault: 'disagreement' }]]);
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'no useful answer',
        fields: { stream: STREAM, coin: 'DOC', op: 'quote', kind: 'disagreement', text: 'two nodes, two heights' },
      },
    ]);
  });

  it('whose adapter throws or rejects is a fault, reported by its kind alone', async () => {
    const error = Object.assign(new RangeError('https://user:password@node'), { code: 'E_NODE' });
    const failing: readonly (() => Promise<never>)[] = [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ];
    for (const answer of failing) {
      const { clock, begin, told, lines, seen } = scriptedRuntime({ script: asksOnce, answer });
      await begin(STREAM);
      await clock.advance(0);
      expect(seen(STREAM).answers).toEqual([faultOf('unavailable', 'the adapter failed with RangeError E_NODE')]);
      expect(lines[0]).toEqual({
        level: 'error',
        message: 'a chain adapter threw',
        fields: { stream: STREAM, coin: 'DOC', reason: 'RangeError E_NODE' },
      });
      expect(lines[1]).toMatchObject({ level: 'warn', message: 'no useful answer' });
      expect(told.asked).toMatchObject([[{ fault: 'unavailable' }]]);
    }
  });
});

describe('a question that no chain can answer', () => {
  it('is answered at once: its coin is not active', async () => {
    const { clock, begin, told, lines, seen, runtime } = scriptedRuntime({
      script: asksOnce,
      driven: () => ({ missing: [] }),
      active: ['MARTY'],
    });
    await begin(STREAM);
    await clock.advance(0);
    expect(seen(STREAM).answers).toEqual([faultOf('unavailable', 'DOC is not active')]);
    expect(seen(STREAM).decisions).toHaveLength(2);
    expect(told.asked).toEqual([]);
    expect(lines).toEqual([]);
    expect(runtime.sizes().underWay).toBe(0);
  });

  it('nor if its log names no coin', async () => {
    const { clock, begin, seen } = scriptedRuntime({
      script: asksOnce,
      driven: () => ({ coins: { maker: null, taker: 'MARTY' } }),
    });
    await begin(STREAM);
    await clock.advance(0);
    expect(seen(STREAM).answers).toEqual([faultOf('unavailable', 'the coin is not active')]);
  });
});

const narrow = { policy: { callsPerChain: 1 } };

/** Holds the only place with one stream while others queue; then frees it and tells who was asked for, in order. */
const orderOf = async (scripts: Readonly<Record<string, Script['decide']>>) => {
  const holding = deferred<Answer<unknown>>();
  const order: string[] = [];
  const made = scriptedRuntime({
    script: {
      decide: (seen, now) =>
        seen.stream === STREAM ? asksOnce.decide(seen, now) : (scripts[seen.stream]?.(seen, now) ?? WAIT),
    },
    answer: (_, coin) => (coin === 'DOC' && order.length === 0 ? holding.promise : GOOD),
    driven: ({ stream, absorb }) => ({
      absorb(command, given) {
        order.push(stream);
        absorb(command, given);
      },
    }),
    options: narrow,
  });
  await made.begin(STREAM);
  await made.clock.advance(0);
  for (const stream of Object.keys(scripts)) {
    await made.begin(stream);
    await made.clock.advance(0);
  }
  holding.resolve(GOOD);
  await made.clock.advance(0);
  return { ...made, order: order.slice(1) };
};
const askLater = (count: number): Script['decide'] => {
  let left = count;
  return ({ records, answers }) => {
    if (answers.length > 0) return WAIT;
    left -= 1;
    return left >= 0 && records.length <= count ? appendOf('Step') : QUOTE;
  };
};

describe('a chain that takes one question at a time', () => {
  it('lets the others queue, and reports to one that waits too long that there was no place', async () => {
    const { clock, begin, chains, seen, runtime, told, lines } = scriptedRuntime({
      script: asksOnce,
      answer: () => NO_ANSWER,
      options: { policy: { ...narrow.policy, callTimeout: 30 } },
    });
    await begin(STREAM);
    await clock.advance(0);
    await clock.advance(1000);
    await begin(OTHER);
    await clock.advance(0);
    expect(chains.DOC.asked).toHaveLength(1);
    expect(runtime.sizes()).toMatchObject({ underWay: 1, chains: { DOC: { asking: 1, queued: 1, abandoned: 0 } } });
    await clock.advance(28_999);
    expect(seen(STREAM).answers).toEqual([]);
    await clock.advance(1);
    expect(seen(STREAM).answers).toEqual([faultOf('unavailable', 'no answer of DOC within 30 s')]);
    expect(told.asked).toEqual([[{ op: 'quote', coin: 'DOC', seconds: 30, fault: 'unavailable' }]]);
    expect(lines).toMatchObject([{ message: 'no useful answer', fields: { text: 'no answer of DOC within 30 s' } }]);
    expect(seen(OTHER).answers).toEqual([]);
  });

  it('is reported to take only its own time, without the wait for a place and whatever the host sets its clock to', async () => {
    const host = { ahead: 0 };
    const clock = virtualClock();
    const times: unknown[] = [];
    const answers = [deferred<Answer<unknown>>(), deferred<Answer<unknown>>()];
    let asked = 0;
    const { begin } = scriptedRuntime({
      script: asksOnce,
      answer: () => {
        asked += 1;
        return answers[asked - 1]?.promise ?? GOOD;
      },
      driven: ({ absorb }) => ({
        absorb(command, given) {
          times.push([given.took, given.answering]);
          absorb(command, given);
        },
      }),
      options: {
        ...narrow,
        clock: {
          now: () => (clock.now() + host.ahead) as Millis,
          elapsed: () => clock.now() - 1_699_999_000_000,
          wakeAt: (at, wake) => clock.wakeAt((at - host.ahead) as Millis, wake),
        },
      },
    });
    await begin(STREAM);
    await clock.advance(0);
    await begin(OTHER);
    await clock.advance(7000);
    answers[0]?.resolve(GOOD);
    await clock.advance(0);
    await clock.advance(1000);
    host.ahead = 5000;
    await clock.advance(2000);
    answers[1]?.resolve(GOOD);
    await clock.advance(0);
    expect(times).toEqual([
      [7000, 7000],
      [15_000, 3000],
    ]);
  });

  it('keeps the place of an abandoned question until its late answer arrives', async () => {
    const first = deferred<Answer<unknown>>();
    const { clock, begin, seen, runtime, told } = scriptedRuntime({ script: asksOnce, answer: () => first.promise });
    await begin(STREAM);
    await clock.advance(30_000);
    expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { abandoned: 1 } } });
    first.resolve(GOOD);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { asking: 0, abandoned: 0 } } });
    expect(told.late).toEqual([[{ op: 'quote', coin: 'DOC' }]]);
    expect(told.asked).toHaveLength(1);
    expect(seen(STREAM).answers).toHaveLength(1);
  });

  it('does not mistake the late answer to an earlier question for the answer to the open one', async () => {
    const answers = [deferred<Answer<unknown>>(), deferred<Answer<unknown>>()];
    const { clock, begin, seen, chains, told } = scriptedRuntime({
      script: { decide: (own) => (own.answers.length < 2 ? QUOTE : WAIT) },
      answer: () => answers[chains.DOC.asked.length - 1]?.promise ?? GOOD,
    });
    await begin(STREAM);
    await clock.advance(30_000);
    expect(chains.DOC.asked).toHaveLength(2);
    answers[0]?.resolve(faultOf('invalid', 'of the first'));
    await clock.advance(0);
    expect(seen(STREAM).answers).toHaveLength(1);
    expect(told.late).toHaveLength(1);
    answers[1]?.resolve(GOOD);
    await clock.advance(0);
    expect(seen(STREAM).answers.slice(1)).toEqual([GOOD]);
  });
});

describe('a queue for such a chain', () => {
  it('first serves those in the middle of something, or that broadcast', async () => {
    const begins = asksOnce.decide;
    const broadcasts: Script['decide'] = ({ answers }) => (answers.length === 0 ? BROADCAST : WAIT);
    expect((await orderOf({ 'scripted/a': begins, 'scripted/b': begins })).order).toEqual(['scripted/a', 'scripted/b']);
    expect((await orderOf({ 'scripted/a': begins, 'scripted/b': broadcasts })).order).toEqual([
      'scripted/b',
      'scripted/a',
    ]);
    expect((await orderOf({ 'scripted/a': begins, 'scripted/b': askLater(1) })).order).toEqual([
      'scripted/b',
      'scripted/a',
    ]);
  });

  it('but not those that have not come to rest for more than 24 commands', async () => {
    const begins = asksOnce.decide;
    expect((await orderOf({ 'scripted/a': begins, 'scripted/b': askLater(23) })).order).toEqual([
      'scripted/b',
      'scripted/a',
    ]);
    expect((await orderOf({ 'scripted/a': begins, 'scripted/b': askLater(24) })).order).toEqual([
      'scripted/a',
      'scripted/b',
    ]);
  });

  it('gives a place that is no longer needed to the next', async () => {
    const changes: Script['decide'] = ({ decisions }) => (decisions.length === 1 ? QUOTE : WAIT);
    const { order, runtime, seen } = await orderOf({ 'scripted/a': changes, 'scripted/b': asksOnce.decide });
    expect(seen('scripted/a').decisions).toHaveLength(2);
    expect(order).toEqual(['scripted/b']);
    expect(runtime.sizes()).toMatchObject({ chains: { DOC: { asking: 0, queued: 0, abandoned: 0 } } });
  });
});

it('a question that waited for a place in vain says so, and frees its place in the queue', async () => {
  const { clock, begin, seen, runtime, told, lines, chains } = scriptedRuntime({
    script: asksOnce,
    answer: () => NO_ANSWER,
    options: { policy: { callsPerChain: 1, callTimeout: 7 } },
  });
  for (const stream of ['scripted/a', 'scripted/b', STREAM]) {
    await begin(stream);
    await clock.advance(1000);
  }
  await clock.advance(5999);
  expect(runtime.sizes()).toMatchObject({ underWay: 1, chains: { DOC: { asking: 1, queued: 1, abandoned: 1 } } });
  expect(seen(STREAM).answers).toEqual([]);
  await clock.advance(1);
  expect(seen(STREAM).answers).toEqual([faultOf('unavailable', 'no free place to ask DOC within 7 s')]);
  expect(runtime.sizes()).toMatchObject({ underWay: 1, chains: { DOC: { asking: 1, queued: 0, abandoned: 1 } } });
  expect(told.asked[1]).toEqual([{ op: 'quote', coin: 'DOC', seconds: 7, fault: 'unavailable' }]);
  expect(lines[1]).toMatchObject({ fields: { stream: STREAM, text: 'no free place to ask DOC within 7 s' } });
  await clock.advance(60_000);
  expect(chains.DOC.asked).toHaveLength(2);
  expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { asking: 0, queued: 0, abandoned: 2 } } });
});
