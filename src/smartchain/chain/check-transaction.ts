import { OP_RETURN } from '../../htlc/script.ts';
import { isShielded } from '../../htlc/shielded.ts';
import { type DecodedTransaction, LOCK_TIME_THRESHOLD, SAPLING_GROUP_ID } from '../../htlc/transaction.ts';
import { isOverwintered } from '../../htlc/transaction-encoding.ts';
import type { ChainParams } from '../params.ts';
import { formAt } from '../transaction.ts';
import { NO_BLOCK } from './block.ts';
import { invalid, type Refusal } from './refusal.ts';

/** Output index that a coinbase input names. */
export const NO_OUTPUT = 0xffff_ffff;

/** Maximum bytes of an OP_RETURN script on the chain. */
export const MAX_OP_RETURN_BYTES = 10_001;

/** Maximum bytes of a transaction on the chain. */
export const MAX_TRANSACTION_BYTES = 2_000_000;
/** Before Overwinter every input hashes the whole transaction, so its size bounds a quadratic time. Source: Zcash. */
const MAX_EARLY_TRANSACTION_BYTES = 100_000;
const SHORTEST_COINBASE_SCRIPT = 2;
const LONGEST_COINBASE_SCRIPT = 100;
const LEAST_MAX_MONEY = 200_000_000n * 100_000_000n;

/** Maximum satoshis of one output, and of all outputs of a transaction together. */
export function maxMoney({ supply }: ChainParams): bigint {
  return supply * 2n > LEAST_MAX_MONEY ? supply * 2n : LEAST_MAX_MONEY;
}

/** Whether this is a coinbase transaction: its only input spends nothing. */
export function isCoinbase({ inputs }: DecodedTransaction): boolean {
  const [input] = inputs;
  return inputs.length === 1 && input?.txid === NO_BLOCK && input.vout === NO_OUTPUT;
}

export type CheckedTransaction = { readonly transaction: DecodedTransaction; readonly bytes: Uint8Array };

/**
 * The rules that depend on the transaction alone. Undefined if it keeps them. Refuses a shielded part, which cannot be verified here. Source:
 * smart-chain node, from Zcash and Bitcoin.
 */
export function checkTransaction(checked: CheckedTransaction, params: ChainParams): Refusal | undefined {
  const { transaction, bytes } = checked;
  const { version, inputs, outputs, shielded, expiryHeight = 0, valueBalance = 0n } = transaction;
  const overwintered = isOverwintered(transaction);
  if (!overwintered && version < 1) return invalid('bad-txns-version-too-low');
  if (expiryHeight >= LOCK_TIME_THRESHOLD) return invalid('bad-tx-expiry-height-too-high');
  if (inputs.length === 0) return invalid('bad-txns-vin-empty');
  if (outputs.length === 0) return invalid('bad-txns-vout-empty');
  const mostBytes = overwintered ? MAX_TRANSACTION_BYTES : MAX_EARLY_TRANSACTION_BYTES;
  if (bytes.length > mostBytes) return invalid('bad-txns-oversize');
  const carriesShielded = shielded !== undefined && isShielded(shielded);
  if (!carriesShielded && valueBalance !== 0n) return invalid('bad-txns-valuebalance-nonzero');
  if (carriesShielded) return invalid('bad-txns-shielded-not-supported');
  return checkOutputs(transaction, params) ?? checkInputForms(transaction);
}

function checkOutputs({ outputs }: DecodedTransaction, params: ChainParams): Refusal | undefined {
  const most = maxMoney(params);
  let total = 0n;
  for (const { value, script } of outputs) {
    if (value < 0n) return invalid('bad-txns-vout-negative');
    if (value > most) return invalid('bad-txns-vout-toolarge');
    total += value;
    if (total > most) return invalid('bad-txns-txouttotal-toolarge');
    if (script[0] === OP_RETURN && script.length > MAX_OP_RETURN_BYTES) return invalid('bad-txns-opret-too-big');
  }
  return undefined;
}

function checkInputForms(transaction: DecodedTransaction): Refusal | undefined {
  const { inputs } = transaction;
  const seen = new Set<string>();
  for (const { txid, vout } of inputs) seen.add(`${txid}:${vout}`);
  if (seen.size !== inputs.length) return invalid('bad-txns-inputs-duplicate');
  if (isCoinbase(transaction)) {
    const length = inputs[0]?.scriptSig.length ?? 0;
    const fits = length >= SHORTEST_COINBASE_SCRIPT && length <= LONGEST_COINBASE_SCRIPT;
    return fits ? undefined : invalid('bad-cb-length');
  }
  const spendsNothing = inputs.some(({ txid, vout }) => txid === NO_BLOCK && vout === NO_OUTPUT);
  return spendsNothing ? invalid('bad-txns-prevout-null') : undefined;
}

/** The rules that depend on the height of the including block: the transaction format and the expiry height (ZIP 203). */
export function checkForm(
  transaction: DecodedTransaction,
  at: { height: number; params: ChainParams },
): Refusal | undefined {
  const { height, params } = at;
  const sapling = isOverwintered(formAt(params, height));
  const overwintered = isOverwintered(transaction);
  const { version, versionGroupId } = transaction;
  if (sapling && !overwintered) return invalid(version >= 4 ? 'tx-overwintered-flag-not-set' : 'tx-overwinter-active');
  if (!sapling && overwintered) return invalid('tx-overwinter-not-active');
  if (sapling && versionGroupId !== SAPLING_GROUP_ID) return invalid('bad-sapling-tx-version-group-id');
  if (sapling && version !== 4) return invalid(`bad-tx-sapling-version-too-${version < 4 ? 'low' : 'high'}`);
  const expired = isExpired(transaction, height) && !isCoinbase(transaction);
  return expired ? invalid('tx-overwinter-expired') : undefined;
}

/** Whether a block of this height is above the expiry height of the transaction (ZIP 203). */
export function isExpired({ expiryHeight = 0 }: DecodedTransaction, height: number): boolean {
  return expiryHeight > 0 && height > expiryHeight;
}

/** Height and time of the block that would include the transaction. */
export type LockMoment = {
  readonly height: number;
  /** Median time past of the block's parent, seconds since 1970 (BIP 113). */
  readonly medianTime: number;
};

/** Whether the lock time allows a block at this moment to include the transaction. */
export function isFinal({ lockTime, inputs }: DecodedTransaction, { height, medianTime }: LockMoment): boolean {
  if (lockTime === 0) return true;
  if (lockTime < (lockTime < LOCK_TIME_THRESHOLD ? height : medianTime)) return true;
  return inputs.every(({ sequence }) => sequence === 0xffff_ffff);
}
