import { describe, expect, it } from 'vitest';
import { initialJournalContext } from '../../../../machines/journal/context.ts';
import { LogDamagedError } from '../../../../src/log/memory/index.ts';
import type { EventLog, NewRecord } from '../../../../src/ports/event-log.ts';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import type { RuntimeError } from '../../../../src/runtime/index.ts';
import { appendOf, deferred, QUOTE, type Script, WAIT } from '../../../support/scripted.ts';
import { type ScriptedRuntimeOptions, scriptedRuntime } from '../../../support/scripted-runtime.ts';
import { UUID } from '../../../support/swap-pair.ts';
import { preparedOf } from '../../../support/turns.ts';

const STREAM = `taker-swap/${UUID}`;
const AT = 1_700_000_000_000 as Millis;
const NOT_CONNECTED = Object.assign(new Error('nats://user:password@host'), { code: 'ECONNREFUSED' });
const rests: Script = { decide: () => WAIT };

type Read = (stream: string, memory: EventLog) => ReturnType<EventLog['read']>;

/** A runtime that finds streams in its log, where reading one does what the test says. */
async function setUp(read: Read, given: Partial<ScriptedRuntimeOptions> = {}) {
  const made = scriptedRuntime({
    script: rests,
    machine: 'taker-swap',
    log: (memory) => ({ read: (stream) => read(stream, memory) }),
    ...given,
  });
  const store = (stream: string, type = 'Begun') =>
    made.memory.append({ stream, expected: 0, records: [{ at: AT, type, version: 1, data: null } as NewRecord] });
  store(STREAM);
  const standing = async (stream = STREAM) => (await made.runtime.list({})).find((status) => status.stream === stream);
  return { ...made, store, standing };
}
const plainly: Read = (stream, memory) => memory.read(stream);
const failing = (times: number): Read => {
  let left = times;
  return (stream, memory) => {
    left -= 1;
    if (left >= 0) throw NOT_CONNECTED;
    return memory.read(stream);
  };
};

describe('a stream that cannot be read', () => {
  it('is reported, and read again after pauses that double', async () => {
    const { clock, runtime, lines, made, standing } = await setUp(failing(3));
    const start = clock.now();
    expect(await runtime.resumeAll()).toEqual({ resumed: 1, failed: [], quarantined: [] });
    expect(runtime.sizes().underWay).toBe(0);
    expect(await standing()).toMatchObject({
      runner: 'waitingForLog',
      state: null,
      error: null,
      waiting: { for: 'log', text: 'The event log returned an error; it is read again later.', until: start + 1000 },
    });
    await clock.advance(6999);
    expect(made.count).toBe(0);
    await clock.advance(1);
    expect(made.count).toBe(1);
    expect(lines).toEqual(
      [1, 2, 3].map((tries) => ({
        level: 'warn',
        message: 'log unavailable',
        fields: { stream: STREAM, reason: 'Error ECONNREFUSED', tries },
      })),
    );
    expect(await standing()).toMatchObject({ runner: 'waiting', state: 'Begun' });
  });

  it('is not read again once the node shuts down', async () => {
    const { clock, runtime, made } = await setUp(failing(1), { active: ['DOC'] });
    await runtime.resumeAll();
    const drained = runtime.drain();
    await clock.advance(60_000);
    expect(await drained).toEqual({ clean: true, abandoned: 0 });
    expect(made.count).toBe(0);
  });
});

describe('a stream that could not be read', () => {
  it('refuses a request while it loads, and loads again for the next', async () => {
    const { clock, runtime, made, memory } = await setUp(failing(3));
    await runtime.resumeAll();
    const refusal = await runtime.pause(UUID).then(
      () => expect.unreachable('it was not refused'),
      (error: RuntimeError) => error,
    );
    expect(refusal).toMatchObject({ code: 'LOG_UNAVAILABLE', facts: { stream: STREAM, reason: 'Error ECONNREFUSED' } });
    expect(refusal.cause).toBeUndefined();
    expect(made.count).toBe(0);
    await expect(runtime.pause(UUID)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
    await runtime.resume(UUID);
    expect(made.count).toBe(1);
    await clock.advance(0);
    expect((memory.read(STREAM) as readonly NewRecord[]).map(({ type }) => type)).toEqual(['Begun', 'OperatorActed']);
  });

  it('stops for good with the error of the log if the stream is damaged', async () => {
    const damage = new LogDamagedError('The seal is wrong.', { stream: STREAM, next: 'Look at it.' });
    let reads = 0;
    const { clock, runtime, lines, standing } = await setUp((stream, memory) => {
      reads += 1;
      if (reads === 1) throw damage;
      return memory.read(stream);
    });
    expect(await runtime.resumeAll()).toMatchObject({ resumed: 0, failed: [STREAM] });
    const status = await standing();
    expect(status).toMatchObject({ runner: 'failed', waiting: null });
    expect(status?.error).toBe(damage);
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'runner stopped',
        fields: { stream: STREAM, code: 'LOG_DAMAGED', reason: undefined },
      },
    ]);
    await clock.advance(365 * 86_400_000);
    expect(reads).toBe(1);
  });
});

describe('a stream without a possible runner', () => {
  const refusing = (error: Error): Script => ({
    ...rests,
    apply: () => {
      throw error;
    },
  });

  it('because it does not fold stops for good, and says why', async () => {
    const illegal = new SwapfoldError('not here', { code: 'ILLEGAL_EVENT' });
    const { clock, runtime, lines, made, standing } = await setUp(plainly, { script: refusing(illegal) });
    await runtime.resumeAll();
    const status = await standing();
    expect(status).toMatchObject({ runner: 'failed', waiting: null, error: { code: 'SWAP_UNREADABLE' } });
    expect(status?.error?.cause).toBe(illegal);
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'runner stopped',
        fields: { stream: STREAM, code: 'SWAP_UNREADABLE', reason: 'ILLEGAL_EVENT' },
      },
    ]);
    await clock.advance(365 * 86_400_000);
    expect(made.count).toBe(1);
  });

  it('over a fault of this package is tried again, each time after a longer pause up to an hour', async () => {
    const { clock, runtime, made, lines, standing } = await setUp(plainly, { script: refusing(new TypeError('x')) });
    await runtime.resumeAll();
    const start = clock.now();
    expect(await standing()).toMatchObject({
      runner: 'failed',
      error: { code: 'RUNNER_FAILED' },
      waiting: { for: 'retry', until: start + 60_000 },
    });
    const counts: number[] = [];
    for (const pause of [60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      await clock.advance(pause * 1000 - 1);
      counts.push(made.count);
      await clock.advance(1);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(lines[0]?.fields['reason']).toMatch(/^TypeError at .*drive-load\.test\.ts:\d+:\d+/);
  });
});

describe('what was signed earlier and may still confirm', () => {
  const variant = (tx_hash: string, changes: Parameters<typeof preparedOf>[0] = {}) =>
    preparedOf({ ...changes, tx: { tx_hash } });
  const journal = {
    ...initialJournalContext(),
    prepared: {
      ...initialJournalContext().prepared,
      fee: [variant('fee')],
      payment: [variant('paid'), variant('dead', { dead: true })],
      claim: [variant('claim')],
      refund: [],
      void: [variant('void')],
    },
  };
  const signed: ScriptedRuntimeOptions['driven'] = ({ look }) => ({
    look: () => ({ ...look(), journal, legOf: (purpose) => (purpose === 'claim' ? 'maker' : 'taker') }),
  });

  it('is kept from others, on each chain', async () => {
    const { runtime, chains } = await setUp(plainly, { driven: signed });
    await runtime.resumeAll();
    expect(chains.DOC.reserved).toEqual(['claim']);
    expect(chains.MARTY.reserved).toEqual(['fee', 'paid', 'void']);
  });

  it('a chain that cannot do so is reported by its coin, and delays nobody', async () => {
    const reserve = () => {
      throw NOT_CONNECTED;
    };
    const { runtime, chains, lines, standing, clock } = await setUp(plainly, { driven: signed, active: [] });
    runtime.addChain({ ...chains.DOC, reserve });
    runtime.addChain(chains.MARTY);
    await runtime.resumeAll();
    await clock.advance(0);
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'reservation failed',
        fields: { stream: STREAM, coin: 'DOC', reason: 'Error ECONNREFUSED' },
      },
    ]);
    expect(chains.MARTY.reserved).toEqual(['fee', 'paid', 'void']);
    expect(await standing()).toMatchObject({ runner: 'waiting' });
  });

  it('is kept when its coin becomes active, before anything is spent; a coin that is inactive or unnamed changes nothing', async () => {
    const { runtime, chains, lines, seen, clock } = await setUp(plainly, { driven: signed, active: ['DOC'] });
    await runtime.resumeAll();
    await clock.advance(0);
    expect(chains.DOC.reserved).toEqual(['claim']);
    expect(lines).toEqual([]);
    expect(seen(STREAM).decisions).toEqual([]);
    runtime.addChain(chains.MARTY);
    expect([...new Set(chains.MARTY.reserved)]).toEqual(['fee', 'paid', 'void']);
    await clock.advance(0);
    expect(seen(STREAM).decisions).toHaveLength(1);
  });
});

describe('a rebuilt runner', () => {
  it('waits as long as a coin is missing, and continues when it is there', async () => {
    const { clock, runtime, chains, seen, standing, told } = await setUp(plainly, { active: ['MARTY'] });
    await runtime.resumeAll();
    await clock.advance(60_000);
    expect(seen(STREAM).decisions).toEqual([]);
    expect(await standing()).toMatchObject({
      runner: 'waitingForCoin',
      waiting: { for: 'coin', text: 'Waits until DOC can be asked again.', until: null },
    });
    runtime.addChain(chains.DOC);
    await clock.advance(0);
    expect(seen(STREAM).decisions).toHaveLength(1);
    runtime.removeChain('MARTY');
    await clock.advance(0);
    expect(await standing()).toMatchObject({ runner: 'waitingForCoin' });
    expect(told.runnerMoved).toEqual([
      [null, 'waitingForLog'],
      ['waitingForLog', 'waitingForCoin'],
      ['waitingForCoin', 'waitingForLog'],
      ['waitingForLog', 'running'],
      ['running', 'waiting'],
      ['waiting', 'waitingForLog'],
      ['waitingForLog', 'waitingForCoin'],
    ]);
  });

  it('holds what it reports about the wallets, or nothing', async () => {
    const held = { amounts: new Map([['DOC', '4.5' as DecimalText]]), fees: new Map() };
    const one = await setUp(plainly, { driven: () => ({ holds: () => held }) });
    await one.runtime.resumeAll();
    expect([...one.runtime.locked()]).toEqual([['DOC', '4.5']]);
    const none = await setUp(plainly);
    await none.runtime.resumeAll();
    expect([...none.runtime.locked()]).toEqual([]);
  });
});

describe('the runner that replaces another', () => {
  it('has forgotten what changed while its predecessor was busy, and how long that had not rested', async () => {
    const answer = deferred<never>();
    let busy = true;
    const { clock, runtime, chains, seen } = await setUp(plainly, {
      script: { decide: () => (busy ? QUOTE : WAIT) },
      answer: () => answer.promise,
    });
    await runtime.resumeAll();
    await clock.advance(0);
    chains.MARTY.change();
    await clock.advance(0);
    busy = false;
    runtime.addChain(chains.DOC);
    await clock.advance(0);
    expect(seen(STREAM).pokes).toEqual([]);
    expect(seen(STREAM).decisions).toHaveLength(1);
  });

  it('gets what arrives for it only once its stream was read', async () => {
    const slow = deferred<void>();
    let reads = 0;
    const { clock, runtime, chains, seen, network } = await setUp(async (stream, memory) => {
      reads += 1;
      if (reads > 1) await slow.promise;
      return memory.read(stream);
    });
    await runtime.resumeAll();
    await clock.advance(0);
    const before = seen(STREAM);
    runtime.addChain(chains.DOC);
    runtime.addChain(chains.DOC);
    network.peer('c3'.repeat(32)).send(`swap/${STREAM}`, { kind: 'negotiated', accepted: true });
    chains.MARTY.change();
    await clock.advance(60_000);
    expect(reads).toBe(2);
    expect(runtime.sizes().underWay).toBe(1);
    expect(before).toMatchObject({ messages: [], pokes: [] });
    slow.resolve();
    await clock.advance(0);
    expect(seen(STREAM)).not.toBe(before);
    expect(seen(STREAM)).toMatchObject({ messages: [], pokes: [] });
    expect(seen(STREAM).decisions).toHaveLength(1);
  });
});

describe('a runner whose stream is read again', () => {
  it('writes what was asked for meanwhile before it decides', async () => {
    const slow = deferred<void>();
    let reads = 0;
    const { clock, runtime, chains, memory } = await setUp(
      async (stream, memory) => {
        reads += 1;
        if (reads === 2) await slow.promise;
        return memory.read(stream);
      },
      { script: { decide: ({ records }) => (records.length === 2 ? appendOf('Paid') : WAIT) } },
    );
    await runtime.resumeAll();
    await clock.advance(0);
    runtime.addChain(chains.DOC);
    const paused = runtime.pause(UUID);
    await clock.advance(1000);
    slow.resolve();
    await paused;
    await clock.advance(0);
    expect((memory.read(STREAM) as readonly NewRecord[]).map(({ type }) => type)).toEqual([
      'Begun',
      'OperatorActed',
      'Paid',
    ]);
  });
});
