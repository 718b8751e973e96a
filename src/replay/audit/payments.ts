import type { Role } from '../../events/catalog.ts';
import { opReturnData, paidScript, payToScript } from '../../htlc/script.ts';
import { toBaseUnits } from '../../primitives/decimal.ts';
import { bytesToHex, sameBytes } from '../../primitives/hex.ts';
import { isMissing, lockedOutput, rebuiltScript } from './payment-output.ts';
import type { SwapRule } from './rule.ts';
import type { AuditedSwap } from './swap-view.ts';

const PAYERS: readonly Role[] = ['maker', 'taker'];

/** Payments whose chain has outputs, with their position; those of EVM chains have rules of their own. */
function* paidPayments(swap: AuditedSwap) {
  for (const payer of PAYERS) {
    const payment = swap.payments[payer];
    const { transaction } = payment;
    if (transaction !== undefined && transaction.family !== 'evm') yield { payment, transaction };
  }
}

/** The script of a payment against the one that the log's terms give. */
export const paymentScriptRule: SwapRule = {
  check: 'payment-script',
  describes:
    'Output 0 of each payment pays to the hash of the redeem script that the keys, the lock time and the secret hash of the log give, as P2SH or P2WSH.',
  source: 'KDF stored swaps: HTLC on UTXO; BIP 16, BIP 65, BIP 141',
  run: (swap, findings) => {
    for (const { payment, transaction } of paidPayments(swap)) {
      const output = lockedOutput(payment);
      const script = rebuiltScript(swap, payment);
      if (isMissing(output)) findings.notCheckable(transaction.seq, output.missing);
      else if (isMissing(script)) findings.notCheckable(transaction.seq, script.missing);
      else {
        const found = bytesToHex(output.value.script);
        if (!('value' in script)) {
          findings.violated(transaction.seq, { expected: 'terms that fit a redeem script', found: script.impossible });
          continue;
        }
        // The log does not name the scheme; the output shows it, and both are of the same strength.
        const { scheme } = paidScript(output.value.script) ?? { scheme: 'p2sh' };
        const expected = bytesToHex(payToScript(script.value, scheme));
        if (expected === found) findings.verified(transaction.seq, found);
        else findings.violated(transaction.seq, { expected, found });
      }
    }
  },
};

const SATOSHI_DECIMALS = 8;
/** Peercoin alone of the coins of this family counts in millionths, and the log does not say so. */
const PEERCOIN_DECIMALS = 6;

/** The value of a payment against the amount of Started. */
export const paymentAmountRule: SwapRule = {
  check: 'payment-amount',
  describes:
    'The value of output 0 of each payment is the amount that Started names, cut off below one base unit, exactly.',
  source: 'KDF stored swaps: HTLC on UTXO',
  run: (swap, findings) => {
    for (const { payment, transaction } of paidPayments(swap)) {
      const output = lockedOutput(payment);
      const { amount } = payment;
      if (isMissing(output)) findings.notCheckable(transaction.seq, output.missing);
      else if (amount === undefined) findings.notCheckable(transaction.seq, 'the log does not name the amount');
      else {
        const found = output.value.value;
        const accepted = [SATOSHI_DECIMALS, PEERCOIN_DECIMALS].map((decimals) => toBaseUnits(amount, decimals));
        if (accepted.includes(found)) findings.verified(transaction.seq, `${found} base units`);
        else {
          const expected = `${accepted[0]} base units (${amount})`;
          findings.violated(transaction.seq, { expected, found: `${found} base units` });
        }
      }
    }
  },
};

/** The second half of December 2020: from then on every payment on record carries its secret hash. */
const HASH_OUTPUTS_SINCE = 1_607_817_600;

/** The OP_RETURN of a payment against the secret hash. */
export const paymentHashOutputRule: SwapRule = {
  check: 'payment-hash-output',
  describes:
    'Where a payment has an OP_RETURN output, it carries the secret hash as negotiated, or the whole redeem script (Pirate); payments of 2019 and most of 2020 have none.',
  source: 'KDF stored swaps: HTLC on UTXO',
  run: (swap, findings) => {
    for (const { payment, transaction } of paidPayments(swap)) {
      const output = lockedOutput(payment);
      if (isMissing(output)) {
        findings.notCheckable(transaction.seq, output.missing);
        continue;
      }
      const carried = transaction.utxo?.outputs
        .slice(1)
        .map(({ script }) => opReturnData(script))
        .find((data) => data !== undefined);
      const script = rebuiltScript(swap, payment);
      if (carried === undefined) {
        const old = (swap.startedAt ?? 0) < HASH_OUTPUTS_SINCE;
        const reason = old
          ? 'the payment carries no OP_RETURN, as payments before December 2020'
          : 'the payment carries no OP_RETURN';
        findings.notCheckable(transaction.seq, reason);
      } else if (swap.secretHash === undefined) {
        findings.notCheckable(transaction.seq, 'the log holds neither the secret hash nor the secret');
      } else if (sameBytes(carried, swap.secretHash) || ('value' in script && sameBytes(carried, script.value))) {
        findings.verified(transaction.seq, bytesToHex(carried));
      } else {
        findings.violated(transaction.seq, { expected: bytesToHex(swap.secretHash), found: bytesToHex(carried) });
      }
    }
  },
};
