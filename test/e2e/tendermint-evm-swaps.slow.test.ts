import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SwapRequest } from '../../src/events/journal.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import { createRuntime, type Runtime, swapKind } from '../../src/runtime/index.ts';
import { addressOf, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { mortalChain, mortalClock, mortalPeers } from '../support/mortal.ts';
import { describeWith } from '../support/optional-part.ts';
import { KEYS, requestOf, type Side } from '../support/swap-pair.ts';
import { BLOCK_TIME, IRIS, TendermintTestChain, UNIT } from '../support/tendermint/adapter-chain.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const SIDES = ['maker', 'taker'] as const;
const POLICY = { confirmationPoll: 30, spendPoll: 60, refundPoll: 300 };
/** Seconds for which payments are locked: long enough for the blocks of both chains, and short for the test's own time. */
const LOCK = 2400;
const WEI = (ETHER * 3n) / 10n;
const UNITS = (UNIT * 5n) / 4n;
/** More than all transactions of one swap may cost an account. */
const LITTLE = { wei: ETHER / 50n, units: UNIT / 2n };
/** Seconds that blocks of the Tendermint chain make up for. */
const MOST_BEHIND = 300;

const OF_MAKER = {
  ...{ maker_coin: 'NYAN', taker_coin: 'ETH', maker_amount: '1.25', taker_amount: '0.3', lock_duration: LOCK },
} as Partial<SwapRequest>;
const OF_TAKER = {
  ...{ maker_coin: 'ETH', taker_coin: 'NYAN', maker_amount: '0.3', taker_amount: '1.25', lock_duration: LOCK },
} as Partial<SwapRequest>;

type Party = {
  runtime: Runtime;
  die: () => void;
  readonly revive: () => void;
  readonly types: () => readonly string[];
};

type Given = {
  readonly evm: EvmTestChain;
  readonly name: string;
  readonly request: Partial<SwapRequest>;
  readonly pace?: number;
};

/** Two nodes between a real node of an EVM chain and a Tendermint chain in this process. */
async function worldOf({ evm, name, request, pace = 1 }: Given) {
  const comet = new TendermintTestChain(IRIS);
  const settle = async () => {
    for (let calm = 0; calm < 3; calm = evm.busy + comet.busy === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = virtualClock((Math.max(evm.now, comet.now) + 30) * 1000, settle);
  const seconds = () => Math.floor(clock.now() / 1000);
  const pass = async () => {
    if (comet.now + MOST_BEHIND < seconds()) comet.chain.mine(1, seconds() - comet.now);
    while (comet.now + BLOCK_TIME * pace <= seconds()) comet.chain.mine(1, BLOCK_TIME * pace);
    if (evm.now < seconds()) await evm.mineAt(seconds());
  };
  await pass();
  const network = createInProcessNetwork();
  const uuid = `3447b727-fe93-4357-8e5a-${name.padStart(12, '0')}`;
  const named = (side: Side) => `${side} ${name}`;
  const partyOf = async (side: Side): Promise<Party> => {
    comet.give(named(side), 50n * UNIT);
    await evm.give(addressOf(named(side)), 50n * ETHER);
    const log = createMemoryLog();
    const start = () => {
      const life = { over: false };
      const own = mortalClock(clock, life);
      const chains = [evm.wallet(named(side), own, { coin: { blockTime: 60 } }), comet.wallet(named(side), own)];
      const runtime = createRuntime({
        ...{ log, clock: own, peers: mortalPeers(network.peer(KEYS[side]), life) },
        chains: chains.map((chain) => mortalChain(chain, life)),
        kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
        policy: { ...POLICY, paymentLocktime: LOCK },
      });
      const die = () => {
        life.over = true;
      };
      return { runtime, die };
    };
    const types = () => {
      const records = log.read(`${side}-swap/${uuid}`);
      if (records instanceof Promise) throw new TypeError('the log answers at once');
      return records.map(({ type }) => type);
    };
    const revive = () => {
      Object.assign(party, start());
      void party.runtime.resumeAll();
    };
    const party: Party = { ...start(), types, revive };
    return party;
  };
  const parties = { maker: await partyOf('maker'), taker: await partyOf('taker') };
  const until = async (condition: () => boolean, most = 400): Promise<boolean> => {
    for (let minute = 0; minute < most; minute += 1) {
      await clock.advance(0);
      if (condition()) return true;
      await clock.advance(60_000);
      await pass();
    }
    return condition();
  };
  const has = (side: Side, type: string) => () => parties[side].types().includes(type);
  for (const side of SIDES) {
    const secret = side === 'maker' ? name.padStart(2, '0').repeat(32) : null;
    await parties[side].runtime.startSwap(requestOf(side, { uuid, secret, ...request }));
  }
  const expectGains = async (side: Side, { wei, units }: { readonly wei: bigint; readonly units: bigint }) => {
    for (const [found, expected, little] of [
      [(await evm.balance(addressOf(named(side)))) - 50n * ETHER, wei, LITTLE.wei],
      [comet.balance(named(side)) - 50n * UNIT, units, LITTLE.units],
    ] as const) {
      expect(found).toBeLessThanOrEqual(expected);
      expect(found).toBeGreaterThan(expected - little);
    }
  };
  const locked = () => [...comet.chain.tip().state.payments.values()].filter(({ state }) => state === 'open').length;
  return { parties, until, has, expectGains, locked, finished: () => SIDES.every((side) => has(side, 'Finished')()) };
}

describeWith(ANVIL, 'swaps between an EVM chain and a Tendermint chain, judged by what both hold', () => {
  let evm: EvmTestChain;

  beforeAll(async () => {
    evm = await EvmTestChain.start([]);
  }, 60_000);
  afterAll(() => evm?.stop());

  it('the maker gives a coin of IRIS for ether, and both get what they agreed on', async () => {
    const world = await worldOf({ evm, name: '1', request: OF_MAKER });
    expect(await world.until(world.finished)).toBe(true);
    await world.expectGains('maker', { wei: WEI, units: -UNITS });
    await world.expectGains('taker', { wei: -WEI, units: UNITS });
    expect(world.locked()).toBe(0);
  });

  it('the taker gives a coin of IRIS for ether, is killed when it has paid, and both get what they agreed on', async () => {
    const world = await worldOf({ evm, name: '2', request: OF_TAKER });
    expect(await world.until(world.has('taker', 'TakerPaymentSent'))).toBe(true);
    world.parties.taker.die();
    expect(await world.until(world.has('maker', 'TakerPaymentSpent'), 30)).toBe(true);
    world.parties.taker.revive();
    expect(await world.until(world.finished)).toBe(true);
    await world.expectGains('maker', { wei: -WEI, units: UNITS });
    await world.expectGains('taker', { wei: WEI, units: -UNITS });
    expect(world.locked()).toBe(0);
  });

  it.each([
    [0.6, '3'],
    [1.4, '4'],
  ])(
    'the maker is gone after both paid, blocks take %s of their time: each chain refunds what is locked on it',
    async (pace, name) => {
      const world = await worldOf({ evm, name, request: OF_TAKER, pace });
      expect(await world.until(world.has('maker', 'MakerPaymentSent'))).toBe(true);
      world.parties.maker.die();
      expect(await world.until(world.has('taker', 'TakerPaymentRefunded'))).toBe(true);
      world.parties.maker.revive();
      expect(await world.until(world.finished)).toBe(true);
      await world.expectGains('maker', { wei: 0n, units: 0n });
      await world.expectGains('taker', { wei: 0n, units: -UNITS / 777n });
      expect(world.locked()).toBe(0);
    },
  );

  it("the taker is gone when both could pay: the chain refunds the maker's coins, and the contract the taker's ether", async () => {
    const world = await worldOf({ evm, name: '5', request: OF_MAKER });
    expect(await world.until(world.has('taker', 'TakerFeeSent'))).toBe(true);
    world.parties.taker.die();
    expect(await world.until(world.has('maker', 'MakerPaymentRefunded'), 600)).toBe(true);
    world.parties.taker.revive();
    expect(await world.until(world.finished)).toBe(true);
    await world.expectGains('maker', { wei: 0n, units: 0n });
    await world.expectGains('taker', { wei: -WEI / 777n, units: 0n });
    expect(world.locked()).toBe(0);
  });
});
