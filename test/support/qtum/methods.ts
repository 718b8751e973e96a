import { contractCallsOf, decodeContractCall, gasCost } from '../../../src/htlc/contract-output.ts';
import { isJsonObject, type JsonValue } from '../../../src/primitives/json.ts';
import { METHODS } from '../../../src/rpc/index.ts';
import type { NodeContext } from '../../../src/rpc/smart-chain/context.ts';
import type { Params, RpcMethod } from '../../../src/rpc/smart-chain/method.ts';
import { integerAt, textAt } from '../../../src/rpc/smart-chain/params.ts';
import { refusalError } from '../../../src/rpc/smart-chain/refusal-error.ts';
import { RPC_CODE, RpcError } from '../../../src/rpc/smart-chain/rpc-error.ts';
import { transactionAt } from '../../../src/rpc/smart-chain/transaction-param.ts';
import type { IdentifiedTransaction } from '../../../src/smartchain/chain/block.ts';
import { type ContractMachine, type MachineLog, type MachineReceipt, machineLog } from './machine.ts';
import { accountOfInput, spentBy } from './senders.ts';

/** What Qtum's nodes ask of a transaction that waits: of its gas, and for 1,000 of its bytes. */
export const LEAST_GAS_PRICE = 40n;
const LEAST_GAS = 22_000n;
export const RELAY_RATE = 400_000n;

/** The calls of a node that a chain with contracts has beside those of any other. */
export function qtumMethods(machine: ContractMachine): readonly RpcMethod[] {
  const own: readonly RpcMethod[] = [
    {
      name: 'callcontract',
      usage: '"address" "data" ( address )',
      summary: 'Calls a contract and changes nothing.',
      arity: [2, 3],
      run: (params, { chain }) =>
        machine.inTurn(async () => {
          await machine.follow(chain.tree.ledger);
          return callContract(machine, params);
        }),
    },
    {
      name: 'gettransactionreceipt',
      usage: '"hash"',
      summary: 'Tells what became of the calls of a transaction.',
      arity: [1, 1],
      run: (params, { chain }) =>
        machine.inTurn(async () => {
          await machine.follow(chain.tree.ledger);
          return machine.receiptsOf(textAt(params, 0));
        }),
    },
    {
      name: 'searchlogs',
      usage: '<fromBlock> <toBlock> ( "address" ) ( "topics" ) ( minconf )',
      summary: 'Tells the receipts in which contracts told of something.',
      arity: [2, 5],
      run: (params, { chain }) =>
        machine.inTurn(async () => {
          await machine.follow(chain.tree.ledger);
          return searchLogs(machine, params);
        }),
    },
    {
      name: 'sendrawtransaction',
      usage: '"hexstring" ( allowhighfees )',
      summary: 'Submits a signed transaction in hex; returns its id.',
      arity: [1, 2],
      run: submitted,
    },
  ];
  const names = new Set(own.map(({ name }) => name));
  return [...METHODS.filter(({ name }) => !names.has(name)), ...own];
}

type Simulated = {
  readonly returnData: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly logs: readonly MachineLog[];
};

async function callContract({ evm }: ContractMachine, params: Params): Promise<object> {
  const [address, data] = [textAt(params, 0), textAt(params, 1)];
  const code = (await evm.request('eth_getCode', [`0x${address}`, 'latest'])) as string;
  if (code === '0x') throw new RpcError(RPC_CODE.addressOrKey, 'Address does not exist');
  const sender = typeof params[2] === 'string' && params[2] !== '' ? { from: `0x${params[2]}` } : {};
  const call = { to: `0x${address}`, data: `0x${data}`, ...sender };
  const blocks = await evm.request('eth_simulateV1', [{ blockStateCalls: [{ calls: [call] }] }, 'latest']);
  const [{ calls }] = blocks as [{ readonly calls: [Simulated] }];
  const [{ returnData, status, gasUsed, logs }] = calls;
  const executionResult = {
    gasUsed: Number(gasUsed),
    excepted: status === '0x1' ? 'None' : 'Revert',
    output: returnData.slice(2),
  };
  return { address, executionResult, transactionReceipt: { gasUsed: Number(gasUsed), log: logs.map(machineLog) } };
}

function searchLogs(machine: ContractMachine, params: Params): readonly MachineReceipt[] {
  const to = integerAt(params, 1);
  const addresses = textsIn(params[2], 'addresses');
  const topics = textsIn(params[3], 'topics');
  return machine
    .receiptsIn(integerAt(params, 0), to < 0 ? Number.MAX_SAFE_INTEGER : to)
    .filter(({ log }) =>
      log.some(
        (one) =>
          (addresses.length === 0 || addresses.includes(one.address)) &&
          (topics.length === 0 || topics.some((topic, place) => topic !== null && one.topics[place] === topic)),
      ),
    );
}

/** Null where a place of the list is open. */
function textsIn(value: JsonValue | undefined, name: string): readonly (string | null)[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? one : null)) : [];
}

function submitted(params: Params, { chain }: NodeContext): string {
  const identified = transactionAt(params, 0);
  const { txid } = identified;
  const inChain = (chain.tree.ledger.transactions.get(txid)?.spendable ?? 0) > 0;
  if (inChain && !chain.mempool().entries.has(txid)) {
    throw new RpcError(RPC_CODE.alreadyInChain, 'transaction already in block chain');
  }
  const problem = contractProblem(identified, chain);
  if (problem !== null) throw new RpcError(RPC_CODE.rejected, `16: ${problem}`);
  const answer = chain.submit(identified, { allowHighFees: true });
  if ('refused' in answer) throw refusalError(answer.refused);
  return txid;
}

function contractProblem(identified: IdentifiedTransaction, chain: NodeContext['chain']): string | null {
  const { outputs } = identified.transaction;
  const isBad = outputs.some(({ script }) => {
    const call = decodeContractCall(script);
    return call !== undefined && 'problem' in call;
  });
  if (isBad) return 'bad-tx-bad-contract-format';
  const calls = contractCallsOf(outputs);
  if (calls.length === 0) return null;
  if (calls.some(({ gasPrice }) => gasPrice < LEAST_GAS_PRICE)) return 'bad-tx-low-gas-price';
  if (calls.some(({ gasLimit }) => gasLimit < LEAST_GAS)) return 'bad-tx-too-little-mempool-gas';
  if (accountOfInput(identified, chain) === undefined) return null;
  const spent = spentBy(identified, chain);
  if (spent === undefined) return null;
  const fee = spent - outputs.reduce((sum, { value }) => sum + value, 0n);
  const relay = (RELAY_RATE * BigInt(identified.bytes.length)) / 1000n;
  return fee < gasCost(outputs) + relay ? 'bad-txns-fee-notenough' : null;
}
