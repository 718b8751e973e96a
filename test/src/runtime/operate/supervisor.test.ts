import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../../src/peers/in-process/index.ts';
import type { EventLog } from '../../../../src/ports/event-log.ts';
import { createRuntime, type RuntimeError } from '../../../../src/runtime/index.ts';
import { draws } from '../../../support/draws.ts';
import { GOOD, scriptedChain } from '../../../support/scripted.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../../support/swap-pair.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const SIDES = ['maker', 'taker'] as const;

async function startBoth({ nodes }: Pair): Promise<void> {
  for (const side of SIDES) await nodes[side].runtime.startSwap(requestOf(side));
}

const isFinished = ({ types }: Pair, side: Side) => types(side).includes('Finished');
const areFinished = (pair: Pair) => () => SIDES.every((side) => isFinished(pair, side));

async function codeOf(action: Promise<unknown>): Promise<string> {
  return action.then(
    () => 'none',
    (error: RuntimeError) => error.code,
  );
}

describe('two nodes', () => {
  it('swap with each other to the end', async () => {
    const pair = createPair();
    await startBoth(pair);
    expect(await pair.until(areFinished(pair), 60)).toBe(true);
    for (const side of SIDES) {
      expect(await pair.nodes[side].runtime.status(UUID)).toMatchObject({ state: 'finished', outcome: 'completed' });
    }
  });

  it('release a swap once its end is deep in the chain', async () => {
    const pair = createPair();
    await startBoth(pair);
    await pair.until(areFinished(pair), 60);
    expect(pair.nodes.maker.runtime.sizes().runners).toBe(1);
    await pair.minutes(10);
    expect(pair.nodes.maker.runtime.sizes().runners).toBe(0);
    expect(await pair.nodes.maker.runtime.status(UUID)).toMatchObject({ outcome: 'completed', runner: 'none' });
    expect(await pair.nodes.maker.log.find({ finished: true })).toHaveLength(1);
  });

  it('a maker whose taker never pays refunds its payment', async () => {
    const pair = createPair();
    await startBoth(pair);
    await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 10);
    pair.nodes.taker.die();
    expect(await pair.until(() => isFinished(pair, 'maker'), 500)).toBe(true);
    expect(await pair.nodes.maker.runtime.status(UUID)).toMatchObject({ outcome: 'refunded' });
  });

  it('a network that loses, repeats and reorders changes nothing', async () => {
    let turn = 0;
    const late: (() => void)[] = [];
    const pair = createPair({
      network: {
        policy: ({ deliver }) => {
          turn += 1;
          if (turn % 3 === 0) return;
          if (turn % 5 === 0) late.push(deliver);
          else deliver();
          if (turn % 2 === 0) deliver();
          if (turn % 4 === 0) for (const old of late.splice(0)) old();
        },
      },
    });
    await startBoth(pair);
    expect(await pair.until(areFinished(pair), 120)).toBe(true);
    expect((await pair.nodes.taker.runtime.status(UUID))?.outcome).toBe('completed');
  });
});

/** Kills the process right after its n-th append. */
function dyingLog(log: EventLog, { at, die }: { readonly at: number; readonly die: () => void }): EventLog {
  let appends = 0;
  return {
    ...log,
    append: (batch) => {
      const stored = log.append(batch);
      appends += 1;
      if (appends !== at) return stored;
      die();
      return new Promise(() => {});
    },
  };
}

/** Between the appends after which a process dies. */
const STEP = draws({ sample: 3, change: 1 });

describe('a process that dies', () => {
  for (const side of SIDES) {
    it(`after any append of the ${side} ends the swap as if nothing had happened`, async () => {
      const calm = createPair();
      await startBoth(calm);
      await calm.until(areFinished(calm), 60);
      const appends = calm.types(side).length;
      expect(appends).toBeGreaterThan(15);
      let deaths = 0;
      for (let at = 1; at <= appends; at += STEP) {
        let died = false;
        const pair: Pair = createPair({
          options: (own, { log }) =>
            own === side && !died
              ? {
                  log: dyingLog(log, {
                    at,
                    die: () => {
                      died = true;
                      pair.nodes[side].die();
                    },
                  }),
                }
              : {},
        });
        void pair.nodes[side].runtime.startSwap(requestOf(side));
        await pair.nodes[side === 'maker' ? 'taker' : 'maker'].runtime.startSwap(
          requestOf(side === 'maker' ? 'taker' : 'maker'),
        );
        await pair.until(() => died, 60);
        if (!died) continue;
        deaths += 1;
        pair.restart(side);
        await pair.nodes[side].runtime.resumeAll();
        expect(await pair.until(areFinished(pair), 120), `death after append ${at}`).toBe(true);
        for (const own of SIDES) {
          expect((await pair.nodes[own].runtime.status(UUID))?.outcome, `death after append ${at}`).toBe('completed');
        }
        const twice = pair.types(side).filter((type) => /PaymentSent|TakerFeeSent|Spent$/.test(type));
        expect(new Set(twice).size, `death after append ${at}`).toBe(twice.length);
      }
      expect(deaths).toBeGreaterThan(8 / STEP);
    });
  }

  it('resumes the rest of its streams before it spends anything, and reserves what it signed', async () => {
    const pair = createPair();
    await startBoth(pair);
    await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 10);
    pair.nodes.maker.die();
    const chain = scriptedChain('DOC', () => new Promise(() => {}));
    const runtime = createRuntime({
      log: pair.nodes.maker.log,
      clock: pair.clock,
      chains: [chain, pair.nodes.maker.wallets.MARTY],
      peers: createInProcessNetwork().peer('a1'.repeat(32)),
    });
    await runtime.resumeAll();
    expect(chain.asked).toEqual([]);
    const status = await runtime.status(UUID);
    expect(chain.reserved).toEqual(status?.transactions.map(({ tx_hash }) => tx_hash));
    expect(chain.reserved).toHaveLength(2);
    await pair.clock.advance(0);
    expect(chain.asked.length).toBeGreaterThan(0);
  });
});

describe('starting a swap', () => {
  it('twice with the same request is starting it once', async () => {
    const pair = createPair();
    const { runtime } = pair.nodes.maker;
    const both = await Promise.all([runtime.startSwap(requestOf('maker')), runtime.startSwap(requestOf('maker'))]);
    expect(both.map(({ known }) => known).toSorted()).toEqual([false, true]);
    expect(await runtime.startSwap(requestOf('maker'))).toEqual({ stream: `maker-swap/${UUID}`, known: true });
    await pair.clock.advance(1000);
    expect(pair.types('maker').filter((type) => type === 'SwapRequested')).toHaveLength(1);
    expect(await codeOf(runtime.startSwap(requestOf('maker', { taker_amount: '4' as never })))).toBe('SWAP_EXISTS');
  });

  it('gives a maker that names no secret one of 32 random bytes, once', async () => {
    const pair = createPair({
      options: () => ({ random: { bytes: (count) => new Uint8Array(count).fill(7) } }),
    });
    const { runtime, log } = pair.nodes.maker;
    await runtime.startSwap(requestOf('maker', { secret: null }));
    const [first] = await log.read(`maker-swap/${UUID}`);
    expect(first?.data).toMatchObject({ secret: '07'.repeat(32) });
    expect(await runtime.startSwap(requestOf('maker', { secret: null }))).toMatchObject({ known: true });
  });

  it('refuses what cannot be a swap and writes nothing', async () => {
    const pair = createPair();
    const { runtime, log } = pair.nodes.taker;
    const wrong = [
      { uuid: 'not-a-uuid' },
      { maker_coin: 'MARTY' },
      { maker_amount: '0' },
      { taker_amount: 'much' },
      { counterparty: '00'.repeat(32) },
      { counterparty: 'a1' },
      { my_persistent_pub: KEY },
      { lock_duration: 0 },
      { lock_duration: 1.5 },
      { taker_payment_confirmations: -1 },
      { secret: '5e'.repeat(32) },
    ];
    for (const changes of wrong) {
      expect(await codeOf(runtime.startSwap(requestOf('taker', changes as never))), JSON.stringify(changes)).toBe(
        'SWAP_REQUEST_INVALID',
      );
    }
    expect(await codeOf(runtime.startSwap(requestOf('taker', { maker_coin: 'LTC' })))).toBe('COIN_NOT_ACTIVE');
    expect(await log.find({})).toEqual([]);
  });

  it.each(['DOC', 'MARTY'])(
    'refuses one in %s while that is active for its wallet alone, and drives those that have begun',
    async (ticker) => {
      const pair = createPair();
      const { runtime, log } = pair.nodes.taker;
      await startBoth(pair);
      const chain = pair.nodes.taker.wallets[ticker as 'DOC' | 'MARTY'];
      runtime.addChain({ ...chain, traits: { ...chain.traits, walletOnly: true } });
      const another = requestOf('taker', { uuid: 'c1f1a6d4-7e55-4f0a-9a3e-2f3c0f1b8e77' as never });
      expect(await codeOf(runtime.startSwap(another))).toBe('COIN_WALLET_ONLY');
      expect(await log.find({})).toHaveLength(1);
      expect(await pair.until(areFinished(pair), 60)).toBe(true);
      expect(await runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
    },
  );
});

const KEY = 'zz'.repeat(33);

describe('operator actions', () => {
  it('a paused swap makes no new commitment until it is resumed', async () => {
    const pair = createPair();
    const { runtime } = pair.nodes.taker;
    await runtime.startSwap(requestOf('taker'));
    await runtime.pause(UUID, 'holiday');
    await pair.nodes.maker.runtime.startSwap(requestOf('maker'));
    await pair.clock.advance(60_000);
    expect(pair.types('taker')).toEqual(['SwapRequested', 'OperatorActed']);
    expect(await runtime.status(UUID)).toMatchObject({ paused: true, waiting: { for: 'operator' } });
    await runtime.resume(UUID);
    expect(await pair.until(areFinished(pair), 60)).toBe(true);
  });

  it('another try is made at once instead of after the pause', async () => {
    const pair = createPair();
    const { runtime, wallets } = pair.nodes.taker;
    const { DOC } = wallets as unknown as { DOC: { setFaults: (faults: readonly unknown[]) => void } };
    DOC.setFaults([{ kind: 'outage', from: 0, until: 4e9 }]);
    await runtime.startSwap(requestOf('taker'));
    await pair.clock.advance(30_000);
    const before = await runtime.status(UUID);
    expect(before?.faults).toMatchObject([{ coin: 'DOC', op: 'quote', kind: 'unavailable' }]);
    expect(before?.faults[0]?.count).toBeGreaterThan(1);
    expect(before?.waiting).toMatchObject({ for: 'retry' });
    DOC.setFaults([]);
    await runtime.retryNow(UUID);
    await pair.clock.advance(0);
    expect(pair.types('taker')).toContain('Started');
  });

  it('the recovery of funds can be asked for in any state, also after the end', async () => {
    const pair = createPair();
    await startBoth(pair);
    await pair.nodes.maker.runtime.recoverFunds(UUID);
    await pair.until(areFinished(pair), 60);
    await pair.minutes(20);
    expect(pair.nodes.taker.runtime.sizes().runners).toBe(0);
    await pair.nodes.taker.runtime.recoverFunds(UUID, 'to be sure');
    await pair.minutes(2);
    expect(pair.types('taker').slice(-3)).toEqual(['OperatorActed', 'PaymentSettled', 'FundsRecovered']);
    expect(await pair.nodes.taker.runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
  });

  it('is refused for a swap that does not exist', async () => {
    const { nodes } = createPair();
    expect(await codeOf(nodes.maker.runtime.pause(UUID))).toBe('SWAP_NOT_FOUND');
    expect(await codeOf(nodes.maker.runtime.pause('nonsense'))).toBe('SWAP_NOT_FOUND');
    expect(await nodes.maker.runtime.status(UUID)).toBeNull();
  });
});

describe('coins', () => {
  it('a swap waits for a coin that is not active, and continues when it is', async () => {
    const pair = createPair();
    await startBoth(pair);
    const { runtime, wallets } = pair.nodes.taker;
    runtime.removeChain('DOC');
    await pair.clock.advance(1000);
    expect(await runtime.status(UUID)).toMatchObject({ runner: 'waitingForCoin', waiting: { for: 'coin' } });
    expect((await runtime.status(UUID))?.waiting?.text).toBe('Waits until DOC can be asked again.');
    runtime.addChain(wallets.DOC);
    expect(await pair.until(areFinished(pair), 60)).toBe(true);
  });

  it('V1: one inactive coin does not block the money on the other', async () => {
    const pair = createPair();
    await startBoth(pair);
    await pair.until(() => pair.types('maker').includes('MakerPaymentSent'), 10);
    pair.nodes.taker.die();
    pair.nodes.maker.runtime.removeChain('MARTY');
    expect(await pair.until(() => pair.types('maker').includes('MakerPaymentRefunded'), 500)).toBe(true);
  });
});

describe('drain', () => {
  it('lets the running command end, starts no other, and closes the log', async () => {
    const pair = createPair();
    await startBoth(pair);
    await pair.clock.advance(0);
    const { runtime, log } = pair.nodes.maker;
    expect(await runtime.drain({ timeout: 5 })).toEqual({ clean: true, abandoned: 0 });
    expect(await codeOf(runtime.startSwap(requestOf('maker')))).toBe('RUNTIME_DRAINING');
    expect(await codeOf(runtime.pause(UUID))).toBe('RUNTIME_DRAINING');
    expect(() => log.read('a/b')).toThrow('LOG_CLOSED');
    const before = pair.clock.armed();
    await pair.clock.advance(3_600_000);
    expect(pair.clock.armed()).toBeLessThanOrEqual(before);
  });

  it('does not wait for a chain that hangs longer than it may', async () => {
    const clock = virtualClock();
    const hanging = scriptedChain('DOC', () => new Promise(() => {}));
    const runtime = createRuntime({
      log: createMemoryLog(),
      clock,
      chains: [hanging, scriptedChain('MARTY', () => GOOD)],
      peers: createInProcessNetwork().peer('a1'.repeat(32)),
    });
    await runtime.startSwap(requestOf('maker'));
    await clock.advance(0);
    const drained = runtime.drain({ timeout: 5 });
    await clock.advance(5000);
    expect(await drained).toEqual({ clean: false, abandoned: 1 });
    expect(hanging.subscribers()).toBe(0);
  });
});
