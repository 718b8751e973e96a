import {
  type Abi,
  type Address,
  createClient,
  decodeErrorResult,
  type EIP1193Parameters,
  type Hex,
  http,
  numberToHex,
  type RpcLog,
} from 'viem';
import { swapContractAbi } from '../../../src/chains/evm/contract/artefact.ts';
import { type Anvil, GENESIS, startAnvil } from './anvil.ts';

/** More than any call of the tests needs: nothing is estimated, because an estimate is made for another block than the call's. */
const GAS = 3_000_000n;

export type Call = {
  readonly from: Address;
  /** Undefined deploys a contract. */
  readonly to?: Address | undefined;
  readonly data?: Hex | undefined;
  /** Wei, default 0. */
  readonly value?: bigint | undefined;
  readonly gas?: bigint | undefined;
};

/** What became of a call in its block. */
export type Outcome = {
  readonly done: boolean;
  /** Name of the contract's error, or the raw answer where it is none of the contract's; undefined where the call was done. */
  readonly error: string | undefined;
  readonly gasUsed: bigint;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
  readonly created: Address | undefined;
};

type Receipt = {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly logs: readonly RpcLog[];
  readonly contractAddress: Address | null;
};

/** A chain whose blocks and time the test decides. */
export class Chain {
  /** Time of the newest block, seconds since 1970. */
  now = GENESIS;
  readonly #anvil: Anvil;
  readonly #ask: (request: EIP1193Parameters) => Promise<unknown>;

  private constructor(anvil: Anvil) {
    this.#anvil = anvil;
    const client = createClient({ transport: http(anvil.url, { retryCount: 0, timeout: 60_000 }) });
    this.#ask = (request) => client.transport.request(request);
  }

  static async start(): Promise<Chain> {
    return new Chain(await startAnvil());
  }

  stop(): void {
    this.#anvil.stop();
  }

  /** Does the call in a block of its own, one second after the newest, or at the given time, which must be later than the newest. */
  async send(call: Call, at: number = this.now + 1): Promise<Outcome> {
    const [outcome] = await this.sendAll([call], at);
    if (outcome === undefined) throw new Error('no outcome');
    return outcome;
  }

  /** Does the calls in one block, in their order. */
  async sendAll(calls: readonly Call[], at: number = this.now + 1): Promise<readonly Outcome[]> {
    const ids: Hex[] = [];
    for (const { from, to, data, value = 0n, gas = GAS } of calls) {
      const sent = { from, to, data, value: numberToHex(value), gas: numberToHex(gas), gasPrice: '0x0' };
      ids.push((await this.#request('eth_sendTransaction', [sent])) as Hex);
    }
    await this.mine(at);
    return Promise.all(ids.map((id) => this.#outcome(id)));
  }

  /** An empty block, or one with what was sent. */
  async mine(at: number): Promise<void> {
    await this.#request('evm_mine', [numberToHex(at)]);
    this.now = at;
  }

  async deploy(bytecode: Hex, from: Address): Promise<Address> {
    const { created, error } = await this.send({ from, data: bytecode, gas: 10_000_000n });
    if (created === undefined || error !== undefined) throw new Error(`not deployed: ${error}`);
    return created;
  }

  /** The answer of a call that changes nothing. */
  async read(to: Address, data: Hex): Promise<Hex> {
    return (await this.#request('eth_call', [{ to, data }, 'latest'])) as Hex;
  }

  async etherOf(account: Address): Promise<bigint> {
    return BigInt((await this.#request('eth_getBalance', [account, 'latest'])) as Hex);
  }

  async setEther(account: Address, wei: bigint): Promise<void> {
    await this.#request('anvil_setBalance', [account, numberToHex(wei)]);
  }

  async codeOf(account: Address): Promise<Hex> {
    return (await this.#request('eth_getCode', [account, 'latest'])) as Hex;
  }

  /** Removes or replaces the code of an account. */
  async setCode(account: Address, code: Hex): Promise<void> {
    await this.#request('anvil_setCode', [account, code]);
  }

  /** Remembers everything as it is now; what it returns goes back there, once. */
  async snapshot(): Promise<() => Promise<void>> {
    const id = await this.#request('evm_snapshot', []);
    const { now } = this;
    return async () => {
      await this.#request('evm_revert', [id]);
      this.now = now;
    };
  }

  async #outcome(id: Hex): Promise<Outcome> {
    const receipt = (await this.#request('eth_getTransactionReceipt', [id])) as Receipt | null;
    if (receipt === null) throw new Error(`${id} is in no block`);
    const done = receipt.status === '0x1';
    const { logs, contractAddress } = receipt;
    const error = done ? undefined : await this.#errorOf(id);
    return { done, error, gasUsed: BigInt(receipt.gasUsed), logs, created: contractAddress ?? undefined };
  }

  async #errorOf(id: Hex): Promise<string> {
    const trace = (await this.#request('debug_traceTransaction', [id, { tracer: 'callTracer' }])) as {
      readonly output?: Hex;
      readonly error?: string;
    };
    return errorName(trace.output ?? '0x') ?? `${trace.error} ${trace.output ?? ''}`;
  }

  #request(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#ask({ method, params } as EIP1193Parameters);
  }
}

/** Name of the contract's error with its arguments, such as `LockedUntil(1700000100)`. */
function errorName(answer: Hex): string | undefined {
  const abi: Abi = swapContractAbi;
  try {
    const { errorName: name, args = [] } = decodeErrorResult({ abi, data: answer });
    return args.length === 0 ? name : `${name}(${args.join(', ')})`;
  } catch {
    return undefined;
  }
}
