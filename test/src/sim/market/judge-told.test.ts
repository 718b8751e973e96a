import { describe, expect, it } from 'vitest';
import type { DecimalText } from '../../../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../../../src/primitives/time.ts';
import type { Runtime } from '../../../../src/runtime/operate/supervisor.ts';
import { judgeMarket } from '../../../../src/sim/market/judge.ts';
import { createMarket, type MarketWorld } from '../../../../src/sim/market/market.ts';
import type { Tamper } from '../../../../src/sim/market/process.ts';
import { runMarket } from '../../../../src/sim/market/run.ts';
import {
  calmCoin,
  calmMarket,
  calmParty,
  calmSwap,
  type Market,
  type MarketParty,
} from '../../../../src/sim/market/scenario.ts';
import { runMarketScenario } from '../../../../src/sim/market/simulate.ts';
import { funds, twoPartyMarket as one, processOf } from '../../../support/two-party-market.ts';

const FROM = 0 as UnixSeconds;

const said = (world: MarketWorld) => [
  ...new Set(judgeMarket(world).violations.map(({ rule, party, text }) => `${rule} ${party}: ${text}`)),
];

/** What a market is told to be wrong of where bob's runtime answers like this. */
async function told(market: Market, change: (runtime: Runtime) => Partial<Runtime>): Promise<readonly string[]> {
  const world = createMarket(market);
  const bob = processOf(world, 'bob');
  if (bob.runtime !== null) bob.runtime = { ...bob.runtime, ...change(bob.runtime) };
  await runMarket(world);
  return said(world);
}

const asIs = () => ({});

describe('what a node tells its user (M11)', () => {
  it('of locks: an amount that swaps will not take, and one that they will', async () => {
    const often = one({ user: { looksEvery: 20, mistakes: [], allowances: [] } });
    expect(await told(often, asIs)).toEqual([]);
    const much = await told(often, () => ({ locked: () => new Map([['MARTY', '90' as DecimalText]]) }));
    expect(much[0]).toMatch(/^M11 bob: 90 MARTY are told to be locked, where swaps will take \S+ to \S+$/);
    const none = await told(often, () => ({ locked: () => new Map() }));
    expect(none[0]).toMatch(/^M11 bob: 0 MARTY are told to be locked, where swaps will take 3.00000041 to \S+$/);
  });

  it('about an order that the log does not hold', async () => {
    const orders = [{ at: 45, swap: 0, action: 'pause' } as const, { at: 60, swap: 0, action: 'resume' } as const];
    expect(await told(one({ orders }), asIs)).toEqual([]);
    expect(await told(one({ orders }), () => ({ pause: async () => {} }))).toEqual([
      'M11 bob: an order to pause was taken, and the log does not hold it',
    ]);
  });

  it('about fees that are allowed on one chain', async () => {
    const allowances = [{ at: 30, swap: 0, leg: 'taker', most: '2.31' as DecimalText } as const];
    const market = one({ user: { looksEvery: null, mistakes: [], allowances } });
    expect(await told(market, asIs)).toEqual([]);
    const astray = await told(market, (runtime) => ({
      allowFees: (uuid, order) => runtime.allowFees(uuid, { ...order, coin: 'DOC' }),
    }));
    expect(astray).toEqual(['M11 bob: fees of 2.31 are allowed on MARTY, and it is told that none are']);
    const refused = await told(market, () => ({
      allowFees: () => Promise.reject(Object.assign(new Error('no'), { code: 'FEE_ORDER_INVALID' })),
    }));
    expect(refused).toEqual(['M11 bob: fees of 2.31 on MARTY are refused as if the swap had no such coin']);
  });

  it('about a swap: its coins, what is under way, and how long a chain takes', async () => {
    const market = one({ user: { looksEvery: 7, mistakes: [], allowances: [] }, latency: { DOC: [4, 9] } });
    expect(await told(market, asIs)).toEqual([]);
    const changed = (change: (status: NonNullable<Awaited<ReturnType<Runtime['status']>>>) => object) =>
      told(market, (runtime) => ({
        status: async (uuid) => {
          const status = await runtime.status(uuid);
          return status === null ? null : { ...status, ...change(status) };
        },
      }));
    const turned = await changed(({ coins: { maker, taker } }) => ({ coins: { maker: taker, taker: maker } }));
    expect(turned).toEqual(['M11 bob: its coins are told the wrong way']);
    const astray = await changed(({ transactions }) => ({
      transactions: transactions.map((one) => ({ ...one, coin: 'DOC' })),
    }));
    expect(astray[0]).toMatch(/^M11 bob: a (fee|payment) is told to be on DOC instead of MARTY$/);
    const slow = await changed(() => ({
      waiting: { for: 'answer', text: 'Waits for the answer of MARTY, which takes some 12 s to answer', until: null },
    }));
    expect(slow).toEqual(['M11 bob: MARTY is said to take 12 s to answer, and takes 0 s at the most']);
    const quick = await changed(() => ({
      waiting: { for: 'answer', text: 'Waits for the answer of DOC, which takes some 3 s to answer', until: null },
    }));
    expect(quick).toEqual(['M11 bob: DOC is said to take 3 s to answer, and takes 4 s at the least']);
    expect(await told(market, () => ({ status: async () => null }))).toEqual([
      'M11 bob: a swap of the log is told not to be there',
    ]);
  });

  it('about a wait: a question that is asked again only after its end', async () => {
    const nodes = {
      MARTY: [{ kind: 'outage', from: 20 as UnixSeconds, until: 900 as UnixSeconds } as const],
    };
    const market = one({ user: { looksEvery: 7, mistakes: [], allowances: [] }, nodes });
    expect(await told(market, asIs)).toEqual([]);
    const later = await told(market, (runtime) => ({
      status: async (uuid) => {
        const status = await runtime.status(uuid);
        if (status === null) return null;
        const faults = status.faults.map((fault) => ({
          ...fault,
          nextTry: (fault.nextTry + 2000) as typeof fault.nextTry,
        }));
        return { ...status, faults };
      },
    }));
    expect(later[0]).toMatch(/^M11 bob: a wait is said to end with \S+ being asked again, which comes later$/);
  });

  it('about a shortage: existing coins that are held, although no quote showed as many', async () => {
    const world = createMarket(one({ funds: funds('28', '2.5') }));
    await runMarket(world);
    expect(said(world)).toEqual([]);
    const { log } = processOf(world, 'bob');
    const [stream] = log.find({ eventType: 'StartFailed' }).map((found) => found.stream);
    const failed = log.read(stream ?? '').find(({ type }) => type === 'StartFailed');
    if (failed === undefined) throw new TypeError('a start that failed');
    const { error } = failed.data as { readonly error: string };
    expect(error).toContain('available 2.5, required');
    const { at, type, version } = failed;
    const data = { error: error.replace('available 2.5', 'available 2.4') };
    const other = 'taker-swap/00000000-0000-4000-a000-000000000001';
    log.append({ stream: other, expected: 0, records: [{ at, type, version, data }] });
    expect(said(world)).toEqual(['M11 bob: of MARTY 2.4 are told to be there and 0 to be locked']);
  });

  it('about what it did, in its counts', async () => {
    const world = createMarket(one({ user: { looksEvery: 60, mistakes: [], allowances: [] } }));
    processOf(world, 'bob').counts.decided.send += 1;
    await runMarket(world);
    expect(said(world)[0]).toMatch(/^M11 bob: \d+ messages are counted, and \d+ were sent$/);
  });
});

describe('a request that must be refused (M12)', () => {
  const kinds = ['usedSecret', 'oneCoin', 'ownKey', 'confirmations'] as const;
  const market = calmMarket({
    parties: [
      calmParty('alice', funds('31', '29')),
      calmParty('bob', funds('28', '33'), {
        user: {
          looksEvery: null,
          mistakes: kinds.map((kind, index) => ({ at: 100 + 7 * index, swap: 1, kind })),
          allowances: [],
        },
      }),
    ],
  });

  it('is refused for its mistake, and leaves nothing', async () => {
    const world = createMarket(market);
    await runMarket(world);
    expect(said(world)).toEqual([]);
    expect(processOf(world, 'bob').log.find({})).toHaveLength(2);
  });

  it('is a violation if it is accepted', async () => {
    const taken = await told(market, () => ({ startSwap: async () => ({ stream: '', known: false }) }));
    expect(taken.filter((text) => text.startsWith('M12'))).toEqual(
      kinds.slice(1).map((kind) => `M12 bob: a request with a mistake (${kind}) is taken`),
    );
  });
});

describe('what a feed reports (M13)', () => {
  const deaf = (coin: string): Tamper => {
    return (party, chain) =>
      party.name === 'bob' && chain.traits.coin === coin ? { ...chain, subscribe: () => ({ close: () => {} }) } : chain;
  };
  const market = one(
    {},
    {
      coins: [calmCoin('DOC', { finality: 2, blockTime: 40 }), calmCoin('MARTY', { blockTime: 90, finality: 4 })],
      swaps: [calmSwap({ maker: 'alice', taker: 'bob', confirmations: { maker: 3, taker: 1 } })],
    },
  );

  it('causes an action at once, and a payment that is seen only with the next look is late', async () => {
    expect((await runMarketScenario(market)).violations).toEqual([]);
    const { violations } = await runMarketScenario(market, { tamper: deaf('DOC') });
    expect(violations.map(({ rule, party }) => `${rule} ${party}`)).toEqual(['M13 bob']);
    expect(violations[0]?.text).toMatch(/^MakerPaymentValidatedAndConfirmed is written \S+ s after the block/);
  });

  it('is not the answer of a node that is too slow to count', async () => {
    const slow = (most: number) => {
      const [alice, bob] = market.parties;
      if (alice === undefined || bob === undefined) throw new TypeError('two parties');
      const deafened = { ...market, parties: [alice, { ...bob, latency: { DOC: [0, most] as const } }] };
      return runMarketScenario(deafened, { tamper: deaf('DOC') });
    };
    const rules = async (most: number) => (await slow(most)).violations.map(({ rule }) => rule);
    expect(await rules(1)).toContain('M13');
    expect(await rules(30)).not.toContain('M13');
  });

  it('is due from the block of the claim that took the payment, not from that of one without effect', async () => {
    const reverted = (until: number) => ({
      ...market,
      coins: [
        calmCoin('DOC', { finality: 2, blockTime: 40 }),
        calmCoin('MARTY', {
          kind: 'account',
          blockTime: 90,
          finality: 2,
          faults: [{ kind: 'revert', purposes: ['claim'], from: FROM, until: until as UnixSeconds } as const],
        }),
      ],
    });
    const world = createMarket(reverted(1200));
    await runMarket(world);
    const claims = world.chains
      .get('MARTY')
      ?.ledger.transactions('alice')
      .filter(({ purpose }) => purpose === 'claim');
    expect(claims?.map(({ status }) => status)).toContain('reverted');
    expect(claims?.at(-1)?.status).toBe('confirmed');
    expect(said(world)).toEqual([]);
  });
});

describe('a watch', () => {
  const watched = (conduct: MarketParty['conduct']) =>
    calmMarket({
      parties: [
        calmParty('alice', funds('31', '29')),
        calmParty('bob', funds('28', '33'), { conduct }),
        calmParty('carol', funds('12', '13'), { watches: true }),
      ],
      swaps: [
        calmSwap({ maker: 'alice', taker: 'bob', useWatchers: true, confirmations: { maker: 1, taker: 3 } }),
        calmSwap({
          maker: 'bob',
          taker: 'alice',
          makerAmount: '2.25000013' as DecimalText,
          takerAmount: '4.00000077' as DecimalText,
          useWatchers: true,
          at: 400,
        }),
      ],
    });

  it('is one for each swap, whoever asks for it twice or in the name of another swap (M4)', async () => {
    const world = createMarket(watched({ kind: 'watchedTwice' }));
    await runMarket(world);
    expect(said(world)).toEqual([]);
    const { log } = processOf(world, 'carol');
    const streams = log.find({}).map(({ stream }) => stream);
    // Bob's own and alice's. What bob asks for in the name of her swap was paid with the fee of his own.
    expect(streams).toHaveLength(2);
    const [first = ''] = streams;
    const [record] = log.read(first);
    if (record === undefined) throw new TypeError('a watch');
    const { at, type, version, data } = record;
    const again = 'watcher/00000000-0000-4000-a000-000000000001';
    log.append({ stream: again, expected: 0, records: [{ at, type, version, data }] });
    expect(said(world)[0]).toMatch(/^M4 carol: \w{12} is watched twice, in watcher\/\S+ and in watcher\/00000000-/);
  });
});
