import { createUtxoChain, type UtxoChain } from '../../../src/chains/utxo/adapter.ts';
import type { UtxoCoin } from '../../../src/chains/utxo/coin.ts';
import { connectDaemon, type DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { createDaemonReader } from '../../../src/chains/utxo/daemon/reader.ts';
import type { ElectrumBackend } from '../../../src/chains/utxo/electrum/panel.ts';
import { createElectrumReader } from '../../../src/chains/utxo/electrum/reader.ts';
import { p2pkhScript, SIGHASH_ALL, SMART_CHAIN_FORM } from '../../../src/htlc/index.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import type { ChainParams } from '../../../src/smartchain/params.ts';
import { signerOf } from '../litecoin/chain.ts';
import { contextOf, nodeOverHttp } from '../node-over-http.ts';
import { largestCoin, mineBlocks, spend, submit, type TestChain, testChain } from '../smart-chain.ts';

/** A smart chain of ours behind its own HTTP, whose clock and blocks a test has in its hand. */
export type EmbeddedChain = {
  readonly coin: UtxoCoin;
  /** Height below which no wallet has anything. */
  readonly birth: number;
  /** Seconds since 1970. */
  readonly now: () => number;
  readonly setTime: (seconds: number) => void;
  readonly mine: (blocks: number) => Promise<void>;
  readonly wallet: (name: string, clock: Clock, options?: EmbeddedWalletOptions) => UtxoChain;
  /** Gives a wallet, by its name or its key, so many coins of this many satoshis each, in a block. */
  readonly fund: (of: string | Uint8Array, coins: { readonly count: number; readonly value: bigint }) => Promise<void>;
  /** What a conf file of the node says: how it is reached. */
  readonly conf: string;
  /** Asks the node over its HTTP. */
  readonly client: DaemonClient;
  /** Forgets all that waits. */
  readonly restart: () => Promise<void>;
  readonly line: Line;
  readonly close: () => Promise<void>;
};

export type EmbeddedWalletOptions = {
  readonly depth?: number;
  readonly keyPerSwap?: boolean;
  readonly poll?: number;
  /** Height of the first block that may be about it. @defaultValue that of the chain's first coins */
  readonly birth?: number;
  /** In the place of the daemon: Electrum servers. */
  readonly servers?: ElectrumBackend;
};

/** The line between the adapters and the node. */
export type Line = {
  /** Requests that are under way. */
  readonly busy: () => number;
  /** What every request waits for before it reaches the node. */
  before: () => Promise<void>;
};

const START = 1_800_000_000;
const POLL = 5;
const FIRST_COINS = 3;

export async function startEmbeddedChain(
  coin: Partial<UtxoCoin> = {},
  params: Partial<ChainParams> = {},
): Promise<EmbeddedChain> {
  let seconds = START;
  const test = await testChain({
    // A node that starts anew has forgotten what waited, as those of others do.
    offersSent: false,
    log: createMemoryLog(),
    now: () => millisOf(seconds * 1000),
    params: { name: 'DOC', ...params },
  });
  await mineBlocks(test, 3);
  const context = await contextOf(test.chain);
  const http = await nodeOverHttp(context);
  const { line, client } = lineTo(connectDaemon({ url: http.url, user: 'user', password: new Secret('password') }));
  const own = { ...EMBEDDED_COIN, ...coin };
  return {
    coin: own,
    birth: FIRST_COINS,
    now: () => seconds,
    setTime(at) {
      seconds = at;
    },
    async mine(blocks) {
      for (let left = blocks; left > 0; left--) {
        seconds += own.blockTime;
        await mineBlocks(test, 1);
      }
    },
    client,
    wallet: (name, clock, { depth, keyPerSwap = false, poll = POLL, birth = FIRST_COINS, servers } = {}) => {
      const coins = signerOf(name);
      const { decimals, medianBlocks } = own;
      const bounds = { birth, decimals, medianBlocks, ...(depth === undefined ? {} : { depth }) };
      const reader =
        servers === undefined
          ? createDaemonReader({ client, ...bounds })
          : createElectrumReader({ backend: servers, decimals, medianBlocks, clock });
      return createUtxoChain({
        coin: own,
        reader,
        signer: { coins, ofSwap: (swap) => (keyPerSwap ? signerOf(`${name} for ${swap}`) : coins) },
        clock,
        birth,
        poll,
      });
    },
    conf: `rpcuser=user\nrpcpassword=password\nrpcport=${new URL(http.url).port}\n`,
    async fund(of, given) {
      fund(test, { key: typeof of === 'string' ? signerOf(of).key : of, ...given });
      seconds += own.blockTime;
      await mineBlocks(test, 1);
    },
    async restart() {
      context.chain = await test.restart();
    },
    line,
    close: () => http.close(),
  };
}

/** What the smart chain is to an adapter. Its nodes replace nothing. */
const EMBEDDED_COIN: UtxoCoin = {
  coin: 'DOC',
  decimals: 8,
  form: SMART_CHAIN_FORM,
  hashType: SIGHASH_ALL,
  address: 'p2pkh',
  scheme: 'p2sh',
  dust: 1000n,
  finality: 3,
  blockTime: 60,
  maturity: 1,
  medianBlocks: 11,
  fees: { rate: 3000n, floor: 1000n, ceiling: 10_000_000n },
};

type Funding = { readonly key: Uint8Array; readonly count: number; readonly value: bigint };

/** More outputs than a node relays in one transaction are not made. */
function fund(test: TestChain, { key, count, value }: Funding): void {
  const [first] = test.keys;
  const coin = largestCoin(test, first);
  const script = p2pkhScript(hash160(key));
  const paid = Array.from({ length: count }, () => ({ value, script }));
  const change = coin.output.value - BigInt(count) * value - 100_000n;
  submit(test, spend(test, { coins: [coin], outputs: [...paid, { value: change, script: coin.output.script }] }));
}

function lineTo(client: DaemonClient): { readonly line: Line; readonly client: DaemonClient } {
  let busy = 0;
  const line: Line = { busy: () => busy, before: async () => {} };
  return {
    line,
    client: {
      async batch(calls) {
        busy += 1;
        try {
          await line.before();
          return await client.batch(calls);
        } finally {
          busy -= 1;
        }
      },
    },
  };
}
