import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createUtxoChain } from '../../../src/chains/utxo/adapter.ts';
import type { UtxoCoin } from '../../../src/chains/utxo/coin.ts';
import type { DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../src/chains/utxo/daemon/reader.ts';
import { hash160, p2wpkhScript, type ScriptScheme, SIGHASH_ALL, sha256, toBaseUnits } from '../../../src/htlc/index.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { BackendSilent } from '../../../src/ports/silence.ts';
import type { DecimalText } from '../../../src/primitives/decimal.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { RuntimeChain } from '../../../src/runtime/loop/gate.ts';
import { beginChain, mine, ownersSpend } from '../../differential/funded-chain.ts';
import { type Litecoind, type LitecoindClient, startLitecoind } from '../litecoind.ts';

export type TestSigner = Signer & { readonly secretKey: Uint8Array };

/** A key of its own for each name. */
export function signerOf(name: string): TestSigner {
  const secretKey = sha256(new TextEncoder().encode(`a test wallet: ${name}`));
  return {
    secretKey,
    key: secp256k1.getPublicKey(secretKey, true),
    sign: (hash) => secp256k1.sign(hash, secretKey, { prehash: false, lowS: true, format: 'der' }),
  };
}

/** What all wallets of one chain have in common. */
export type ChainSettings = {
  readonly coin: string;
  readonly scheme: ScriptScheme;
  readonly finality: number;
  readonly blockTime: number;
  readonly feeRate: number;
  readonly poll: number;
  readonly complete: boolean;
};

export type WalletOptions = {
  readonly node?: LitecoindClient;
  /** Blocks that a new process reads at once. @defaultValue all from the birth on */
  readonly depth?: number;
  /** Base units for each virtual byte. @defaultValue the chain's */
  readonly feeRate?: number;
  /** Whether each swap has a key of its own. @defaultValue false */
  readonly keyPerSwap?: boolean;
};

/** A regression-test chain whose clock and blocks a test has in its hand. */
export type LitecoinTestChain = {
  readonly node: Litecoind;
  readonly settings: ChainSettings;
  /** Height below which no wallet has anything. */
  readonly birth: number;
  /** Gives the wallets so many coins each, of this amount, in a block. */
  readonly fund: (
    names: readonly string[],
    coins: { readonly count: number; readonly amount: string },
  ) => Promise<void>;
  readonly wallet: (name: string, clock: Clock, options?: WalletOptions) => RuntimeChain;
  /** Where the node's clock stands at least, in seconds: that of its last block. */
  readonly time: () => Promise<number>;
  /** Sets the node's clock, in seconds, and adds blocks. */
  readonly mine: (at: number, blocks?: number) => Promise<void>;
};

export async function startLitecoinChain(
  settings: ChainSettings,
  options: readonly string[] = [],
): Promise<LitecoinTestChain> {
  const node = await startLitecoind(['-persistmempool=0', ...options]);
  const coins = [...(await beginChain(node))];
  const birth = Number(await node.call('getblockcount'));
  return {
    node,
    settings,
    birth,
    async fund(names, { count, amount }) {
      const value = toBaseUnits(amount as DecimalText);
      for (const name of names) {
        const script = p2wpkhScript(hash160(signerOf(name).key));
        for (let left = count; left > 0; ) {
          const some = Math.min(left, Number(COIN / value));
          left -= some;
          const coin = coins.shift();
          if (coin === undefined) throw new Error('the first blocks are spent');
          const raw = ownersSpend(
            [coin],
            Array.from({ length: some }, () => ({ value, script })),
          );
          await node.call('sendrawtransaction', bytesToHex(raw), 0);
        }
      }
      await mine(node, 1);
    },
    ...handled({ node, birth, settings }),
  };
}

type Handled = { readonly node: LitecoindClient; readonly birth: number; readonly settings: ChainSettings };

/** Litecoin relays from one base unit a byte on. */
const FEES = { rate: null, floor: 1000n, ceiling: 100_000_000n };

function utxoCoinOf({ coin, scheme, finality, blockTime }: ChainSettings): UtxoCoin {
  return {
    coin,
    decimals: 8,
    form: { format: 'legacy', version: 2 },
    hashType: SIGHASH_ALL,
    address: 'p2wpkh',
    scheme,
    // What Litecoin relays in one output at least, whatever its form.
    dust: 5460n,
    finality,
    blockTime,
    maturity: 100,
    medianBlocks: 11,
    fees: FEES,
  };
}

function clientOver(node: LitecoindClient): DaemonClient {
  return {
    async batch(calls) {
      const answers = await node.batch(calls).catch((cause: unknown) => {
        throw new BackendSilent('the node does not answer', { cause });
      });
      return answers as Awaited<ReturnType<DaemonClient['batch']>>;
    },
  };
}

function handled({ node, birth, settings }: Handled): Pick<LitecoinTestChain, 'wallet' | 'time' | 'mine'> {
  return {
    wallet(name, clock, { keyPerSwap = false, depth, feeRate = settings.feeRate, node: line = node } = {}) {
      const coin = { ...utxoCoinOf(settings), fees: { ...FEES, rate: BigInt(feeRate) * 1000n } };
      const { medianBlocks, decimals } = coin;
      const client = clientOver(line);
      const coins = signerOf(name);
      return createUtxoChain({
        coin,
        reader: createDaemonReader({
          client,
          birth,
          decimals,
          medianBlocks,
          ...(depth === undefined ? {} : { depth }),
        }),
        signer: { coins, ofSwap: (swap) => (keyPerSwap ? signerOf(`${name} for ${swap}`) : coins) },
        clock,
        birth,
        poll: settings.poll,
        completeFeed: settings.complete,
      });
    },
    async time() {
      const { time } = (await node.call('getblock', await node.call('getbestblockhash'))) as { time: number };
      return time;
    },
    async mine(at, blocks = 1) {
      await node.call('setmocktime', at);
      await mine(node, blocks);
    },
  };
}

/** A block's reward, less what its spend pays to the miner. */
const COIN = 4_990_000_000n;
