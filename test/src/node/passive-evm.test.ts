import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { coinsOf } from '../../../src/node/coins-file.ts';
import type { AppendBatch, EventLog } from '../../../src/ports/event-log.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { draws, SLOW } from '../../support/draws.ts';
import { requestOf } from '../../support/swap-pair.ts';
import { EvmDouble } from '../../support/tasks/evm-double.ts';
import { nodeProcesses } from '../../support/tasks/node-processes.ts';

const TOKENS = ['SIX', 'EIGHT', 'TEN'] as const;
const COINS = coinsOf(
  [
    { coin: 'ETH', protocol: { type: 'ETH', protocol_data: { chain_id: 1 } } },
    ...TOKENS.map((coin, place) => ({
      coin,
      protocol: {
        type: 'ERC20',
        protocol_data: { platform: 'ETH', contract_address: `0x${`${place + 3}7`.repeat(20)}` },
      },
    })),
  ],
  'the coins of the suite',
);
const AWAY = { fail: { type: 'Transport', data: 'nobody answers', passing: true } } as const;
const withTokens = (...tokens: readonly string[]) => ({ erc20_tokens_requests: tokens.map((ticker) => ({ ticker })) });
const processes = () => nodeProcesses({ coins: COINS });

type Process = Awaited<ReturnType<ReturnType<typeof processes>['start']>>;

/** What is in use, as whoever asks the node's coin table sees it. */
const inUse = ({ node, active }: Process) => ({ active: active().sort(), isPassive: node.coins.isPassive('ETH') });

describe('tokens of a coin that was removed', () => {
  it.each([false, true])('come back after a restart, and the coin does not (result read: %s)', async (isRead) => {
    const { start, log } = processes();
    const first = await start();
    await first.activate(withTokens('SIX', 'EIGHT'));
    if (isRead) await first.node.ethTasks.status(0, true);
    expect(await first.node.disable('ETH')).toMatchObject({ passivized: true });
    const types = (await log.read('enable-eth/0')).map(({ type }) => type);
    expect(types.at(-1)).toBe(isRead ? 'KeptCoinPassivated' : 'CoinPassivated');
    await first.node.close();
    for (const session of [2, 3]) {
      const next = await start();
      expect([inUse(next), session]).toEqual([{ active: ['EIGHT', 'SIX'], isPassive: true }, session]);
      expect(next.evm.orders).toMatchObject([{ passive: true, tokens: [{ ticker: 'SIX' }, { ticker: 'EIGHT' }] }]);
      // Nobody has it by itself, and it is there for a task.
      expect(await next.node.disable('ETH')).toBeUndefined();
      await expect(next.node.enable({ coin: 'ETH', mm2: 1 })).rejects.toThrow('ETH already initialized');
      expect(await next.node.ethTasks.status(0, false)).toMatchObject({ ok: true, result: { status: 'Ok' } });
      await next.node.close();
    }
  });

  it('are there with the coin after a restart, once another task has made it active again', async () => {
    const { start } = processes();
    const first = await start();
    await first.activate(withTokens('SIX', 'EIGHT'));
    await first.node.disable('ETH');
    expect(await first.activate(withTokens('EIGHT', 'TEN'))).toMatchObject({ status: 'Ok' });
    await first.node.close();
    const second = await start();
    expect(inUse(second)).toEqual({ active: ['EIGHT', 'ETH', 'SIX', 'TEN'], isPassive: false });
    expect(second.evm.open).toBe(2);
    // Taken out again, all of them stay.
    expect(await second.node.disable('ETH')).toMatchObject({ passivized: true });
    await second.node.close();
    const third = await start();
    expect(inUse(third)).toEqual({ active: ['EIGHT', 'SIX', 'TEN'], isPassive: true });
    // Of a token that two tasks keep, neither brings it back once it was taken out.
    expect(await third.node.disable('EIGHT')).toMatchObject({ passivized: false });
    await third.node.close();
    const fourth = await start();
    expect(inUse(fourth).active).toEqual(['SIX', 'TEN']);
    await fourth.node.close();
  });

  it('end with the last one, after which the coin can be activated on its own', async () => {
    const { start, log } = processes();
    const first = await start();
    await first.activate(withTokens('SIX', 'EIGHT'));
    await first.node.disable('ETH');
    await first.node.disable('SIX');
    await first.node.close();
    const second = await start();
    expect(inUse(second)).toEqual({ active: ['EIGHT'], isPassive: true });
    await second.node.disable('EIGHT');
    expect([second.evm.open, inUse(second)]).toEqual([0, { active: [], isPassive: false }]);
    expect((await log.read('enable-eth/0')).slice(-2).map(({ type }) => type)).toEqual([
      'TokenReleased',
      'CoinReleased',
    ]);
    await second.node.close();
    const third = await start();
    expect([inUse(third).active, third.evm.orders]).toEqual([[], []]);
    expect(await third.activate()).toMatchObject({ status: 'Ok' });
    await third.node.close();
  });

  it('go with the coin that is forced out, even if it is passive, or still coming back', async () => {
    const { start, clock } = processes();
    const first = await start();
    await first.activate(withTokens('SIX'));
    await first.node.disable('ETH');
    await first.node.close();
    const away = await start(new EvmDouble([[AWAY]]));
    // It is not there, as it was not before the restart, and that is no reason for its tokens to go.
    expect(await away.node.disable('ETH')).toBeUndefined();
    await away.node.close();
    const second = await start();
    expect(inUse(second).active).toEqual(['SIX']);
    expect(await second.node.disable('ETH', { force: true })).toMatchObject({ passivized: false });
    expect([second.evm.open, inUse(second)]).toEqual([0, { active: [], isPassive: false }]);
    await second.activate(withTokens('SIX', 'TEN'));
    await second.node.disable('ETH');
    await second.node.close();
    const third = await start(new EvmDouble([[AWAY]]));
    expect(await third.node.disable('ETH', { force: true })).toMatchObject({ passivized: false });
    await clock.advance(600_000);
    await third.node.close();
    const fourth = await start();
    expect([inUse(fourth).active, fourth.evm.orders]).toEqual([[], []]);
    await fourth.node.close();
  });

  it('are waited for while their nodes are away, and a request for the coin goes ahead of them', async () => {
    const { start, clock } = processes();
    const first = await start();
    await first.activate(withTokens('SIX', 'EIGHT'));
    await first.node.disable('ETH');
    await first.node.close();
    const second = await start(new EvmDouble([[AWAY], [], []]));
    expect(inUse(second).active).toEqual([]);
    // The very request of the first task makes the coin active, which that task does not.
    expect(await second.activate(withTokens('SIX', 'EIGHT'))).toMatchObject({ status: 'Ok' });
    await clock.advance(60_000);
    expect([inUse(second), second.evm.orders.length]).toEqual([
      { active: ['EIGHT', 'ETH', 'SIX'], isPassive: false },
      3,
    ]);
    await second.node.close();
  });

  it('come back too if another request has made their coin active while its task rested', async () => {
    const { start, clock, log } = processes();
    const first = await start();
    await first.activate(withTokens('SIX', 'EIGHT'));
    await first.node.close();
    const second = await start(new EvmDouble([[AWAY], [], [AWAY], []]));
    expect(await second.activate({ ...withTokens('SIX'), nodes: [{ url: 'http://another.example' }] })).toMatchObject({
      status: 'Ok',
    });
    expect(inUse(second).active).toEqual(['ETH', 'SIX']);
    await clock.advance(60_000);
    expect(inUse(second).active).toEqual(['EIGHT', 'ETH', 'SIX']);
    expect((await log.read('enable-eth/0')).at(-1)?.type).toBe('CoinPassivated');
    await second.node.close();
    const third = await start();
    expect(inUse(third)).toEqual({ active: ['EIGHT', 'ETH', 'SIX'], isPassive: false });
    await third.node.close();
  });
});

type Deed =
  | { readonly kind: 'activate'; readonly tokens: readonly string[] }
  | { readonly kind: 'disable'; readonly ticker: string; readonly force: boolean }
  | { readonly kind: 'read' }
  | { readonly kind: 'restart'; readonly away: number };

const disabling = (ticker: fc.Arbitrary<string>, force: boolean): fc.Arbitrary<Deed> =>
  fc.record({ kind: fc.constant('disable' as const), ticker, force: fc.constant(force) });

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('activate' as const), tokens: fc.subarray([...TOKENS]) }) },
  { weight: 4, arbitrary: disabling(fc.constant('ETH'), false) },
  { weight: 3, arbitrary: disabling(fc.constantFrom(...TOKENS), false) },
  { weight: 1, arbitrary: disabling(fc.constantFrom('ETH', ...TOKENS), true) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), away: fc.nat({ max: 2 }) }) },
);

describe('after a restart', () => {
  it('exactly the coins in use before are in use again, whatever was activated and disabled', async () => {
    let restarts = 0;
    let withPassive = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 16 }), async (deeds) => {
        const { start, clock } = processes();
        let process = await start();
        for (const each of [...deeds, { kind: 'restart', away: 1 } as const]) {
          if (each.kind === 'activate') await process.activate(withTokens(...each.tokens));
          if (each.kind === 'disable') await process.node.disable(each.ticker, { force: each.force });
          if (each.kind === 'read') for (let id = 0; id < 20; id += 1) await process.node.ethTasks.status(id, true);
          if (each.kind !== 'restart') continue;
          const before = inUse(process);
          await process.node.close();
          process = await start(new EvmDouble([...Array.from({ length: each.away }, () => [AWAY]), []]));
          await clock.advance(60_000);
          expect(inUse(process)).toEqual(before);
          restarts += 1;
          if (before.isPassive) withPassive += 1;
        }
        for (const ticker of ['ETH', ...TOKENS]) await process.node.disable(ticker, { force: true });
        // Nothing is connected to for nobody.
        expect([inUse(process).active, process.evm.open]).toEqual([[], 0]);
        await process.node.close();
      }),
      { numRuns: draws({ sample: 25, change: 80 }) },
    );
    // How many there are is drawn: a sample may have hardly any.
    if (SLOW) expect(restarts).toBeGreaterThan(100);
    if (SLOW) expect(withPassive).toBeGreaterThan(5);
  });
});

describe('what was in use with a coin', () => {
  it('is known to be waited for by swaps until it is back', async () => {
    const { start, clock } = processes();
    const first = await start();
    await first.activate(withTokens('SIX', 'EIGHT'));
    const asked = requestOf('maker', { maker_coin: 'ETH', taker_coin: 'SIX' });
    await first.node.runtime.startSwap(asked);
    expect(await first.node.evm.awaitedOn?.(1)).toEqual([]);
    await first.node.close();
    const second = await start(new EvmDouble([[AWAY], []]));
    expect([await second.node.evm.awaitedOn?.(1), await second.node.evm.awaitedOn?.(137)]).toEqual([
      ['ETH', 'SIX'],
      [],
    ]);
    await clock.advance(60_000);
    expect([inUse(second).active, await second.node.evm.awaitedOn?.(1)]).toEqual([['EIGHT', 'ETH', 'SIX'], []]);
    await second.node.close();
  });

  const without = (...tickers: readonly string[]) =>
    coinsOf(
      COINS.tickers.filter((ticker) => !tickers.includes(ticker)).map((ticker) => COINS.entryOf(ticker) as JsonObject),
      'a coins file that lacks entries',
    );

  it.each([
    ['a token', ['SIX'], ['EIGHT']],
    ['two tokens', ['SIX', 'EIGHT'], []],
    ['the coin', ['ETH'], []],
  ] as const)(
    'comes back as far as the coins file has it, which lacks %s at a restart, and all once it has',
    async (_, lacking, back) => {
      for (const isPassive of [false, true]) {
        const { start, log, clock } = processes();
        const first = await start();
        await first.activate(withTokens('SIX', 'EIGHT'));
        if (isPassive) await first.node.disable('ETH');
        await first.node.close();
        const second = await start(new EvmDouble(), without(...lacking));
        await clock.advance(600_000);
        const own = isPassive || (lacking as readonly string[]).includes('ETH') ? [] : ['ETH'];
        expect([inUse(second).active, isPassive]).toEqual([[...back, ...own].sort(), isPassive]);
        await second.node.close();
        expect((await log.read('enable-eth/0')).map(({ type }) => type)).not.toContain('Failed');
        const third = await start();
        expect([inUse(third).active, isPassive]).toEqual([
          isPassive ? ['EIGHT', 'SIX'] : ['EIGHT', 'ETH', 'SIX'],
          isPassive,
        ]);
        await third.node.close();
      }
    },
  );

  it.each(['Completed', 'CoinPassivated', 'TokenReleased', 'SessionLost'] as const)(
    'comes back as the log has it, where the process dies before or after %s is durable',
    async (type) => {
      for (const isWritten of [false, true]) {
        const inner = createMemoryLog();
        let dead = false;
        const dying = Object.create(inner, {
          append: {
            value: async (batch: AppendBatch) => {
              const dies = !dead && batch.stream === 'enable-eth/0' && batch.records.some((one) => one.type === type);
              if (dead) throw new Error('the process is dead');
              if (!dies) return inner.append(batch);
              if (isWritten) await inner.append(batch);
              dead = true;
              throw new Error('the process dies');
            },
          },
        }) as EventLog;
        const { start, clock } = nodeProcesses({ coins: COINS, log: dying });
        const live = async (work: (process: Process) => Promise<unknown>): Promise<void> => {
          const process = await start().catch(() => null);
          if (process === null) return;
          await work(process).catch(() => {});
          await process.node.close().catch(() => {});
        };
        await live(async ({ node, activate }) => {
          await activate(withTokens('SIX', 'EIGHT'));
          await node.disable('ETH');
          await node.disable('EIGHT');
        });
        await live(async () => {});
        dead = false;
        const alive = nodeProcesses({ coins: COINS, log: inner });
        const types = (await inner.read('enable-eth/0')).map((one) => one.type);
        const last = await alive.start();
        await alive.clock.advance(60_000);
        const gone = [
          ...(types.includes('CoinPassivated') ? ['ETH'] : []),
          ...(types.includes('TokenReleased') ? ['EIGHT'] : []),
        ];
        const expected = ['EIGHT', 'ETH', 'SIX'].filter((ticker) => !gone.includes(ticker));
        expect([type, isWritten, inUse(last)]).toEqual([
          type,
          isWritten,
          { active: expected, isPassive: gone.includes('ETH') },
        ]);
        await last.node.close();
        await clock.advance(0);
      }
    },
  );
});
