import { afterAll, beforeAll, expect, it } from 'vitest';
import { toBaseUnits } from '../../src/htlc/index.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import { balanceOf, heightOf, type LedgerView, ledgerSince, scriptOf } from '../support/litecoin/ledger.ts';
import {
  AMOUNTS,
  type Chains,
  type Coin,
  createSwapWorld,
  fundWorld,
  type Side,
  type SwapWorld,
  startChains,
  type WorldOptions,
  walletName,
} from '../support/litecoin/swap-world.ts';
import { LITECOIND } from '../support/litecoind.ts';
import { describeWith } from '../support/optional-part.ts';

const sat = (amount: string) => toBaseUnits(amount as DecimalText);
/** More than any of these swaps may cost in fees of the network, on either chain. */
const LITTLE = sat('0.001');

describeWith(LITECOIND, 'swaps between two chains of Litecoin Core', () => {
  let chains: Chains;

  beforeAll(async () => {
    chains = await startChains();
  }, 120_000);
  afterAll(() => {
    for (const chain of Object.values(chains ?? {})) chain.node.stop();
  });

  type Held = Readonly<Record<Side, Readonly<Record<Coin, bigint>>>>;
  type Scene = {
    readonly world: SwapWorld;
    /** What the nodes tell of the blocks since the start. */
    readonly ledger: () => Promise<Readonly<Record<Coin, LedgerView>>>;
    readonly held: () => Promise<Held>;
    readonly before: Held;
    /** Whether both sides’ payments have been taken, in blocks of so great a depth that nothing goes on. */
    readonly allTaken: (count: number) => Promise<boolean>;
  };

  const scene = async (name: string, options: Partial<WorldOptions> = {}): Promise<Scene> => {
    await fundWorld({ chains, name });
    const from = { LTC: await heightOf(chains.LTC), OTHER: await heightOf(chains.OTHER) };
    const world = await createSwapWorld({ chains, name, ...options });
    const ledger = async () => ({
      LTC: await ledgerSince(chains.LTC, from.LTC),
      OTHER: await ledgerSince(chains.OTHER, from.OTHER),
    });
    const heldBy = async (side: Side) => ({
      LTC: await balanceOf(chains.LTC, walletName(side, name)),
      OTHER: await balanceOf(chains.OTHER, walletName(side, name)),
    });
    const held = async () => ({ maker: await heldBy('maker'), taker: await heldBy('taker') });
    const allTaken = async (count: number) => {
      const { LTC, OTHER } = await ledger();
      const taken = [LTC, OTHER].map(({ payments }) => payments.filter(({ spend }) => spend !== null).length);
      return taken.every((each) => each === count);
    };
    return { world, ledger, held, before: await held(), allTaken };
  };

  const expectSwapped = async (
    { ledger, held, before }: Scene,
    { name, count = 1 }: { name: string; count?: number },
  ) => {
    const { LTC, OTHER } = await ledger();
    const values = (view: LedgerView) => view.payments.map(({ value }) => value);
    expect(values(LTC)).toEqual(Array(count).fill(sat(AMOUNTS.maker)));
    expect(values(OTHER)).toEqual(Array(count).fill(sat(AMOUNTS.taker)));
    expect(OTHER.fees).toHaveLength(count);
    for (const { spend } of LTC.payments)
      expect(spend).toMatchObject({ how: 'claim', to: scriptOf(walletName('taker', name)) });
    for (const { spend } of OTHER.payments)
      expect(spend).toMatchObject({ how: 'claim', to: scriptOf(walletName('maker', name)) });
    const after = await held();
    const times = BigInt(count);
    const gained = (side: Side, coin: Coin) => after[side][coin] - before[side][coin];
    const near = (found: bigint, wanted: bigint) => {
      expect(found).toBeLessThanOrEqual(wanted);
      expect(found).toBeGreaterThan(wanted - LITTLE * times);
    };
    near(gained('taker', 'LTC'), times * sat(AMOUNTS.maker));
    near(gained('maker', 'OTHER'), times * sat(AMOUNTS.taker));
    near(gained('maker', 'LTC'), -times * sat(AMOUNTS.maker));
    const tradingFee = sat(AMOUNTS.taker) / 777n;
    near(gained('taker', 'OTHER'), -times * (sat(AMOUNTS.taker) + tradingFee));
  };

  it('eight swaps that start at once share one wallet on each side, and all of them end well', async () => {
    const name = 'eight at once';
    const given = await scene(name);
    const uuids = Array.from({ length: 8 }, (_, place) => `8a7e1d7c-3f5e-4a51-9d0b-6f6f1a2b3c4${place}`);
    await Promise.all(uuids.map((uuid) => given.world.start({ uuid })));
    expect(await given.world.until(() => given.allTaken(8))).toBe(true);
    await expectSwapped(given, { name, count: 8 });
    // The taker has a key for each, the maker one for all.
    const keysOf = async (side: Side) => {
      const logs = await Promise.all(uuids.map((uuid) => given.world.parties[side].log.read(`${side}-swap/${uuid}`)));
      const started = logs.map(
        (log) => log.find(({ type }) => type === 'Started')?.data as Readonly<Record<string, string>>,
      );
      return new Set(started.flatMap((data) => [data['maker_coin_htlc_pubkey'], data['taker_coin_htlc_pubkey']]));
    };
    expect([(await keysOf('taker')).size, (await keysOf('maker')).size]).toEqual([8, 1]);
  });

  // What the miners of a block take at least, while the nodes relay far less: 60 base units for each virtual byte.
  const DEAR = ['-blockmintxfee=0.0006'];
  const CHEAPEST = 10;
  const LEAST = 60;

  it.each([true, false])(
    'raises the fee of a claim that no miner includes step by step, if nodes replace: %s',
    async (replaces) => {
      const name = `fee burst, ${replaces ? 'with' : 'without'} replacement`;
      const signed: number[] = [];
      const adapter: WorldOptions['adapter'] = (chain, clock) => ({
        ...chain,
        prepare: (request, forSwap) => {
          if (request.purpose === 'claim' && chain.traits.coin === 'LTC') signed.push(clock.now() / 1000);
          return chain.prepare(request, forSwap);
        },
      });
      const given = await scene(name, { adapter });
      const { world, ledger } = given;
      const restart = (options: readonly string[]) =>
        chains.LTC.node.restart([
          '-persistmempool=0',
          `-mocktime=${world.seconds()}`,
          `-mempoolreplacement=${replaces ? 1 : 0}`,
          ...options,
        ]);
      await world.start();
      expect(await world.until(async () => (await ledger()).OTHER.payments.length === 1)).toBe(true);
      await restart(DEAR);
      const claim = async () => (await ledger()).LTC.payments[0]?.spend ?? null;
      expect(await world.until(async () => (await claim()) !== null, 90)).toBe(true);
      // What goes over the port, seen from outside of the engine: each dearer claim comes after a pause.
      expect(signed.length).toBeGreaterThan(1);
      const pauses = signed.slice(1).map((at, place) => at - (signed[place] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(60);
      expect(signed.length).toBeLessThanOrEqual(10);
      if (replaces) {
        const { rate = 0 } = (await claim()) ?? {};
        expect(rate).toBeGreaterThanOrEqual(LEAST);
        expect(rate).toBeLessThan(LEAST * 1.6);
      } else {
        // Nothing took the place of the first one: what spends it pays for both.
        expect((await claim())?.rate).toBeLessThan(CHEAPEST * 1.5 * 1.1);
      }
      await chains.LTC.node.restart(['-persistmempool=0', `-mocktime=${world.seconds()}`, '-mempoolreplacement=1']);
    },
  );

  // What the nodes themselves relay at least: 60 base units for each virtual byte.
  it('a claim that no node relays is refused for its fee, and one with a higher fee goes out', async () => {
    const name = 'least relay fee';
    const refused: { readonly kind: string; readonly message: string }[] = [];
    const adapter: WorldOptions['adapter'] = (chain) => ({
      ...chain,
      broadcast: async (transaction) => {
        const answer = await chain.broadcast(transaction);
        if (!answer.ok && chain.traits.coin === 'LTC') refused.push(answer.fault);
        return answer;
      },
    });
    const given = await scene(name, { adapter });
    const { world, ledger } = given;
    const restart = (options: readonly string[]) =>
      chains.LTC.node.restart([
        '-persistmempool=0',
        `-mocktime=${world.seconds()}`,
        '-mempoolreplacement=1',
        ...options,
      ]);
    await world.start();
    expect(await world.until(async () => (await ledger()).OTHER.payments.length === 1)).toBe(true);
    expect(refused).toEqual([]);
    await restart(['-minrelaytxfee=0.0006']);
    const claim = async () => (await ledger()).LTC.payments[0]?.spend ?? null;
    expect(await world.until(async () => (await claim()) !== null, 90)).toBe(true);
    expect(refused.length).toBeGreaterThan(1);
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['feeTooLow']));
    for (const { message } of refused) expect(message).toMatch(/min relay fee not met/);
    const { rate = 0 } = (await claim()) ?? {};
    expect(rate).toBeGreaterThanOrEqual(LEAST);
    expect(rate).toBeLessThan(LEAST * 1.6);
    await restart([]);
  });
});
