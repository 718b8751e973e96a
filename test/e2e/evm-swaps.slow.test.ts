import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvmChain } from '../../src/chains/evm/adapter.ts';
import type { EvmCoin } from '../../src/chains/evm/coin.ts';
import type { SwapRequest } from '../../src/events/journal.ts';
import { BASE_LOCK_DURATION } from '../../src/htlc/lock-times.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../src/peers/in-process/index.ts';
import type { DecimalText } from '../../src/primitives/decimal.ts';
import type { UnixSeconds } from '../../src/primitives/time.ts';
import { createRuntime, type Runtime, swapKind } from '../../src/runtime/index.ts';
import { createUtxoChain } from '../../src/sim/chains/utxo/chain.ts';
import { xorshift32 } from '../../src/sim/xorshift.ts';
import { addressOf, EvmTestChain } from '../support/evm/adapter-chain.ts';
import { ANVIL } from '../support/evm/anvil.ts';
import { ALL_CONTRACTS } from '../support/evm/swap-contracts.ts';
import { ETHER } from '../support/evm/two-wallets.ts';
import { mortalChain, mortalClock, mortalPeers } from '../support/mortal.ts';
import { describeWith } from '../support/optional-part.ts';
import { KEYS, requestOf, type Side } from '../support/swap-pair.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const FUNDS = 50n * ETHER;
/** More than all calls of one swap may cost an account. */
const LITTLE = ETHER / 50n;
const POLICY = { confirmationPoll: 30, spendPoll: 60, refundPoll: 300 };
/** Seconds for which payments are locked where that is waited for: short, for the test's own time, and long enough for the blocks of both chains. */
const LOCK = 2400;
const SIDES = ['maker', 'taker'] as const;

type Given = {
  readonly chain: EvmTestChain;
  readonly name: string;
  readonly request: Partial<SwapRequest>;
  readonly coin?: Partial<EvmCoin>;
};
type Party = {
  runtime: Runtime;
  die: () => void;
  readonly revive: () => void;
  readonly types: () => readonly string[];
};

/** Two nodes between a simulated chain of outputs and a real node of an EVM chain. */
async function worldOf({ chain, name, request, coin = {} }: Given) {
  const settle = async () => {
    for (let calm = 0; calm < 3; calm = chain.busy === 0 ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const clock = virtualClock((chain.now + 30) * 1000, settle);
  const seconds = () => Math.floor(clock.now() / 1000);
  const outputs = createUtxoChain({
    ...{ coin: 'DOC', decimals: 8, finality: 3, startHeight: 2000, blockTime: 60, minTxAmount: 900n },
    now: () => seconds() as UnixSeconds,
    rng: xorshift32(7),
  });
  const network = createInProcessNetwork();
  const uuid = `3447b727-fe93-4357-8e5a-${name.padStart(12, '0')}`;
  const partyOf = async (side: Side): Promise<Party> => {
    await chain.give(addressOf(`${side} ${name}`), FUNDS);
    const log = createMemoryLog();
    const wallet = outputs.wallet({ party: side, funds: '100' as DecimalText, coins: 9 });
    const start = () => {
      const life = { over: false };
      const own = mortalClock(clock, life);
      const evm: EvmChain = chain.wallet(`${side} ${name}`, own, { coin: { blockTime: 60, ...coin } });
      const runtime = createRuntime({
        log,
        chains: [mortalChain(wallet, life), mortalChain(evm, life)],
        peers: mortalPeers(network.peer(KEYS[side]), life),
        clock: own,
        kinds: [swapKind('taker', { keyRule: () => null }), swapKind('maker', { keyRule: () => null })],
        policy: { ...POLICY, paymentLocktime: request.lock_duration ?? BASE_LOCK_DURATION },
      });
      return {
        runtime,
        die: () => {
          life.over = true;
        },
      };
    };
    const types = () => {
      const records = log.read(`${side}-swap/${uuid}`);
      if (records instanceof Promise) throw new TypeError('the log answers at once');
      return records.map(({ type }) => type);
    };
    const party: Party = {
      ...start(),
      types,
      revive: () => {
        wallet.restart();
        Object.assign(party, start());
        void party.runtime.resumeAll();
      },
    };
    return party;
  };
  const parties = { maker: await partyOf('maker'), taker: await partyOf('taker') };
  const until = async (condition: () => boolean, most = 400): Promise<boolean> => {
    for (let minute = 0; minute < most; minute += 1) {
      await clock.advance(0);
      if (condition()) return true;
      await clock.advance(60_000);
      outputs.mine();
      await chain.mineAt(seconds());
    }
    return condition();
  };
  const has = (side: Side, type: string) => () => parties[side].types().includes(type);
  for (const side of SIDES) {
    const secret = side === 'maker' ? name.padStart(2, '0').repeat(32) : null;
    await parties[side].runtime.startSwap(requestOf(side, { uuid, secret, ...request }));
  }
  return { parties, until, has, balance: (side: Side) => chain.balance(addressOf(`${side} ${name}`)) };
}

type World = Awaited<ReturnType<typeof worldOf>>;

describeWith(
  ANVIL,
  'swaps between a chain of outputs and an EVM chain, judged by the balances that its node tells',
  () =>
    describe.each(ALL_CONTRACTS)('over $name', ({ bytecode }) => {
      let chain: EvmTestChain;

      beforeAll(async () => {
        chain = await EvmTestChain.start([], await bytecode());
      }, 60_000);
      afterAll(() => chain?.stop());

      const finished =
        ({ has }: World) =>
        () =>
          SIDES.every((side) => has(side, 'Finished')());
      const expectGain = async ({ balance }: World, side: Side, gain: bigint) => {
        const change = (await balance(side)) - FUNDS;
        expect(change).toBeLessThanOrEqual(gain);
        expect(change).toBeGreaterThan(gain - LITTLE);
      };
      const OF_MAKER = {
        maker_coin: 'ETH',
        taker_coin: 'DOC',
        maker_amount: '1.25',
        taker_amount: '3',
      } as Partial<SwapRequest>;
      const OF_TAKER = {
        maker_coin: 'DOC',
        taker_coin: 'ETH',
        maker_amount: '3',
        taker_amount: '1.25',
      } as Partial<SwapRequest>;
      const PAID = (ETHER * 5n) / 4n;

      it('the maker gives ether, and both get what they agreed on', async () => {
        const world = await worldOf({ chain, name: '11', request: OF_MAKER });
        expect(await world.until(finished(world))).toBe(true);
        await expectGain(world, 'maker', -PAID);
        await expectGain(world, 'taker', PAID);
        expect(await chain.balance(chain.contract)).toBe(0n);
      });

      it('the taker gives ether with its fee, is killed after it paid, and both get what they agreed on', async () => {
        const world = await worldOf({ chain, name: '12', request: OF_TAKER });
        expect(await world.until(world.has('taker', 'TakerPaymentSent'))).toBe(true);
        world.parties.taker.die();
        expect(await world.until(world.has('maker', 'TakerPaymentSpent'), 30)).toBe(true);
        world.parties.taker.revive();
        expect(await world.until(finished(world))).toBe(true);
        await expectGain(world, 'maker', PAID);
        await expectGain(world, 'taker', -PAID - PAID / 777n);
        expect(await chain.balance(chain.contract)).toBe(0n);
      });

      it('the taker gives tokens of 6 digits, and both get what they agreed on to the last base unit', async () => {
        const address = await chain.token({ decimals: 6, strict: true }, { 'taker 13': 9_000_001n });
        const coin = { coin: 'USDX', decimals: 6, token: { address, platform: 'ETH' } };
        const request = { ...OF_TAKER, taker_coin: 'USDX', taker_amount: '7.770001' } as Partial<SwapRequest>;
        const world = await worldOf({ chain, name: '13', request, coin });
        expect(await world.until(finished(world))).toBe(true);
        expect(await chain.tokensOf(address, addressOf('maker 13'))).toBe(7_770_001n);
        expect(await chain.tokensOf(address, addressOf('taker 13'))).toBe(9_000_001n - 7_770_001n - 10_000n);
        expect(await chain.tokensOf(address, chain.contract)).toBe(0n);
      });

      it('the maker is gone after both paid: the taker refunds its ether, and so does the maker its coins when it is back', async () => {
        const world = await worldOf({ chain, name: '14', request: { ...OF_TAKER, lock_duration: LOCK } });
        expect(await world.until(world.has('taker', 'MakerPaymentWaitConfirmStarted'))).toBe(true);
        expect(await world.until(world.has('maker', 'MakerPaymentSent'))).toBe(true);
        world.parties.maker.die();
        expect(await world.until(world.has('taker', 'TakerPaymentRefunded'))).toBe(true);
        expect(await world.until(world.has('taker', 'Finished'))).toBe(true);
        world.parties.maker.revive();
        expect(await world.until(finished(world))).toBe(true);
        await expectGain(world, 'maker', 0n);
        await expectGain(world, 'taker', -PAID / 777n);
        expect(await chain.balance(chain.contract)).toBe(0n);
      });

      it('the taker is gone before it paid: the maker refunds its ether', async () => {
        const world = await worldOf({ chain, name: '15', request: { ...OF_MAKER, lock_duration: LOCK } });
        expect(await world.until(world.has('taker', 'TakerFeeSent'))).toBe(true);
        world.parties.taker.die();
        expect(await world.until(world.has('maker', 'MakerPaymentRefunded'), 600)).toBe(true);
        expect(await world.until(world.has('maker', 'Finished'))).toBe(true);
        await expectGain(world, 'maker', 0n);
        expect(await chain.balance(chain.contract)).toBe(0n);
      });
    }),
);
