import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { Answer } from '../../../../src/ports/chain.ts';
import type { AppendBatch, Awaitable, EventLog } from '../../../../src/ports/event-log.ts';
import type { Envelope } from '../../../../src/primitives/envelope.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { createRuntime, type RuntimeOptions } from '../../../../src/runtime/index.ts';
import {
  appendOf,
  deferred,
  GOOD,
  QUOTE,
  type Script,
  type Seen,
  scriptedChain,
  scriptedKind,
  WAIT,
} from '../../../support/scripted.ts';
import { settled, virtualClock } from '../../../support/virtual-clock.ts';

const STREAM = 'scripted/1';

type Options = {
  readonly script: Script;
  readonly log?: EventLog;
  readonly answer?: (op: string) => Awaitable<Answer<unknown>>;
  readonly options?: Partial<RuntimeOptions>;
  readonly streams?: readonly string[];
  readonly machine?: string;
};

async function setUp({
  script,
  log = createMemoryLog(),
  answer = () => GOOD,
  options = {},
  streams = [STREAM],
  machine,
}: Options) {
  const clock = virtualClock();
  const chains = { DOC: scriptedChain('DOC', answer), MARTY: scriptedChain('MARTY', answer) };
  const { kind, seen, made } = scriptedKind(script, machine);
  const network = createInProcessNetwork();
  const runtime = createRuntime({
    log,
    clock,
    chains: [chains.DOC, chains.MARTY],
    peers: network.peer('a1'.repeat(32)),
    kinds: [kind],
    ...options,
  });
  for (const stream of streams) await runtime.startStream({ stream, events: [{ type: 'Begun', data: null }] });
  return { clock, chains, runtime, log, network, made, seen: (stream = STREAM) => seen.get(stream) as Seen };
}

const typesOf = ({ records }: Seen) => records.map(({ type }) => type);
const count = (seen: Seen, type: string) => typesOf(seen).filter((other) => other === type).length;

/** A log whose next appends do what the test says. */
function faultyLog(faults: ((batch: AppendBatch, log: EventLog) => Awaitable<readonly Envelope[]>)[]): EventLog {
  const log = createMemoryLog();
  return {
    append: (batch) => {
      const fault = batch.expected === 0 ? undefined : faults.shift();
      return fault === undefined ? log.append(batch) : fault(batch, log);
    },
    read: (stream, from) => log.read(stream, from),
    find: (query) => log.find(query),
    subscribe: (given, onEntry) => log.subscribe(given, onEntry),
    quarantined: () => log.quarantined(),
    close: () => log.close(),
  };
}

describe('D1: one command at a time', () => {
  it('decides again only when the answer is there', async () => {
    const answer = deferred<Answer<unknown>>();
    const { clock, seen } = await setUp({
      script: { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
      answer: () => answer.promise,
    });
    await clock.advance(10_000);
    expect(seen().decisions).toHaveLength(1);
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(seen().answers).toEqual([GOOD]);
    expect(seen().decisions).toHaveLength(2);
  });

  it('waits until the moment that the decision names, and not longer', async () => {
    const { clock, seen } = await setUp({
      script: { decide: (_, now) => ({ kind: 'wait', until: (now + 7000) as Millis }) },
    });
    const start = clock.now();
    await clock.advance(15_000);
    expect(seen().decisions.map((at) => at - start)).toEqual([0, 7000, 14_000]);
  });

  it('still gives a rest to one that waits for a past moment', async () => {
    const { clock, seen } = await setUp({ script: { decide: (_, now) => ({ kind: 'wait', until: now }) } });
    await clock.advance(5000);
    expect(seen().decisions.length).toBeLessThanOrEqual(6);
  });

  it('gives a runner that never rests a rest, and the others their turns', async () => {
    const { clock, seen } = await setUp({
      streams: [STREAM, 'scripted/2'],
      script: { decide: ({ stream }) => (stream === STREAM ? QUOTE : WAIT) },
    });
    await clock.advance(0);
    expect(seen('scripted/2').decisions).toHaveLength(1);
    expect(seen().decisions.length).toBeGreaterThan(1000);
    const before = seen().decisions.length;
    await clock.advance(500);
    expect(seen().decisions).toHaveLength(before);
  });
});

describe('D2: what is applied was appended', () => {
  it('applies and continues only after the append has ended', async () => {
    const gate = deferred<void>();
    const log = faultyLog([
      async (batch, inner) => {
        await gate.promise;
        return inner.append(batch);
      },
    ]);
    const { clock, seen, chains } = await setUp({
      log,
      script: {
        decide: (own) => (count(own, 'Paid') === 0 ? appendOf('Paid') : own.answers.length === 0 ? QUOTE : WAIT),
      },
    });
    await clock.advance(60_000);
    expect(typesOf(seen())).toEqual(['Begun']);
    expect(chains.DOC.asked).toEqual([]);
    gate.resolve();
    await clock.advance(0);
    expect(typesOf(seen())).toEqual(['Begun', 'Paid']);
    expect(chains.DOC.asked).toEqual(['quote']);
  });

  it('V3: notifies subscribers of the log, and none before the append has ended', async () => {
    const gate = deferred<void>();
    const log = faultyLog([
      async (batch, inner) => {
        await gate.promise;
        return inner.append(batch);
      },
    ]);
    const told: string[] = [];
    log.subscribe({ after: 0 }, ({ envelope }) => void told.push(envelope.type));
    const { clock } = await setUp({
      log,
      script: { decide: (own) => (count(own, 'Paid') === 0 ? appendOf('Paid') : WAIT) },
    });
    await clock.advance(60_000);
    expect(told).toEqual(['Begun']);
    gate.resolve();
    await clock.advance(0);
    expect(told).toEqual(['Begun', 'Paid']);
  });

  it('appends nothing that the fold would refuse', async () => {
    const { clock, log, runtime } = await setUp({
      script: {
        decide: () => appendOf('Absurd'),
        preview: (records) => {
          if (records.some(({ type }) => type === 'Absurd')) throw new RangeError('no such edge');
        },
      },
    });
    await clock.advance(0);
    expect(await log.read(STREAM)).toHaveLength(1);
    expect((await runtime.list({}))[0]).toMatchObject({ runner: 'failed', error: { code: 'RUNNER_FAILED' } });
  });
});

describe('D3: an error of the log proves nothing', () => {
  const once: Script = { decide: (own) => (count(own, 'Paid') === 0 ? appendOf('Paid') : WAIT) };

  it('reads the stream again after a foreign write, and decides by what it finds', async () => {
    const { clock, seen, log, made } = await setUp({ script: once });
    await log.append({
      stream: STREAM,
      expected: 1,
      records: [{ at: clock.now(), type: 'Paid', version: 1, data: null }],
    });
    await clock.advance(0);
    expect(made.count).toBe(2);
    expect(typesOf(seen())).toEqual(['Begun', 'Paid']);
    expect((await log.read(STREAM)).map(({ type }) => type)).toEqual(['Begun', 'Paid']);
  });

  it('finds what was stored although the answer was an error', async () => {
    const log = faultyLog([
      (batch, inner) => {
        void inner.append(batch);
        throw new Error('connection lost');
      },
    ]);
    const { clock, seen } = await setUp({ log, script: once });
    await clock.advance(0);
    expect(typesOf(seen())).toEqual(['Begun']);
    await clock.advance(1000);
    expect(typesOf(seen())).toEqual(['Begun', 'Paid']);
    expect(await log.read(STREAM)).toHaveLength(2);
  });

  it('writes again what was not stored, after growing pauses', async () => {
    const refused = () => Promise.reject(new Error('no space left on device'));
    const log = faultyLog([refused, refused, refused]);
    const { clock, seen } = await setUp({ log, script: once });
    await clock.advance(1500);
    expect(typesOf(seen())).toEqual(['Begun']);
    await clock.advance(60_000);
    expect(typesOf(seen())).toEqual(['Begun', 'Paid']);
    expect(await log.read(STREAM)).toHaveLength(2);
  });

  it('an append that has not ended is never given up', async () => {
    const log = faultyLog([() => new Promise(() => {})]);
    const { clock, seen, runtime } = await setUp({ log, script: once });
    await clock.advance(3_600_000);
    expect(seen().decisions).toHaveLength(1);
    expect((await runtime.list({}))[0]?.waiting).toMatchObject({ for: 'log' });
  });
});

describe('D4: a fault of one runner stops only that runner', () => {
  const others = ['scripted/2', 'scripted/3'];
  const bad: Readonly<Record<string, Script>> = {
    decide: {
      decide: ({ stream }) => {
        if (stream === STREAM) throw new TypeError('a secret 5e5e5e');
        return WAIT;
      },
    },
    absorb: {
      decide: ({ stream, answers }) => (stream === STREAM && answers.length === 0 ? QUOTE : WAIT),
      absorb: () => {
        throw new TypeError('a secret 5e5e5e');
      },
    },
    apply: {
      decide: ({ stream }) => (stream === STREAM ? appendOf('Odd') : WAIT),
      apply: ({ type }) => {
        if (type === 'Odd') throw new TypeError('a secret 5e5e5e');
      },
    },
  };
  for (const [where, script] of Object.entries(bad)) {
    it(`in ${where}`, async () => {
      const { clock, runtime } = await setUp({ script, streams: [STREAM, ...others] });
      await clock.advance(1000);
      const [first, ...rest] = await runtime.list({});
      expect(first).toMatchObject({ runner: 'failed' });
      expect(first?.error).toBeInstanceOf(SwapfoldError);
      expect(first?.error?.code).toBe('RUNNER_FAILED');
      expect(first?.error?.message).not.toContain('5e5e5e');
      expect(rest.map(({ runner }) => runner)).toEqual(['waiting', 'waiting']);
      await clock.advance(3_600_000);
      expect((await runtime.list({})).map(({ runner }) => runner)).toEqual(['failed', 'waiting', 'waiting']);
    });
  }

  it('rebuilds the runner from its log after growing pauses, since its money waits', async () => {
    const tried: number[] = [];
    const begun = 4;
    const script: Script = {
      decide: (_, now) => {
        tried.push(now);
        if (tried.length < begun) throw new TypeError('once more');
        return WAIT;
      },
    };
    const { clock, runtime } = await setUp({ script });
    await clock.advance(600_000);
    const [first = 0] = tried;
    expect(tried.map((at) => Math.round((at - first) / 1000))).toEqual([0, 60, 180, 420]);
    expect((await runtime.list({}))[0]).toMatchObject({ runner: 'waiting', error: null });
  });

  it('a record that no log accepts stops the runner like a fault, and is not written again at once', async () => {
    const attempts: number[] = [];
    const memory = createMemoryLog();
    const refused = new SwapfoldError('too long', { code: 'LOG_RECORD_INVALID' });
    const log = {
      ...memory,
      append: (batch: Parameters<typeof memory.append>[0]) => {
        if (batch.records.some(({ type }) => type === 'Huge')) {
          attempts.push(0);
          throw refused;
        }
        return memory.append(batch);
      },
    };
    const { clock, runtime } = await setUp({ log, script: { decide: () => appendOf('Huge') } });
    await clock.advance(59_000);
    expect(attempts).toHaveLength(1);
    expect((await runtime.list({}))[0]).toMatchObject({ runner: 'failed', waiting: { for: 'retry' } });
  });

  it('a stream that does not fold is left aside', async () => {
    const log = createMemoryLog();
    const at = 1_700_000_000_000 as Millis;
    for (const stream of [STREAM, 'scripted/2']) {
      log.append({
        stream,
        expected: 0,
        records: [{ at, type: stream === STREAM ? 'Odd' : 'Begun', version: 1, data: null }],
      });
    }
    const { clock, runtime } = await setUp({
      log,
      streams: [],
      script: {
        decide: () => WAIT,
        apply: ({ type }) => {
          if (type === 'Odd') throw new SwapfoldError('not here', { code: 'ILLEGAL_EVENT' });
        },
      },
    });
    expect(await runtime.resumeAll()).toMatchObject({ resumed: 1, failed: [STREAM] });
    await clock.advance(0);
    const [first, second] = await runtime.list({});
    expect(first?.error?.code).toBe('SWAP_UNREADABLE');
    expect(second?.runner).toBe('waiting');
  });
});

describe('D5: an answer counts only for the question that is still open', () => {
  it('gives up a question after 30 s and says so', async () => {
    const { clock, seen, chains } = await setUp({
      script: { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
      answer: () => new Promise(() => {}),
    });
    await clock.advance(29_999);
    expect(seen().answers).toEqual([]);
    await clock.advance(1);
    expect(seen().answers).toEqual([
      { ok: false, fault: { kind: 'unavailable', message: 'no answer of DOC within 30 s' } },
    ]);
    expect(chains.DOC.asked).toHaveLength(1);
  });

  it('drops a later answer', async () => {
    const first = deferred<Answer<unknown>>();
    const { clock, seen } = await setUp({
      script: { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
      answer: () => first.promise,
    });
    await clock.advance(30_000);
    first.resolve(GOOD);
    await clock.advance(1000);
    expect(seen().answers.map(({ ok }) => ok)).toEqual([false]);
  });

  it('drops the answer to a question of the runner before the stream was read again', async () => {
    const answers = [deferred<Answer<unknown>>(), deferred<Answer<unknown>>()];
    const { clock, seen, runtime, chains } = await setUp({
      script: { decide: (own) => (own.answers.length === 0 ? QUOTE : WAIT) },
      answer: () => answers[chains.DOC.asked.length - 1]?.promise ?? GOOD,
    });
    await clock.advance(0);
    runtime.addChain(chains.MARTY);
    await clock.advance(0);
    expect(chains.DOC.asked).toHaveLength(2);
    answers[0]?.resolve({ ok: false, fault: { kind: 'invalid', message: 'of the first' } });
    await clock.advance(0);
    expect(seen().answers).toEqual([]);
    answers[1]?.resolve(GOOD);
    await clock.advance(0);
    expect(seen().answers).toEqual([GOOD]);
  });

  it('turns what an adapter throws into a fault, without its text', async () => {
    const { clock, seen } = await setUp({
      script: { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
      answer: () => {
        throw new RangeError('https://user:password@node');
      },
    });
    await clock.advance(0);
    expect(seen().answers).toEqual([
      { ok: false, fault: { kind: 'unavailable', message: 'the adapter failed with RangeError' } },
    ]);
  });
});

describe('messages', () => {
  const hello = { kind: 'negotiated', accepted: true } as const;
  const sending: Script = {
    decide: ({ sent, stream }) =>
      sent.length === 0 ? { kind: 'send', topic: `swap/${stream}`, message: hello } : WAIT,
  };

  it('a network that does not accept a message is tried again, with growing pauses', async () => {
    let tries = 0;
    const peers = {
      self: 'a1'.repeat(32),
      subscribe: () => ({ close: () => {} }),
      send: () => {
        tries += 1;
        if (tries < 3) throw new Error('not connected');
      },
    };
    const { clock, seen } = await setUp({ script: sending, options: { peers } });
    await clock.advance(0);
    expect(tries).toBe(1);
    await clock.advance(5000);
    expect(tries).toBe(2);
    await clock.advance(10_000);
    expect(tries).toBe(3);
    await clock.advance(3_600_000);
    expect(tries).toBe(3);
    expect(seen().sent).toEqual([hello]);
  });

  it('a network that hangs does not hold up a runner for long', async () => {
    const peers = {
      self: 'a1'.repeat(32),
      subscribe: () => ({ close: () => {} }),
      send: () => new Promise<void>(() => {}),
    };
    const { clock, seen } = await setUp({ script: sending, options: { peers } });
    await clock.advance(4999);
    expect(seen().decisions).toHaveLength(1);
    await clock.advance(1);
    expect(seen().decisions).toHaveLength(2);
  });

  it('accepts only messages of the counterparty, and only those of the protocol', async () => {
    const { clock, seen, network } = await setUp({ script: { decide: () => WAIT } });
    await clock.advance(0);
    const topic = `swap/${STREAM}`;
    network.peer('c3'.repeat(32)).send(topic, hello);
    network.peer('e5'.repeat(32)).send(topic, hello);
    network.peer('c3'.repeat(32)).send('swap/another', hello);
    network.peer('c3'.repeat(32)).send(topic, { kind: 'takerFee', tx: null } as never);
    network.peer('c3'.repeat(32)).send(topic, { kind: 'negotiated', accepted: true, more: 'x' } as never);
    await clock.advance(0);
    expect(seen().messages).toEqual([hello, hello]);
    expect(seen().decisions).toHaveLength(2);
  });

  it('a message wakes the runner at once', async () => {
    const { clock, seen, network } = await setUp({ script: { decide: () => WAIT } });
    await clock.advance(1000);
    network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, hello);
    await clock.advance(0);
    expect(seen().decisions.at(-1)).toBe(clock.now());
    expect(seen().decisions).toHaveLength(2);
  });
});

describe('changes of a chain', () => {
  it('are passed on at once, and those soon after together', async () => {
    const { clock, seen, chains } = await setUp({ script: { decide: () => WAIT } });
    await clock.advance(0);
    expect(chains.DOC.subscribers()).toBe(1);
    chains.DOC.change();
    chains.DOC.change();
    await clock.advance(0);
    expect(seen().pokes).toEqual(['maker']);
    for (let index = 0; index < 50; index++) {
      chains.DOC.change();
      await clock.advance(10);
    }
    expect(seen().pokes).toEqual(['maker']);
    await clock.advance(1000);
    expect(seen().pokes).toEqual(['maker', 'maker']);
  });

  it('that come while a question is open are looked at before the runner rests', async () => {
    const answers = [deferred<Answer<unknown>>()];
    const { clock, seen, chains } = await setUp({
      script: { decide: ({ answers: known }) => (known.length === 0 ? QUOTE : WAIT) },
      answer: () => answers[0]?.promise ?? GOOD,
    });
    await clock.advance(0);
    chains.MARTY.change();
    await clock.advance(0);
    expect(seen().pokes).toEqual([]);
    answers[0]?.resolve(GOOD);
    await clock.advance(0);
    expect(seen().pokes).toEqual(['taker']);
    expect(seen().decisions).toHaveLength(3);
  });
});

it('the log of the process hears everything and can stop nothing', async () => {
  const lines: string[] = [];
  const logger = {
    info: (message: string) => {
      lines.push(message);
      throw new Error('disk full');
    },
    warn: () => {
      throw new Error('disk full');
    },
    error: () => {
      throw new Error('disk full');
    },
  };
  const { clock, seen } = await setUp({
    script: { decide: (own) => (count(own, 'Paid') === 0 ? appendOf('Paid') : WAIT) },
    options: { logger },
  });
  await clock.advance(0);
  await settled();
  expect(lines).toContain('appended');
  expect(typesOf(seen())).toEqual(['Begun', 'Paid']);
});

describe('what an operator asks for', () => {
  const uuid = '3447b727-fe93-4357-8e5a-8cf2699b7e86';
  const stream = `taker-swap/${uuid}`;
  const swap = { machine: 'taker-swap', streams: [stream] } as const;

  it('is written beside an open question, and decided once both have ended', async () => {
    const answer = deferred<Answer<unknown>>();
    const { clock, runtime, seen } = await setUp({
      ...swap,
      script: { decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) },
      answer: () => answer.promise,
    });
    await clock.advance(0);
    await runtime.pause(uuid);
    expect(typesOf(seen(stream))).toEqual(['Begun', 'OperatorActed']);
    expect(seen(stream).decisions).toHaveLength(1);
    answer.resolve(GOOD);
    await clock.advance(0);
    expect(seen(stream).decisions).toHaveLength(2);
  });

  it('keeps the runner from deciding while it is being written', async () => {
    const gate = deferred<void>();
    const log = faultyLog([
      async (batch, inner) => {
        await gate.promise;
        return inner.append(batch);
      },
    ]);
    const { clock, runtime, seen, network } = await setUp({ ...swap, log, script: { decide: () => WAIT } });
    await clock.advance(0);
    const paused = runtime.pause(uuid);
    await clock.advance(0);
    network.peer('c3'.repeat(32)).send(`swap/${stream}`, { kind: 'negotiated', accepted: true });
    await clock.advance(10_000);
    expect(seen(stream).decisions).toHaveLength(1);
    gate.resolve();
    await paused;
    await clock.advance(0);
    expect(seen(stream).decisions).toHaveLength(2);
  });

  it('waits for the append of the runner, then follows it', async () => {
    const gate = deferred<void>();
    const log = faultyLog([
      async (batch, inner) => {
        await gate.promise;
        return inner.append(batch);
      },
    ]);
    const { clock, runtime, seen } = await setUp({
      ...swap,
      log,
      script: { decide: (own) => (count(own, 'Paid') === 0 ? appendOf('Paid') : WAIT) },
    });
    await clock.advance(0);
    const both = [runtime.pause(uuid), runtime.resume(uuid)];
    await clock.advance(0);
    gate.resolve();
    await Promise.all(both);
    expect(typesOf(seen(stream))).toEqual(['Begun', 'Paid', 'OperatorActed', 'OperatorActed']);
  });

  it('is written again after a foreign write', async () => {
    const { clock, runtime, seen, log } = await setUp({ ...swap, script: { decide: () => WAIT } });
    await clock.advance(0);
    await log.append({ stream, expected: 1, records: [{ at: clock.now(), type: 'Paid', version: 1, data: null }] });
    await runtime.recoverFunds(uuid, 'why not');
    expect(typesOf(seen(stream))).toEqual(['Begun', 'Paid', 'OperatorActed']);
    expect(seen(stream).records[2]?.data).toEqual({ action: 'recover', reason: 'why not' });
  });

  it('is refused when the log gives an error, and the stream is read again', async () => {
    const log = faultyLog([() => Promise.reject(new Error('no space left on device'))]);
    const { clock, runtime, made } = await setUp({ ...swap, log, script: { decide: () => WAIT } });
    await clock.advance(0);
    await expect(runtime.pause(uuid)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
    await clock.advance(1000);
    expect(made.count).toBe(2);
  });

  it('rebuilds a runner that failed', async () => {
    let broken = true;
    const { clock, runtime, seen } = await setUp({
      ...swap,
      script: {
        decide: () => {
          if (broken) throw new TypeError('a fault');
          return WAIT;
        },
      },
    });
    await clock.advance(0);
    expect(await runtime.status(uuid)).toMatchObject({ runner: 'failed', error: { code: 'RUNNER_FAILED' } });
    broken = false;
    await runtime.retryNow(uuid);
    await clock.advance(0);
    expect(typesOf(seen(stream))).toEqual(['Begun', 'OperatorActed']);
    expect(await runtime.status(uuid)).toMatchObject({ runner: 'waiting', error: null });
  });
});
