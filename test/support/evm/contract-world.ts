import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  toHex,
} from 'viem';
import { swapContractAbi } from '../../../src/chains/evm/contract/artefact.ts';
import { type Call, Chain, type Outcome } from './chain.ts';
import { type Compiled, compiled } from './compiled.ts';
import { ETHER, type Payment } from './swap-contract.ts';

/** What the tokens and accounts of the tests understand. */
export const toolsAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
  'function behave(uint8 manner)',
  'function seize(address owner, uint256 amount)',
  'function tell(bytes32 digits)',
  'function withhold(bool yes)',
  'function refuse(bool yes)',
  'function burn(bool yes)',
  'function prepare(address target, bytes data)',
  'function run(address to, uint256 value, bytes data) payable',
  'function runBoth(address to, bytes first, bytes second)',
  'function succeeded() view returns (bool)',
  'function calls() view returns (uint256)',
]);

/** How a moody token behaves, in the order of its source. */
export const MANNERS = [
  ...['sound', 'returns nothing', 'returns false', 'returns two', 'returns one byte'],
  ...['reverts', 'reverts silently', 'reverts with true', 'moves nothing', 'takes a fee', 'adds a bonus'],
] as const;
export type Manner = (typeof MANNERS)[number];

/** Accounts with keys that nobody needs. They differ in every byte, so that no mix-up goes unseen. */
export const [SENDER, RECEIVER, WATCHER, STRANGER, DEPLOYER] = [1, 2, 3, 4, 5].map(
  (index): Address => `0x${keccak256(toHex(index)).slice(26)}`,
) as [Address, Address, Address, Address, Address];

const RICH = 10n ** 24n;

/** The swap contract on a chain of its own, with some tokens and accounts. */
export class ContractWorld {
  readonly chain: Chain;
  readonly code: Compiled;
  contract: Address = ETHER;
  #ids = 0;

  private constructor(chain: Chain, code: Compiled) {
    this.chain = chain;
    this.code = code;
  }

  /** @param contract creation code of the swap contract. @defaultValue ours, compiled from its source */
  static async open(contract?: string): Promise<ContractWorld> {
    const code = await compiled();
    const world = new ContractWorld(await Chain.start(), code);
    for (const account of [SENDER, RECEIVER, WATCHER, STRANGER]) await world.chain.setEther(account, RICH);
    world.contract = await world.chain.deploy((contract ?? code.SwapfoldHtlc.bytecode) as Hex, DEPLOYER);
    return world;
  }

  /** A token of which the owners have the amount given, by default a million, all of it approved for the swap contract. */
  async token(
    kind: 'PlainToken' | 'MoodyToken' | 'HookToken',
    { owners = [SENDER], amount = 1_000_000n }: { readonly owners?: readonly Address[]; readonly amount?: bigint } = {},
  ): Promise<Address> {
    const token = await this.chain.deploy(this.code[kind].bytecode, DEPLOYER);
    for (const owner of owners) {
      await this.must({ from: DEPLOYER, to: token, data: tool('mint', [owner, amount]) });
      await this.must({ from: owner, to: token, data: tool('approve', [this.contract, 2n ** 256n - 1n]) });
    }
    return token;
  }

  /** An account with code. */
  async actor(): Promise<Address> {
    const actor = await this.chain.deploy(this.code.Actor.bytecode, DEPLOYER);
    await this.chain.setEther(actor, RICH);
    return actor;
  }

  /** A payment of ether that no other is like, an hour long; what is given differs. */
  payment(given: Partial<Payment> = {}): Payment {
    this.#ids += 1;
    const id = keccak256(toHex(`id ${this.#ids}`));
    const base = { id, sender: SENDER, receiver: RECEIVER, secret: keccak256(id), token: ETHER, amount: 1_000n };
    return { ...base, lockTime: this.chain.now + 3_600, ...given };
  }

  stop(): void {
    this.chain.stop();
  }

  send(call: Call, at?: number): Promise<Outcome> {
    return this.chain.send(call, at);
  }

  /** A call that has to be done. */
  async must(call: Call, at?: number): Promise<Outcome> {
    const outcome = await this.chain.send(call, at);
    if (!outcome.done) throw new Error(`a call of the test failed: ${outcome.error}`);
    return outcome;
  }

  behave(token: Address, manner: Manner): Promise<Outcome> {
    return this.must({ from: STRANGER, to: token, data: tool('behave', [MANNERS.indexOf(manner)]) });
  }

  /** What the contract stores under an id. */
  async stored(id: Hex): Promise<{ readonly hash: Hex; readonly lockTime: bigint; readonly state: number }> {
    const call = { abi: swapContractAbi, functionName: 'payments' } as const;
    const data = await this.chain.read(this.contract, encodeFunctionData({ ...call, args: [id] }));
    const [hash, lockTime, state] = decodeFunctionResult({ ...call, data });
    return { hash, lockTime, state };
  }

  async stateOf({ id }: Payment): Promise<number> {
    return (await this.stored(id)).state;
  }

  /** Base units of a coin that an account has. */
  async balance(coin: Address, owner: Address): Promise<bigint> {
    if (coin === ETHER) return this.chain.etherOf(owner);
    return BigInt(await this.chain.read(coin, tool('balanceOf', [owner])));
  }

  /** By how much each account's balance of a coin changes while something is done. */
  async changes(
    { coin, of }: { readonly coin: Address; readonly of: readonly Address[] },
    act: () => Promise<unknown>,
  ): Promise<readonly bigint[]> {
    const before = await Promise.all(of.map((owner) => this.balance(coin, owner)));
    await act();
    const after = await Promise.all(of.map((owner) => this.balance(coin, owner)));
    return after.map((value, index) => value - (before[index] ?? 0n));
  }
}

type Tool =
  | 'mint'
  | 'approve'
  | 'balanceOf'
  | 'behave'
  | 'seize'
  | 'tell'
  | 'withhold'
  | 'refuse'
  | 'burn'
  | 'prepare'
  | 'run'
  | 'runBoth';

/** Data of a call of a token or an account of the tests. */
export function tool(functionName: Tool | 'succeeded' | 'calls', args: readonly unknown[] = []): Hex {
  const abi: Abi = toolsAbi;
  return encodeFunctionData({ abi, functionName, args });
}
