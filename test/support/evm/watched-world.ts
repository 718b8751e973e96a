import type { EvmCoin } from '../../../src/chains/evm/coin.ts';
import type { SwapRequest } from '../../../src/events/journal.ts';
import { decodeRewardCall, type Reward } from '../../../src/htlc/evm-reward-calls.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { createInProcessNetwork } from '../../../src/peers/in-process/index.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { hexToBytes } from '../../../src/primitives/hex.ts';
import type { Seconds, UnixSeconds } from '../../../src/primitives/time.ts';
import { createRuntime, swapKind, watcherKind } from '../../../src/runtime/index.ts';
import { createUtxoChain } from '../../../src/sim/chains/utxo/chain.ts';
import { xorshift32 } from '../../../src/sim/xorshift.ts';
import { mortalChain, mortalClock, mortalPeers } from '../mortal.ts';
import { KEYS, requestOf } from '../swap-pair.ts';
import { virtualClock } from '../virtual-clock.ts';
import { addressOf, type EvmTestChain } from './adapter-chain.ts';
import { delayOf } from './slow-line.ts';
import { ETHER } from './two-wallets.ts';

export const FUNDS = 50n * ETHER;
const POLICY = { confirmationPoll: 30, spendPoll: 60, refundPoll: 300 };
/** Wei: most of what gas costs, as on busy chains. */
const BASE_FEE = 20n * 10n ** 9n;
/** Seconds for which a taker's payment is locked. */
export const LOCK = 2400;

export type Name = 'maker' | 'taker' | 'watcher';
const MACHINES = { maker: 'maker-swap', taker: 'taker-swap', watcher: 'watcher' } as const;
const WATCHER_KEY = 'c3'.repeat(32);

export type Given = {
  readonly chain: EvmTestChain;
  readonly name: string;
  readonly request: Partial<SwapRequest>;
  /** Beside ether. */
  readonly token?: Partial<EvmCoin>;
  readonly unpaid?: boolean;
  /** Seconds that the node of the EVM chain takes for every answer to a party. @defaultValue 0 */
  readonly delay?: Seconds;
};

/** Maker, taker and watcher between a simulated chain of outputs and the coins of a real node of an EVM chain. */
export async function watchedWorld({ chain, name, request, token, unpaid = false, delay = 0 }: Given) {
  const busyDay = () => chain.request('anvil_setNextBlockBaseFeePerGas', [`0x${BASE_FEE.toString(16)}`]);
  await busyDay();
  await chain.mine();
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
  const first = Number(BigInt((await chain.request('eth_blockNumber')) as string));
  const coins = [
    { blockTime: 60, rewards: true },
    ...(token === undefined ? [] : [{ blockTime: 60, rewards: true, ...token }]),
  ];
  const partyOf = async (who: Name) => {
    const owner = `${who} ${name}`;
    await chain.give(addressOf(owner), FUNDS);
    const log = createMemoryLog();
    const wallet = outputs.wallet({ party: who, funds: (who === 'watcher' ? '0' : '100') as DecimalText, coins: 9 });
    const start = () => {
      const life = { over: false };
      const own = mortalClock(clock, life);
      // Of one account, whose nonces only one place may give out.
      const account = chain.account(owner, { reader: chain.reader(delayOf(own, delay)) });
      const evm = coins.map((coin) => mortalChain(chain.wallet(owner, own, { coin, account }), life));
      const runtime = createRuntime({
        log,
        chains: [mortalChain(wallet, life), ...evm],
        peers: mortalPeers(network.peer(who === 'watcher' ? WATCHER_KEY : KEYS[who]), life),
        clock: own,
        kinds: [
          swapKind('taker', { keyRule: () => null }),
          swapKind('maker', { keyRule: () => null }),
          ...(who === 'watcher' ? [watcherKind({ unpaid })] : []),
        ],
        policy: { ...POLICY, paymentLocktime: LOCK },
      });
      return { runtime, die: () => void Object.assign(life, { over: true }) };
    };
    const types = (): readonly string[] => {
      const records = log.read(`${MACHINES[who]}/${uuid}`);
      if (records instanceof Promise) throw new TypeError('the log answers at once');
      return records.map(({ type }) => type);
    };
    const party = {
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
  const parties = { maker: await partyOf('maker'), taker: await partyOf('taker'), watcher: await partyOf('watcher') };
  await parties.watcher.runtime.resumeAll();
  const until = async (condition: () => boolean, most = 400): Promise<boolean> => {
    for (let minute = 0; minute < most; minute += 1) {
      await clock.advance(0);
      if (condition()) return true;
      await clock.advance(60_000);
      outputs.mine();
      await busyDay();
      await chain.mineAt(seconds());
    }
    return condition();
  };
  const has = (who: Name, type: string) => () => parties[who].types().includes(type);
  for (const side of ['maker', 'taker'] as const) {
    const secret = side === 'maker' ? name.padStart(2, '0').repeat(32) : null;
    const asked = { uuid, secret, lock_duration: LOCK, use_watchers: true, ...request };
    await parties[side].runtime.startSwap(requestOf(side, asked));
  }
  return { parties, until, has, outputs, ...ledgerOf(chain, { name, first }) };
}

export type WatchedWorld = Awaited<ReturnType<typeof watchedWorld>>;

type Told = {
  readonly from: string;
  readonly to: string | null;
  readonly hash: string;
  readonly input: string;
  readonly value: string;
};

/** What the blocks of the node tell, from one on: who paid how much gas, and what payments promised. */
function ledgerOf(chain: EvmTestChain, { name, first }: { readonly name: string; readonly first: number }) {
  const account = (who: Name) => addressOf(`${who} ${name}`);
  const transactions = async (): Promise<readonly Told[]> => {
    const last = Number(BigInt((await chain.request('eth_blockNumber')) as string));
    const found: Told[] = [];
    for (let height = first + 1; height <= last; height += 1) {
      const block = await chain.request('eth_getBlockByNumber', [`0x${height.toString(16)}`, true]);
      found.push(...(block as { readonly transactions: readonly Told[] }).transactions);
    }
    return found;
  };
  const sentBy = async (who: Name) =>
    (await transactions()).filter(({ from }) => from.slice(2).toLowerCase() === account(who));
  return {
    account,
    balance: (who: Name) => chain.balance(account(who)),
    /** Wei that an account has paid for the gas of its transactions, those that had no effect included. */
    async gas(who: Name): Promise<bigint> {
      let paid = 0n;
      for (const { hash } of await sentBy(who)) {
        const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as {
          readonly gasUsed: string;
          readonly effectiveGasPrice: string;
        };
        paid += BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
      }
      return paid;
    },
    /** Calls of the contract that an account made, and how many of them had their effect. */
    async calls(who: Name): Promise<number> {
      return (await sentBy(who)).filter(({ to }) => to?.slice(2).toLowerCase() === chain.contract).length;
    },
    /** The reward that the payment of an account promises; null for a plain one. */
    async reward(who: Name): Promise<Reward | null> {
      for (const { to, input, value } of await sentBy(who)) {
        if (to?.slice(2).toLowerCase() !== chain.contract) continue;
        const made = { to: chain.contract, value: BigInt(value), data: hexToBytes(input.slice(2)) };
        const call = decodeRewardCall(made);
        if (call?.kind === 'payment') return call.reward;
      }
      return null;
    },
  };
}
