import { p2wpkhScript, qtumWalletAddress } from '../../../src/htlc/index.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { isJsonObject, numberText } from '../../../src/primitives/json.ts';
import type { RuntimeChain } from '../../../src/runtime/loop/gate.ts';
import { addressOf, BLOCK_TIME, EvmTestChain } from '../evm/adapter-chain.ts';
import { signerOf, startLitecoinChain } from '../litecoin/chain.ts';
import { lineTo } from '../litecoin/line.ts';
import type { Side } from '../swap-pair.ts';
import { startEmbeddedChain } from '../utxo/embedded-chain.ts';

/** The other chain of a swap, whose blocks and time a test has in its hand. */
export type Leg = {
  readonly coin: string;
  readonly decimals: number;
  /** The wallet of a side, in a new process. */
  readonly wallet: (side: Side, clock: Clock) => RuntimeChain;
  /** Blocks that are due by this moment, in seconds. */
  readonly mineUntil: (seconds: number) => Promise<void>;
  readonly busy: () => number;
  /** What a side has, in base units, by the chain's own books. */
  readonly balance: (side: Side) => Promise<bigint>;
  readonly close: () => Promise<void>;
};

const SIDES: readonly Side[] = ['maker', 'taker'];

/** The chain of this package, over its daemon. */
export async function embeddedLeg(from: number): Promise<Leg> {
  const chain = await startEmbeddedChain({ finality: 3 });
  chain.setTime(from);
  for (const [place, side] of SIDES.entries()) await chain.fund(side, { count: 4 + place, value: 250_000_000n });
  await chain.mine(3);
  return {
    ...{ coin: 'DOC', decimals: 8, wallet: (side, clock) => chain.wallet(side, clock), busy: chain.line.busy },
    async mineUntil(seconds) {
      while (chain.now() + chain.coin.blockTime <= seconds) await chain.mine(1);
    },
    async balance(side) {
      const address = qtumWalletAddress(bytesToHex(hash160(signerOf(side).key)), { keyPrefix: 60 });
      const [answer] = await chain.client.batch([['getaddressbalance', { addresses: [address] }]]);
      const found = answer !== undefined && 'result' in answer && isJsonObject(answer.result) ? answer.result : {};
      const balance = found['balance'];
      if (balance === undefined) throw new Error('the node tells no balance');
      return BigInt(numberText(balance) ?? '');
    },
    close: () => chain.close(),
  };
}

const LOTS = 50n * 10n ** 18n;

/** A token of an EVM chain of anvil, with other digits than the other leg's. */
export async function evmTokenLeg(from: number): Promise<Leg> {
  const chain = await EvmTestChain.start();
  await chain.mineAt(from);
  const address = await chain.token({ decimals: 9 }, { maker: 8_000_000_000n, taker: 9_000_000_000n });
  for (const side of SIDES) await chain.give(addressOf(side), LOTS);
  await chain.mine(2);
  const coin = { coin: 'USDX', decimals: 9, token: { address, platform: 'ETH' } };
  return {
    ...{
      coin: 'USDX',
      decimals: 9,
      wallet: (side, clock) => chain.wallet(side, clock, { coin }),
      busy: () => chain.busy,
    },
    async mineUntil(seconds) {
      // Fewer, longer blocks than are due: each costs a look of everybody.
      if (chain.now + BLOCK_TIME <= seconds) await chain.mineAt(seconds);
    },
    balance: (side) => chain.tokensOf(address, addressOf(side)),
    close: async () => chain.stop(),
  };
}

/** Litecoin Core. */
export async function litecoinLeg(from: number): Promise<Leg> {
  const chain = await startLitecoinChain(
    { coin: 'LTC', scheme: 'p2sh', finality: 2, blockTime: 150, feeRate: 10, poll: 15, complete: false },
    ['-mempoolreplacement=1'],
  );
  const line = lineTo(chain.node);
  await chain.mine(from);
  await chain.fund(SIDES.map(String), { count: 4, amount: '3.5' });
  let now = from;
  return {
    ...{ coin: 'LTC', decimals: 8, busy: line.busy },
    wallet: (side, clock) => chain.wallet(side, clock, { node: line.node }),
    async mineUntil(seconds) {
      for (; now + 150 <= seconds; now += 150) await chain.mine(now + 150);
    },
    async balance(side) {
      const script = bytesToHex(p2wpkhScript(hash160(signerOf(side).key)));
      const found = (await chain.node.call('scantxoutset', 'start', [`raw(${script})`])) as { total_amount: number };
      return BigInt(Math.round(found.total_amount * 1e8));
    },
    close: async () => chain.node.stop(),
  };
}
