import { describe, expect, it } from 'vitest';
import type { SwapRequest } from '../../../src/events/journal.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { RuntimeError } from '../../../src/runtime/index.ts';
import { buildSwap, successPath } from '../../../src/testing/index.ts';
import { createPair, type Pair, requestOf } from '../../support/swap-pair.ts';

const SECRET = 'c4'.repeat(32);
const FIRST = '3447b727-fe93-4357-8e5a-000000000001';
const SECOND = '3447b727-fe93-4357-8e5a-000000000002';

const named = (uuid: string, secret: string | null = SECRET): SwapRequest => requestOf('maker', { uuid, secret });

async function refusalOf(action: Promise<unknown>): Promise<RuntimeError | null> {
  return action.then(
    () => null,
    (error: RuntimeError) => error,
  );
}

const isRefused = (error: RuntimeError | null) => {
  expect(error?.code).toBe('SWAP_REQUEST_INVALID');
  expect(error?.facts).toEqual({ member: 'secret', expected: 'one that no other swap has used, or null' });
  expect(error?.next).toContain(`maker-swap/${FIRST}`);
  expect(JSON.stringify([error?.message, error?.facts, error?.next])).not.toContain(SECRET);
};

const start = ({ nodes }: Pair, request: SwapRequest) => refusalOf(nodes.maker.runtime.startSwap(request));

/** A log that reads as the given one, but for what is changed. */
const logWith = (log: EventLog, changes: Partial<EventLog>): EventLog => ({
  append: (batch) => log.append(batch),
  read: (stream, from) => log.read(stream, from),
  find: (query) => log.find(query),
  subscribe: (options, onEntry) => log.subscribe(options, onEntry),
  quarantined: () => log.quarantined(),
  close: () => log.close(),
  ...changes,
});

describe('U1: a secret serves one swap', () => {
  it('is refused for a second one, which writes nothing', async () => {
    const pair = createPair();
    expect(await start(pair, named(FIRST))).toBeNull();
    isRefused(await start(pair, named(SECOND)));
    isRefused(await start(pair, named(SECOND, SECRET.toUpperCase())));
    expect(await pair.nodes.maker.log.find({})).toHaveLength(1);
    expect(await start(pair, named(SECOND, 'c5'.repeat(32)))).toBeNull();
  });

  it('is accepted for the same swap requested again', async () => {
    const pair = createPair();
    await pair.nodes.maker.runtime.startSwap(named(FIRST));
    expect(await pair.nodes.maker.runtime.startSwap(named(FIRST))).toMatchObject({ known: true });
  });

  it('of two that start at the same moment goes to one', async () => {
    const pair = createPair();
    const answers = await Promise.all([start(pair, named(FIRST)), start(pair, named(SECOND))]);
    expect(answers[0]).toBeNull();
    isRefused(answers[1] ?? null);
  });

  it('is refused even if the first swap ended long ago and the node was restarted', async () => {
    const pair = createPair();
    await pair.nodes.maker.runtime.startSwap(named(FIRST));
    await pair.until(() => pair.types('maker', FIRST).includes('Finished'), 500);
    await pair.minutes(60);
    pair.restart('maker');
    expect(pair.nodes.maker.runtime.sizes().runners).toBe(0);
    isRefused(await start(pair, named(SECOND)));
  });

  it('is refused while it is unknown whether the log has the swap that named it first', async () => {
    const log = createMemoryLog();
    let isSilent = true;
    const silent = logWith(log, {
      append: async (batch) => {
        const written = await log.append(batch);
        if (!isSilent) return written;
        isSilent = false;
        throw new Error('written, and never answered');
      },
    });
    const pair = createPair({ options: (side) => (side === 'maker' ? { log: silent } : {}) });
    expect((await start(pair, named(FIRST)))?.code).toBe('LOG_UNAVAILABLE');
    isRefused(await start(pair, named(SECOND)));
    expect(await start(pair, named(FIRST))).toBeNull();
  });

  it('is refused when the node made it itself, before or after it first looked', async () => {
    const pair = createPair();
    const secretOf = async (uuid: string): Promise<string> => {
      const [record] = await pair.nodes.maker.log.read(`maker-swap/${uuid}`);
      return (record?.data as { readonly secret?: string } | undefined)?.secret ?? '';
    };
    await pair.nodes.maker.runtime.startSwap(named(FIRST, null));
    expect((await start(pair, named(SECOND, await secretOf(FIRST))))?.code).toBe('SWAP_REQUEST_INVALID');
    const third = FIRST.replace(/1$/, '3');
    await pair.nodes.maker.runtime.startSwap(named(third, null));
    expect((await start(pair, named(SECOND, await secretOf(third))))?.code).toBe('SWAP_REQUEST_INVALID');
  });

  it('is refused if it came with an imported swap, whose log keeps it in Started', async () => {
    for (const order of ['before', 'after'] as const) {
      const pair = createPair();
      const { runtime } = pair.nodes.maker;
      const log = buildSwap({ role: 'maker', path: successPath('maker'), seed: 5 });
      const secret = (log.events[0]?.data as { readonly secret?: string } | undefined)?.secret ?? null;
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
      if (order === 'after') await runtime.startSwap(named(FIRST));
      await runtime.importSwap(log);
      const refusal = await start(pair, named(SECOND, secret));
      expect(refusal?.facts).toMatchObject({ member: 'secret' });
      expect(refusal?.next).toContain(`maker-swap/${log.uuid}`);
    }
  });
});

describe('the book of secrets', () => {
  it('is read again after the log gave no answer, and nothing is written in between', async () => {
    let broken = true;
    const log = createMemoryLog();
    const find: EventLog['find'] = (query) => {
      if (broken && query.finished === undefined) throw new Error('the disk is busy');
      return log.find(query);
    };
    const pair = createPair({ options: () => ({ log: logWith(log, { find }) }) });
    expect((await start(pair, named(FIRST)))?.code).toBe('LOG_UNAVAILABLE');
    expect(await log.find({ machine: 'maker-swap' }).valueOf()).toEqual([]);
    broken = false;
    expect(await start(pair, named(FIRST))).toBeNull();
  });

  it('is not opened for secrets that the node makes itself', async () => {
    const asked: unknown[] = [];
    const log = createMemoryLog();
    const find: EventLog['find'] = (query) => {
      asked.push(query.finished);
      return log.find(query);
    };
    const pair = createPair({ options: () => ({ log: logWith(log, { find }) }) });
    expect(await start(pair, named(FIRST, null))).toBeNull();
    expect(asked).not.toContain(undefined);
  });
});
