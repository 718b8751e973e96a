import type { UtxoCoin } from '../../../src/chains/utxo/coin.ts';
import { connectDaemon, type DaemonClient } from '../../../src/chains/utxo/daemon/client.ts';
import { BITCOIN_FORM, p2pkhScript, SIGHASH_ALL } from '../../../src/htlc/index.ts';
import type { TransactionOutput } from '../../../src/htlc/transaction.ts';
import { createMemoryLog } from '../../../src/log/memory/index.ts';
import { hash160 } from '../../../src/primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { Secret } from '../../../src/primitives/secret.ts';
import { millisOf } from '../../../src/primitives/time.ts';
import type { Block, IdentifiedTransaction } from '../../../src/smartchain/chain/block.ts';
import type { BlockNode } from '../../../src/smartchain/chain/tree.ts';
import { PREFIXES } from '../../../src/smartchain/params.ts';
import { signerOf } from '../litecoin/chain.ts';
import { contextOf, nodeOverHttp } from '../node-over-http.ts';
import { blockOn, largestCoin, scriptOf, spend, submit, type TestChain, testChain } from '../smart-chain.ts';
import { ContractMachine } from './machine.ts';
import { qtumMethods, RELAY_RATE } from './methods.ts';
import { accountOfInput } from './senders.ts';

export const QTUM_BLOCK_TIME = 32;
export const QTUM_MATURITY = 25;

/** Qtum as a coin of outputs, as the tests' chain has it. */
export const QTUM_COIN: UtxoCoin = {
  ...{ coin: 'QTUM', decimals: 8, form: BITCOIN_FORM, hashType: SIGHASH_ALL, address: 'p2pkh', scheme: 'p2sh' },
  ...{
    dust: 72_800n,
    finality: 4,
    blockTime: QTUM_BLOCK_TIME,
    maturity: QTUM_MATURITY,
    medianBlocks: 11,
    stakes: true,
  },
  fees: { rate: 500_000n, floor: RELAY_RATE, ceiling: 40_000_000n },
};

/** The account of a wallet of the tests. */
export function accountOf(name: string): string {
  return bytesToHex(hash160(signerOf(name).key));
}

const START = 1_800_000_000;

/**
 * A chain of outputs whose blocks call contracts, behind its own HTTP as Qtum's node answers. What a call leaves of its gas comes back as an output of the
 * block that has it.
 */
export class QtumTestChain {
  readonly machine: ContractMachine;
  readonly client: DaemonClient;
  /** How a daemon's conf file says that it is reached. */
  readonly conf: string;
  /** What every request waits for before it reaches the node. */
  before: () => Promise<void> = async () => undefined;
  busy = 0;
  readonly #test: TestChain;
  readonly #context: Awaited<ReturnType<typeof contextOf>>;
  readonly #close: () => Promise<void>;
  readonly #clock: { seconds: number };

  private constructor(parts: {
    readonly test: TestChain;
    readonly machine: ContractMachine;
    readonly context: Awaited<ReturnType<typeof contextOf>>;
    readonly http: Awaited<ReturnType<typeof nodeOverHttp>>;
    readonly clock: { seconds: number };
  }) {
    const { url } = parts.http;
    this.#test = parts.test;
    this.machine = parts.machine;
    this.#context = parts.context;
    this.#close = () => parts.http.close();
    this.#clock = parts.clock;
    const direct = connectDaemon({ url, user: 'user', password: new Secret('password') });
    this.client = {
      batch: async (calls) => {
        this.busy += 1;
        try {
          await this.before();
          return await direct.batch(calls);
        } finally {
          this.busy -= 1;
        }
      },
    };
    this.conf = `rpcuser=user\nrpcpassword=password\nrpcport=${new URL(url).port}\n`;
  }

  /** @param from seconds since 1970 before its first block, for nodes whose clock is the host's */
  static async start(from: number = START): Promise<QtumTestChain> {
    const clock = { seconds: from };
    const test = await testChain({
      // A node that starts anew has forgotten what waited, as those of others do.
      offersSent: false,
      log: createMemoryLog(),
      now: () => millisOf(clock.seconds * 1000),
      params: {
        ...{ name: 'QTUM', saplingHeight: undefined, maturity: QTUM_MATURITY, cryptoConditions: false },
        prefixes: { ...PREFIXES.main, key: 120, script: 110 },
      },
      policy: { standardOnly: false, minRelayFee: RELAY_RATE },
    });
    const senderOf = (transaction: IdentifiedTransaction) => accountOfInput(transaction, test.chain);
    const machine = await ContractMachine.start(senderOf);
    const context = await contextOf(test.chain);
    const http = await nodeOverHttp(context, qtumMethods(machine));
    const chain = new QtumTestChain({ test, machine, context, http, clock });
    await chain.mine(QTUM_MATURITY + 3);
    return chain;
  }

  async close(): Promise<void> {
    this.machine.stop();
    await this.#close();
  }

  get now(): number {
    return this.#clock.seconds;
  }

  set now(seconds: number) {
    this.#clock.seconds = seconds;
  }

  get height(): number {
    return this.#tip.height;
  }

  get swapContract(): string {
    return this.machine.evm.contract;
  }

  get blocks(): readonly Block[] {
    return this.#test.chain.tree.ledger.blocks;
  }

  get #tip(): BlockNode {
    const { tip } = this.#test.chain.tree;
    if (tip === undefined) throw new Error('the chain has no block');
    return tip;
  }

  /** Blocks with all that waits, each carried out before it is made: what it gives back of the gas stands in it. */
  async mine(blocks = 1): Promise<void> {
    for (let left = blocks; left > 0; left -= 1) {
      this.now += QTUM_BLOCK_TIME;
      await this.machine.inTurn(() => this.#mineOne());
    }
  }

  async passTime(until: number): Promise<void> {
    this.now = Math.max(this.now, until) + 1;
    await this.mine(1);
  }

  /** Gives up so many of the last blocks. What they held waits again. */
  async undo(blocks: number): Promise<void> {
    for (let left = blocks; left > 0; left -= 1) {
      const answer = await this.#test.chain.mark(this.#tip, 'invalid');
      if ('refused' in answer) throw new Error('the block stays');
    }
  }

  /** Forgets all that waits. */
  async restart(): Promise<void> {
    this.#context.chain = await this.#test.restart();
  }

  /** A transaction of the miner, whose coins pay for these outputs and for the gas of their calls; it waits. */
  pay(outputs: readonly TransactionOutput[], { gas = 0n }: { readonly gas?: bigint } = {}): string {
    const [first] = this.#test.keys;
    const coin = largestCoin(this.#test, first);
    const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
    const change = coin.output.value - paid - gas - 50_000_000n;
    const made = spend(this.#test, {
      coins: [coin],
      outputs: [...outputs, { value: change, script: coin.output.script }],
    });
    return submit(this.#test, made).txid;
  }

  /** Gives a wallet so many coins of this many base units each, in a block. */
  async fund(
    of: string | Uint8Array,
    { count, value }: { readonly count: number; readonly value: bigint },
  ): Promise<void> {
    const key = typeof of === 'string' ? signerOf(of).key : of;
    this.pay(Array.from({ length: count }, () => ({ value, script: p2pkhScript(hash160(key)) })));
    await this.mine(1);
  }

  async #mineOne(): Promise<void> {
    const { chain } = this.#test;
    const { machine } = this;
    const tip = this.#tip;
    await machine.follow(chain.tree.ledger);
    const time = Math.max(this.now, tip.block.header.time + 1);
    const waiting = [...chain.mempool().entries.values()];
    const run = await machine.run({ height: tip.height + 1, time, transactions: waiting });
    const refunds = (run?.refunds ?? []).map(({ account, value }) => ({
      value,
      script: p2pkhScript(hexToBytes(account)),
    }));
    const miner = scriptOf(this.#test.keys[0]);
    const block = blockOn(tip, chain, {
      transactions: waiting,
      header: { time },
      coinbase: (transaction) => ({
        ...transaction,
        outputs: [...transaction.outputs.map((output) => ({ ...output, script: miner })), ...refunds],
      }),
    });
    const answer = await chain.submitBlock(block);
    if ('refused' in answer) throw new Error(`the block is refused: ${JSON.stringify(answer.refused)}`);
    await machine.accept(block, run);
  }
}
