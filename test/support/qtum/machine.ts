import { numberToHex } from 'viem';
import { type ContractCall, contractCallsOf } from '../../../src/htlc/contract-output.ts';
import { bytesToHex } from '../../../src/primitives/hex.ts';
import type { Block, IdentifiedTransaction } from '../../../src/smartchain/chain/block.ts';
import type { Ledger } from '../../../src/smartchain/chain/ledger.ts';
import { EvmTestChain } from '../evm/adapter-chain.ts';

/** What became of one call, with the members that Qtum's node tells. Hex without 0x. */
export type MachineReceipt = {
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly transactionHash: string;
  readonly transactionIndex: number;
  readonly outputIndex: number;
  readonly from: string;
  readonly to: string;
  readonly cumulativeGasUsed: number;
  readonly gasUsed: number;
  readonly contractAddress: string;
  readonly excepted: string;
  readonly exceptedMessage: string;
  readonly log: readonly MachineLog[];
};

export type MachineLog = { readonly address: string; readonly topics: readonly string[]; readonly data: string };

/** What an EVM tells, as Qtum's node does: without 0x. */
export function machineLog({ address, topics, data }: MachineLog): MachineLog {
  return {
    address: address.slice(2).toLowerCase(),
    topics: topics.map((topic) => topic.slice(2)),
    data: data.slice(2),
  };
}

/** What a block gives back of the gas that its calls paid for and did not use. */
export type GasRefund = { readonly account: string; readonly value: bigint };

/** Calls that were carried out, and how to undo them. */
export type Run = {
  readonly undo: string;
  readonly receipts: readonly Omit<MachineReceipt, 'blockHash'>[];
  readonly refunds: readonly GasRefund[];
};

type Done = Run & { readonly height: number; readonly hash: string };

type Running = {
  readonly height: number;
  readonly time: number;
  readonly transactions: readonly IdentifiedTransaction[];
};

type Sent = { readonly id: string | null; readonly txid: string; readonly place: number } & ContractCall & {
    readonly vout: number;
    readonly from: string;
  };

const FREE = ['--gas-price=0', '--block-base-fee-per-gas=0'];
const UNUSED = { contractAddress: '', exceptedMessage: '' };

/** Carries out the calls of the blocks of a chain on an EVM, and undoes them when the blocks are given up. */
export class ContractMachine {
  readonly evm: EvmTestChain;
  /** Account that the first input of a transaction is of; undefined where that is of no key. */
  readonly #senderOf: (transaction: IdentifiedTransaction) => string | undefined;
  readonly #hashes: string[] = [];
  readonly #done: Done[] = [];
  #last: Promise<unknown> = Promise.resolve();

  private constructor(evm: EvmTestChain, senderOf: (transaction: IdentifiedTransaction) => string | undefined) {
    this.evm = evm;
    this.#senderOf = senderOf;
  }

  static async start(senderOf: (transaction: IdentifiedTransaction) => string | undefined): Promise<ContractMachine> {
    return new ContractMachine(await EvmTestChain.start(FREE), senderOf);
  }

  stop(): void {
    this.evm.stop();
  }

  /** One after another: what is read is of one state. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Something that no block of the chain does, such as a token that is there from the beginning. Nothing must be undone behind it. */
  apart<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(work);
  }

  /** Brings it to the tip of the chain. */
  async follow({ blocks }: Pick<Ledger, 'blocks'>): Promise<void> {
    while (this.#hashes.length > 0 && this.#hashes.at(-1) !== blocks[this.#hashes.length - 1]?.hash) {
      this.#hashes.pop();
      const last = this.#done.at(-1);
      if (last === undefined || last.height !== this.#hashes.length) continue;
      this.#done.pop();
      await this.undo(last);
    }
    for (let height = this.#hashes.length; height < blocks.length; height++) {
      const block = blocks[height] as Block;
      const { header, transactions } = block;
      await this.accept(block, await this.run({ height, time: header.time, transactions }));
    }
  }

  /** The next block of the chain holds what was carried out. */
  async accept({ hash }: Pick<Block, 'hash'>, run: Run | null): Promise<void> {
    if (run !== null) this.#done.push({ ...run, hash, height: this.#hashes.length });
    this.#hashes.push(hash);
  }

  async undo({ undo }: Pick<Run, 'undo'>): Promise<void> {
    await this.evm.request('evm_revert', [undo]);
  }

  receiptsOf(txid: string): readonly MachineReceipt[] {
    return this.#receipts().filter(({ transactionHash }) => transactionHash === txid);
  }

  receiptsIn(from: number, to: number): readonly MachineReceipt[] {
    return this.#receipts().filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
  }

  /** Null where nothing calls a contract. */
  async run({ height, time, transactions }: Running): Promise<Run | null> {
    const calls = transactions.flatMap((identified, place) => {
      const made = contractCallsOf(identified.transaction.outputs);
      return made.map((call) => ({
        ...call,
        txid: identified.txid,
        place,
        from: call.sender ?? this.#senderOf(identified),
      }));
    });
    if (calls.length === 0) return null;
    const undo = String(await this.evm.request('evm_snapshot'));
    const sent: Sent[] = [];
    for (const { from, ...call } of calls) {
      if (from === undefined) continue;
      sent.push({ ...call, from, id: await this.#send({ ...call, from }) });
    }
    await this.#mineAt(time);
    let used = 0;
    const receipts: Run['receipts'][number][] = [];
    const refunds: GasRefund[] = [];
    for (const call of sent) {
      const { status, gasUsed, logs } = await this.#outcome(call);
      used += gasUsed;
      receipts.push({
        ...UNUSED,
        blockNumber: height,
        transactionHash: call.txid,
        transactionIndex: call.place,
        outputIndex: call.vout,
        from: call.from,
        to: call.contract,
        cumulativeGasUsed: used,
        gasUsed,
        excepted: status,
        log: logs,
      });
      const value = (call.gasLimit - BigInt(gasUsed)) * call.gasPrice;
      if (value > 0n) refunds.push({ account: call.from, value });
    }
    return { undo, receipts, refunds };
  }

  async #send(call: Omit<Sent, 'id'>): Promise<string | null> {
    const sent = {
      ...{ from: `0x${call.from}`, to: `0x${call.contract}`, data: `0x${bytesToHex(call.data)}` },
      ...{ gas: numberToHex(call.gasLimit), gasPrice: '0x0', value: '0x0' },
    };
    // Gas that does not pay for the call data alone is refused by the machine at once.
    return (await this.evm.request('eth_sendTransaction', [sent]).catch(() => null)) as string | null;
  }

  async #outcome({ id, gasLimit }: Sent): Promise<{ status: string; gasUsed: number; logs: readonly MachineLog[] }> {
    if (id === null) return { status: 'OutOfGasIntrinsic', gasUsed: Number(gasLimit), logs: [] };
    const told = (await this.evm.request('eth_getTransactionReceipt', [id])) as {
      readonly status: string;
      readonly gasUsed: string;
      readonly logs: readonly MachineLog[];
    };
    const gasUsed = Number(told.gasUsed);
    const failed = BigInt(gasUsed) >= gasLimit ? 'OutOfGas' : 'Revert';
    return { status: told.status === '0x1' ? 'None' : failed, gasUsed, logs: told.logs.map(machineLog) };
  }

  /** Times of its blocks go up, those of a chain of outputs need not. */
  async #mineAt(time: number): Promise<void> {
    const { timestamp } = (await this.evm.request('eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
    this.evm.now = Math.max(time, Number(timestamp) + 1);
    await this.evm.request('evm_mine', [numberToHex(this.evm.now)]);
  }

  #receipts(): readonly MachineReceipt[] {
    return this.#done.flatMap(({ hash, receipts }) => receipts.map((receipt) => ({ ...receipt, blockHash: hash })));
  }
}
