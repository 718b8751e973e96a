import { swapContractBytecode } from '../../../src/chains/evm/contract/artefact.ts';
import { startAnvil } from '../evm/anvil.ts';
import type { MatrixChain } from './chain.ts';
import { type Asker, askerAt } from './evm-asker.ts';
import { coinOn } from './evm-coin.ts';
import type { EvmReceipt } from './evm-ledger.ts';
import { firstCall, type TokenTerms, tokenCode } from './evm-tokens.ts';
import { GWEI, hexOf, OWNER } from './evm-words.ts';

export type EvmTerms = {
  readonly chainId: number;
  readonly blockTime: number;
  /** Null where its own coin is traded. */
  readonly token: TokenTerms | null;
  /** A token that is traded for it there. @defaultValue none */
  readonly other?: TokenTerms;
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
  /** Whether payments promise rewards to whoever acts for a party. @defaultValue false */
  readonly rewards?: boolean;
};

/** A token of a chain, with its address in hex. */
export type PlacedToken = TokenTerms & { readonly address: string };

/** A node, and what a test does with it past all rules but those of its blocks. */
export type Anvilled = Pick<EvmTerms, 'chainId' | 'blockTime' | 'dynamic'> &
  Asker & {
    readonly url: string;
    readonly contract: string;
    readonly time: () => Promise<number>;
    /** Adds a block that asks for so much, in wei. @defaultValue what it asks for on a usual day */
    readonly mine: (at: number, fee?: bigint) => Promise<void>;
    /** Sends something as somebody else, and adds a block. @returns the address of what it creates */
    readonly act: (call: { readonly to?: string; readonly data: string }) => Promise<string | null>;
    readonly takeBack: (blocks: number) => Promise<void>;
    /** What is there now is what {@link anew} comes back to. */
    readonly keep: () => Promise<void>;
    /** Takes back all since: a block costs the node the more the more there are, and a cell has hundreds. */
    readonly anew: () => Promise<void>;
    /** Accounts that have been given something. */
    readonly fueled: Set<string>;
    readonly stop: () => void;
  };

/** Both coins of one chain that are traded for one another; the token’s takes its blocks from the other one. */
export type BothCoins = { readonly own: MatrixChain; readonly token: MatrixChain };

const BASE_FEE = GWEI;

/** Anvil with our swap contract, and a token where one is traded. It gives nothing back that a reorganisation takes. */
export async function startEvmNode(terms: EvmTerms): Promise<MatrixChain & { readonly both?: BothCoins }> {
  const node = await startNode(terms);
  const token = terms.token === null ? null : await placed(node, terms.token);
  const alone = coinOn(node, { token, beside: null });
  if (terms.other === undefined) {
    await node.keep();
    return alone;
  }
  const other = await placed(node, terms.other);
  await node.keep();
  const both = {
    own: coinOn(node, { token, beside: other }),
    token: { ...coinOn(node, { token: other, beside: token ?? 'own' }), isOver: true },
  };
  return { ...alone, both };
}

async function startNode({ chainId, blockTime, dynamic }: EvmTerms): Promise<Anvilled> {
  const options = [
    `--chain-id=${chainId}`,
    `--block-base-fee-per-gas=${BASE_FEE}`,
    '--gas-limit=300000000',
    '--auto-impersonate',
  ];
  const anvil = await startAnvil(options);
  const { ask, together } = askerAt(anvil.url);
  const lastBlock = async () => (await ask('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
  const time = async () => Number((await lastBlock()).timestamp);
  /** Time of the last block; null where that is to be asked. */
  let newest: number | null = null;
  /** Base fees stay what they are told to be. */
  const mine = async (at: number, fee = BASE_FEE) => {
    await ask('anvil_setNextBlockBaseFeePerGas', hexOf(fee));
    newest = Math.max(at, (newest ?? (await time())) + 1);
    await ask('evm_mine', hexOf(newest));
  };
  const act: Anvilled['act'] = async (call) => {
    const id = await ask('eth_sendTransaction', { from: OWNER, gas: hexOf(5_000_000), ...call });
    await mine(0);
    const receipt = (await ask('eth_getTransactionReceipt', id)) as EvmReceipt & {
      readonly contractAddress: string | null;
    };
    if (receipt.status !== '0x1') throw new Error('a call of the test failed');
    return receipt.contractAddress;
  };
  const fueled = new Set<string>();
  let kept: unknown = null;
  const keep = async (): Promise<void> => {
    kept = await ask('evm_snapshot');
  };
  return {
    ...{ chainId, blockTime, dynamic, ask, together, time, mine, act, fueled, keep },
    url: anvil.url,
    contract: (await act({ data: swapContractBytecode }))?.slice(2) ?? '',
    async takeBack(blocks) {
      await ask('anvil_dropAllTransactions');
      await ask('anvil_rollback', blocks);
      newest = null;
    },
    async anew() {
      await ask('anvil_dropAllTransactions');
      if ((await ask('evm_revert', kept)) !== true) throw new Error('anvil does not come back to where it began');
      newest = null;
      fueled.clear();
      await keep();
    },
    stop: () => anvil.stop(),
  };
}

async function placed({ act }: Anvilled, terms: TokenTerms): Promise<PlacedToken> {
  const address = (await act({ data: await tokenCode(terms) }))?.slice(2) ?? '';
  const first = firstCall(terms);
  if (first !== null) await act({ to: `0x${address}`, data: first });
  return { ...terms, address };
}
