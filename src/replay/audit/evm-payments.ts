import { contractSwapId, decodeSwapCall, type SwapCall } from '../../htlc/evm-calls.ts';
import { type EvmTransaction, evmAddress } from '../../htlc/evm-transaction.ts';
import { scriptHash160 } from '../../htlc/secret-hash.ts';
import { type DecimalText, toBaseUnits } from '../../primitives/decimal.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { Findings } from './report.ts';
import type { SwapRule } from './rule.ts';
import type { AuditedPayment, AuditedSwap } from './swap-view.ts';

type Call = {
  readonly seq: number;
  readonly call: SwapCall;
  readonly to: string | undefined;
  readonly payment: AuditedPayment;
};

/** Payments, claims and refunds that call the swap contract in a way that is known. */
function* callsOf(swap: AuditedSwap): Generator<Call> {
  for (const { seq, use, evm } of swap.transactions) {
    if (evm === undefined || use.kind === 'fee') continue;
    const call = decodeSwapCall(evm);
    if (call?.kind === use.kind) yield { seq, call, to: evm.to, payment: swap.payments[use.payer] };
  }
}

/** Whether a transaction on an EVM chain calls the function that its event asks for. */
export const evmCallRule: SwapRule = {
  check: 'evm-call',
  describes:
    'A payment, claim or refund on an EVM chain calls the function of the swap contract that its event stands for.',
  source: 'KDF coin activation: EVM swap contract',
  run: (swap, findings) => {
    for (const { seq, use, evm, family } of swap.transactions) {
      if (family !== 'evm' || use.kind === 'fee') continue;
      const call = evm === undefined ? undefined : decodeSwapCall(evm);
      if (call === undefined) findings.notCheckable(seq, unknownCall(evm));
      else if (call.kind === use.kind) findings.verified(seq, call.kind);
      else findings.violated(seq, { expected: `a ${use.kind}`, found: `a ${call.kind}` });
    }
  },
};

function unknownCall(evm: EvmTransaction | undefined): string {
  if (evm === undefined) return 'the transaction is of a type that is not decoded';
  return `the call ${bytesToHex(evm.data.subarray(0, 4))} is none of the plain functions of the swap contract`;
}

/** The contract that is called against the one that the parties agreed on. */
export const evmContractRule: SwapRule = {
  check: 'evm-contract',
  describes:
    'The called contract is the one that Negotiated names; the one in Started may have been replaced before the swap went on.',
  source: 'KDF stored swaps: event payloads, meaning notes',
  run: (swap, findings) => {
    for (const { seq, to, payment } of callsOf(swap)) {
      const { contract } = payment;
      const found = to ?? 'the creation of a contract';
      if (contract === undefined) findings.notCheckable(seq, 'the log names no swap contract for this coin');
      else if (contract.address === found) findings.verified(seq, found);
      else if (contract.negotiated) findings.violated(seq, { expected: contract.address, found });
      else findings.notCheckable(seq, `calls ${found}; Started names ${contract.address}, which was not negotiated`);
    }
  },
};

/** The id of a swap in the contract. */
export const evmSwapIdRule: SwapRule = {
  check: 'evm-swap-id',
  describes:
    'The id under which the swap contract keeps the payment is SHA-256 over the lock time (4 bytes, least first) and the secret hash as negotiated.',
  source: 'KDF coin activation: EVM swap contract',
  run: (swap, findings) => {
    for (const { seq, call, payment } of callsOf(swap)) {
      const expected = swapId(payment.lockTime, swap.secretHash);
      if (expected === undefined) findings.notCheckable(seq, 'the log does not hold the lock time and the secret hash');
      else compare(findings, { seq, expected, found: call.swapId });
    }
  },
};

function swapId(lockTime: number | undefined, secretHash: Uint8Array | undefined): string | undefined {
  if (lockTime === undefined || secretHash === undefined || lockTime > 0xffff_ffff) return undefined;
  return contractSwapId(lockTime, secretHash);
}

/** The other arguments of a call. */
export const evmTermsRule: SwapRule = {
  check: 'evm-terms',
  describes:
    "The call names the account of the other party's key, the secret hash in its 20-byte form and the lock time of the log.",
  source: 'KDF coin activation: EVM swap contract',
  run: (swap, findings) => {
    for (const { seq, call, payment } of callsOf(swap)) {
      const key = call.kind === 'claim' ? payment.senderKey : payment.receiverKey;
      const account = key === undefined ? undefined : evmAddress(key);
      if (account === undefined) findings.notCheckable(seq, "the log does not hold the other party's key");
      else compare(findings, { seq, expected: account, found: call.party });
      const hash = swap.secretHash === undefined ? undefined : scriptHash160(swap.secretHash);
      if (call.secretHash !== undefined && hash !== undefined) {
        compare(findings, { seq, expected: bytesToHex(hash), found: call.secretHash });
      }
      if (call.lockTime !== undefined && payment.lockTime !== undefined) {
        compare(findings, { seq, expected: String(payment.lockTime), found: String(call.lockTime) });
      }
    }
  },
};

const ETHER_DECIMALS = 18;
/** More than any token has. */
const MOST_DECIMALS = 77;

/** The amount of a call. */
export const evmAmountRule: SwapRule = {
  check: 'evm-amount',
  describes:
    "The amount is that of Started, in 18 decimals for the chain's own coin; a token's decimals are not stored, so that only its digits are held against each other.",
  source: 'KDF coin activation: EVM swap contract',
  run: (swap, findings) => {
    for (const { seq, call, payment } of callsOf(swap)) {
      const { amount } = payment;
      if (amount === undefined) {
        findings.notCheckable(seq, 'the log does not name the amount');
        continue;
      }
      const found = `${call.amount} base units`;
      const own = /^0+$/.test(call.token);
      if (own ? call.amount === toBaseUnits(amount, ETHER_DECIMALS) : decimalsOf(amount, call.amount) !== undefined) {
        findings.verified(seq, found);
      } else if (own) {
        findings.violated(seq, { expected: `${toBaseUnits(amount, ETHER_DECIMALS)} base units (${amount})`, found });
      } else findings.violated(seq, { expected: `the digits of ${amount}`, found });
    }
  },
};

/** The count of decimals that makes `amount` into `units`; undefined when none does. */
function decimalsOf(amount: DecimalText, units: bigint): number | undefined {
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    if (toBaseUnits(amount, decimals) === units) return decimals;
  }
  return undefined;
}

function compare(
  findings: Findings,
  { seq, expected, found }: { readonly seq: number; readonly expected: string; readonly found: string },
): void {
  if (expected === found) findings.verified(seq, found);
  else findings.violated(seq, { expected, found });
}
