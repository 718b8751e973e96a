import type { DecodedTransaction } from '../../htlc/transaction.ts';
import { EVAL_TOKENS } from '../eval-codes.ts';
import type { ChainParams } from '../params.ts';
import type { TokenLookup, TokenMove } from '../tokens/move.ts';
import { tokenMoveFault } from '../tokens/rules.ts';
import { atOnce } from '../turns.ts';
import { BLOCK_VERSION, type Block, type IdentifiedTransaction, merkleTree, NO_BLOCK } from './block.ts';
import { type CoinView, checkInputs, isRefusal } from './check-inputs.ts';
import { checkScripts } from './check-scripts.ts';
import { checkForm, checkTransaction, isCoinbase, isFinal } from './check-transaction.ts';
import {
  applyTransaction,
  type Ledger,
  moveInLedger,
  revertTransaction,
  tipHeight,
  tokenSource,
  unspentOutput,
} from './ledger.ts';
import { medianTimePast } from './median-time.ts';
import { meetsTarget } from './proof-of-work.ts';
import { invalid, type Refusal } from './refusal.ts';
import { askedChecks, mostChecks, writtenChecks } from './signature-checks.ts';

/** Seconds that a block may be ahead of the clock. */
export const MOST_SECONDS_AHEAD = 7200;

const FIRST_HEIGHT_WITH_SUPPLY = 1;

/** Satoshis that the block of a height may create. */
export function blockSubsidy({ supply, reward }: ChainParams, height: number): bigint {
  if (height === 0) return 0n;
  return height === FIRST_HEIGHT_WITH_SUPPLY ? reward + supply : reward;
}

/** The rules that depend on the block alone. */
export function checkBlock(block: Block, params: ChainParams): Refusal | undefined {
  const { header, transactions, hash } = block;
  if (header.bits !== params.bits) return invalid('bad-diffbits');
  if (!meetsTarget(hash, header.bits)) return invalid('high-hash');
  if (header.version < BLOCK_VERSION) return invalid('version-too-low');
  if (header.solution.length > 0) return invalid('invalid-solution');
  if (header.saplingRoot !== NO_BLOCK) return invalid('bad-sapling-root-in-block');
  const { root, repeated } = merkleTree(transactions.map(({ txid }) => txid));
  if (root !== header.merkleRoot) return invalid('bad-txnmrklroot');
  if (repeated) return invalid('bad-txns-duplicate');
  if (block.size > params.maxBlockSize) return invalid('bad-blk-length');
  const [first, ...others] = transactions;
  if (first === undefined || !isCoinbase(first.transaction)) return invalid('bad-cb-missing');
  if (others.some(({ transaction }) => isCoinbase(transaction))) return invalid('bad-cb-multiple');
  let checks = 0;
  for (const each of transactions) {
    const refusal = checkTransaction(each, params);
    if (refusal !== undefined) return refusal;
    checks += writtenChecks(each.transaction);
  }
  return checks > mostChecks(params.maxBlockSize) ? invalid('bad-blk-sigops') : undefined;
}

/** The rules that depend on the block's place in the chain, but on no coins. `ancestors` end with the parent. */
export function checkPlace(
  block: Block,
  place: { height: number; times: readonly number[]; params: ChainParams },
): Refusal | undefined {
  const { height, times, params } = place;
  if (height > 0 && block.header.time <= medianTimePast(times)) return invalid('time-too-old');
  const at = { height, medianTime: height === 0 ? 0 : medianTimePast(times) };
  for (const { transaction } of block.transactions) {
    const refusal = checkForm(transaction, { height, params });
    if (refusal !== undefined) return refusal;
    if (!isFinal(transaction, at)) return invalid('bad-txns-nonfinal');
  }
  const script = block.transactions[0]?.transaction.inputs[0]?.scriptSig ?? new Uint8Array(0);
  const expected = heightScript(height);
  const startsWithHeight = expected.every((byte, index) => script[index] === byte);
  return startsWithHeight ? undefined : invalid('bad-cb-height');
}

export type ConnectOptions = {
  /** Ids of transactions whose scripts were verified before: they are not run again. */
  readonly isVerified: (txid: string) => boolean;
};

/**
 * Adds a block to the ledger, or leaves the ledger unchanged and returns the reason. The block must be a child of the last one and keep the rules of
 * {@link checkBlock} and {@link checkPlace}.
 */
export function connectBlock(ledger: Ledger, block: Block, { isVerified }: ConnectOptions): Refusal | undefined {
  const height = tipHeight(ledger) + 1;
  const applied: string[] = [];
  const most = mostChecks(ledger.params.maxBlockSize);
  let fees = 0n;
  let checks = block.transactions.slice(0, 1).reduce((sum, { transaction }) => sum + writtenChecks(transaction), 0);
  let refusal: Refusal | undefined;
  for (const [position, each] of block.transactions.entries()) {
    let token: TokenMove | undefined;
    if (ledger.transactions.has(each.txid)) refusal = invalid('bad-txns-BIP30');
    else if (position > 0) {
      const scripts = !isVerified(each.txid);
      const checked = checkSpend(each, { ledger, height, scripts, checksLeft: most - checks });
      if ('fee' in checked) {
        fees += checked.fee;
        checks += checked.checks;
        token = checked.token;
      } else refusal = checked;
    }
    if (refusal !== undefined) break;
    applyTransaction(ledger, each, { height, position, token });
    applied.push(each.txid);
  }
  refusal ??= coinbaseFault(block, { most: blockSubsidy(ledger.params, height) + fees });
  if (refusal !== undefined) {
    for (const txid of applied.reverse()) revertTransaction(ledger, txid);
    return refusal;
  }
  ledger.blocks.push(block);
  ledger.heights.set(block.hash, height);
  return undefined;
}

/** Disconnects the last block of the ledger. There must be one. */
export function disconnectBlock(ledger: Ledger): Block {
  const block = ledger.blocks.pop() as Block;
  ledger.heights.delete(block.hash);
  for (const { txid } of [...block.transactions].reverse()) revertTransaction(ledger, txid);
  return block;
}

type Spend = {
  readonly ledger: Ledger;
  readonly height: number;
  readonly scripts: boolean;
  /** Signature checks that the block may still require. */
  readonly checksLeft: number;
};
type Spent = { readonly fee: bigint; readonly checks: number; readonly token: TokenMove | undefined };

function checkSpend(identified: IdentifiedTransaction, spend: Spend): Spent | Refusal {
  const { ledger, height, scripts, checksLeft } = spend;
  const { transaction } = identified;
  const inputs = checkInputs(transaction, { coins: ledgerCoins(ledger), height, params: ledger.params });
  if (isRefusal(inputs)) return inputs.kind === 'missing-inputs' ? invalid('bad-txns-inputs-missingorspent') : inputs;
  const spent = inputs.coins.map(({ output }) => output);
  const { fee } = inputs;
  const checks = askedChecks(transaction, spent);
  // Before they run, so that a block cannot cost a node more than this.
  if (checks > checksLeft) return invalid('bad-blk-sigops');
  const token = moveInLedger(ledger, identified);
  if (!scripts) return { fee, checks, token };
  const evaluate = moduleVerdict(transaction, {
    params: ledger.params,
    lookup: tokenSource(ledger),
    move: () => token,
  });
  const { cryptoConditions } = ledger.params;
  return atOnce(checkScripts(transaction, { spent, evaluate, cryptoConditions })) ?? { fee, checks, token };
}

function coinbaseFault({ transactions }: Block, { most }: { most: bigint }): Refusal | undefined {
  const made = transactions[0]?.transaction.outputs.reduce((total, { value }) => total + value, 0n) ?? 0n;
  return made > most ? invalid('bad-cb-amount') : undefined;
}

/** Coins that the active chain holds. */
export function ledgerCoins(ledger: Ledger): CoinView {
  return (outPoint) => {
    const found = unspentOutput(ledger, outPoint);
    if (found === undefined) return undefined;
    const { output, record } = found;
    return { output, height: record.height, coinbase: record.coinbase };
  };
}

export type ModuleTerms = {
  readonly params: ChainParams;
  readonly lookup: TokenLookup;
  /** What the transaction moves, by `tokenMoveOf`. Computed at most once. */
  readonly move: () => TokenMove | undefined;
};

/**
 * How the modules judge a transaction that spends under their codes. The token module decides itself; a passive code defers to the token rules, which
 * also cover every token bound to it; no other code can be spent.
 */
export function moduleVerdict(
  transaction: DecodedTransaction,
  { params, lookup, move }: ModuleTerms,
): (code: Uint8Array) => boolean {
  let accepted: boolean | undefined;
  return (code) => {
    const [first] = code;
    const known = first === EVAL_TOKENS || (first !== undefined && params.passiveEvals.includes(first));
    if (!params.cryptoConditions || code.length !== 1 || !known) return false;
    accepted ??= tokenMoveFault(transaction, { move: move(), lookup }) === undefined;
    return accepted;
  };
}

/** What the script of a block's first input starts with: its height as a script number (BIP 34). */
export function heightScript(height: number): Uint8Array {
  if (height <= 16) return Uint8Array.of(height === 0 ? 0 : 0x50 + height);
  const bytes: number[] = [];
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if ((bytes.at(-1) as number) >= 0x80) bytes.push(0);
  return Uint8Array.of(bytes.length, ...bytes);
}
