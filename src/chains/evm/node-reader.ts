import { BackendSilent } from '../../ports/silence.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex, hexToBytes } from '../../primitives/hex.ts';
import { unixSecondsOf } from '../../primitives/time.ts';
import { type JsonMembers, listOf, membersOf } from '../accounts/json.ts';
import { NodeRefusal } from '../accounts/node.ts';
import { AnswerTooLong } from '../accounts/silence.ts';
import { askingAgain } from './asking-again.ts';
import { heldToEvmChain } from './held-node.ts';
import { bytesOf, countOf, isAbsent, quantityOf } from './json.ts';
import type { EvmNode } from './node.ts';
import { gasPriceOf, tipOf } from './node-price.ts';
import { isAskedTooMuch, isTooWide } from './node-refusals.ts';
import { bytesOfTold } from './node-transaction.ts';
import {
  type Call,
  CallReverted,
  type EvmBlock,
  type EvmLook,
  type EvmReader,
  type EvmReceipt,
  type Included,
  type Intent,
  type Known,
  type Log,
  type LogRange,
  RangeTooWide,
} from './reader.ts';
import { hex0 } from './transaction.ts';
import { waitingOf } from './waiting.ts';

/**
 * A reader over one node, which is trusted once it says that it is on the chain: over each connection, and again after each failure.
 *
 * @example
 * ```ts
 * import { createEvmNodeReader } from 'swapfold/chains/evm';
 *
 * const block = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x65536f00' };
 * const told: Record<string, unknown> = {
 *   ...{ eth_chainId: '0x1', eth_getBlockByNumber: block },
 *   eth_getBalance: '0x14d1120d7b160000',
 * };
 * const node = { name: 'a node', request: async (method: string) => told[method] };
 * const reader = createEvmNodeReader(node, 1);
 * const look = await reader.look();
 * [look.head.number, look.head.time]; // → [16, 1_699_966_720]
 * await look.balance('11'.repeat(20)); // → 15n * 10n ** 17n
 * ```
 */
export function createEvmNodeReader(believed: EvmNode, chainId: number): EvmNodeReader {
  const node = askingAgain(heldToEvmChain(believed, chainId));
  const head = async (): Promise<EvmBlock> => {
    const block = await blockOf(node, 'latest');
    if (block === null) throw new BackendSilent(`${node.name} has no block`);
    return block;
  };
  return {
    name: node.name,
    head,
    block: (number) => blockOf(node, quantity(number)),
    lookAt: (at) => lookAt(node, at),
    look: async () => lookAt(node, await head()),
    async send(hex) {
      try {
        await node.request('eth_sendRawTransaction', [hex0(hex)]);
        return null;
      } catch (error) {
        if (error instanceof NodeRefusal) return { code: error.code, message: error.message };
        throw error;
      }
    },
  };
}

/** A reader over one node, with what asking several the same needs. */
export type EvmNodeReader = EvmReader & {
  readonly name: string;
  /** Its best block. */
  head(): Promise<EvmBlock>;
  block(number: number): Promise<EvmBlock | null>;
  /** A look at a block that the node has. */
  lookAt(head: EvmBlock): EvmLook;
};

function quantity(number: number): string {
  return `0x${number.toString(16)}`;
}

/** An answer; a node's refusal is not one. */
async function asked(node: EvmNode, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await node.request(method, params);
  } catch (error) {
    if (error instanceof NodeRefusal) throw new BackendSilent(`${node.name} refuses ${method}: ${error.message}`);
    throw error;
  }
}

async function blockOf(node: EvmNode, at: string): Promise<EvmBlock | null> {
  const told = await asked(node, 'eth_getBlockByNumber', [at, false]);
  return isAbsent(told) ? null : readBlock(membersOf(told, 'a block'));
}

function readBlock(told: JsonMembers): EvmBlock {
  const fee = told['baseFeePerGas'];
  return {
    number: countOf(told['number'], 'the number of a block'),
    hash: bytesOf(told['hash'], { what: 'the hash of a block', bytes: 32 }),
    time: unixSecondsOf(countOf(told['timestamp'], 'the time of a block')),
    baseFee: isAbsent(fee) ? null : quantityOf(fee, 'a base fee'),
  };
}

function lookAt(node: EvmNode, head: EvmBlock): EvmLook {
  // By its hash: a node with another block there does not answer.
  const pinned = { blockHash: hex0(head.hash), requireCanonical: true };
  const at = (number: number) => (number === head.number ? pinned : quantity(number));
  return {
    head,
    settled: true,
    call: (call) => callAt(node, { ...call, at: call.block === undefined ? pinned : at(call.block) }),
    balance: async (account) => quantityOf(await asked(node, 'eth_getBalance', [hex0(account), pinned]), 'a balance'),
    code: async (account) => {
      const told = await asked(node, 'eth_getCode', [hex0(account), pinned]);
      return bytesOf(told, { what: 'the code of a contract' });
    },
    used: async (account, number = head.number) =>
      countOf(await asked(node, 'eth_getTransactionCount', [hex0(account), at(number)]), 'a count'),
    promised: async (account) =>
      countOf(await asked(node, 'eth_getTransactionCount', [hex0(account), 'pending']), 'a count'),
    receipt: (id) => receiptOf(node, { id, head }),
    transaction: (id) => transactionOf(node, id),
    logs: async (range) => ({ told: [await logsOf(node, range)], need: 1 }),
    waiting: (interest) => waitingOf(node, { interest, head }),
    block: (number) => blockOf(node, quantity(number)),
    included: (number) => includedIn(node, number),
    ids: (number) => idsIn(node, number),
    gas: (intent) => gasOf(node, intent),
    finalized: async () => ({ told: [await finalizedOf(node)], need: 1 }),
    price: (kind) => (kind === 'legacy' ? gasPriceOf(node) : tipOf(node, head.baseFee)),
  };
}

/** A node of a chain without that tag refuses it; one with too many requests says nothing about it. */
async function finalizedOf(node: EvmNode): Promise<number | null> {
  const told = await node.request('eth_getBlockByNumber', ['finalized', false]).catch((error: unknown) => {
    if (!(error instanceof NodeRefusal)) throw error;
    if (!isAskedTooMuch(error)) return null;
    throw new BackendSilent(`${node.name} refuses eth_getBlockByNumber: ${error.message}`);
  });
  return isAbsent(told) ? null : readBlock(membersOf(told, 'a block')).number;
}

type Calling = Call & { readonly at: unknown };

/** By its own code, or by words: older nodes have one code for everything. */
const REVERTED = 3;

async function callAt(node: EvmNode, { to, data, from, gas, code, balance, at }: Calling): Promise<string> {
  const rich = balance === undefined ? {} : { balance: hex0(balance.toString(16)) };
  const override = code === undefined ? [] : [{ [hex0(to)]: { code: hex0(code), ...rich } }];
  const call = {
    ...(from === undefined ? {} : { from: hex0(from) }),
    ...(gas === undefined ? {} : { gas: hex0(gas.toString(16)) }),
    to: hex0(to),
    data: hex0(data),
  };
  try {
    return bytesOf(await node.request('eth_call', [call, at, ...override]), { what: 'the answer to a call' });
  } catch (error) {
    throw revertOf(error, { node, method: 'eth_call', limited: gas !== undefined });
  }
}

const OUT_OF_GAS = /out ?of ?gas|gas required exceeds|intrinsic gas/i;

type Asked = { readonly node: EvmNode; readonly method: string; readonly limited?: boolean };

function revertOf(error: unknown, { node, method, limited = false }: Asked): unknown {
  if (!(error instanceof NodeRefusal)) return error;
  const { code, message } = error;
  const reverted = code === REVERTED || /revert/i.test(message) || (limited && OUT_OF_GAS.test(message));
  return reverted ? new CallReverted(message) : new BackendSilent(`${node.name} refuses ${method}: ${message}`);
}

async function gasOf(node: EvmNode, { from, to, value, data }: Intent): Promise<bigint> {
  const call = { from: hex0(from), to: hex0(to), value: hex0(value.toString(16)), data: hex0(data) };
  try {
    return quantityOf(await node.request('eth_estimateGas', [call]), 'an estimate of gas');
  } catch (error) {
    throw revertOf(error, { node, method: 'eth_estimateGas' });
  }
}

type Held = { readonly number: number; readonly whole: boolean };

/** What is in a block, or only its ids. */
async function heldIn(node: EvmNode, { number, whole }: Held): Promise<readonly unknown[]> {
  const told = await asked(node, 'eth_getBlockByNumber', [quantity(number), whole]);
  if (isAbsent(told)) throw new BackendSilent(`${node.name} has no block ${number}`);
  return listOf(membersOf(told, 'a block')['transactions'], 'transactions');
}

async function idsIn(node: EvmNode, number: number): Promise<readonly string[]> {
  return (await heldIn(node, { number, whole: false })).map(idOf);
}

function idOf(told: unknown): string {
  return bytesOf(told, { what: 'the id of a transaction', bytes: 32 });
}

async function includedIn(node: EvmNode, number: number): Promise<readonly Included[]> {
  return (await heldIn(node, { number, whole: true })).map((one) => {
    const members = membersOf(one, 'a transaction');
    return {
      id: idOf(members['hash']),
      from: bytesOf(members['from'], { what: 'the account of a transaction', bytes: 20 }),
      nonce: countOf(members['nonce'], 'a nonce'),
    };
  });
}

async function receiptOf(node: EvmNode, { id, head }: { id: string; head: EvmBlock }): Promise<EvmReceipt | null> {
  const told = await asked(node, 'eth_getTransactionReceipt', [hex0(id)]);
  if (isAbsent(told)) return null;
  const members = membersOf(told, 'a receipt');
  const block = countOf(members['blockNumber'], 'the block of a receipt');
  if (block > head.number) return null;
  return {
    block,
    succeeded: quantityOf(members['status'], 'the status of a receipt') === 1n,
    logs: listOf(members['logs'], 'the logs of a receipt').map(readLog),
  };
}

function readLog(told: unknown): Log {
  const members = membersOf(told, 'a log');
  return {
    contract: bytesOf(members['address'], { what: 'the contract of a log', bytes: 20 }),
    topics: listOf(members['topics'], 'topics').map((topic) => bytesOf(topic, { what: 'a topic', bytes: 32 })),
    data: bytesOf(members['data'], { what: 'the data of a log' }),
    transaction: bytesOf(members['transactionHash'], { what: 'the transaction of a log', bytes: 32 }),
    block: countOf(members['blockNumber'], 'the block of a log'),
  };
}

async function transactionOf(node: EvmNode, id: string): Promise<Known | null> {
  const told = await asked(node, 'eth_getTransactionByHash', [hex0(id)]);
  if (isAbsent(told)) return null;
  const members = membersOf(told, 'a transaction');
  return {
    hex: bytesOfTold(members, id) ?? (await rawOf(node, id)),
    isWaiting: isAbsent(members['blockHash']) || isAbsent(members['blockNumber']),
  };
}

/** For an unknown form: its bytes, if the node gives them. */
async function rawOf(node: EvmNode, id: string): Promise<string | null> {
  const raw = await node.request('eth_getRawTransactionByHash', [hex0(id)]).catch(() => null);
  if (typeof raw !== 'string') return null;
  const hex = bytesOf(raw, { what: 'the bytes of a transaction' });
  return bytesToHex(keccak256(hexToBytes(hex))) === id ? hex : null;
}

async function logsOf(node: EvmNode, { contract, from, to }: LogRange): Promise<readonly Log[]> {
  const filter = { address: hex0(contract), fromBlock: quantity(from), toBlock: quantity(to) };
  const told = await node.request('eth_getLogs', [filter]).catch((error: unknown) => {
    if (error instanceof AnswerTooLong && from < to) throw new RangeTooWide(error.message);
    if (!(error instanceof NodeRefusal)) throw error;
    const why = `${node.name} refuses eth_getLogs: ${error.message}`;
    throw from < to && isTooWide(error) ? new RangeTooWide(why) : new BackendSilent(why);
  });
  const logs = listOf(told, 'logs').map(readLog);
  return logs.filter((log) => log.contract === contract && log.block >= from && log.block <= to);
}
