import { completeSpendPreimage } from '../../htlc/htlc-input.ts';
import {
  type DecodedTransaction,
  decodeTransaction,
  isTransactionProblem,
  type TransactionProblem,
} from '../../htlc/transaction.ts';
import { sameBytes } from '../../primitives/hex.ts';
import { isMissing, lockedOutput } from './payment-output.ts';
import type { Findings } from './report.ts';
import type { SwapRule } from './rule.ts';
import { type Fault, outpointFault, refundLockFault, type Spend, scriptFault, spendOf } from './spends.ts';
import type { AuditedEvent, AuditedPayment, AuditedSwap } from './swap-view.ts';
import type { LoggedTransaction } from './transactions.ts';

/** One of the two preimages of WatcherMessageSent, as bytes. */
function preimageOf({ data }: AuditedEvent, index: 0 | 1): Uint8Array | undefined {
  const numbers: unknown = Array.isArray(data) ? data[index] : undefined;
  return Array.isArray(numbers) ? Uint8Array.from(numbers, Number) : undefined;
}

type Preimage = { readonly event: AuditedEvent; readonly bytes: Uint8Array; readonly spend: Spend };

function* preimagesOf(swap: AuditedSwap, findings: Findings, index: 0 | 1): Generator<Preimage> {
  for (const event of swap.all('WatcherMessageSent')) {
    const bytes = preimageOf(event, index);
    const decoded = bytes === undefined ? undefined : decodeTransaction(bytes);
    if (bytes === undefined || decoded === undefined) {
      findings.notCheckable(event.seq, 'the message holds no such transaction');
      continue;
    }
    const payment = swap.payments[index === 0 ? 'maker' : 'taker'];
    const fault = isTransactionProblem(decoded) ? unreadable(payment, decoded) : formFault(payment, decoded);
    if (fault !== undefined) findings.violated(event.seq, fault);
    else if (isTransactionProblem(decoded)) {
      findings.notCheckable(event.seq, 'the bytes are no transaction of a UTXO chain that can be read');
    }
    if (fault !== undefined || isTransactionProblem(decoded)) continue;
    const kind = index === 0 ? 'spendPreimage' : 'refund';
    const spend = spendOf(payment, { seq: event.seq, kind, transaction: decoded });
    if (isMissing(spend.source)) findings.notCheckable(event.seq, spend.source.missing);
    else yield { event, bytes, spend };
  }
}

/** A node makes the transactions of one coin in one form. */
function unreadable({ transaction }: AuditedPayment, { problem }: TransactionProblem): Fault | undefined {
  const { utxo } = transaction ?? {};
  return utxo === undefined ? undefined : { expected: `a transaction of the form ${utxo.format}`, found: problem };
}

function formFault({ transaction }: AuditedPayment, found: DecodedTransaction): Fault | undefined {
  const payment = transaction?.utxo;
  // A witness is a matter of the inputs: a payment without one may be spent with one.
  if (payment === undefined || payment.format === 'segwit' || found.format === 'segwit') return undefined;
  const [expected, actual] = [payment, found].map(
    ({ format, version, versionGroupId }) => `form ${format}, version ${version}, group ${versionGroupId ?? 'none'}`,
  );
  if (expected !== actual) return { expected: String(expected), found: String(actual) };
  if (found.shielded === undefined && (found.valueBalance ?? 0n) === 0n) return undefined;
  return { expected: 'no shielded part', found: `a value balance of ${found.valueBalance ?? 0n}` };
}

/** A watcher's transaction has the payment as its one source. */
function valueFault({ payment, transaction }: Spend): Fault | undefined {
  const output = lockedOutput(payment);
  if (isMissing(output) || transaction.inputs.length !== 1 || payment.coin === 'KMD') return undefined;
  const paidOut = transaction.outputs.reduce((total, { value }) => total + value, 0n);
  const { value } = output.value;
  return paidOut <= value ? undefined : { expected: `at most ${value} base units`, found: `${paidOut} base units` };
}

/** The claim that a taker hands to watchers. */
export const spendPreimageRule: SwapRule = {
  check: 'watcher-spend-preimage',
  describes:
    "The claim for watchers takes the maker's payment with the right redeem script and lacks the secret alone; with the secret put in it is the stored claim, byte for byte, unless that was signed anew.",
  source: 'KDF stored swaps: HTLC on UTXO, watcher preimages',
  run: (swap, findings) => {
    const claim = swap.transactions.find(({ use }) => use.kind === 'claim' && use.payer === 'maker');
    for (const { event, bytes, spend } of preimagesOf(swap, findings, 0)) {
      const fault = outpointFault(spend) ?? scriptFault(swap, spend) ?? valueFault(spend);
      if (fault !== undefined) findings.violated(event.seq, fault);
      else findings.verified(event.seq, completedBy(bytes, { claim, secret: swap.secret }));
    }
  },
};

function completedBy(
  preimage: Uint8Array,
  { claim, secret }: { readonly claim: LoggedTransaction | undefined; readonly secret: Uint8Array | undefined },
): string {
  if (claim === undefined || secret === undefined) return "takes the maker's payment";
  const complete = completeSpendPreimage(preimage, secret);
  const same = !isTransactionProblem(complete) && sameBytes(complete, claim.bytes);
  return same
    ? `with the secret it is the claim at ${claim.seq}`
    : "takes the maker's payment; the claim was signed anew";
}

/** The refund that a taker hands to watchers. */
export const refundPreimageRule: SwapRule = {
  check: 'watcher-refund-preimage',
  describes:
    "The refund for watchers takes the taker's payment by the branch of the sender, with a lock time at or after the lock of the payment; a watcher's refund is that transaction, unless the owner's own was taken for it.",
  source: 'KDF stored swaps: HTLC on UTXO, watcher preimages',
  run: (swap, findings) => {
    const refund = swap.transactions.find((logged) => logged.event === 'TakerPaymentRefundedByWatcher');
    for (const { event, bytes, spend } of preimagesOf(swap, findings, 1)) {
      const fault: Fault | undefined =
        outpointFault(spend) ?? scriptFault(swap, spend) ?? refundLockFault(spend) ?? valueFault(spend);
      if (fault !== undefined) {
        findings.violated(event.seq, fault);
        continue;
      }
      const same = refund !== undefined && sameBytes(refund.bytes, bytes);
      findings.verified(event.seq, same ? `is the refund at ${refund.seq}` : "takes the taker's payment");
    }
  },
};
