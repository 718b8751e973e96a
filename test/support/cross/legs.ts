import { p2wpkhScript, qtumWalletAddress } from '../../../src/htlc/index.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import { isJsonObject, numberText } from '../../../src/primitives/json.ts';
import { addressOf, BLOCK_TIME as EVM_BLOCK_TIME, EvmTestChain } from '../evm/adapter-chain.ts';
import { signerOf, startLitecoinChain } from '../litecoin/chain.ts';
import { lineTo } from '../litecoin/line.ts';
import { tokenOf, tokenWallet } from '../qtum/adapter-chain.ts';
import { accountOf, QTUM_BLOCK_TIME, QtumTestChain } from '../qtum/chain.ts';
import { type ChainKind, TendermintTestChain, UNIT } from '../tendermint/adapter-chain.ts';
import { startEmbeddedChain } from '../utxo/embedded-chain.ts';
import type { Leg } from './leg.ts';

const OWN_FEES = 100_000n;
/** Seconds between looks at a chain: what a test takes is mostly these. */
const LOOKS = { embedded: 25, qtum: 30, tendermint: 20 } as const;
const LOTS = 50n * 10n ** 18n;

/** From which block on there is something for a wallet: swaps share a chain one after another, and none has to read the blocks of those before it. */
class Births {
  readonly #heights = new Map<string, number>();

  note(name: string, height: number): void {
    this.#heights.set(name, height);
  }

  of(name: string): number {
    const height = this.#heights.get(name);
    if (height === undefined) throw new Error(`'${name}' has no coins yet`);
    return height;
  }
}

/** Ends what was begun where the rest of it fails. */
async function orClose<T>(end: () => unknown, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await end();
    throw error;
  }
}

/** The chain of this package, over its daemon. */
export async function embeddedLeg(from: number): Promise<Leg> {
  const chain = await startEmbeddedChain({ finality: 3 });
  const { blockTime } = chain.coin;
  const births = new Births();
  return orClose(chain.close, async () => {
    chain.setTime(from);
    await chain.mine(1);
    return {
      ...{ coin: 'DOC', decimals: 8, blockTime, amount: '1.5', little: OWN_FEES, refundsByItself: false },
      ...{ busy: chain.line.busy, locked: async () => null, close: chain.close },
      wallet: (name, clock) => chain.wallet(name, clock, { poll: LOOKS.embedded, birth: births.of(name) }),
      async fund(name) {
        const [answer] = await chain.client.batch([['getblockcount']]);
        if (answer === undefined || !('result' in answer)) throw new Error('the node tells no height');
        births.note(name, Number(numberText(answer.result)));
        await chain.fund(name, { count: 4, value: 250_000_000n });
      },
      async mineUntil(seconds) {
        while (chain.now() + blockTime <= seconds) await chain.mine(1);
      },
      async balance(name) {
        const address = qtumWalletAddress(bytesToHex(hash160(signerOf(name).key)), { keyPrefix: 60 });
        const [answer] = await chain.client.batch([['getaddressbalance', { addresses: [address] }]]);
        const found = answer !== undefined && 'result' in answer && isJsonObject(answer.result) ? answer.result : {};
        const balance = found['balance'];
        if (balance === undefined) throw new Error('the node tells no balance');
        return BigInt(numberText(balance) ?? '');
      },
    };
  });
}

type OfToken = { readonly coin: string; readonly decimals: number; readonly amount: string };

/** A token of an EVM chain of anvil. */
export function evmTokenLeg({ coin: ticker, decimals, amount }: OfToken) {
  return async (from: number): Promise<Leg> => {
    const chain = await EvmTestChain.start();
    return orClose(
      () => chain.stop(),
      async () => {
        await chain.mineAt(from);
        const address = await chain.token({ decimals });
        const coin = { coin: ticker, decimals, token: { address, platform: 'ETH' } };
        return {
          ...{ coin: ticker, decimals, blockTime: EVM_BLOCK_TIME, amount, little: 0n, refundsByItself: false },
          busy: () => chain.busy,
          wallet: (name, clock) => chain.wallet(name, clock, { coin }),
          async fund(name) {
            await chain.give(addressOf(name), LOTS);
            await chain.mint(address, addressOf(name), 9n * 10n ** BigInt(decimals));
          },
          async mineUntil(seconds) {
            // Fewer, longer blocks than are due: each costs a look of everybody.
            if (chain.now + EVM_BLOCK_TIME <= seconds) await chain.mineAt(seconds);
          },
          balance: (name) => chain.tokensOf(address, addressOf(name)),
          locked: () => chain.tokensOf(address, chain.contract),
          close: async () => chain.stop(),
        };
      },
    );
  };
}

/** Litecoin Core. */
export async function litecoinLeg(from: number): Promise<Leg> {
  const blockTime = 150;
  const chain = await startLitecoinChain(
    { coin: 'LTC', scheme: 'p2sh', finality: 2, blockTime, feeRate: 10, poll: 15, complete: false },
    ['-mempoolreplacement=1'],
  );
  return orClose(
    () => chain.node.stop(),
    async () => {
      const line = lineTo(chain.node);
      await chain.mine(from);
      let now = from;
      return {
        ...{ coin: 'LTC', decimals: 8, blockTime, amount: '1.25', little: OWN_FEES, refundsByItself: false },
        ...{ busy: line.busy, locked: async () => null, close: async () => chain.node.stop() },
        wallet: (name, clock) => chain.wallet(name, clock, { node: line.node }),
        fund: (name) => chain.fund([name], { count: 2, amount: '1.75' }),
        async mineUntil(seconds) {
          for (; now + blockTime <= seconds; now += blockTime) await chain.mine(now + blockTime);
        },
        async balance(name) {
          const script = bytesToHex(p2wpkhScript(hash160(signerOf(name).key)));
          const found = await chain.node.call('scantxoutset', 'start', [`raw(${script})`]);
          return BigInt(Math.round((found as { readonly total_amount: number }).total_amount * 1e8));
        },
      };
    },
  );
}

/** A QRC20 token, on a chain of outputs whose blocks call contracts. */
export async function qtumTokenLeg(from: number): Promise<Leg> {
  const chain = await QtumTestChain.start();
  return orClose(
    () => chain.close(),
    async () => {
      chain.now = Math.max(chain.now, from);
      await chain.mine(1);
      const coin = await tokenOf(chain, {});
      const births = new Births();
      return {
        ...{ coin: coin.coin, decimals: coin.decimals, blockTime: QTUM_BLOCK_TIME, amount: '1.250001' },
        ...{ little: 0n, refundsByItself: false, busy: () => chain.busy, close: () => chain.close() },
        wallet: (name, clock) => tokenWallet(chain, name, { coin, clock, poll: LOOKS.qtum, birth: births.of(name) }),
        async fund(name) {
          births.note(name, chain.height);
          await chain.machine.apart(() => chain.machine.evm.mint(coin.token, accountOf(name), 6_000_000n));
          await chain.fund(name, { count: 6, value: 200_000_000n });
        },
        async mineUntil(seconds) {
          // Fewer, longer blocks than are due: each costs a look of everybody.
          chain.now = Math.max(chain.now, seconds - QTUM_BLOCK_TIME);
          if (chain.now + QTUM_BLOCK_TIME <= seconds) await chain.mine(1);
        },
        balance: (name) => chain.machine.evm.tokensOf(coin.token, accountOf(name)),
        locked: () => chain.machine.evm.tokensOf(coin.token, chain.swapContract),
      };
    },
  );
}

/** Seconds that blocks of a Tendermint chain make up for. */
const MOST_BEHIND = 300;

type OfChain = {
  readonly kind: ChainKind;
  readonly blockTime: number;
  readonly depth: number;
  /** Of how much of their nominal time blocks come. @defaultValue 1 */
  readonly pace?: number;
};

/** A coin of a Tendermint chain in this process. */
export function tendermintLeg({ kind, blockTime, depth, pace = 1 }: OfChain) {
  return async (from: number): Promise<Leg> => {
    const chain = new TendermintTestChain(kind);
    const mineUntil = async (seconds: number): Promise<void> => {
      if (chain.now + MOST_BEHIND < seconds) chain.chain.mine(1, seconds - chain.now);
      while (chain.now + blockTime * pace <= seconds) chain.chain.mine(1, blockTime * pace);
    };
    await mineUntil(from);
    return {
      ...{ coin: kind.ticker, decimals: 6, blockTime, depth, amount: '1.75', little: UNIT / 2n, refundsByItself: true },
      ...{ busy: () => chain.busy, close: async () => undefined, mineUntil },
      wallet: (name, clock) => chain.wallet(name, clock, { coin: { blockTime }, poll: LOOKS.tendermint }),
      fund: async (name) => chain.give(name, 50n * UNIT),
      balance: async (name) => chain.balance(name),
      async locked() {
        const open = [...chain.chain.tip().state.payments.values()].filter(({ state }) => state === 'open');
        return BigInt(open.length);
      },
    };
  };
}
