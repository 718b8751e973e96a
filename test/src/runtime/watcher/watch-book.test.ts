import { describe, expect, it } from 'vitest';
import { defaultWatchTiming } from '../../../../src/events/watcher.ts';
import { createMemoryLog, LogDamagedError } from '../../../../src/log/memory/index.ts';
import type { WatcherMessage } from '../../../../src/ports/peers.ts';
import { createWatchBook } from '../../../../src/runtime/watcher/watch-book.ts';
import { L, START } from '../../../machines/watcher/support.ts';
import { listening, opaque, other, watch, watching } from '../../../support/watching-node.ts';

const UUID = '11111111-2222-4333-8444-555555555555';

/** The message of another swap that names one thing of this one. */
const sharing = (part: Partial<WatcherMessage>): WatcherMessage =>
  opaque({ ...other, taker_pub: watch.taker_pub, ...part });
const PARTS = [
  { taker_fee_hash: watch.taker_fee_hash },
  { taker_payment_hash: watch.taker_payment_hash.toUpperCase() },
  { maker_payment_hash: watch.maker_payment_hash },
  { secret_hash: watch.secret_hash },
] as const;

describe('Q5: what a taker named for one swap', () => {
  it.each(PARTS)('it cannot name for another: %o', async (part) => {
    const { say, streams } = await watching();
    await say(watch);
    await say(sharing(part));
    expect(await streams()).toHaveLength(1);
    await say(sharing({}));
    expect(await streams()).toHaveLength(2);
  });

  it.each(PARTS)('it cannot name after a restart either, also when that watch is over: %o', async (part) => {
    const first = await watching();
    await first.say(watch);
    const [summary] = await first.streams();
    const stream = summary?.stream ?? '';
    const at = summary?.lastAt ?? (0 as never);
    first.log.append({
      stream,
      expected: summary?.length ?? 0,
      records: [{ at, type: 'Stopped', version: 1, data: { reason: 'Expired', error: null } }],
      labels: { finished: true },
    });
    const { log } = first;
    const second = await watching({}, { log });
    await second.say(sharing(part));
    expect(await log.find({ machine: 'watcher' })).toHaveLength(1);
    await second.say(sharing({}));
    expect(await log.find({ machine: 'watcher' })).toHaveLength(2);
  });

  it('is remembered until its fee would be too old for any other swap, and no longer', async () => {
    const { clock, log } = await watching();
    const policy = { paymentLocktime: 7800 };
    const book = createWatchBook(() => ({ clock, log, policy }) as never, defaultWatchTiming);
    const again = { ...watch, uuid: other.uuid };
    await book.complete();
    expect([book.take(watch), book.size()]).toEqual([true, 4]);
    const end = (START + 2 * L + 21_600 + 3 * 78_000 + 21_600 + 60) * 1000;
    await clock.advance(end - clock.now() - 1);
    expect([book.take(again), book.size()]).toEqual([false, 4]);
    await clock.advance(1);
    // The other one has begun long ago as well.
    expect([book.take(again), book.size()]).toEqual([true, 0]);
  });

  it('a stranger cannot take from it, by naming it first', async () => {
    const { say, streams } = await watching();
    const { taker_payment_hash, maker_payment_hash, secret_hash } = watch;
    await say(opaque({ ...other, taker_payment_hash, maker_payment_hash, secret_hash }));
    await say(watch);
    expect(await streams()).toHaveLength(2);
  });

  it('goes to one of two that are requested at the same moment', async () => {
    const { network, clock, streams } = await watching();
    const peer = network.peer('b2'.repeat(32));
    for (const told of [watch, { ...watch, uuid: UUID, taker_fee_hash: 'e1'.repeat(32) }]) {
      peer.send(
        `swpwtchr/${watch.taker_coin}`,
        { kind: 'watcher', watch: told },
        { signer: watch.taker_pub as string },
      );
    }
    await clock.advance(0);
    expect(await streams()).toHaveLength(1);
  });

  it('is asked of the log again after it gave no answer, and a damaged watch counts for nothing', async () => {
    const memory = createMemoryLog();
    const broken = { find: true };
    const { said, logger } = listening();
    const damage = new LogDamagedError('The seal is wrong.', { stream: 'watcher/1', next: 'Look.' });
    memory.append({
      stream: 'watcher/1',
      expected: 0,
      records: [{ at: 1 as never, type: 'WatchRequested', version: 1, data: { watch } }],
      labels: { finished: true },
    });
    const log = {
      ...memory,
      find: (query: Parameters<typeof memory.find>[0]) => {
        if (broken.find && query.finished === undefined) throw new Error('x');
        return memory.find(query);
      },
      read: (stream: string, from?: number) => {
        if (stream === 'watcher/1') throw damage;
        return memory.read(stream, from);
      },
    };
    const { say } = await watching({}, { log, logger });
    await say(watch);
    expect(memory.find({ machine: 'watcher' })).toHaveLength(1);
    expect(said).toContainEqual(expect.objectContaining({ message: 'watch not begun' }));
    broken.find = false;
    await say(watch);
    expect(memory.find({ machine: 'watcher' })).toHaveLength(2);
  });
});
