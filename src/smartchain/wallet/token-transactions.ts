import type { DecodedTransaction, TransactionOutput } from '../../htlc/transaction.ts';
import { isOverwintered, type OutPoint } from '../../htlc/transaction-encoding.ts';
import { inIndexOrder } from '../chain/address-index.ts';
import type { IdentifiedTransaction } from '../chain/block.ts';
import { tipHeight } from '../chain/ledger.ts';
import { ownerKey, scriptOwner } from '../chain/script-owner.ts';
import { heldTokens } from '../chain/token-index.ts';
import { EVAL_TOKENS } from '../eval-codes.ts';
import type { SmartChain } from '../node.ts';
import type { ChainParams } from '../params.ts';
import { NON_FUNGIBLE_BLOB, payloadScript } from '../tokens/payload.ts';
import { boundTokenScript, MARKER_SCRIPT, MODULE_FEE, payToKeyScript, tokenScript } from '../tokens/scripts.ts';
import { encodeChainTransaction, formAt, transactionIdOf } from '../transaction.ts';
import { chooseCoins, type SpendableCoin } from './choose-coins.ts';
import { coinsOfKey, coinsOfRing, promisedOf } from './coins.ts';
import type { Keyring } from './keyring.ts';
import { signTransaction } from './sign.ts';

/** Who makes a token transaction, and where. */
export type TokenMaker = {
  readonly chain: SmartChain;
  readonly ring: Keyring;
  /** Public key that coins and tokens come from and go back to, 33 bytes. */
  readonly publicKey: Uint8Array;
};

/** A signed transaction, or the node's word for why there is none. */
export type Built = Signed | { readonly error: string };

/** A transaction, and the indices of the inputs whose keys are not held. */
export type Signed = { readonly built: IdentifiedTransaction; readonly unsigned: readonly number[] };

export type CreateOptions = {
  /** 1 to 32 bytes. */
  readonly name: Uint8Array;
  /** Satoshis to lock, at least 1: one is one token. */
  readonly supply: bigint;
  readonly description: Uint8Array;
  /** Makes the token non-fungible; its first byte binds it to a module. */
  readonly data?: Uint8Array;
};

/** Blocks after which a transaction that no block took expires. Source: smart-chain node. */
export const EXPIRY_BLOCKS = 200;

const MOST_COINS = 64;
const MOST_FEE_COINS = 3;
const MOST_TOKEN_INPUTS = 60;

/** What of a chain and of a maker a token transaction depends on, once its inputs are known. */
export type TokenFrame = {
  readonly params: ChainParams;
  /** Height of the block that it is made for. */
  readonly height: number;
  readonly ring: Keyring;
  readonly publicKey: Uint8Array;
};

function frameOf({ chain, ring, publicKey }: TokenMaker): TokenFrame {
  return { params: chain.params, height: tipHeight(chain.tree.ledger) + 1, ring, publicKey };
}

/**
 * The transaction that creates a token. Its id is the token's.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { systemRandom } from 'swapfold/runtime';
 * import { buildCreate, openSmartChain, openWallet } from 'swapfold/smartchain';
 * import { payToKeyScript, PREFIXES } from 'swapfold/smartchain';
 *
 * const now = () => millisOf(1_764_000_000_000);
 * const chain = await openSmartChain({ log: createMemoryLog(), now, params: { maturity: 1 } });
 * const { ring, create } = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
 * const { publicKey } = await create();
 * const token = { name: Buffer.from('KITE'), supply: 1000n, description: Buffer.from('Kites') };
 * buildCreate({ chain, ring, publicKey }, token); // → { error: 'cant find normal inputs' }
 * for (let left = 2; left > 0; left -= 1) await chain.mine({ script: payToKeyScript(publicKey) });
 * const made = buildCreate({ chain, ring, publicKey }, token);
 * 'built' in made && made.built.transaction.outputs[1]?.value; // → 1000n
 * ```
 */
export function buildCreate(maker: TokenMaker, options: CreateOptions): Built {
  const total = options.supply + 2n * MODULE_FEE;
  const coins = chooseCoins(coinsOfKey(maker.chain, maker.publicKey), { total, most: MOST_COINS });
  return coins === undefined ? { error: 'cant find normal inputs' } : createOf(frameOf(maker), { ...options, coins });
}

/** The creation with given coins. */
export function createOf(
  frame: TokenFrame,
  options: CreateOptions & { readonly coins: readonly SpendableCoin[] },
): Signed {
  const { coins, name, supply, description, data } = options;
  const { publicKey } = frame;
  const blobs = data === undefined ? [] : [{ id: NON_FUNGIBLE_BLOB, data }];
  const payload = payloadScript({ kind: 'create', owner: publicKey, name, description, blobs });
  const outputs = [
    { value: MODULE_FEE, script: MARKER_SCRIPT },
    { value: supply, script: tokenOutputScript(data?.[0], publicKey) },
  ];
  return finish(frame, { coins, outputs, payload, boundEval: data?.[0] });
}

export type TransferOptions = {
  readonly tokenId: string;
  /** Key that receives, 33 bytes. */
  readonly recipient: Uint8Array;
  /** Tokens, at least 1. */
  readonly amount: bigint;
};

/**
 * The transaction that sends tokens of the maker's key to another one.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { systemRandom } from 'swapfold/runtime';
 * import { buildCreate, buildTransfer, DEAD_KEY, openSmartChain } from 'swapfold/smartchain';
 * import { openWallet, payToKeyScript, PREFIXES } from 'swapfold/smartchain';
 *
 * const now = () => millisOf(1_764_000_000_000);
 * const chain = await openSmartChain({ log: createMemoryLog(), now, params: { maturity: 1 } });
 * const { ring, create } = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
 * const maker = { chain, ring, publicKey: (await create()).publicKey };
 * const mine = () => chain.mine({ script: payToKeyScript(maker.publicKey) });
 * for (let left = 2; left > 0; left -= 1) await mine();
 * const token = { name: Buffer.from('KITE'), supply: 1000n, description: Buffer.from('Kites') };
 * const made = buildCreate(maker, token);
 * if ('built' in made) chain.submit(made.built);
 * await mine();
 * const tokenId = 'built' in made ? made.built.txid : '';
 * const sent = buildTransfer(maker, { tokenId, recipient: DEAD_KEY, amount: 300n });
 * 'built' in sent && sent.built.transaction.outputs[1]?.value; // → 700n
 * ```
 */
export function buildTransfer(maker: TokenMaker, { tokenId, recipient, amount }: TransferOptions): Built {
  const { chain, ring } = maker;
  const paying = chooseCoins(coinsOfRing(chain, ring), { total: MODULE_FEE, most: MOST_FEE_COINS });
  if (paying === undefined) return { error: 'insufficient normal inputs for tx fee' };
  const creation = chain.tree.ledger.transactions.get(tokenId)?.token;
  const boundEval = creation?.boundEval;
  const tokens = chooseTokens(maker, { tokenId, amount, boundEval });
  if (tokens.length === 0) return { error: 'no token inputs' };
  const sum = tokens.reduce((total, { output }) => total + output.value, 0n);
  if (sum < amount) return { error: 'insufficient token inputs' };
  return transferOf(frameOf(maker), { tokenId, recipient, amount, paying, tokens, boundEval });
}

/** What a transfer spends. */
export type TransferInputs = {
  /** Coins for the fee, at least one. */
  readonly paying: readonly SpendableCoin[];
  /** Tokens of the maker's key, at least as many as are sent. */
  readonly tokens: readonly SpendableCoin[];
  /** Module that the token is bound to; undefined for a fungible one. */
  readonly boundEval: number | undefined;
};

/** The transfer with given inputs: a coin first, then the tokens, then the other coins. */
export function transferOf(frame: TokenFrame, options: TransferOptions & TransferInputs): Signed {
  const { tokenId, recipient, amount, paying, tokens, boundEval } = options;
  const { publicKey } = frame;
  const sum = tokens.reduce((total, { output }) => total + output.value, 0n);
  const payload = payloadScript({ kind: 'transfer', tokenId, keys: [recipient], blobs: [] });
  const outputs = [{ value: amount, script: tokenOutputScript(boundEval, recipient) }];
  if (sum > amount) outputs.push({ value: sum - amount, script: tokenOutputScript(boundEval, publicKey) });
  const coins = [...paying.slice(0, 1), ...tokens, ...paying.slice(1)];
  return finish(frame, { coins, outputs, payload, boundEval });
}

/** The script of a key's tokens: under the token module alone, or under that and the module which the token is bound to. */
export function tokenOutputScript(boundEval: number | undefined, key: Uint8Array): Uint8Array {
  return boundEval === undefined || boundEval === EVAL_TOKENS ? tokenScript([key]) : boundTokenScript(boundEval, [key]);
}

type TokenChoice = { readonly tokenId: string; readonly amount: bigint; readonly boundEval: number | undefined };

/** In the order of the index, small ones passed over, until they suffice or are too many. Source: smart-chain node. */
function chooseTokens({ chain, publicKey }: TokenMaker, { tokenId, amount, boundEval }: TokenChoice): SpendableCoin[] {
  const owner = scriptOwner(tokenOutputScript(boundEval, publicKey));
  if (owner === undefined) return [];
  const { spentBy } = chain.mempool();
  const promised = promisedOf(chain);
  const isTaken = (name: string) => spentBy.has(name) || promised.has(name);
  const { ledger } = chain.tree;
  const held = inIndexOrder(heldTokens(ledger.tokens, tokenId, ownerKey(owner)).unspent.values());
  const chosen: SpendableCoin[] = [];
  let sum = 0n;
  for (const { txid, vout, amount: value } of held) {
    if (value < amount / BigInt(MOST_TOKEN_INPUTS) || isTaken(`${txid}:${vout}`)) continue;
    const output = ledger.transactions.get(txid)?.transaction.outputs[vout] as TransactionOutput;
    chosen.push({ txid, vout, output });
    sum += value;
    if (sum >= amount || chosen.length >= MOST_TOKEN_INPUTS) break;
  }
  return chosen;
}

type Draft = {
  readonly coins: readonly SpendableCoin[];
  readonly outputs: readonly TransactionOutput[];
  readonly payload: Uint8Array;
  readonly boundEval: number | undefined;
};

/** Adds the change and the payload, and signs. Change is given only where it is worth more than the fee. */
function finish(frame: TokenFrame, { coins, outputs, payload, boundEval }: Draft): Signed {
  const { ring, publicKey } = frame;
  const brought = coins.reduce((total, { output }) => total + output.value, 0n);
  const given = outputs.reduce((total, { value }) => total + value, 0n);
  const change = brought - given - MODULE_FEE;
  const back = change >= MODULE_FEE ? [{ value: change, script: payToKeyScript(publicKey) }] : [];
  const draft = draftAt(frame, {
    inputs: coins,
    outputs: [...outputs, ...back, { value: 0n, script: payload }],
  });
  const spent = coins.map(({ output }) => output);
  const boundEvals = boundEval === undefined ? [] : [boundEval];
  const { transaction, unsigned } = signTransaction(draft, { spent, ring, boundEvals });
  const bytes = encodeChainTransaction(transaction);
  return { built: { txid: transactionIdOf(bytes), transaction, bytes }, unsigned };
}

/** A transaction without signatures in the form that the next block takes. */
export function draftTransaction({ params, tree }: SmartChain, parts: DraftParts): DecodedTransaction {
  return draftAt({ params, height: tipHeight(tree.ledger) + 1 }, parts);
}

type DraftParts = { readonly inputs: readonly OutPoint[]; readonly outputs: readonly TransactionOutput[] };

function draftAt(
  { params, height }: Pick<TokenFrame, 'params' | 'height'>,
  { inputs, outputs }: DraftParts,
): DecodedTransaction {
  const form = formAt(params, height);
  return {
    ...form,
    ...(isOverwintered(form) && { expiryHeight: height + EXPIRY_BLOCKS }),
    inputs: inputs.map(({ txid, vout }) => ({ txid, vout, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff })),
    outputs,
    lockTime: 0,
  };
}
