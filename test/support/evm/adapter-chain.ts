import { numberToHex } from 'viem';
import { EvmAccount } from '../../../src/chains/evm/account.ts';
import { createEvmChain, type EvmChain } from '../../../src/chains/evm/adapter.ts';
import type { EvmCoin } from '../../../src/chains/evm/coin.ts';
import { swapContractBytecode } from '../../../src/chains/evm/contract/artefact.ts';
import { connectEvmNode, type EvmNode } from '../../../src/chains/evm/node.ts';
import { createEvmNodeReader, type EvmNodeReader } from '../../../src/chains/evm/node-reader.ts';
import type { PriceRule } from '../../../src/chains/evm/prices.ts';
import type { EvmReader } from '../../../src/chains/evm/reader.ts';
import { accountOf } from '../../../src/chains/evm/transaction.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { UnixSeconds } from '../../../src/primitives/time.ts';
import { signerOf, type TestSigner } from '../litecoin/chain.ts';
import { type Anvil, GENESIS, startAnvil } from './anvil.ts';
import { compiled } from './compiled.ts';
import { MANNERS, type Manner, tool } from './contract-world.ts';

export const CHAIN_ID = 31_337;
export const FINALITY = 3;
export const BLOCK_TIME = 12;
const GWEI = 10n ** 9n;
const DEPLOYER = 'f39fd6e51aad88f6f4ce6ab8827279cff8fb92266'.slice(-40);

export const PRICES: PriceRule = { kind: 'eip1559', tip: 2n * GWEI, floor: 1n, ceiling: 100_000n * GWEI };

export type WalletOptions = {
  readonly reader?: EvmReader;
  readonly account?: EvmAccount;
  readonly prices?: PriceRule;
  /** @defaultValue that of the chain */
  readonly chainId?: number;
  readonly coin?: Partial<EvmCoin>;
};

/** How a token behaves: `tax` is what it keeps of each transfer, in base units. */
export type TokenKind = { readonly decimals: number; readonly strict?: boolean; readonly tax?: bigint };

export type Alter = (said: {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: unknown;
}) => unknown;

/** A chain whose blocks and time a test decides, with the swap contract, and gas that costs something. */
export class EvmTestChain {
  /** Counts what is under way. */
  busy = 0;
  /** What every call to the node waits for. */
  before: () => Promise<void> = async () => undefined;
  contract = '';
  now = GENESIS;
  readonly node: EvmNode;
  readonly #anvil: Anvil;
  readonly #direct: EvmNode;

  private constructor(anvil: Anvil) {
    this.#anvil = anvil;
    this.#direct = connectEvmNode({ url: anvil.url, timeout: 60 });
    this.node = {
      name: 'anvil',
      request: async (method, params) => {
        this.busy += 1;
        try {
          await this.before();
          return await this.#direct.request(method, params);
        } finally {
          this.busy -= 1;
        }
      },
    };
  }

  /** @param contract creation code of the swap contract, in hex with 0x. @defaultValue ours */
  static async start(options: readonly string[] = [], contract: string = swapContractBytecode): Promise<EvmTestChain> {
    const chain = new EvmTestChain(await startAnvil(['--auto-impersonate', ...options]));
    chain.contract = await chain.deploy(contract);
    return chain;
  }

  /** Where its node listens. */
  get url(): string {
    return this.#anvil.url;
  }

  stop(): void {
    this.#anvil.stop();
  }

  request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#direct.request(method, params);
  }

  async deploy(bytecode: string): Promise<string> {
    const id = await this.act({ from: DEPLOYER, data: bytecode });
    const { contractAddress } = (await this.request('eth_getTransactionReceipt', [id])) as { contractAddress: string };
    return contractAddress.slice(2).toLowerCase();
  }

  /** A token of which the named wallets have so many base units. */
  async token(
    { decimals, strict = false, tax = 0n }: TokenKind,
    owners: Readonly<Record<string, bigint>> = {},
  ): Promise<string> {
    const { StandardToken } = await compiled();
    const words = [BigInt(decimals), strict ? 1n : 0n, tax].map((word) => word.toString(16).padStart(64, '0'));
    const token = await this.deploy(StandardToken.bytecode + words.join(''));
    for (const [name, amount] of Object.entries(owners)) {
      await this.mint(token, addressOf(name), amount);
    }
    return token;
  }

  /** A token that tells nobody of anything, and does as {@link behave} says. */
  async moodyToken(owners: Readonly<Record<string, bigint>>): Promise<string> {
    const { MoodyToken } = await compiled();
    const token = await this.deploy(MoodyToken.bytecode);
    await this.behave(token, 'returns nothing');
    for (const [name, amount] of Object.entries(owners)) await this.mint(token, addressOf(name), amount);
    return token;
  }

  async behave(token: string, manner: Manner): Promise<void> {
    await this.act({ from: DEPLOYER, to: token, data: tool('behave', [MANNERS.indexOf(manner)]) });
  }

  /** Gives an account tokens. */
  async mint(token: string, account: string, amount: bigint): Promise<void> {
    await this.act({ from: DEPLOYER, to: token, data: tool('mint', [`0x${account}`, amount]) });
  }

  /** What a contract answers to a call of the tests' tools, as a number. */
  async read(to: string, data: string): Promise<bigint> {
    return BigInt((await this.request('eth_call', [{ to: `0x${to}`, data }, 'latest'])) as string);
  }

  tokensOf(token: string, owner: string): Promise<bigint> {
    return this.read(token, tool('balanceOf', [`0x${owner}`]));
  }

  allowance(token: string, owner: string): Promise<bigint> {
    const word = (address: string) => address.padStart(64, '0');
    return this.read(token, `0xdd62ed3e${word(owner)}${word(this.contract)}`);
  }

  /** A call by an account without a key, in a block of its own; its id with 0x. */
  async act(call: { readonly from: string; readonly to?: string; readonly data: string }): Promise<string> {
    const { from, to, data } = call;
    await this.give(from, 10n ** 24n);
    const sent = {
      from: `0x${from}`,
      ...(to === undefined ? {} : { to: `0x${to}` }),
      data,
      gas: numberToHex(5_000_000),
    };
    const id = (await this.request('eth_sendTransaction', [sent])) as string;
    await this.mine();
    return id;
  }

  /** Sets what an account has, in wei. */
  async give(account: string, wei: bigint): Promise<void> {
    await this.request('anvil_setBalance', [`0x${account}`, numberToHex(wei)]);
  }

  async balance(account: string): Promise<bigint> {
    return BigInt((await this.request('eth_getBalance', [`0x${account}`, 'latest'])) as string);
  }

  async mine(blocks = 1, seconds = BLOCK_TIME): Promise<void> {
    for (let left = blocks; left > 0; left -= 1) {
      this.now += seconds;
      await this.request('evm_mine', [numberToHex(this.now)]);
    }
  }

  /** A block at this moment, in seconds. */
  async mineAt(at: number): Promise<void> {
    await this.mine(1, Math.max(1, at - this.now));
  }

  async passTime(until: UnixSeconds): Promise<void> {
    if (until > this.now) this.now = until;
    await this.mine(1, 1);
  }

  coin(changes: Partial<EvmCoin> = {}): EvmCoin {
    return {
      coin: 'ETH',
      decimals: 18,
      contract: this.contract,
      finality: FINALITY,
      blockTime: BLOCK_TIME,
      ...changes,
    };
  }

  /** A reader over one node. `before` is waited for at each call, and may refuse it; `alter` changes what the node says; `told` hears of each call. */
  reader(
    before: () => Promise<void> = async () => undefined,
    alter: Alter = ({ answer }) => answer,
    told: (method: string) => void = () => undefined,
  ): EvmNodeReader {
    const { node } = this;
    const request: EvmNode['request'] = async (method, params) => {
      told(method);
      await before();
      return alter({ method, params, answer: await node.request(method, params) });
    };
    return createEvmNodeReader({ name: 'anvil', request }, CHAIN_ID);
  }

  account(name: string, { reader, prices = PRICES, chainId = CHAIN_ID }: WalletOptions = {}): EvmAccount {
    const own = reader ?? createEvmNodeReader(this.node, chainId);
    return new EvmAccount({ reader: own, signer: signerOf(name), chainId, prices });
  }

  wallet(name: string, clock: Clock, options: WalletOptions = {}): EvmChain {
    const account = options.account ?? this.account(name, options);
    return createEvmChain({ coin: this.coin(options.coin), account, clock, birth: 0, poll: 5 });
  }
}

export function addressOf(name: string): string {
  return accountOf(signerOf(name).key);
}

export { signerOf, type TestSigner };
