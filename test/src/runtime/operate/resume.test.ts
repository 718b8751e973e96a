import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { createRuntime, type RuntimeError } from '../../../../src/runtime/index.ts';
import { deferred, GOOD, QUOTE, scriptedChain, scriptedKind, WAIT } from '../../../support/scripted.ts';
import { createPair, requestOf, UUID } from '../../../support/swap-pair.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const AT = 1_700_000_000_000 as Millis;

function setUp(changes: (log: EventLog) => Partial<EventLog> = () => ({}), streams = ['scripted/1', 'scripted/2']) {
  const clock = virtualClock(AT);
  const memory = createMemoryLog();
  for (const stream of streams) {
    memory.append({ stream, expected: 0, records: [{ at: AT, type: 'Begun', version: 1, data: null }] });
  }
  const log: EventLog = { ...memory, ...changes(memory) };
  const chains = { DOC: scriptedChain('DOC', () => GOOD), MARTY: scriptedChain('MARTY', () => GOOD) };
  const { kind, seen } = scriptedKind({ decide: ({ answers }) => (answers.length === 0 ? QUOTE : WAIT) });
  const runtime = createRuntime({
    log,
    clock,
    chains: [chains.DOC, chains.MARTY],
    peers: createInProcessNetwork().peer('a1'.repeat(32)),
    kinds: [kind],
  });
  return { clock, chains, runtime, seen };
}

describe('resuming', () => {
  it('V2: no runner decides anything before every stream is loaded', async () => {
    const slow = deferred<void>();
    const { clock, chains, runtime, seen } = setUp((log) => ({
      read: async (stream, from) => {
        if (stream === 'scripted/2') await slow.promise;
        return log.read(stream, from);
      },
    }));
    const resumed = runtime.resumeAll();
    await clock.advance(10_000);
    expect(seen.get('scripted/1')?.decisions).toEqual([]);
    expect(chains.DOC.asked).toEqual([]);
    slow.resolve();
    await clock.advance(0);
    expect(await resumed).toEqual({ resumed: 2, failed: [], quarantined: [] });
    await clock.advance(0);
    expect(chains.DOC.asked).toEqual(['quote', 'quote']);
  });

  it('informs each wallet once after every stream was read, before any decision, and a wallet that is opened later', async () => {
    let broken = true;
    const { clock, chains, runtime } = setUp((log) => ({
      read: (stream, from) => {
        if (broken && stream === 'scripted/2') throw new Error('no answer');
        return log.read(stream, from);
      },
    }));
    await runtime.resumeAll();
    await clock.advance(0);
    // What the second stream has signed is not known yet.
    expect([chains.DOC.resumptions, chains.MARTY.resumptions]).toEqual([[], []]);
    broken = false;
    await clock.advance(60_000);
    expect([chains.DOC.resumptions, chains.MARTY.resumptions]).toEqual([[0], [0]]);
    const late = scriptedChain('LTC', () => GOOD);
    runtime.addChain(late);
    runtime.addChain(late);
    runtime.removeChain('DOC');
    runtime.addChain(chains.DOC);
    await clock.advance(60_000);
    // A coin that is enabled again is told again: its wallet may be another one, which fills no nonces before.
    expect([late.resumptions, chains.DOC.resumptions]).toEqual([[0], [0, 0]]);
  });

  it('continues if a wallet throws when it is informed', async () => {
    const { clock, chains, runtime } = setUp();
    Object.assign(chains.DOC, {
      resumed: () => {
        throw new Error('no');
      },
    });
    expect(await runtime.resumeAll()).toMatchObject({ resumed: 2 });
    await clock.advance(0);
    expect([chains.DOC.asked, chains.MARTY.resumptions]).toEqual([['quote', 'quote'], [0]]);
  });

  it('is done once, however often it is asked for', async () => {
    const { clock, chains, runtime } = setUp();
    const [first, second] = await Promise.all([runtime.resumeAll(), runtime.resumeAll()]);
    expect(first).toBe(second);
    await clock.advance(0);
    await runtime.resumeAll();
    await clock.advance(0);
    expect(chains.DOC.asked).toHaveLength(2);
  });

  it('happens automatically before anything else', async () => {
    const { clock, chains, runtime } = setUp();
    await runtime.startStream({ stream: 'scripted/3', events: [{ type: 'Begun', data: null }] });
    await clock.advance(0);
    expect(chains.DOC.asked).toHaveLength(3);
  });

  it('reads a stream again later that could not be read, and drives the others', async () => {
    let broken = true;
    const { clock, runtime, seen } = setUp((log) => ({
      read: (stream, from) => {
        if (broken && stream === 'scripted/1') throw new Error('input/output error');
        return log.read(stream, from);
      },
    }));
    await runtime.resumeAll();
    await clock.advance(0);
    expect(seen.get('scripted/2')?.answers).toHaveLength(1);
    expect((await runtime.list({}))[0]).toMatchObject({
      runner: 'waitingForLog',
      waiting: { for: 'log' },
      state: null,
    });
    broken = false;
    await clock.advance(60_000);
    expect(seen.get('scripted/1')?.answers).toHaveLength(1);
  });

  it('leaves a damaged stream alone and names it', async () => {
    const damage = new SwapfoldError('does not verify', { code: 'LOG_DAMAGED' });
    const { clock, runtime, seen } = setUp((log) => ({
      read: (stream, from) => {
        if (stream === 'scripted/1') throw damage;
        return log.read(stream, from);
      },
      quarantined: () => [{ stream: 'scripted/1', seq: 0, why: 'a changed byte' }],
    }));
    expect(await runtime.resumeAll()).toEqual({ resumed: 1, failed: [], quarantined: ['scripted/1'] });
    await clock.advance(0);
    expect([...seen.keys()]).toEqual(['scripted/2']);
  });

  it('that cannot even search the log says so, and can be asked for again', async () => {
    let broken = true;
    const { runtime } = setUp((log) => ({
      find: (query) => {
        if (broken) throw new Error('locked');
        return log.find(query);
      },
    }));
    const code = await runtime.resumeAll().catch((error: RuntimeError) => error.code);
    expect(code).toBe('LOG_UNAVAILABLE');
    broken = false;
    expect(await runtime.resumeAll()).toMatchObject({ resumed: 2 });
  });
});

describe('a finished swap', () => {
  it('is watched on after a restart for as long as its end may be undone, and no longer', async () => {
    const pair = createPair();
    for (const side of ['maker', 'taker'] as const) await pair.nodes[side].runtime.startSwap(requestOf(side));
    await pair.until(() => pair.types('taker').includes('Finished'), 60);
    const [summary] = await pair.nodes.taker.log.find({ finished: true });
    expect(summary?.stream).toBe(`taker-swap/${UUID}`);
    pair.restart('taker');
    expect(await pair.nodes.taker.runtime.resumeAll()).toMatchObject({ resumed: 1 });
    expect(pair.nodes.taker.runtime.sizes().runners).toBe(1);
    await pair.clock.advance(2 * 86_400_000);
    pair.restart('taker');
    expect(await pair.nodes.taker.runtime.resumeAll()).toMatchObject({ resumed: 0 });
  });
});
