import { describe, expect, it } from 'vitest';
import { LogDamagedError } from '../../../../src/log/memory/index.ts';
import type { EventLog, QuarantinedStream } from '../../../../src/ports/event-log.ts';
import { SwapfoldError } from '../../../../src/primitives/error.ts';
import type { Millis } from '../../../../src/primitives/time.ts';
import { type Script, WAIT } from '../../../support/scripted.ts';
import { type ScriptedRuntimeOptions, scriptedRuntime } from '../../../support/scripted-runtime.ts';
import { UUID } from '../../../support/swap-pair.ts';

const STREAM = `taker-swap/${UUID}`;
const AT = 1_700_000_000_000 as Millis;
const rests: Script = { decide: () => WAIT };
const damage = new LogDamagedError('The seal is wrong.', { stream: STREAM, next: 'Look at it.' });

/** A runtime at rest over a log that holds streams. */
function setUp(
  changes: (log: EventLog) => Partial<EventLog> = () => ({}),
  given: Partial<ScriptedRuntimeOptions> = {},
) {
  const made = scriptedRuntime({ script: rests, machine: 'taker-swap', log: changes, ...given });
  const store = (...streams: string[]) => {
    for (const stream of streams) {
      made.memory.append({ stream, expected: 0, records: [{ at: AT, type: 'Begun', version: 1, data: null }] });
    }
  };
  return { ...made, store };
}
const quarantined = (...streams: string[]): (() => readonly QuarantinedStream[]) => {
  return () => streams.map((stream) => ({ stream, seq: 2, why: 'seal' }) as never);
};

describe('the status of a swap', () => {
  it('that is not driven is folded from its log, and still not driven afterwards', async () => {
    const { runtime, store } = setUp();
    store(STREAM);
    expect(await runtime.status(UUID)).toMatchObject({ stream: STREAM, runner: 'none', state: 'Begun', error: null });
    expect(await runtime.status(UUID.toUpperCase())).toMatchObject({ stream: STREAM });
    expect(runtime.sizes().runners).toBe(0);
  });

  it('is null if the log holds no such swap, or the id is invalid', async () => {
    const { runtime, store } = setUp();
    store('taker-swap/6f0e3a2c-3b1e-4f0a-9d58-0f7e5a0d6b11', `maker-swap/${UUID}`);
    expect(await runtime.status(UUID)).toBeNull();
    expect(await runtime.status('no id')).toBeNull();
  });

  it('that is driven reports what its runner does', async () => {
    const { runtime, clock, begin } = setUp();
    await begin(STREAM);
    await clock.advance(0);
    expect(await runtime.status(UUID)).toMatchObject({ runner: 'waiting', state: 'Begun' });
  });

  it('with a fault in its fold does not keep the others from being listed', async () => {
    const apply = () => {
      throw new TypeError('a fault');
    };
    const { runtime, store } = setUp(() => ({}), { script: { ...rests, apply } });
    store(STREAM, 'taker-swap/6f0e3a2c-3b1e-4f0a-9d58-0f7e5a0d6b11');
    const listed = await runtime.list({});
    expect(listed.map(({ runner, error }) => [runner, error?.code])).toEqual([
      ['failed', 'RUNNER_FAILED'],
      ['failed', 'RUNNER_FAILED'],
    ]);
  });

  it('that does not fold is reported with the reason', async () => {
    const illegal = new SwapfoldError('not here', { code: 'ILLEGAL_EVENT' });
    const apply = () => {
      throw illegal;
    };
    const { runtime, store } = setUp(() => ({}), { script: { ...rests, apply } });
    store(STREAM);
    const status = await runtime.status(UUID);
    expect(status).toMatchObject({ runner: 'failed', state: null, waiting: null, error: { code: 'SWAP_UNREADABLE' } });
    expect(status?.error?.cause).toBe(illegal);
  });
});

describe('the status of a stream', () => {
  it('on which this package has a bug is reported as such', async () => {
    const apply = () => {
      throw new TypeError('a fault');
    };
    const { runtime, store } = setUp(() => ({}), { script: { ...rests, apply } });
    store(STREAM);
    expect(await runtime.status(UUID)).toMatchObject({ runner: 'failed', error: { code: 'RUNNER_FAILED' } });
  });

  it('whose runner cannot even report its state has that fault, or the one that stopped it', async () => {
    const look = () => {
      throw new TypeError('a fault');
    };
    const given = { broken: false };
    const { runtime, begin, clock } = setUp(() => ({}), {
      driven: (driven) => ({ look: () => (given.broken ? look() : driven.look()) }),
      script: { decide: () => (given.broken ? look() : { kind: 'wait', until: (AT + 5000) as Millis }) },
    });
    await begin(STREAM);
    await clock.advance(0);
    given.broken = true;
    expect(await runtime.status(UUID)).toMatchObject({
      runner: 'waiting',
      state: null,
      waiting: null,
      error: { code: 'RUNNER_FAILED' },
    });
    await clock.advance(5000);
    const stopped = await runtime.status(UUID);
    expect(stopped).toMatchObject({ runner: 'failed', state: null, waiting: { for: 'retry' } });
    expect(await runtime.status(UUID).then((status) => status?.error)).toBe(stopped?.error);
  });
});

describe('the status of a damaged stream', () => {
  const read = () => {
    throw damage;
  };

  it('is that it cannot be trusted', async () => {
    const { runtime } = setUp(() => ({ read, quarantined: quarantined(`other/x${UUID}`, STREAM) }));
    const status = await runtime.status(UUID);
    expect(status).toMatchObject({ stream: STREAM, runner: 'failed', waiting: null, state: null });
    expect(status?.error).toBe(damage);
  });

  it('is an error of the log as long as the log does not name it', async () => {
    const unknown = setUp(() => ({ read, quarantined: quarantined('taker-swap/other') }));
    await expect(unknown.runtime.status(UUID)).rejects.toBe(damage);
    const busy = () => {
      throw new Error('busy');
    };
    const broken = setUp(() => ({ read: busy, quarantined: quarantined(STREAM) }));
    await expect(broken.runtime.status(UUID)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
  });

  it('comes last in a list, for any query, and only if its machine is driven here', async () => {
    const { runtime, store } = setUp(() => ({ quarantined: quarantined('taker-swap/bad', 'activation/bad') }));
    store(STREAM);
    const [first, second, ...more] = await runtime.list({ finished: true, coin: 'none' });
    expect([second, more]).toEqual([undefined, []]);
    expect(first).toMatchObject({
      stream: 'taker-swap/bad',
      runner: 'failed',
      waiting: null,
      error: {
        code: 'SWAP_UNREADABLE',
        shortMessage: 'The stream is damaged; none of it can be trusted.',
        facts: { stream: 'taker-swap/bad', seq: 2, why: 'seal' },
        next: 'Restore the log from a backup, or look at both chains and settle the swap by hand.',
        retry: 'operator',
      },
    });
    expect((await runtime.list({})).map(({ stream }) => stream)).toEqual([STREAM, 'taker-swap/bad']);
  });
});

describe('a list of statuses', () => {
  it('has those that the query finds, in the order of the log, without what other machines drive', async () => {
    const { runtime, store } = setUp();
    store('taker-swap/b', 'activation/x', 'taker-swap/a');
    expect((await runtime.list({})).map(({ stream }) => stream)).toEqual(['taker-swap/b', 'taker-swap/a']);
    expect((await runtime.list({ limit: 1 })).map(({ stream }) => stream)).toEqual(['taker-swap/b']);
  });

  it('has at most 100 by default', async () => {
    const { runtime, store } = setUp();
    store(...Array.from({ length: 101 }, (_, index) => `taker-swap/${index}`));
    expect(await runtime.list({})).toHaveLength(100);
    expect(await runtime.list({ limit: 101 })).toHaveLength(101);
  });
});
