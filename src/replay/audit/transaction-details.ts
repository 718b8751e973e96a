import { type DecimalText, fromBaseUnits, sameDecimal, toBigNumber } from '../../primitives/decimal.ts';
import type { Findings } from './report.ts';
import type { SwapRule } from './rule.ts';
import { decimalField, fieldsOf, textField } from './stored-fields.ts';
import type { AuditedSwap } from './swap-view.ts';
import type { LoggedTransaction } from './transactions.ts';

/** What releases of 2019 and 2020 stored beside every transaction. */
export const transactionDetailsRule: SwapRule = {
  check: 'transaction-details',
  describes:
    'Details that releases of 2019 and 2020 stored beside a transaction agree with it: the coin, the id, the change of the balance, and the total, which is the outputs plus the fee.',
  source: 'KDF stored swaps: shape history, 2020-11-16',
  run: (swap, findings) => {
    for (const transaction of swap.transactions) {
      if (textField(transaction.stored, 'coin') === undefined) continue;
      judgeCoin(swap, transaction, findings);
      judgeDecimals(transaction, findings);
      judgeBalance(transaction, findings);
      judgeTotal(transaction, findings);
    }
  },
};

function judgeCoin(swap: AuditedSwap, { seq, use, stored, id, utxo }: LoggedTransaction, findings: Findings): void {
  const found = textField(stored, 'coin') ?? '';
  const expected = swap.payments[use.kind === 'fee' ? 'taker' : use.payer].coin;
  if (expected === undefined) findings.notCheckable(seq, 'the log does not name the coin');
  else if (found === expected) findings.verified(seq, found);
  else findings.violated(seq, { expected, found, reason: 'coin' });
  const internal = textField(stored, 'internal_id');
  if (utxo === undefined || internal?.length !== id.length) return;
  if (internal === id) findings.verified(seq, internal);
  else findings.violated(seq, { expected: id, found: internal, reason: 'internal_id' });
}

const AMOUNTS = ['my_balance_change', 'received_by_me', 'spent_by_me', 'total_amount'];

function judgeDecimals({ seq, stored }: LoggedTransaction, findings: Findings): void {
  const broken = AMOUNTS.find(
    (name) => textField(stored, name) !== undefined && decimalField(stored, name) === undefined,
  );
  if (broken === undefined) return;
  findings.violated(seq, { expected: 'a decimal number', found: textField(stored, broken) ?? '', reason: broken });
}

/** Releases that wrote numbers instead of texts rounded them, so that only texts contradict one another. */
function isExact(fields: Parameters<typeof textField>[0], names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === 'string');
}

function judgeBalance({ seq, stored }: LoggedTransaction, findings: Findings): void {
  const change = decimalField(stored, 'my_balance_change');
  const received = decimalField(stored, 'received_by_me');
  const spent = decimalField(stored, 'spent_by_me');
  if (change === undefined || received === undefined || spent === undefined) return;
  const expected = toBigNumber(received).minus(toBigNumber(spent)).toFixed() as DecimalText;
  compare(findings, {
    seq,
    expected,
    found: change,
    exact: isExact(stored, ['my_balance_change', 'received_by_me', 'spent_by_me']),
    member: 'my_balance_change',
  });
}

function judgeTotal({ seq, stored, utxo }: LoggedTransaction, findings: Findings): void {
  const total = decimalField(stored, 'total_amount');
  const details = fieldsOf(stored['fee_details']);
  const fee = decimalField(details, 'amount');
  if (total === undefined || fee === undefined || utxo === undefined || utxo.shielded !== undefined) return;
  const outputs = fromBaseUnits(utxo.outputs.reduce((sum, { value }) => sum + value, 0n));
  const expected = toBigNumber(outputs).plus(toBigNumber(fee)).toFixed() as DecimalText;
  const exact = isExact(stored, ['total_amount']) && isExact(details, ['amount']);
  const rewarded = stored['coin'] === 'KMD' && isInterest(toBigNumber(expected).minus(toBigNumber(total)), total);
  if (rewarded) findings.notCheckable(seq, 'the outputs hold more than the inputs, which may be interest of Komodo');
  else compare(findings, { seq, expected, found: total, exact, member: 'total_amount' });
}

/** More than Komodo pays in a year. */
const MOST_INTEREST = 0.06;

function isInterest(surplus: ReturnType<typeof toBigNumber>, total: DecimalText): boolean {
  return surplus.gt(0) && surplus.lte(toBigNumber(total).times(MOST_INTEREST));
}

function compare(
  findings: Findings,
  of: {
    readonly seq: number;
    readonly expected: DecimalText;
    readonly found: DecimalText;
    readonly exact: boolean;
    readonly member: string;
  },
): void {
  const { seq, expected, found, exact, member } = of;
  if (sameDecimal(expected, found)) findings.verified(seq, found);
  else if (exact) findings.violated(seq, { expected, found, reason: member });
  else findings.notCheckable(seq, `${member} was rounded by the release that wrote it`);
}
