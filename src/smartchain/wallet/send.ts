import type { DecodedTransaction, TransactionOutput } from '../../htlc/transaction.ts';
import type { IdentifiedTransaction } from '../chain/block.ts';
import { isDust, relayFee } from '../chain/relay-policy.ts';
import type { SmartChain } from '../node.ts';
import { classifyScript } from '../script/classify.ts';
import { payToKeyScript } from '../tokens/scripts.ts';
import { encodeChainTransaction, transactionIdOf } from '../transaction.ts';
import type { SpendableCoin } from './choose-coins.ts';
import { coinsOfRing } from './coins.ts';
import { keyOfHash } from './keyring.ts';
import { signTransaction } from './sign.ts';
import { draftTransaction } from './token-transactions.ts';
import type { Wallet } from './wallet.ts';

/** Satoshis for 1,000 bytes that the wallet pays. */
export const WALLET_FEE_RATE = 10_000n;

/** Maximum size of a transaction that the wallet builds, in bytes. */
export const LARGEST_PAYMENT = 100_000;

/** Why nothing was built. */
export type SendFault = 'insufficient-funds' | 'dust' | 'too-large' | 'no-key';

export type Payment = {
  /** What is to be paid, in this order. Amounts must be positive. */
  readonly outputs: readonly TransactionOutput[];
  /** Indices of outputs that the fee is taken from, in equal parts. @defaultValue none: the payer adds it */
  readonly feeFrom?: readonly number[];
};

/** A signed transaction that pays. */
export type Sending = { readonly identified: IdentifiedTransaction; readonly fee: bigint };

/** Bytes of a signature with its hash type at its longest, pushed. */
const SIGNATURE_PUSH = 73;

/**
 * Builds and signs a payment from the coins of all keys: confirmed ones first, the largest first. The fee is {@link WALLET_FEE_RATE} for the size
 * with signatures at their longest, and at least the relay minimum. The change goes to the wallet's own key (the first key if there is none), unless
 * it is dust, which is left to the miner.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { systemRandom } from 'swapfold/runtime';
 * import { buildPayment, DEAD_KEY, openSmartChain, openWallet } from 'swapfold/smartchain';
 * import { payToKeyScript, PREFIXES } from 'swapfold/smartchain';
 *
 * const now = () => millisOf(1_764_000_000_000);
 * const chain = await openSmartChain({ log: createMemoryLog(), now, params: { maturity: 1 } });
 * const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
 * const { publicKey } = await wallet.create();
 * const outputs = [{ value: 150_000_000n, script: payToKeyScript(DEAD_KEY) }];
 * buildPayment({ chain, wallet }, { outputs }); // → { fault: 'insufficient-funds' }
 * for (let left = 2; left > 0; left -= 1) await chain.mine({ script: payToKeyScript(publicKey) });
 * const built = buildPayment({ chain, wallet }, { outputs });
 * 'fee' in built && built.fee; // → 2310n
 * ```
 */
export function buildPayment(
  { chain, wallet }: { readonly chain: SmartChain; readonly wallet: Wallet },
  payment: Payment,
): Sending | { readonly fault: SendFault } {
  const [firstKey] = wallet.ring.keys.values();
  const own = wallet.ownKey() ?? firstKey;
  if (own === undefined) return { fault: 'insufficient-funds' };
  if (payment.outputs.some((output) => isDust(output, chain.policy))) return { fault: 'dust' };
  const plan = planPayment({ chain, wallet, change: payToKeyScript(own.publicKey) }, payment);
  return 'fault' in plan ? plan : signPlan({ chain, wallet }, plan);
}

type Planner = { readonly chain: SmartChain; readonly wallet: Wallet; readonly change: Uint8Array };

type Plan = {
  readonly coins: readonly SpendableCoin[];
  readonly outputs: readonly TransactionOutput[];
  readonly fee: bigint;
};

function planPayment({ chain, wallet, change }: Planner, payment: Payment): Plan | { readonly fault: SendFault } {
  const { outputs, feeFrom = [] } = payment;
  const total = outputs.reduce((sum, { value }) => sum + value, 0n);
  const coins: SpendableCoin[] = [];
  let brought = 0n;
  for (const coin of spendable({ chain, wallet })) {
    coins.push(coin);
    brought += coin.output.value;
    if (brought < total) continue;
    const plan = settle({ chain, wallet, change }, { coins, brought, outputs, feeFrom });
    if (plan !== undefined) return plan;
  }
  return { fault: 'insufficient-funds' };
}

type Settlement = Required<Payment> & { readonly coins: readonly SpendableCoin[]; readonly brought: bigint };

/** The payment with these coins; undefined if they do not cover the fee as well. */
function settle(
  planner: Planner,
  { coins, brought, outputs, feeFrom }: Settlement,
): Plan | { fault: SendFault } | undefined {
  const { chain, change } = planner;
  const total = outputs.reduce((sum, { value }) => sum + value, 0n);
  const sizeWith = (all: readonly TransactionOutput[]) => largestSize(planner, { coins, outputs: all });
  const feeWith = (all: readonly TransactionOutput[]) => feeOf(chain, sizeWith(all));
  if (sizeWith(outputs) > LARGEST_PAYMENT) return { fault: 'too-large' };
  const withChange = feeWith([...outputs, { value: 0n, script: change }]);
  const payers = feeFrom.length > 0;
  const back = { value: brought - total - (payers ? 0n : withChange), script: change };
  const hasChange = back.value > 0n && !isDust(back, chain.policy);
  const least = hasChange ? withChange : feeWith(outputs);
  if (!payers && brought - total < least) return undefined;
  const paid = payers ? reduceOutputs(outputs, { feeFrom, fee: least }) : outputs;
  if (paid.some((output) => isDust(output, chain.policy))) return { fault: 'dust' };
  const all = hasChange ? [...paid, back] : [...paid];
  const fee = brought - all.reduce((sum, { value }) => sum + value, 0n);
  return { coins: [...coins], outputs: all, fee };
}

/** Deducts the fee from the outputs that bear it; the first of them bears the remainder. */
function reduceOutputs(
  outputs: readonly TransactionOutput[],
  { feeFrom, fee }: { readonly feeFrom: readonly number[]; readonly fee: bigint },
): TransactionOutput[] {
  const count = BigInt(feeFrom.length);
  return outputs.map((output, index) => {
    if (!feeFrom.includes(index)) return output;
    const share = fee / count + (index === feeFrom[0] ? fee % count : 0n);
    return { ...output, value: output.value - share };
  });
}

function spendable({ chain, wallet }: { readonly chain: SmartChain; readonly wallet: Wallet }): SpendableCoin[] {
  const { entries } = chain.mempool();
  const waits = ({ txid }: SpendableCoin) => (entries.has(txid) ? 1 : 0);
  return coinsOfRing(chain, wallet.ring).sort((left, right) => {
    const age = waits(left) - waits(right);
    if (age !== 0 || left.output.value === right.output.value) return age;
    return left.output.value > right.output.value ? -1 : 1;
  });
}

function feeOf({ policy }: SmartChain, size: number): bigint {
  const fee = (WALLET_FEE_RATE * BigInt(size)) / 1000n;
  const least = relayFee(policy, size);
  return fee > least ? fee : least;
}

function largestSize(
  { chain, wallet }: Planner,
  { coins, outputs }: { readonly coins: readonly SpendableCoin[]; readonly outputs: readonly TransactionOutput[] },
): number {
  const draft = draftTransaction(chain, { inputs: coins, outputs });
  const inputs = draft.inputs.map((input, index) => {
    const bytes = largestScript(wallet, coins[index] as SpendableCoin);
    return { ...input, scriptSig: new Uint8Array(bytes) };
  });
  return encodeChainTransaction({ ...draft, inputs }).length;
}

/** A payment to a hash needs the key behind the signature, one to a key does not. */
function largestScript({ ring }: Wallet, { output }: SpendableCoin): number {
  const { type, solutions } = classifyScript(output.script);
  const [hash] = solutions;
  if (type !== 'pubkeyhash' || hash === undefined) return SIGNATURE_PUSH;
  return SIGNATURE_PUSH + 1 + (keyOfHash(ring, hash)?.publicKey.length ?? 0);
}

function signPlan(
  { chain, wallet }: { readonly chain: SmartChain; readonly wallet: Wallet },
  { coins, outputs, fee }: Plan,
): Sending | { readonly fault: SendFault } {
  const draft: DecodedTransaction = draftTransaction(chain, { inputs: coins, outputs });
  const spent = coins.map(({ output }) => output);
  const { transaction, unsigned } = signTransaction(draft, { spent, ring: wallet.ring });
  if (unsigned.length > 0) return { fault: 'no-key' };
  const bytes = encodeChainTransaction(transaction);
  return { identified: { txid: transactionIdOf(bytes), transaction, bytes }, fee };
}
