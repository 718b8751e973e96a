import { concatBytes } from '../../src/htlc/byte-writer.ts';
import type { DecodedTransaction, TransactionOutput } from '../../src/htlc/transaction.ts';
import { createMemoryLog } from '../../src/log/memory/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { millisOf } from '../../src/primitives/time.ts';
import {
  BLOCK_VERSION,
  type Block,
  type BlockHeader,
  encodeBlock,
  headerHash,
  type IdentifiedTransaction,
  merkleRoot,
  NO_BLOCK,
} from '../../src/smartchain/chain/block.ts';
import { NO_OUTPUT } from '../../src/smartchain/chain/check-transaction.ts';
import { blockSubsidy, heightScript } from '../../src/smartchain/chain/connect-block.ts';
import { meetsTarget, searchNonce } from '../../src/smartchain/chain/proof-of-work.ts';
import type { Refusal } from '../../src/smartchain/chain/refusal.ts';
import type { BlockNode } from '../../src/smartchain/chain/tree.ts';
import { secretKeyOfSeed } from '../../src/smartchain/keys/seed.ts';
import { openSmartChain, type SmartChain, type SmartChainOptions } from '../../src/smartchain/node.ts';
import { type ChainParams, PREFIXES } from '../../src/smartchain/params.ts';
import { payToKeyScript } from '../../src/smartchain/tokens/scripts.ts';
import { encodeChainTransaction, formAt, transactionIdOf } from '../../src/smartchain/transaction.ts';
import type { SpendableCoin } from '../../src/smartchain/wallet/choose-coins.ts';
import { coinsOfKey } from '../../src/smartchain/wallet/coins.ts';
import { addKey, type Keyring, keyring, type WalletKey } from '../../src/smartchain/wallet/keyring.ts';
import { signTransaction } from '../../src/smartchain/wallet/sign.ts';
import { type Built, draftTransaction, type TokenMaker } from '../../src/smartchain/wallet/token-transactions.ts';

const START = 1_800_000_000;

/** A chain with a clock that goes on by one second at every look, and a few keys. */
export type TestChain = {
  chain: SmartChain;
  readonly log: EventLog;
  readonly ring: Keyring;
  readonly keys: readonly [WalletKey, WalletKey, WalletKey];
  /** Opens the chain anew from the same log, as after a crash. */
  restart(): Promise<SmartChain>;
};

/** Opens a chain whose coins mature after one block, unless `params` say otherwise. */
export async function testChain(
  options: Partial<Omit<SmartChainOptions, 'params'>> & { readonly params?: Partial<ChainParams> } = {},
): Promise<TestChain> {
  const log = options.log ?? createMemoryLog();
  let seconds = START;
  const now = () => millisOf(1000 * seconds++);
  const params = { maturity: 1, reward: 1_000_000n, passiveEvals: [0xf7], ...options.params };
  const open = () => openSmartChain({ now, ...options, log, params });
  const ring = keyring(PREFIXES.main);
  const key = (seed: string) => addKey(ring, { secretKey: secretKeyOfSeed(seed), compressed: true });
  const test: TestChain = {
    chain: await open(),
    log,
    ring,
    keys: [key('a'), key('b'), key('c')],
    async restart() {
      test.chain = await open();
      return test.chain;
    },
  };
  return test;
}

export function scriptOf({ publicKey }: WalletKey): Uint8Array {
  return payToKeyScript(publicKey);
}

/** Mines so many blocks for the first key. */
export async function mineBlocks({ chain, keys: [first] }: TestChain, count: number): Promise<Block> {
  let block: Block | undefined;
  for (let index = 0; index < count; index++) block = await chain.mine({ script: scriptOf(first) });
  return block as Block;
}

export type SpendOptions = {
  readonly coins: readonly SpendableCoin[];
  readonly outputs: readonly TransactionOutput[];
  /** Changes what is signed. */
  readonly edit?: (draft: DecodedTransaction) => DecodedTransaction;
};

/** A signed transaction that spends coins of the held keys. */
export function spend(
  { chain, ring }: Pick<TestChain, 'chain' | 'ring'>,
  { coins, outputs, edit = (draft) => draft }: SpendOptions,
): IdentifiedTransaction {
  const draft = edit(draftTransaction(chain, { inputs: coins, outputs }));
  const spent = draft.inputs.map((_, index) => (coins[index] ?? (coins[0] as SpendableCoin)).output);
  return identified(signTransaction(draft, { spent, ring, boundEvals: [0xf7] }).transaction);
}

export function identified(transaction: DecodedTransaction): IdentifiedTransaction {
  const bytes = encodeChainTransaction(transaction);
  return { txid: transactionIdOf(bytes), transaction, bytes };
}

/** An output of a transaction as a coin. */
export function coinAt({ txid, transaction }: IdentifiedTransaction, vout: number): SpendableCoin {
  return { txid, vout, output: transaction.outputs[vout] as TransactionOutput };
}

/** The largest coin of a key that can be spent now. */
export function largestCoin({ chain }: Pick<TestChain, 'chain'>, { publicKey }: WalletKey): SpendableCoin {
  const [coin] = coinsOfKey(chain, publicKey).sort((left, right) => (left.output.value < right.output.value ? 1 : -1));
  if (coin === undefined) throw new Error('the key has no coin');
  return coin;
}

export function makerOf({ chain, ring }: Pick<TestChain, 'chain' | 'ring'>, { publicKey }: WalletKey): TokenMaker {
  return { chain, ring, publicKey };
}

/** What was built, signed throughout; throws where there is an error instead. */
export function builtOf(built: Built): IdentifiedTransaction {
  if ('error' in built) throw new Error(built.error);
  if (built.unsigned.length > 0) throw new Error(`inputs ${built.unsigned} are not signed`);
  return built.built;
}

/** Submits what must be taken. */
export function submit({ chain }: Pick<TestChain, 'chain'>, transaction: IdentifiedTransaction): IdentifiedTransaction {
  const answer = chain.submit(transaction);
  if ('refused' in answer) throw new Error(`refused: ${reasonOf(answer.refused)}`);
  return transaction;
}

/** A refusal as the node tells it: its class and reason. */
export function reasonOf(refusal: Refusal): string {
  if (refusal.kind === 'missing-inputs') return 'missing inputs';
  return refusal.kind === 'policy' ? `policy: ${refusal.reason}` : `${refusal.code}: ${refusal.reason}`;
}

/** Why something was refused; `taken` when it was not. */
export function answerOf(answer: object): string {
  return 'refused' in answer ? reasonOf((answer as { refused: Refusal }).refused) : 'taken';
}

export type BlockEdit = {
  readonly transactions?: readonly IdentifiedTransaction[];
  readonly header?: Partial<BlockHeader>;
  readonly coinbase?: (transaction: DecodedTransaction) => DecodedTransaction;
  /** Transactions that stand in the block whatever its root says. */
  readonly carried?: (transactions: readonly IdentifiedTransaction[]) => readonly IdentifiedTransaction[];
  /** Takes a nonce that does not meet the target. */
  readonly withoutWork?: boolean;
};

/** A block on any parent, good unless it is edited. */
export function blockOn(parent: BlockNode, { params }: Pick<SmartChain, 'params'>, edit: BlockEdit = {}): Block {
  const height = parent.height + 1;
  const { transactions = [], coinbase = (transaction) => transaction } = edit;
  const first = identified(coinbase(coinbaseAt(params, height)));
  const all = [first, ...transactions];
  const header: BlockHeader = {
    version: BLOCK_VERSION,
    previous: parent.block.hash,
    merkleRoot: merkleRoot(all.map(({ txid }) => txid)),
    saplingRoot: NO_BLOCK,
    time: parent.block.header.time + 1,
    bits: params.bits,
    nonce: new Uint8Array(32),
    solution: new Uint8Array(0),
    ...edit.header,
  };
  const worked = edit.withoutWork === true ? idleHeader(header) : (searchNonce(header, 1000) ?? header);
  const carried = edit.carried?.(all) ?? all;
  const size = encodeBlock({ header: worked, transactions: carried }).length;
  return { hash: headerHash(worked), header: worked, transactions: carried, size };
}

function idleHeader(header: BlockHeader): BlockHeader {
  for (let nonce = 0; ; nonce++) {
    const candidate = { ...header, nonce: new Uint8Array(32).fill(nonce) };
    if (!meetsTarget(headerHash(candidate), header.bits)) return candidate;
  }
}

let coinbases = 0;

function coinbaseAt(params: ChainParams, height: number): DecodedTransaction {
  const mark = Uint8Array.of(4, ...new Uint8Array(new Uint32Array([coinbases++]).buffer));
  return {
    ...formAt(params, height),
    inputs: [
      { txid: NO_BLOCK, vout: NO_OUTPUT, scriptSig: concatBytes([heightScript(height), mark]), sequence: 0xffff_ffff },
    ],
    outputs: [{ value: blockSubsidy(params, height), script: Uint8Array.of(0x51) }],
    lockTime: 0,
  };
}
