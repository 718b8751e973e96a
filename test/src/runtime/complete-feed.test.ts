import { describe, expect, it } from 'vitest';
import type { FeedNews } from '../../../src/ports/chain.ts';
import type { RuntimeChain, RuntimeOptions } from '../../../src/runtime/index.ts';
import { type CompleteFeedOptions, completeFeed } from '../../../src/sim/chains/complete-feed.ts';
import { countingChain } from '../../support/counting-chain.ts';
import { createPair, type Pair, requestOf, type Side, UUID } from '../../support/swap-pair.ts';

const SIDES = ['maker', 'taker'] as const;
const SECOND = 1000;

type Options = {
  readonly complete: boolean;
  readonly policy?: RuntimeOptions['policy'];
  /** Whether the maker's wallet signs no payment. */
  readonly unpaid?: boolean;
  readonly feed?: Partial<CompleteFeedOptions>;
  /** Changes the chains of a side, by coin. */
  readonly change?: (side: Side, chain: RuntimeChain) => RuntimeChain;
};

function setUp({ complete, policy = {}, unpaid = false, feed = {}, change = (_, chain) => chain }: Options) {
  const asked = { maker: 0, taker: 0 };
  const pair: Pair = createPair({
    options: (side, { chains, clock }) => ({
      policy,
      chains: chains.map((chain, index) => {
        const told = complete ? completeFeed(chain, { clock, heartbeat: index === 0 ? 45 : 70, ...feed }) : chain;
        const count = () => {
          asked[side] += 1;
        };
        return countingChain(change(side, unpaid && side === 'maker' ? unpaying(told) : told), count);
      }),
    }),
  });
  return { pair, asked };
}

/** A chain whose wallet has no time for payments. */
function unpaying(chain: RuntimeChain): RuntimeChain {
  const fault = { kind: 'unavailable', message: 'the wallet is busy' } as const;
  return {
    ...chain,
    prepare: (request, forSwap) =>
      request.purpose === 'payment' ? { ok: false, fault } : chain.prepare(request, forSwap),
  };
}

const stateOf = async ({ nodes }: Pair, side: Side) => (await nodes[side].runtime.status(UUID))?.state ?? 'none';

const mine = ({ chains }: Pair) => {
  for (const coin of ['DOC', 'MARTY'] as const) chains[coin].mine();
};

/** A side that waits in a state, alone from the moment on in which it is in `alone`; blocks come until it waits. */
type Wait = { readonly side: Side; readonly state: string; readonly alone?: string; readonly unpaid?: boolean };

const WAITS: readonly Wait[] = [
  { side: 'taker', state: 'waitingForMakerPayment', unpaid: true },
  { side: 'taker', state: 'confirmingMakerPayment' },
  { side: 'taker', state: 'waitingForSpend' },
  { side: 'taker', state: 'refunding', alone: 'waitingForSpend' },
  { side: 'taker', state: 'confirmingClaim' },
  { side: 'taker', state: 'finished' },
  { side: 'maker', state: 'waitingForTakerPayment' },
  { side: 'maker', state: 'confirmingTakerPayment' },
  { side: 'maker', state: 'waitingForRefund', alone: 'waitingForTakerPayment' },
  { side: 'maker', state: 'confirmingClaim' },
  { side: 'maker', state: 'finished' },
];

/** Brings a side to its wait, with nobody else there. */
async function waiting({ side, state, alone = state, unpaid = false }: Wait, options: Options) {
  const world = setUp({ ...options, unpaid });
  const { pair } = world;
  const other = side === 'maker' ? 'taker' : 'maker';
  for (const one of SIDES) await pair.nodes[one].runtime.startSwap(requestOf(one));
  let left = false;
  for (let second = 0; (await stateOf(pair, side)) !== state; second += left ? 60 : 1) {
    if (second > 60_000) throw new Error(`the ${side} never came to ${state}`);
    if (!left && (await stateOf(pair, side)) === alone) {
      pair.nodes[other].die();
      left = true;
    }
    await pair.clock.advance((left ? 60 : 1) * SECOND);
    if (left || second % 30 === 29) mine(pair);
  }
  pair.nodes[other].die();
  await pair.clock.advance(5 * SECOND);
  return world;
}

/** Minutes in which nothing new happens: less than until the next safety look, or than any wait for a message takes. */
const QUIET = 6;

/** Questions in the quiet minutes. */
async function quietly(wait: Wait, options: Options): Promise<number> {
  const { pair, asked } = await waiting(wait, options);
  const before = asked[wait.side];
  await pair.clock.advance(QUIET * 60 * SECOND);
  expect(await stateOf(pair, wait.side)).toBe(wait.state);
  return asked[wait.side] - before;
}

describe('a swap that waits while nothing new happens', () => {
  it.each(WAITS)(
    'asks nothing where the feeds are complete, and polls where they are not: $side, $state',
    async (wait) => {
      expect(await quietly(wait, { complete: true })).toBe(0);
      expect(await quietly(wait, { complete: false })).toBeGreaterThanOrEqual(2 * QUIET);
    },
  );

  it('still looks at each chain after a quarter of the margin, and as often as the policy says', async () => {
    const hours = async (safetyLook?: number) => {
      const policy = safetyLook === undefined ? {} : { safetyLook };
      const { pair, asked } = await waiting({ side: 'maker', state: 'finished' }, { complete: true, policy });
      const before = asked.maker;
      await pair.clock.advance(3600 * SECOND);
      return asked.maker - before;
    };
    // 7800 s, a fifth of it, a quarter of that: 390 s.
    expect(await hours()).toBe(9);
    expect(await hours(100)).toBe(36);
    expect(await hours(0)).toBe(120);
  });
});

describe('news of a complete feed', () => {
  it('is looked into at once', async () => {
    const { pair, asked } = await waiting({ side: 'taker', state: 'confirmingMakerPayment' }, { complete: true });
    await pair.clock.advance(100 * SECOND);
    const before = asked.taker;
    mine(pair);
    await pair.clock.advance(0);
    expect(asked.taker).toBeGreaterThan(before);
    // One block of the two that the order asks for.
    expect(await stateOf(pair, 'taker')).toBe('confirmingMakerPayment');
    await pair.clock.advance(60 * SECOND);
    mine(pair);
    await pair.clock.advance(0);
    expect(await stateOf(pair, 'taker')).toBe('waitingForSpend');
  });

  it('may be silent or break: then the swap polls, until the feed speaks again', async () => {
    for (const end of ['silent', 'broken'] as const) {
      let muted = false;
      const words: ((news: FeedNews) => void)[] = [];
      const change = (side: Side, chain: RuntimeChain): RuntimeChain => ({
        ...chain,
        subscribe: (onChange) => {
          if (side === 'taker') words.push(onChange);
          return chain.subscribe((news) => {
            if (!muted) onChange(news);
          });
        },
      });
      const wait = { side: 'taker', state: 'waitingForSpend' } as const;
      const { pair, asked } = await waiting(wait, { complete: true, change });
      const during = async (minutes: number) => {
        const before = asked.taker;
        await pair.clock.advance(minutes * 60 * SECOND);
        return asked.taker - before;
      };
      muted = true;
      if (end === 'broken') for (const say of words) say('broken');
      // The longer of the two heartbeats is 70 s.
      if (end === 'silent') await during(1.2);
      expect(await during(3)).toBeGreaterThan(12);
      muted = false;
      await during(1);
      expect(await during(3)).toBe(0);
    }
  });

  it('F3: that is lost completely costs time and nothing else', async () => {
    const { pair } = setUp({ complete: true, feed: { loses: () => true } });
    for (const one of SIDES) await pair.nodes[one].runtime.startSwap(requestOf(one));
    const done = () => SIDES.every((side) => pair.types(side).includes('Finished'));
    expect(await pair.until(done, 20)).toBe(false);
    expect(await pair.until(done, 100)).toBe(true);
    for (const side of SIDES) {
      expect(await pair.nodes[side].runtime.status(UUID)).toMatchObject({ outcome: 'completed' });
    }
  });

  it('that is lost is not relied on before a payment: the other payment is checked again at that moment', async () => {
    const busy = { kind: 'coinsPromised', message: 'the coins come with the next block' } as const;
    let ready = false;
    const paid: number[] = [];
    const change = (side: Side, chain: RuntimeChain): RuntimeChain => {
      if (side === 'maker') return chain;
      return {
        ...chain,
        prepare: (request, forSwap) =>
          request.purpose === 'payment' && !ready ? { ok: false, fault: busy } : chain.prepare(request, forSwap),
        broadcast: (tx) => {
          paid.push(pair.clock.now());
          return chain.broadcast(tx);
        },
      };
    };
    let losing = false;
    const { pair } = setUp({ complete: true, change, feed: { loses: () => losing } });
    for (const one of SIDES) await pair.nodes[one].runtime.startSwap(requestOf(one));
    expect(await pair.until(async () => (await stateOf(pair, 'taker')) === 'sendingTakerPayment', 20)).toBe(true);
    const before = paid.length;
    losing = true;
    pair.nodes.maker.die();
    const branch = pair.chains.DOC.sim?.reorg({ depth: 2, drop: 'all' });
    expect(branch?.length).toBe(3);
    await pair.clock.advance(11 * SECOND);
    ready = true;
    await pair.clock.advance(100 * SECOND);
    await pair.minutes(10);
    // The maker's payment is gone, nobody told, and the taker has not paid.
    expect(paid.slice(before)).toEqual([]);
    expect(pair.types('taker')).not.toContain('TakerPaymentSent');
  });
});
