import { describe, expect, it } from 'vitest';
import type { FeedNews } from '../../../../src/ports/chain.ts';
import { createFeeds } from '../../../../src/runtime/loop/feeds.ts';
import type { RuntimeChain } from '../../../../src/runtime/loop/gate.ts';
import { createScheduler } from '../../../../src/runtime/loop/scheduler.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

function setUp() {
  const clock = virtualClock();
  const start = clock.now();
  const actions = new Map<number, () => void>();
  const freed: number[] = [];
  /** Turns of ids that are free for others. */
  const strays: number[] = [];
  const turn = (id: number) => {
    if (freed.includes(id)) strays.push(id);
    actions.get(id)?.();
  };
  const scheduler = createScheduler({ clock, run: turn });
  const changes: [string, number][] = [];
  const trusted: [string, boolean, number][] = [];
  let next = 10;
  const feeds = createFeeds({
    clock,
    scheduler,
    register(run) {
      next += 1;
      actions.set(next, run);
      return next;
    },
    unregister(id) {
      freed.push(id);
      actions.delete(id);
    },
    pause: 2,
    onChange: (coin) => void changes.push([coin, clock.now() - start]),
    onTrust: (coin, whole) => void trusted.push([coin, whole, clock.now() - start]),
  });
  return { clock, feeds, freed, strays, scheduler, changes, actions, trusted };
}

/** A chain that tells of changes when the test says so. */
function chainOf(close: () => void = () => {}, heartbeat?: number) {
  const told = { change: (() => {}) as (news?: FeedNews) => void, closed: 0 };
  const chain = {
    traits: heartbeat === undefined ? {} : { feed: { heartbeat } },
    subscribe(onChange: (news?: FeedNews) => void) {
      told.change = onChange;
      return {
        close: () => {
          told.closed += 1;
          close();
        },
      };
    },
  } as unknown as RuntimeChain;
  return { chain, told };
}
const failing = (message: string) => () => {
  throw new Error(message);
};

describe('what a chain reports about itself', () => {
  it('is passed on although a clock was set back while it waited', async () => {
    const { clock, feeds, changes } = setUp();
    const { chain, told } = chainOf();
    feeds.open('DOC', chain);
    told.change();
    await clock.advance(0);
    told.change();
    clock.jump(-3_600_000);
    told.change();
    await clock.advance(0);
    expect(changes).toEqual([
      ['DOC', 0],
      ['DOC', -3_600_000],
    ]);
  });

  it('is passed on at once, and what arrives within the pause together at its end', async () => {
    const { clock, feeds, changes } = setUp();
    const { chain, told } = chainOf();
    feeds.open('DOC', chain);
    told.change();
    expect(changes).toEqual([]);
    await clock.advance(0);
    expect(changes).toEqual([['DOC', 0]]);
    await clock.advance(500);
    told.change();
    await clock.advance(1499);
    told.change();
    expect(changes).toHaveLength(1);
    await clock.advance(1);
    expect(changes).toEqual([
      ['DOC', 0],
      ['DOC', 2000],
    ]);
    await clock.advance(2000);
    told.change();
    await clock.advance(0);
    expect(changes.slice(2)).toEqual([['DOC', 4000]]);
    await clock.advance(60_000);
    expect(changes).toHaveLength(3);
  });

  it('waits for the end of the pause from the same moment on', async () => {
    const { clock, feeds, changes } = setUp();
    const { chain, told } = chainOf();
    feeds.open('DOC', chain);
    told.change();
    await clock.advance(0);
    told.change();
    await clock.advance(1999);
    expect(changes).toHaveLength(1);
    await clock.advance(1);
    expect(changes).toHaveLength(2);
  });
});

describe('a notice from a chain', () => {
  it('is passed on at once by a clock that was set back', async () => {
    const { clock, feeds, changes } = setUp();
    const { chain, told } = chainOf();
    feeds.open('DOC', chain);
    told.change();
    await clock.advance(0);
    clock.jump(-1);
    told.change();
    await clock.advance(0);
    expect(changes).toEqual([
      ['DOC', 0],
      ['DOC', -1],
    ]);
  });

  it('is counted for each coin apart', async () => {
    const { clock, feeds, changes } = setUp();
    const one = chainOf();
    const other = chainOf();
    feeds.open('DOC', one.chain);
    feeds.open('MARTY', other.chain);
    one.told.change();
    other.told.change();
    await clock.advance(0);
    expect(changes).toEqual([
      ['DOC', 0],
      ['MARTY', 0],
    ]);
  });
});

describe('a subscription', () => {
  it('ends when its coin goes, and drops what it was about to report', async () => {
    const { clock, feeds, freed, changes } = setUp();
    const { chain, told } = chainOf();
    feeds.open('DOC', chain);
    told.change();
    await clock.advance(0);
    told.change();
    feeds.close('DOC');
    feeds.close('DOC');
    feeds.close('MARTY');
    expect([told.closed, freed]).toEqual([1, [11]]);
    await clock.advance(60_000);
    expect(changes).toHaveLength(1);
    expect(clock.armed()).toBe(0);
  });

  it('leaves no turn to whoever gets its ids next, however it ends', async () => {
    const ends: readonly ((feeds: ReturnType<typeof setUp>['feeds']) => void)[] = [
      (feeds) => feeds.close('DOC'),
      (feeds) => feeds.closeAll(),
      (feeds) => feeds.open('DOC', chainOf().chain),
      (feeds) => expect(() => feeds.open('DOC', { subscribe: failing('x') } as unknown as RuntimeChain)).toThrow('x'),
    ];
    for (const end of ends) {
      const { clock, feeds, freed, strays, scheduler } = setUp();
      const { chain, told } = chainOf(() => {}, 60);
      feeds.open('DOC', chain);
      told.change();
      await clock.advance(0);
      told.change();
      // The notice at the end of the pause, and the end of the heartbeat.
      expect(scheduler.sizes()).toEqual({ ready: 0, waiting: 2 });
      end(feeds);
      expect(freed).toEqual(expect.arrayContaining([11, 12]));
      expect(scheduler.sizes()).toEqual({ ready: 0, waiting: 0 });
      await clock.advance(120_000);
      expect(strays).toEqual([]);
    }
  });

  it('replaces an earlier one of the same coin', async () => {
    const { clock, feeds, freed, changes } = setUp();
    const first = chainOf();
    const second = chainOf();
    feeds.open('DOC', first.chain);
    feeds.open('DOC', second.chain);
    expect([first.told.closed, second.told.closed, freed]).toEqual([1, 0, [11]]);
    second.told.change();
    await clock.advance(0);
    expect(changes).toHaveLength(1);
  });

  it('that cannot be made leaves nothing behind', () => {
    const { feeds, freed, actions } = setUp();
    const chain = { subscribe: failing('no connection') } as unknown as RuntimeChain;
    expect(() => feeds.open('DOC', chain)).toThrow('no connection');
    expect([freed, actions.size]).toEqual([[11], 0]);
    feeds.closeAll();
    expect(freed).toEqual([11]);
  });

  it('that cannot be ended does not keep the others from ending; the first reason is reported', () => {
    const { feeds, freed } = setUp();
    const chains = [chainOf(failing('first')), chainOf(failing('second')), chainOf()];
    for (const [index, { chain }] of chains.entries()) feeds.open(`C${index}`, chain);
    expect(() => feeds.closeAll()).toThrow('first');
    expect(chains.map(({ told }) => told.closed)).toEqual([1, 1, 1]);
    expect(freed).toEqual([11, 12, 13]);
    expect(() => feeds.closeAll()).not.toThrow();
  });
});

describe('a feed that promises to be complete', () => {
  const opened = (heartbeat?: number) => {
    const world = setUp();
    const { chain, told } = chainOf(() => {}, heartbeat);
    world.feeds.open('DOC', chain);
    return { ...world, told, chain };
  };

  it('is relied on from its first word on, which counts as a change, and no longer than its heartbeat after the last', async () => {
    const { clock, feeds, told, changes, trusted } = opened(60);
    await clock.advance(5000);
    expect([feeds.isWhole('DOC'), changes]).toEqual([false, []]);
    told.change('alive');
    expect([feeds.isWhole('DOC'), trusted]).toEqual([true, [['DOC', true, 5000]]]);
    await clock.advance(59_999);
    told.change('alive');
    await clock.advance(59_999);
    expect([feeds.isWhole('DOC'), changes]).toEqual([true, [['DOC', 5000]]]);
    await clock.advance(1);
    expect(trusted).toEqual([
      ['DOC', true, 5000],
      ['DOC', false, 124_999],
    ]);
    await clock.advance(10_000);
    told.change('alive');
    await clock.advance(0);
    expect([feeds.isWhole('DOC'), changes.at(-1)]).toEqual([true, ['DOC', 134_999]]);
  });

  it('is not trusted once it says that it is broken, and its next notice counts as a change', async () => {
    const { clock, feeds, told, changes } = opened(60);
    told.change();
    told.change('broken');
    expect(feeds.isWhole('DOC')).toBe(false);
    await clock.advance(3000);
    expect(changes).toEqual([['DOC', 0]]);
    await clock.advance(100_000);
    told.change('alive');
    await clock.advance(0);
    expect([feeds.isWhole('DOC'), changes.at(-1)]).toEqual([true, ['DOC', 103_000]]);
  });

  it('is no longer trusted when it is closed or replaced, whatever it still says', async () => {
    const { clock, feeds, told, changes, trusted, freed } = opened(60);
    told.change();
    feeds.close('DOC');
    told.change('alive');
    await clock.advance(120_000);
    expect([feeds.isWhole('DOC'), changes, trusted.at(-1)]).toEqual([false, [], ['DOC', false, 0]]);
    expect(freed.length).toBe(2);
    const second = chainOf(() => {}, 30);
    feeds.open('DOC', second.chain);
    expect(feeds.isWhole('DOC')).toBe(false);
    second.told.change('alive');
    feeds.open('DOC', chainOf(() => {}, 30).chain);
    expect(feeds.isWhole('DOC')).toBe(false);
  });

  it.each([undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'promises nothing with the heartbeat %s',
    async (heartbeat) => {
      const { clock, feeds, told, changes, trusted } = opened(heartbeat);
      for (const news of ['alive', 'broken', 'changed'] as const) {
        told.change(news);
        await clock.advance(5000);
      }
      expect([feeds.isWhole('DOC'), trusted]).toEqual([false, []]);
      expect(changes).toEqual([['DOC', 10_000]]);
    },
  );

  it('may speak inside of the call that subscribes', async () => {
    const { clock, feeds, changes } = setUp();
    const { chain } = chainOf(() => {}, 60);
    feeds.open('DOC', {
      ...chain,
      subscribe: (onChange) => {
        onChange('alive');
        return { close: () => {} };
      },
    });
    await clock.advance(0);
    expect([feeds.isWhole('DOC'), changes]).toEqual([true, [['DOC', 0]]]);
  });
});
