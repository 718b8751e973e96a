import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { swapContractBytecode } from '../../../src/chains/evm/contract/artefact.ts';
import { startAnvil } from '../evm/anvil.ts';
import { compiled } from '../evm/compiled.ts';
import type { MatrixChain, ToldBlock, Troubles } from './chain.ts';
import { type EvmPlace, type EvmReceipt, type EvmTransaction, evmBooks, toldOf } from './evm-ledger.ts';

export type EvmTerms = {
  readonly chainId: number;
  readonly blockTime: number;
  /** Digits of its token, or null where its own coin is traded. */
  readonly token: number | null;
  /** Whether wallets tell base fee and tip apart. */
  readonly dynamic: boolean;
};

/** How a party's node is told of the chain. */
export type EvmAccess = {
  readonly chainId: number;
  readonly contract: string;
  readonly token: string | null;
  readonly decimals: number;
  readonly dynamic: boolean;
};

const GWEI = 10n ** 9n;
const BASE_FEE = GWEI;
const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** What whoever claims there has beside what is traded, in wei. */
const FUEL = 10n ** 17n;
const MANY = 1_000_000_000_000n;

const hexOf = (value: bigint | number): string => `0x${value.toString(16)}`;
const word = (value: bigint | string): string =>
  (typeof value === 'string' ? value : value.toString(16)).padStart(64, '0');

/** Anvil with our swap contract, and a token where one is traded. It gives nothing back that a reorganisation takes. */
export async function startEvmNode({ chainId, blockTime, token: digits, dynamic }: EvmTerms): Promise<MatrixChain> {
  const options = [
    `--chain-id=${chainId}`,
    `--block-base-fee-per-gas=${BASE_FEE}`,
    '--gas-limit=300000000',
    '--auto-impersonate',
  ];
  const anvil = await startAnvil(options);
  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: { readonly message: string };
    };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  const number = async (method: string, ...params: readonly unknown[]): Promise<bigint> =>
    BigInt(String(await ask(method, ...params)));
  const lastBlock = async () => (await ask('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
  const time = async () => Number((await lastBlock()).timestamp);
  /** Base fees stay what they are told to be. */
  const mine = async (at: number, fee = BASE_FEE) => {
    await ask('anvil_setNextBlockBaseFeePerGas', hexOf(fee));
    await ask('evm_mine', hexOf(Math.max(at, (await time()) + 1)));
  };
  const act = async (call: { readonly to?: string; readonly data: string }): Promise<string | null> => {
    const id = await ask('eth_sendTransaction', { from: OWNER, gas: hexOf(5_000_000), ...call });
    await mine(0);
    const receipt = (await ask('eth_getTransactionReceipt', id)) as EvmReceipt & {
      readonly contractAddress: string | null;
    };
    if (receipt.status !== '0x1') throw new Error('a call of the test failed');
    return receipt.contractAddress;
  };
  const contract = (await act({ data: swapContractBytecode }))?.slice(2) ?? '';
  const token = digits === null ? null : ((await act({ data: await tokenCode(digits) }))?.slice(2) ?? '');
  const place: EvmPlace = { contract, token };
  const wallets = new Set<string>();
  const balance = (script: string): Promise<bigint> =>
    token === null ? number('eth_getBalance', `0x${script}`, 'latest') : balanceOf(script);
  const balanceOf = (script: string): Promise<bigint> =>
    number('eth_call', { to: `0x${token}`, data: `0x70a08231${word(script)}` }, 'latest');
  const fuel = async (script: string, wei: bigint) => {
    await ask('anvil_setBalance', `0x${script}`, hexOf(wei));
  };
  return {
    entry: {
      mm2: 1,
      avg_blocktime: blockTime,
      max_eth_tx_type: dynamic ? 2 : 0,
      ...(token === null ? {} : { decimals: digits }),
    },
    conf: '',
    url: anvil.url,
    client: null,
    blockTime,
    replaces: true,
    decimals: digits ?? 18,
    evm: { chainId, contract, token, decimals: digits ?? 18, dynamic },
    books: evmBooks(place),
    // With an approval of a token, and what fills a nonce.
    costs: { calm: 10n ** 15n, usual: 10n ** 16n, dear: 10n ** 17n, transactions: token === null ? 4 : 5 },
    height: async () => Number(await number('eth_blockNumber')),
    time,
    // In gwei, what a block asks for.
    mine: (at, least) => mine(at, least === undefined ? BASE_FEE : BigInt(least) * GWEI),
    async takeBack(blocks) {
      await ask('anvil_dropAllTransactions');
      await ask('anvil_rollback', blocks);
    },
    async restart() {
      await ask('anvil_dropAllTransactions');
    },
    async fund(key, { count, value }) {
      const script = accountOf(key);
      wallets.add(script);
      const amount = BigInt(count) * value;
      if (token === null) await fuel(script, amount + FUEL);
      else {
        await fuel(script, FUEL);
        await act({ to: `0x${token}`, data: `0x40c10f19${word(script)}${word(amount)}` });
        // Somebody else’s, so that amounts of the contract are not the token’s whole.
        await act({ to: `0x${token}`, data: `0x40c10f19${word(OWNER.slice(2))}${word(MANY)}` });
      }
      await mine(0);
    },
    async fuel(key) {
      const script = accountOf(key);
      if (wallets.has(script)) return;
      wallets.add(script);
      await fuel(script, FUEL);
    },
    scriptOf: accountOf,
    async blocksAbove(height) {
      const found: ToldBlock[] = [];
      for (let at = height + 1; at <= Number(await number('eth_blockNumber')); at += 1) {
        const block = (await ask('eth_getBlockByNumber', hexOf(at), true)) as Block;
        const receipts = (await ask('eth_getBlockReceipts', hexOf(at))) as readonly EvmReceipt[];
        const transactions = block.transactions.map((each, index) => toldOf(each, receipts[index] ?? null));
        found.push({ height: at, hash: block.hash, transactions });
      }
      const last = found.at(-1);
      if (last === undefined) return found;
      const balances = new Map<string, bigint>();
      for (const script of wallets) balances.set(script, await balance(script));
      return [...found.slice(0, -1), { ...last, balances }];
    },
    async waiting() {
      const pool = (await ask('txpool_content')) as Readonly<Record<'pending' | 'queued', Pool>>;
      return [pool.pending, pool.queued].flatMap((part) =>
        Object.values(part).flatMap((all) => Object.values(all).map((each) => toldOf(each, null))),
      );
    },
    counted: balance,
    troubles: troublesOf(place, ask),
    stop: async () => anvil.stop(),
  };
}

type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** More than any wallet offers on a usual day, in wei. */
const DEAR = 50n * GWEI;
/** Code that gives back what it did not use, and code that uses all. */
const BROKEN = { refusal: '0x60006000fd', gas: '0xfe' } as const;

function troublesOf({ contract, token }: EvmPlace, ask: Ask): Troubles {
  let code: unknown = null;
  return {
    async break(by) {
      code ??= await ask('eth_getCode', `0x${contract}`, 'latest');
      await ask('anvil_setCode', `0x${contract}`, by === null ? code : BROKEN[by]);
    },
    async steal(key) {
      const from = `0x${accountOf(key)}`;
      const nonce = await ask('eth_getTransactionCount', from, 'latest');
      await ask('eth_sendTransaction', { from, to: from, nonce, gas: hexOf(21_000), gasPrice: hexOf(DEAR) });
    },
    async disallow(key) {
      const slot = (owner: string, of: string) =>
        Buffer.from(keccak_256(Buffer.from(word(owner) + of, 'hex'))).toString('hex');
      const place = slot(contract, slot(accountOf(key), word(1n)));
      await ask('anvil_setStorageAt', `0x${token}`, `0x${place}`, `0x${word(0n)}`);
    },
  };
}

type Block = { readonly hash: string; readonly transactions: readonly EvmTransaction[] };
type Pool = Readonly<Record<string, Readonly<Record<string, EvmTransaction>>>>;

async function tokenCode(digits: number): Promise<string> {
  const { StandardToken } = await compiled();
  return `${StandardToken.bytecode}${word(BigInt(digits))}${word(0n)}${word(0n)}`;
}

/** The account of a public key of 33 bytes, in hex. */
function accountOf(key: Uint8Array): string {
  const long = secp256k1.Point.fromBytes(key).toBytes(false).subarray(1);
  return Buffer.from(keccak_256(long)).toString('hex').slice(24);
}
