import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/ports/chain.ts';
import type { Millis } from '../../../src/primitives/time.ts';
import type { Command } from '../../../src/runtime/command.ts';
import { appendOf, deferred, GOOD, QUOTE, type Script, WAIT } from '../../support/scripted.ts';
import { scriptedRuntime } from '../../support/scripted-runtime.ts';
import { UUID } from '../../support/swap-pair.ts';

const STREAM = `taker-swap/${UUID}`;
const swap = { machine: 'taker-swap' } as const;
const hello = { kind: 'negotiated', accepted: true } as const;
const until = (moment: number): Command => ({ kind: 'wait', until: moment as Millis });

describe('a runner that never comes to rest', () => {
  it('gets 2000 commands, is reported with the next one, and then rests for one second', async () => {
    const { clock, begin, lines, seen, told } = scriptedRuntime({ ...swap, script: { decide: () => QUOTE } });
    await begin(STREAM);
    const start = clock.now();
    await clock.advance(0);
    expect(seen(STREAM).answers).toHaveLength(2000);
    expect(seen(STREAM).decisions).toHaveLength(2001);
    expect(lines).toEqual([
      { level: 'warn', message: 'runner does not come to rest', fields: { stream: STREAM, command: 'ask' } },
    ]);
    expect(told.decided).toHaveLength(2001);
    await clock.advance(999);
    expect(seen(STREAM).decisions).toHaveLength(2001);
    await clock.advance(1);
    expect(seen(STREAM).decisions).toHaveLength(4002);
    expect(seen(STREAM).decisions[2001]).toBe(start + 1000);
    expect(lines).toHaveLength(2);
  });

  it('rests twice as long each time, up to a minute, so that one that writes does not fill its log', async () => {
    const { clock, begin, seen } = scriptedRuntime({ ...swap, script: { decide: () => appendOf('Noted') } });
    await begin(STREAM);
    const start = clock.now();
    await clock.advance(130_000);
    const begun = seen(STREAM).decisions.filter((_, index) => index % 2001 === 0);
    expect(begun.map((at) => (at - start) / 1000)).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
  });

  it('rests for a second again once it has rested by itself', async () => {
    const { clock, begin, seen } = scriptedRuntime({
      ...swap,
      script: { decide: ({ decisions }, now) => (decisions.length === 4003 ? until(now + 5000) : QUOTE) },
    });
    await begin(STREAM);
    const start = clock.now();
    await clock.advance(10_000);
    const { decisions } = seen(STREAM);
    // The second rest of two seconds, the own one of five, and a first one again.
    const moments = [...new Set(decisions)].map((at) => (at - start) / 1000);
    expect(moments).toEqual([0, 1, 3, 8, 9]);
  });

  it('counts from the beginning whenever it has rested', async () => {
    const { clock, begin, lines, seen } = scriptedRuntime({
      ...swap,
      script: { decide: ({ decisions }, now) => (decisions.length % 1501 === 0 ? until(now + 5000) : QUOTE) },
    });
    await begin(STREAM);
    await clock.advance(14_999);
    expect(seen(STREAM).answers).toHaveLength(4500);
    expect(lines).toEqual([]);
  });
});

describe('a runner that rests', () => {
  const decisionsOf = async (wait: (now: number) => number, milliseconds: number) => {
    const { clock, begin, seen, told } = scriptedRuntime({
      ...swap,
      script: { decide: (_, now) => until(wait(now)) },
    });
    await begin(STREAM);
    const start = clock.now();
    await clock.advance(milliseconds);
    expect(told.decided).toEqual(seen(STREAM).decisions.map(() => ['wait']));
    return seen(STREAM).decisions.map((at) => at - start);
  };

  it('does so until the moment that it named, even if that is the next millisecond', async () => {
    expect(await decisionsOf((now) => now + 1, 3)).toEqual([0, 1, 2, 3]);
    expect(await decisionsOf((now) => now + 7000, 14_000)).toEqual([0, 7000, 14_000]);
  });

  it('does so for a second if that moment is now or past', async () => {
    expect(await decisionsOf((now) => now, 2000)).toEqual([0, 1000, 2000]);
    expect(await decisionsOf((now) => now - 1, 2000)).toEqual([0, 1000, 2000]);
    expect(await decisionsOf(() => 0, 1999)).toEqual([0, 1000]);
  });

  it('has no timer if it waits for no moment', async () => {
    const { clock, begin, runtime } = scriptedRuntime({ ...swap, script: { decide: () => WAIT } });
    await begin(STREAM);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ ready: 0, waiting: 0 });
    expect(clock.armed()).toBe(0);
  });
});

describe('what a runner decides', () => {
  it('is counted by its kind', async () => {
    const { clock, begin, told } = scriptedRuntime({
      ...swap,
      script: {
        decide: ({ records, answers, sent }) => {
          if (records.length === 1) return appendOf('Paid');
          if (answers.length === 0) return QUOTE;
          if (sent.length === 0) return { kind: 'send', topic: 'swap/1', message: hello };
          return records.length === 2 ? { kind: 'done' } : WAIT;
        },
      },
    });
    await begin(STREAM);
    await clock.advance(0);
    expect(told.decided).toEqual([['append'], ['ask'], ['send'], ['done']]);
  });
});

const asksOnce: Script = { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) };

describe('a change of a chain', () => {
  it('wakes a runner that rests, which looks at that side again', async () => {
    const { clock, begin, chains, seen } = scriptedRuntime({ ...swap, script: { decide: () => WAIT } });
    await begin(STREAM);
    await clock.advance(0);
    chains.MARTY.change();
    await clock.advance(0);
    expect(seen(STREAM).pokes).toEqual(['taker']);
    expect(seen(STREAM).decisions).toHaveLength(2);
  });

  it('of both chains while it is busy is looked at once for each, before it rests', async () => {
    for (const [changes, pokes] of [
      [['DOC', 'DOC'], ['maker']],
      [['MARTY'], ['taker']],
      [
        ['MARTY', 'DOC'],
        ['maker', 'taker'],
      ],
    ] as const) {
      const answer = deferred<Answer<unknown>>();
      const { clock, begin, chains, seen } = scriptedRuntime({
        ...swap,
        script: asksOnce,
        answer: () => answer.promise,
      });
      await begin(STREAM);
      await clock.advance(0);
      for (const coin of changes) {
        chains[coin].change();
        await clock.advance(1000);
      }
      expect(seen(STREAM).pokes).toEqual([]);
      answer.resolve(GOOD);
      await clock.advance(0);
      expect(seen(STREAM).pokes).toEqual(pokes);
      // One with the answer, one that would have rested, and one with what had changed.
      expect(seen(STREAM).decisions).toHaveLength(3);
      await clock.advance(60_000);
      expect(seen(STREAM).pokes).toEqual(pokes);
    }
  });
});

describe('a notice of a chain', () => {
  it('about a coin that both sides of a swap have is one for each side', async () => {
    const { clock, begin, chains, seen } = scriptedRuntime({
      ...swap,
      script: { decide: () => WAIT },
      driven: () => ({ coins: { maker: 'DOC', taker: 'DOC' } }),
    });
    await begin(STREAM);
    await clock.advance(0);
    chains.MARTY.change();
    await clock.advance(0);
    expect(seen(STREAM).pokes).toEqual([]);
    chains.DOC.change();
    await clock.advance(0);
    expect([...seen(STREAM).pokes].sort()).toEqual(['maker', 'taker']);
  });

  it('is nothing to a runner that waits for a coin', async () => {
    const { clock, begin, chains, seen } = scriptedRuntime({
      ...swap,
      script: { decide: () => WAIT },
      active: ['DOC'],
    });
    await begin(STREAM).catch(() => {});
    await clock.advance(0);
    chains.DOC.change();
    await clock.advance(1000);
    expect(seen(STREAM)).toMatchObject({ pokes: [], decisions: [] });
  });
});

describe('a message', () => {
  it('goes to a busy runner, which decides when it is done', async () => {
    const answer = deferred<Answer<unknown>>();
    const { clock, begin, network, seen } = scriptedRuntime({
      ...swap,
      script: { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
      answer: () => answer.promise,
    });
    await begin(STREAM);
    await clock.advance(0);
    network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, hello);
    await clock.advance(0);
    expect(seen(STREAM)).toMatchObject({ messages: [hello], decisions: { length: 1 } });
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(seen(STREAM).decisions).toHaveLength(2);
  });

  it('is dropped by a runner that waits for a coin', async () => {
    const { clock, begin, network, seen } = scriptedRuntime({
      ...swap,
      script: { decide: () => WAIT },
      active: ['DOC'],
    });
    await begin(STREAM);
    await clock.advance(0);
    network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, hello);
    await clock.advance(0);
    expect(seen(STREAM)).toMatchObject({ messages: [], decisions: [] });
  });

  it('that does not belong to the protocol is reported for the first, the tenth and the hundredth', async () => {
    const { clock, begin, network, lines, seen } = scriptedRuntime({ ...swap, script: { decide: () => WAIT } });
    await begin(STREAM);
    await clock.advance(0);
    for (let index = 0; index < 100; index++) {
      network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, { kind: 'takerFee', tx: null } as never);
    }
    await clock.advance(0);
    const line = (message: string, fields: object) => ({
      level: 'warn',
      message,
      fields: { stream: STREAM, ...fields },
    });
    expect(lines).toEqual([
      line('not a message', { path: '/tx', count: 1 }),
      line('not a message', { path: '/tx', count: 10 }),
      line('messages dropped', { why: 'tooMany', count: 100 }),
    ]);
    expect(seen(STREAM).messages).toEqual([]);
  });
});

it('a place at a gate is kept for a question to the same chain, and passed on for one to another', async () => {
  const other = 'taker-swap/6f0e3a2c-3b1e-4f0a-9d58-0f7e5a0d6b11';
  for (const leg of ['maker', 'taker'] as const) {
    const asked: string[] = [];
    const answer = deferred<Answer<unknown>>();
    const { clock, begin, runtime } = scriptedRuntime({
      ...swap,
      script: {
        decide: ({ stream, answers, decisions }) => {
          if (answers.length > 0) return WAIT;
          return stream === other && decisions.length > 1 ? { ...QUOTE, leg } : QUOTE;
        },
      },
      answer: (_, coin) => {
        asked.push(coin);
        return asked.length === 1 ? answer.promise : GOOD;
      },
      options: { policy: { callsPerChain: 1 } },
    });
    await begin(STREAM);
    await clock.advance(0);
    await begin(other);
    await clock.advance(0);
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(asked).toEqual(['DOC', leg === 'maker' ? 'DOC' : 'MARTY']);
    expect(runtime.sizes().chains).toEqual({
      DOC: { asking: 0, queued: 0, abandoned: 0 },
      MARTY: { asking: 0, queued: 0, abandoned: 0 },
    });
  }
});
