import type { HtlcInput } from '../../htlc/htlc-input.ts';
import { payToScript } from '../../htlc/script.ts';
import { type DecodedTransaction, FINAL_SEQUENCE, type TransactionInput } from '../../htlc/transaction.ts';
import { bytesToHex, sameBytes } from '../../primitives/hex.ts';
import { type Derived, isMissing, lockedOutput, rebuiltScript } from './payment-output.ts';
import type { SwapRule } from './rule.ts';
import type { AuditedPayment, AuditedSwap } from './swap-view.ts';
import { takenLock } from './taken-locks.ts';
import { notUtxo } from './transactions.ts';

/** A claim or a refund together with what it should take. */
export type Spend = {
  readonly seq: number;
  readonly kind: HtlcInput['kind'];
  readonly transaction: DecodedTransaction;
  readonly payment: AuditedPayment;
  /** Id of the payment, or why it is not known. */
  readonly source: Derived<string>;
  /** The input that takes the payment; the first one where none does. */
  readonly input: TransactionInput | undefined;
};

type FoundSpend = Spend | { readonly seq: number; readonly missing: string };

// Four checks ask for the same ones.
const spendsBySwap = new WeakMap<AuditedSwap, readonly FoundSpend[]>();

/** Claims and refunds on UTXO chains, and those that cannot be looked into with the reason. Claims on EVM chains are left out. */
export function spendsOf(swap: AuditedSwap): readonly FoundSpend[] {
  const known = spendsBySwap.get(swap) ?? [...findSpends(swap)];
  spendsBySwap.set(swap, known);
  return known;
}

function* findSpends(swap: AuditedSwap): Generator<FoundSpend> {
  for (const logged of swap.transactions) {
    const { use, seq, utxo, family } = logged;
    if (use.kind !== 'claim' && use.kind !== 'refund') continue;
    if (family === 'evm') continue;
    if (utxo === undefined) yield { seq, missing: notUtxo(logged) };
    else {
      const kind = use.kind === 'claim' ? 'spend' : 'refund';
      yield spendOf(swap.payments[use.payer], { seq, kind, transaction: utxo });
    }
  }
}

/** Finds the input with which a transaction takes a payment. */
export function spendOf(payment: AuditedPayment, by: Pick<Spend, 'seq' | 'kind' | 'transaction'>): Spend {
  const output = lockedOutput(payment);
  const id = payment.transaction?.id;
  const source: Derived<string> = isMissing(output) ? output : { value: id ?? '' };
  const { inputs } = by.transaction;
  const input = inputs.find(({ txid, vout }) => txid === id && vout === 0) ?? inputs[0];
  const { seq, kind, transaction } = by;
  return { seq, kind, transaction, payment, source, input };
}

/** What is wrong with the way in which an input takes a payment; undefined when nothing is. */
export type Fault = { readonly expected: string; readonly found: string };

/** The outpoint that the input names, held against the payment. */
export function outpointFault({ source, input }: Spend): Fault | undefined {
  if (isMissing(source)) return undefined;
  const expected = `${source.value}:0`;
  const found = input === undefined ? 'no input' : `${input.txid}:${input.vout}`;
  return expected === found ? undefined : { expected, found };
}

/** What a claim or a refund takes that takes no payment of any swap. */
export const NO_SWAP_PAYMENT = 'an input script that takes no hash time lock';

/** The branch and the redeem script of the input, held against the terms of the log, or at least against the payment. */
export function scriptFault(swap: AuditedSwap, spend: Spend): Fault | undefined {
  const parsed = spend.input === undefined ? undefined : takenLock(spend.input);
  const branch = BRANCHES[spend.kind];
  if (parsed === undefined) return { expected: branch, found: NO_SWAP_PAYMENT };
  if (parsed.kind !== spend.kind) return { expected: branch, found: BRANCHES[parsed.kind] };
  const script = rebuiltScript(swap, spend.payment);
  if ('value' in script && !sameBytes(script.value, parsed.redeemScript)) {
    return { expected: bytesToHex(script.value), found: bytesToHex(parsed.redeemScript) };
  }
  const output = lockedOutput(spend.payment);
  if (isMissing(output)) return undefined;
  // The input must show the script in the way in which the payment hides it, also where the script is the right one.
  const found = bytesToHex(payToScript(parsed.redeemScript, parsed.scheme));
  const expected = bytesToHex(output.value.script);
  return expected === found ? undefined : { expected, found };
}

const BRANCHES: Readonly<Record<HtlcInput['kind'], string>> = {
  spend: 'the branch of the secret',
  spendPreimage: 'the branch of the secret, without the secret',
  refund: 'the branch of the refund',
};

/** The lock time and the sequence of a refund, held against the lock of the payment. */
export function refundLockFault({ transaction, payment, input }: Spend): Fault | undefined {
  const { lockTime } = payment;
  if (lockTime === undefined || input === undefined) return undefined;
  if (transaction.lockTime < lockTime) {
    return { expected: `a lock time of at least ${lockTime}`, found: `lock time ${transaction.lockTime}` };
  }
  if (input.sequence === FINAL_SEQUENCE) {
    return { expected: 'a sequence below the final one', found: 'the final sequence, which ignores the lock time' };
  }
  return undefined;
}

function runOnSpends(
  judge: (swap: AuditedSwap, spend: Spend) => { readonly fault: Fault | undefined; readonly found: string } | undefined,
): SwapRule['run'] {
  return (swap, findings) => {
    for (const spend of spendsOf(swap)) {
      if ('missing' in spend) findings.notCheckable(spend.seq, spend.missing);
      else if (isMissing(spend.source)) findings.notCheckable(spend.seq, spend.source.missing);
      else {
        const judged = judge(swap, spend);
        if (judged === undefined) continue;
        if (judged.fault === undefined) findings.verified(spend.seq, judged.found);
        else findings.violated(spend.seq, judged.fault);
      }
    }
  };
}

/** The outpoint of claims and refunds. */
export const spendOutpointRule: SwapRule = {
  check: 'spend-outpoint',
  describes: 'Every claim and every refund takes output 0 of the payment that the log holds.',
  source: 'KDF stored swaps: HTLC on UTXO',
  run: runOnSpends((_swap, spend) => ({
    fault: outpointFault(spend),
    found: `${spend.input?.txid}:${spend.input?.vout}`,
  })),
};

/** The input script of claims and refunds. */
export const spendScriptRule: SwapRule = {
  check: 'spend-script',
  describes:
    'A claim takes the branch of the secret and a refund that of the sender, each with the redeem script that the terms of the log give.',
  source: 'KDF stored swaps: HTLC on UTXO; BIP 16',
  run: runOnSpends((swap, spend) => ({ fault: scriptFault(swap, spend), found: BRANCHES[spend.kind] })),
};

/** The lock time of refunds. */
export const refundLockRule: SwapRule = {
  check: 'refund-lock',
  describes:
    'The lock time of a refund is at or after the lock of the payment, and its sequence is not final, so that the chain enforces it.',
  source: 'KDF stored swaps: times, HTLC on UTXO; BIP 65',
  run: runOnSpends((_swap, spend) =>
    spend.kind === 'refund'
      ? { fault: refundLockFault(spend), found: `lock time ${spend.transaction.lockTime}` }
      : undefined,
  ),
};

/** The value of claims and refunds. */
export const spendValueRule: SwapRule = {
  check: 'spend-value',
  describes:
    'A claim or refund with no other input pays out no more than the payment holds; Komodo pays interest, so that its outputs may hold more.',
  source: 'Bitcoin transactions',
  run: (swap, findings) => {
    for (const spend of spendsOf(swap)) {
      if ('missing' in spend) continue;
      const output = lockedOutput(spend.payment);
      if (isMissing(output) || outpointFault(spend) !== undefined) continue;
      const { inputs, outputs, shielded, valueBalance = 0n } = spend.transaction;
      const paidOut = outputs.reduce((total, { value }) => total + value, 0n);
      const found = `${paidOut} base units`;
      const { value } = output.value;
      if (inputs.length !== 1 || shielded !== undefined || valueBalance !== 0n) {
        findings.notCheckable(spend.seq, 'the transaction has other sources of value');
      } else if (paidOut <= value) findings.verified(spend.seq, found);
      else if (spend.payment.coin === 'KMD') findings.notCheckable(spend.seq, 'Komodo pays interest on its outputs');
      else findings.violated(spend.seq, { expected: `at most ${value} base units`, found });
    }
  },
};
