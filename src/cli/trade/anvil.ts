import { createRequire } from 'node:module';
import { addressText } from '../../chains/evm/address.ts';
import { swapContractBytecode } from '../../chains/evm/contract/artefact.ts';
import { type DecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import { keccak256 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../primitives/json.ts';
import { activateByTask } from './activate-by-task.ts';
import { callFailed, partFailed } from './error.ts';
import { freePort } from './free-port.ts';
import { CONFIRMATIONS, type PlayChain, type Staging } from './stage.ts';
import { untilReady } from './until-ready.ts';

type Anvil = Staging & { readonly program: string; readonly ticker: string };

const CHAIN_ID = 31_337;
const WEI_DIGITS = 18;
/** Enough for the calls of some swaps. */
const GAS = '0.25';
const PAID = `0x${bytesToHex(keccak256(new TextEncoder().encode('PaymentSent(bytes32)')))}`;

/** Where npm has put anvil for this machine; else whichever the path has. */
export function usualAnvil(): string {
  const { arch, platform } = process;
  const folder = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}/bin`;
  try {
    return createRequire(import.meta.url).resolve(`${folder}/${platform === 'win32' ? 'anvil.exe' : 'anvil'}`);
  } catch {
    return 'anvil';
  }
}

/** An EVM chain of anvil, in a process of its own, with the swap contract of this package on it. */
export async function startAnvil({ cast, program, ticker }: Anvil): Promise<PlayChain> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // What is two blocks below the head is final: a play waits for no 64 blocks.
  const epochs = ['--slots-in-an-epoch', '1'];
  const options = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(CHAIN_ID),
    '--no-mining',
    ...epochs,
  ];
  const { gone } = cast.spawn(program, options);
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  const call = (method: string, ...params: readonly JsonValue[]) => callChain(url, method, params);
  await untilReady(() => call('eth_chainId'), { program, isGone: () => isGone });
  const [owner = ''] = (await call('eth_accounts')) as readonly string[];
  const mine = async (): Promise<void> => void (await call('evm_mine'));
  const contract = await deploy({ call, mine, owner, program });
  const height = async (): Promise<number> => Number(await call('eth_blockNumber'));
  return {
    ticker,
    entry: {
      ...{ coin: ticker, mm2: 1, avg_blocktime: 1, max_eth_tx_type: 2 },
      required_confirmations: CONFIRMATIONS[ticker],
      protocol: { type: 'ETH', protocol_data: { chain_id: CHAIN_ID } },
    },
    way: 'by a task over a node of its EVM chain',
    gas: GAS,
    activate: (ask) => activateByTask(ask, { ticker, node: url, contract: addressText(contract.slice(2)) }),
    mine,
    async pay(to, amount) {
      const value = `0x${toBaseUnits(amount as DecimalText, WEI_DIGITS).toString(16)}`;
      await call('eth_sendTransaction', { from: owner, to, value });
    },
    height,
    told: height,
    async payments(from) {
      const logs = await call('eth_getLogs', {
        address: contract,
        topics: [PAID],
        fromBlock: `0x${from.toString(16)}`,
      });
      return (logs as readonly JsonValue[]).length;
    },
  };
}

type Deploying = {
  readonly call: (method: string, ...params: readonly JsonValue[]) => Promise<JsonValue>;
  readonly mine: () => Promise<void>;
  readonly owner: string;
  readonly program: string;
};

/** The address of the contract, in lower case with 0x. */
async function deploy({ call, mine, owner, program }: Deploying): Promise<string> {
  const id = await call('eth_sendTransaction', { from: owner, data: swapContractBytecode });
  await mine();
  const { contractAddress } = ((await call('eth_getTransactionReceipt', id)) ?? {}) as JsonObject;
  if (typeof contractAddress === 'string') return contractAddress.toLowerCase();
  throw partFailed(program, 'the swap contract was not created');
}

/** @throws TradeError TRADE_CALL_FAILED */
async function callChain(url: string, method: string, params: readonly JsonValue[]): Promise<JsonValue> {
  const body = stringifyJson({ jsonrpc: '2.0', id: 0, method, params: [...params] });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result = null, error = null } = parseJson(await response.text()) as JsonObject;
  if (error === null) return result;
  throw callFailed(method, stringifyJson(error));
}
