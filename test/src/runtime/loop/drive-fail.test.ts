import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/ports/chain.ts';
import type { NewRecord } from '../../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { Command } from '../../../../src/runtime/command.ts';
import { appendOf, deferred, GOOD, QUOTE, type Script, WAIT } from '../../../support/scripted.ts';
import { scriptedRuntime } from '../../../support/scripted-runtime.ts';
import { UUID } from '../../../support/swap-pair.ts';

const STREAM = `taker-swap/${UUID}`;
const OTHER = 'taker-swap/6f0e3a2c-3b1e-4f0a-9d58-0f7e5a0d6b11';
const DONE: Command = { kind: 'done' };
const hello = { kind: 'negotiated', accepted: true } as const;
const broken = () => {
  throw new TypeError('a secret 5e5e5e');
};
const swap = { machine: 'taker-swap' } as const;

describe('D4: a runner that stops over a fault', () => {
  it('is reported by the kind of the fault and its place, and never by its text', async () => {
    const { clock, begin, lines, runtime } = scriptedRuntime({ ...swap, script: { decide: broken } });
    await begin(STREAM);
    await clock.advance(0);
    const [line, ...more] = lines;
    expect(more).toEqual([]);
    expect(line).toEqual({
      level: 'error',
      message: 'runner stopped',
      fields: { stream: STREAM, code: 'RUNNER_FAILED', reason: expect.any(String) },
    });
    expect(line?.fields['reason']).toMatch(/^TypeError at .+:\d+:\d+\)?$/);
    expect((await runtime.list({}))[0]).toMatchObject({
      runner: 'failed',
      waiting: { for: 'retry', until: clock.now() + 60_000 },
    });
  });

  it('names no place if the thrown value has none', async () => {
    const { clock, begin, lines } = scriptedRuntime({
      ...swap,
      script: {
        decide: () => {
          throw 'a secret 5e5e5e';
        },
      },
    });
    await begin(STREAM);
    await clock.advance(0);
    expect(lines[0]?.fields).toEqual({ stream: STREAM, code: 'RUNNER_FAILED', reason: 'string' });
  });
});

describe('D4: a runner that has stopped', () => {
  it('gives the question back that was open, and its place at the gate', async () => {
    const answer = deferred<Answer<unknown>>();
    const { clock, begin, runtime, network, seen } = scriptedRuntime({
      ...swap,
      script: { decide: () => QUOTE, receive: broken },
      answer: () => answer.promise,
      options: { policy: { callsPerChain: 1 } },
    });
    await begin(STREAM);
    await clock.advance(0);
    await begin(OTHER);
    await clock.advance(0);
    const send = (stream: string) => network.peer('c3'.repeat(32)).send(`swap/${stream}`, hello);
    expect(runtime.sizes()).toMatchObject({ underWay: 1, chains: { DOC: { asking: 1, queued: 1, abandoned: 0 } } });
    send(OTHER);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ underWay: 1, chains: { DOC: { asking: 1, queued: 0, abandoned: 0 } } });
    send(STREAM);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { asking: 0, queued: 0, abandoned: 1 } } });
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { asking: 0, queued: 0, abandoned: 0 } } });
    expect(seen(STREAM).answers).toEqual([]);
  });

  it('gives a place back that it was granted and had no use for', async () => {
    const answer = deferred<Answer<unknown>>();
    const { clock, begin, runtime, seen } = scriptedRuntime({
      ...swap,
      script: {
        decide: ({ stream, decisions, answers }) => {
          if (stream === OTHER && decisions.length > 1) return broken();
          return answers.length === 0 ? QUOTE : WAIT;
        },
      },
      answer: () => answer.promise,
      options: { policy: { callsPerChain: 1 } },
    });
    await begin(STREAM);
    await clock.advance(0);
    await begin(OTHER);
    await clock.advance(0);
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(seen(OTHER).decisions).toHaveLength(2);
    expect(runtime.sizes()).toMatchObject({ underWay: 0, chains: { DOC: { asking: 0, queued: 0, abandoned: 0 } } });
  });
});

describe('D4: a runner that waits to be rebuilt', () => {
  it('gets no questions and no messages until it is rebuilt; a replaced chain does not rebuild it', async () => {
    const given = { broken: true };
    const { clock, begin, runtime, network, seen, made, chains } = scriptedRuntime({
      ...swap,
      script: { decide: () => (given.broken ? broken() : WAIT) },
    });
    await begin(STREAM);
    await clock.advance(0);
    network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, hello);
    chains.DOC.change();
    runtime.addChain(chains.MARTY);
    await clock.advance(59_999);
    expect(made.count).toBe(1);
    expect(seen(STREAM)).toMatchObject({ messages: [], pokes: [], decisions: { length: 1 } });
    given.broken = false;
    await clock.advance(1);
    expect(made.count).toBe(2);
    expect(seen(STREAM).decisions).toHaveLength(1);
  });

  it('begins with the first pause again once it has written something', async () => {
    const faults = [true, true, false, true];
    const { clock, begin, seen } = scriptedRuntime({
      ...swap,
      script: {
        decide: ({ records }) => (faults.shift() === true ? broken() : records.length === 1 ? appendOf('Paid') : WAIT),
      },
    });
    await begin(STREAM);
    await clock.advance(0);
    await clock.advance(60_000);
    await clock.advance(119_999);
    expect(seen(STREAM).records).toHaveLength(1);
    await clock.advance(1);
    expect(seen(STREAM).records).toHaveLength(2);
    const before = seen(STREAM);
    await clock.advance(59_999);
    expect(seen(STREAM)).toBe(before);
    await clock.advance(1);
    expect(seen(STREAM)).not.toBe(before);
  });

  it('is not rebuilt once the node shuts down', async () => {
    const { clock, begin, runtime, made } = scriptedRuntime({ ...swap, script: { decide: broken } });
    await begin(STREAM);
    await clock.advance(0);
    const drained = runtime.drain();
    await clock.advance(3_600_000);
    expect(await drained).toEqual({ clean: true, abandoned: 0 });
    expect(made.count).toBe(1);
  });
});

describe('the moment at which a runner is rebuilt', () => {
  it('is passed over while the node shuts down and still waits for others', async () => {
    const { clock, begin, runtime, made } = scriptedRuntime({
      ...swap,
      script: { decide: ({ stream }) => (stream === STREAM ? broken() : QUOTE) },
      answer: () => new Promise(() => {}),
      options: { policy: { faultBackoff: { first: 5, factor: 1, most: 5 }, callTimeout: 60 } },
    });
    await begin(STREAM, OTHER);
    await clock.advance(0);
    const drained = runtime.drain();
    await clock.advance(29_999);
    expect(made.count).toBe(2);
    await clock.advance(1);
    expect(await drained).toEqual({ clean: false, abandoned: 1 });
  });

  it('writes what was asked for meanwhile before the runner decides', async () => {
    const slow = deferred<void>();
    const given = { broken: true };
    let reads = 0;
    const { clock, begin, runtime, stored, seen } = scriptedRuntime({
      ...swap,
      script: { decide: ({ records }) => (given.broken ? broken() : records.length === 2 ? appendOf('Paid') : WAIT) },
      log: (memory) => ({
        read: async (stream) => {
          reads += 1;
          if (reads === 2) await slow.promise;
          return memory.read(stream);
        },
      }),
    });
    await begin(STREAM);
    await clock.advance(0);
    given.broken = false;
    await clock.advance(60_000);
    expect(reads).toBe(2);
    const paused = runtime.pause(UUID);
    await clock.advance(1000);
    slow.resolve();
    await paused;
    await clock.advance(0);
    expect(stored(STREAM)).toEqual(['Begun', 'OperatorActed', 'Paid']);
    expect(seen(STREAM).records).toHaveLength(3);
  });
});

describe('a runner that has nothing left to do', () => {
  const ends: Script = { decide: ({ messages }) => (messages.length === 0 ? WAIT : DONE) };

  it('leaves nothing behind: no place, no topic, no held money, nothing in the metrics', async () => {
    const { clock, begin, runtime, network, told, chains, seen } = scriptedRuntime({
      ...swap,
      script: ends,
      driven: () => ({ holds: () => ({ amounts: new Map([['DOC', '2' as DecimalText]]), fees: new Map() }) }),
    });
    await begin(STREAM);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ runners: 1 });
    expect(runtime.locked().get('DOC')).toBe('2');
    const send = () => network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, hello);
    send();
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ runners: 0, ready: 0, waiting: 0 });
    expect(runtime.locked().size).toBe(0);
    expect(told.runnerMoved.at(-1)).toEqual(['running', null]);
    expect(told.moved).toMatchObject([
      [null, { machine: 'taker-swap', state: 'Begun', outcome: 'in-progress' }],
      [{ machine: 'taker-swap', state: 'Begun', outcome: 'in-progress' }, null],
    ]);
    send();
    chains.DOC.change();
    await clock.advance(60_000);
    expect(seen(STREAM)).toMatchObject({ messages: { length: 1 }, pokes: [] });
  });

  it('frees its number for the next', async () => {
    const { clock, begin, runtime, network, seen } = scriptedRuntime({ ...swap, script: ends });
    await begin(STREAM);
    await clock.advance(0);
    network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, hello);
    await clock.advance(0);
    await begin(OTHER);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ runners: 1 });
    expect(seen(OTHER).decisions).toHaveLength(1);
    expect(seen(STREAM).decisions).toHaveLength(2);
  });

  it('is driven again when somebody asks for something in its stream', async () => {
    const { clock, begin, runtime, memory, made } = scriptedRuntime({
      ...swap,
      script: { decide: ({ records }) => (records.length === 1 ? DONE : WAIT) },
    });
    await begin(STREAM);
    await clock.advance(0);
    expect(runtime.sizes()).toMatchObject({ runners: 0 });
    await runtime.pause(UUID);
    expect(made.count).toBe(2);
    expect((memory.read(STREAM) as readonly NewRecord[]).map(({ type }) => type)).toEqual(['Begun', 'OperatorActed']);
    expect(runtime.sizes()).toMatchObject({ runners: 1 });
  });
});
