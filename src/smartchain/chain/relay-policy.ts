import { parseScript } from '../../htlc/script.ts';
import type { DecodedTransaction, TransactionInput, TransactionOutput } from '../../htlc/transaction.ts';
import { classifyScript, DEFAULT_MAX_OP_RETURN, standardness } from '../script/classify.ts';
import { MAX_ELEMENT_BYTES } from '../script/machine.ts';
import { isPushOnly } from '../script/operations.ts';
import type { Coin } from './check-inputs.ts';
import { nonstandard, type Refusal } from './refusal.ts';
import { redeemedChecks } from './signature-checks.ts';

/** Relay rules of a node, beyond the rules of the chain. */
export type RelayPolicy = {
  /** Whether nonstandard transactions are refused. */
  readonly standardOnly: boolean;
  /** Satoshis for 1,000 bytes. */
  readonly minRelayFee: bigint;
  /** Maximum bytes of an OP_RETURN script. */
  readonly maxOpReturn: number;
  /** Maximum number of transactions in a chain of unconfirmed ones, including the transaction itself. */
  readonly ancestorLimit: number;
  readonly descendantLimit: number;
  /** Maximum bytes of all mempool transactions. */
  readonly maxMempoolBytes: number;
};

/** The node's defaults. */
export const DEFAULT_RELAY_POLICY: RelayPolicy = {
  standardOnly: true,
  minRelayFee: 100n,
  maxOpReturn: DEFAULT_MAX_OP_RETURN,
  ancestorLimit: 25,
  descendantLimit: 25,
  maxMempoolBytes: 80_000_000,
};

/**
 * For transactions that were relayed before: neither their form nor the length of their chains is checked again, because those of many blocks return
 * at once.
 */
export function returningPolicy(policy: RelayPolicy): RelayPolicy {
  const unlimited = Number.POSITIVE_INFINITY;
  return { ...policy, standardOnly: false, ancestorLimit: unlimited, maxMempoolBytes: unlimited };
}

const LONGEST_INPUT_SCRIPT = 1650;
const SPEND_BYTES = 148n;
const MOST_REDEEM_CHECKS = 15;

/** Satoshis that nodes require to relay this many bytes. */
export function relayFee({ minRelayFee }: RelayPolicy, bytes: number): bigint {
  return (minRelayFee * BigInt(bytes)) / 1000n;
}

/** Whether nodes relay a transaction of this form; undefined if they do. Source: smart-chain node, from Bitcoin. */
export function checkStandard(
  transaction: DecodedTransaction,
  policy: RelayPolicy & { readonly cryptoConditions: boolean },
): Refusal | undefined {
  for (const { scriptSig } of transaction.inputs) {
    if (scriptSig.length > LONGEST_INPUT_SCRIPT) return nonstandard('scriptsig-size');
    if (!isPushOnly(scriptSig)) return nonstandard('scriptsig-not-pushonly');
  }
  let carriers = 0;
  for (const output of transaction.outputs) {
    const reason = standardness(output.script, {
      maxOpReturn: policy.maxOpReturn,
      ...(policy.cryptoConditions ? {} : { acceptsCondition: () => false }),
    });
    if (reason !== undefined) return nonstandard(reason);
    const { type } = classifyScript(output.script);
    if (type === 'nulldata') carriers++;
    else if (type !== 'cryptocondition' && isDust(output, policy)) return nonstandard('dust');
  }
  return carriers > 1 ? nonstandard('multi-op-return') : undefined;
}

/** Whether spending an output costs more than a third of it. */
export function isDust({ value, script }: TransactionOutput, { minRelayFee }: RelayPolicy): boolean {
  const bytes = BigInt(9 + script.length) + SPEND_BYTES;
  return value < 3n * ((minRelayFee * bytes) / 1000n);
}

/**
 * Whether nodes relay spends of these coins: each of a known form, with as many arguments as that form takes, and redeem scripts of unknown form with
 * few signature checks. The input scripts must only push. Source: smart-chain node, from Bitcoin.
 */
export function hasStandardInputs(transaction: DecodedTransaction, coins: readonly Coin[]): boolean {
  return transaction.inputs.every((input, index) => hasStandardArguments(input, (coins[index] as Coin).output.script));
}

function hasStandardArguments({ scriptSig }: TransactionInput, spent: Uint8Array): boolean {
  const pushes = parseScript(scriptSig);
  const expected = argumentsOf(spent);
  if (pushes === undefined || expected === undefined) return false;
  if (pushes.some(({ data }) => (data?.length ?? 0) > MAX_ELEMENT_BYTES)) return false;
  if (classifyScript(spent).type !== 'scripthash') return pushes.length === expected;
  const last = pushes.at(-1);
  if (last === undefined) return false;
  const redeem = last.data ?? new Uint8Array(0);
  if (classifyScript(redeem).type === 'nonstandard') return redeemedChecks(scriptSig) <= MOST_REDEEM_CHECKS;
  const inner = argumentsOf(redeem);
  return inner !== undefined && pushes.length === expected + inner;
}

/** How many values the input that spends a script pushes; undefined if unknown. */
function argumentsOf(script: Uint8Array): number | undefined {
  const { type, reqSigs } = classifyScript(script);
  if (type === 'nonstandard' || type === 'nulldata') return undefined;
  if (type === 'pubkeyhash') return 2;
  // A bare multisig check takes one value more than it has signatures.
  return type === 'multisig' ? (reqSigs ?? 0) + 1 : 1;
}
