import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import type { LogFields } from '../../../../src/ports/logger.ts';
import type { Peers, SwapMessage, SwapMessageKind } from '../../../../src/ports/peers.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { Command } from '../../../../src/runtime/command.ts';
import { createRuntime } from '../../../../src/runtime/index.ts';
import type { Drivable, DrivableKind } from '../../../../src/runtime/loop/drivable.ts';
import { deferred, GOOD, type Script, scriptedChain, scriptedKind, WAIT } from '../../../support/scripted.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const STREAM = 'scripted/1';
const TOPIC = `swap/${STREAM}`;
const TX = { tx_hex: '0100', tx_hash: 'ab'.repeat(32) };

const FEE: SwapMessage = { kind: 'takerFee', tx: TX };
const PAYMENT: SwapMessage = { kind: 'takerPayment', tx: TX };

const sending = (message: SwapMessage, signer?: string): Command => ({
  kind: 'send',
  topic: TOPIC,
  message,
  ...(signer === undefined ? {} : { signer }),
});

/** Sends each message once, and again when it is told that it was not handed over. */
const sendsAll = (...messages: SwapMessage[]): Script => ({
  decide: ({ sent }) => {
    const next = messages.find((message) => !sent.includes(message));
    return next === undefined ? WAIT : sending(next);
  },
});

type Sent = { readonly at: number; readonly kind: string; readonly topic: string; readonly options: unknown };
type Line = { readonly message: string; readonly fields: LogFields };

/** A runner whose network does what the test says. */
async function setUp(script: Script, answer: (sent: Sent, count: number) => void | Promise<void>) {
  const clock = virtualClock();
  const start = clock.now();
  const handed: Sent[] = [];
  const lines: Line[] = [];
  const unsent: SwapMessageKind[] = [];
  const faults = { onSent: false };
  let hear: (message: SwapMessage) => void = () => {};
  const peers: Peers = {
    self: 'a1'.repeat(32),
    subscribe(topic, onMessage) {
      hear = (message) => onMessage({ topic, from: 'c3'.repeat(32), message });
      return { close: () => {} };
    },
    send: (topic, { kind }, options) => {
      const one = { at: clock.now() - start, kind, topic, options };
      handed.push(one);
      return answer(one, handed.length);
    },
  };
  const { kind } = scriptedKind(script);
  const watched = (driven: Drivable): Drivable => ({
    ...driven,
    sent(given) {
      if (faults.onSent) throw new TypeError('a fault');
      driven.sent(given);
    },
    unsent(name) {
      unsent.push(name);
      driven.unsent(name);
    },
  });
  const kinds: DrivableKind[] = [{ ...kind, create: (...given) => watched(kind.create(...given)) }];
  const note = (message: string, fields: LogFields) => void lines.push({ message, fields });
  const runtime = createRuntime({
    log: createMemoryLog(),
    clock,
    chains: [scriptedChain('DOC', () => GOOD), scriptedChain('MARTY', () => GOOD)],
    peers,
    kinds,
    logger: { info: () => {}, warn: note, error: note },
  });
  await runtime.startStream({ stream: STREAM, events: [{ type: 'Begun', data: null }] });
  await clock.advance(0);
  return { clock, runtime, handed, lines, unsent, faults, hear: (message: SwapMessage) => hear(message) };
}

const refused = (): never => {
  throw Object.assign(new Error('peer at wss://user:password@node is gone'), { code: 'ECONNRESET' });
};

describe('a message is handed to the network', () => {
  it('with the key that signs it, or with nothing at all beside it', async () => {
    const signer = `02${'d4'.repeat(32)}`;
    const { handed } = await setUp(
      {
        decide: ({ sent }) => (sent.length === 0 ? sending(FEE) : sent.length === 1 ? sending(PAYMENT, signer) : WAIT),
      },
      () => {},
    );
    expect(handed).toStrictEqual([
      { at: 0, kind: 'takerFee', topic: TOPIC, options: {} },
      { at: 0, kind: 'takerPayment', topic: TOPIC, options: { signer } },
    ]);
  });

  it('and reports nothing if it was accepted', async () => {
    const { clock, lines, unsent, runtime } = await setUp(sendsAll(FEE), () => {});
    await clock.advance(3_600_000);
    expect(lines).toEqual([]);
    expect(unsent).toEqual([]);
    expect(runtime.sizes().underWay).toBe(0);
  });
});

describe('a message that was not handed over', () => {
  it('is reported in one line: the stream, what it was, and why, without the text of the error', async () => {
    const { lines } = await setUp(sendsAll(FEE), refused);
    expect(lines).toEqual([
      {
        message: 'message not handed over',
        fields: { stream: STREAM, message: 'takerFee', reason: 'Error ECONNRESET' },
      },
    ]);
  });

  it('names the limit that a network which hangs did not keep', async () => {
    const { clock, lines, runtime } = await setUp(sendsAll(FEE), () => new Promise<void>(() => {}));
    await clock.advance(4999);
    expect(lines).toEqual([]);
    expect(runtime.sizes().underWay).toBe(1);
    await clock.advance(1);
    expect(lines).toEqual([
      {
        message: 'message not handed over',
        fields: { stream: STREAM, message: 'takerFee', reason: 'no answer within 5 s' },
      },
    ]);
    expect(runtime.sizes().underWay).toBe(0);
  });
});

describe('a message that is due again', () => {
  it('is handed over again after pauses that grow to five minutes', async () => {
    const { clock, handed } = await setUp(sendsAll(FEE), (_, count) => {
      if (count !== 9) refused();
    });
    await clock.advance(3_600_000);
    const seconds = [0, 5, 15, 35, 75, 155, 315, 615, 915];
    expect(handed.map(({ at }) => at)).toEqual(seconds.map((at) => at * 1000));
  });

  it('starts again with the first pause after one that was accepted', async () => {
    let isBroken = true;
    const { clock, handed, unsent } = await setUp(
      {
        decide: ({ sent }, now) => {
          if (sent.length === 0) return sending(FEE);
          return sent.length === 1 && !isBroken ? sending(PAYMENT) : { kind: 'wait', until: (now + 60_000) as Millis };
        },
      },
      ({ kind }, count) => {
        if (kind === 'takerFee' ? count < 3 : count < 5) refused();
      },
    );
    await clock.advance(15_000);
    expect(handed.map(({ at }) => at)).toEqual([0, 5000, 15_000]);
    isBroken = false;
    await clock.advance(60_000);
    expect(handed.map(({ at }) => at)).toEqual([0, 5000, 15_000, 75_000]);
    await clock.advance(4999);
    expect(handed).toHaveLength(4);
    await clock.advance(1);
    expect(handed.slice(3)).toMatchObject([
      { at: 75_000, kind: 'takerPayment' },
      { at: 80_000, kind: 'takerPayment' },
    ]);
    expect(unsent).toEqual(['takerFee', 'takerFee', 'takerPayment']);
  });

  it('goes out together with the others, in the order in which they were sent', async () => {
    const { clock, unsent, handed } = await setUp(sendsAll(FEE, PAYMENT), (_, count) => {
      if (count <= 2) refused();
    });
    expect(unsent).toEqual([]);
    // The second failure in a row sets the pause of both.
    await clock.advance(9999);
    expect(unsent).toEqual([]);
    await clock.advance(1);
    expect(unsent).toEqual(['takerFee', 'takerPayment']);
    expect(handed.map(({ kind }) => kind)).toEqual(['takerFee', 'takerPayment', 'takerFee', 'takerPayment']);
    await clock.advance(3_600_000);
    expect(unsent).toHaveLength(2);
  });
});

describe('D5: the answer of the network', () => {
  it('ends nothing that began since, if it comes too late', async () => {
    const answers = [deferred<void>(), deferred<void>()];
    const { clock, handed, lines, runtime } = await setUp(sendsAll(FEE), (_, count) => answers[count - 1]?.promise);
    await clock.advance(10_000);
    expect(handed.map(({ at }) => at)).toEqual([0, 10_000]);
    answers[0]?.resolve();
    await clock.advance(0);
    expect(runtime.sizes().underWay).toBe(1);
    expect((await runtime.list({}))[0]).toMatchObject({ runner: 'running' });
    await clock.advance(5000);
    expect(lines).toHaveLength(2);
    expect(runtime.sizes().underWay).toBe(0);
    answers[1]?.reject(new Error('late'));
    await clock.advance(0);
    expect(lines).toHaveLength(2);
    expect(runtime.sizes().underWay).toBe(0);
  });

  it('to a runner that has stopped over a fault is ignored', async () => {
    const answer = deferred<void>();
    const receive = () => {
      throw new TypeError('a fault');
    };
    const script = { ...sendsAll(FEE), receive };
    const { clock, runtime, lines, hear } = await setUp(script, () => answer.promise);
    expect(runtime.sizes().underWay).toBe(1);
    hear(PAYMENT);
    expect(runtime.sizes().underWay).toBe(0);
    answer.resolve();
    await clock.advance(0);
    expect(runtime.sizes().underWay).toBe(0);
    expect(lines.map(({ message }) => message)).toEqual(['runner stopped']);
    expect((await runtime.list({}))[0]).toMatchObject({ runner: 'failed' });
  });
});

it('D4: a runner that cannot accept what was sent stops alone, and is rebuilt', async () => {
  const answer = deferred<void>();
  const { clock, faults, runtime, lines, handed } = await setUp(sendsAll(FEE), () => answer.promise);
  faults.onSent = true;
  answer.resolve();
  await clock.advance(0);
  expect((await runtime.list({}))[0]).toMatchObject({ runner: 'failed', error: { code: 'RUNNER_FAILED' } });
  expect(lines.map(({ message, fields }) => [message, fields['code']])).toEqual([['runner stopped', 'RUNNER_FAILED']]);
  expect(runtime.sizes().underWay).toBe(0);
  faults.onSent = false;
  await clock.advance(60_000);
  expect(handed.map(({ at }) => at)).toEqual([0, 60_000]);
  expect((await runtime.list({}))[0]).toMatchObject({ runner: 'waiting', error: null });
});
