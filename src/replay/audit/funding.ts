import { inputKey, keyScriptLike } from '../../htlc/key-input.ts';
import type { DecodedTransaction } from '../../htlc/transaction.ts';
import { bytesToHex, isAlteredCopy, sameBytes } from '../../primitives/hex.ts';
import type { SwapRule } from './rule.ts';
import type { AuditedSwap } from './swap-view.ts';
import type { LoggedTransaction } from './transactions.ts';
import { useInWords } from './transactions.ts';

type UtxoTransaction = LoggedTransaction & { readonly utxo: DecodedTransaction };

function utxoTransactions(swap: AuditedSwap): readonly UtxoTransaction[] {
  return swap.transactions.filter((transaction): transaction is UtxoTransaction => transaction.utxo !== undefined);
}

/** Inputs that take an output of another transaction of the log, above all the change of the fee. */
export const fundingRule: SwapRule = {
  check: 'funding',
  describes:
    'A fee or payment that is paid out of an earlier transaction of the same log takes an output which that one has, with the key to which it pays.',
  source: 'Bitcoin transactions',
  run: (swap, findings) => {
    const known = new Map(utxoTransactions(swap).map((transaction) => [transaction.id, transaction]));
    for (const { seq, use, utxo, id } of known.values()) {
      if (use.kind === 'claim' || use.kind === 'refund') continue;
      for (const input of utxo.inputs) {
        const source = known.get(input.txid);
        if (source === undefined || source.id === id) continue;
        const place = `output ${input.vout} of ${useInWords(source.use)}`;
        const output = source.utxo.outputs[input.vout];
        if (output === undefined) {
          findings.violated(seq, { expected: `one of ${source.utxo.outputs.length} outputs`, found: place });
          continue;
        }
        const key = inputKey(input);
        const expected = key === undefined ? undefined : keyScriptLike(output.script, key);
        if (expected === undefined) {
          findings.notCheckable(seq, `${place} does not pay to the hash of a key`);
        } else if (sameBytes(output.script, expected)) findings.verified(seq, place);
        else findings.violated(seq, { expected: bytesToHex(output.script), found: bytesToHex(expected) });
      }
    }
  },
};

/** The keys that signed the fee and the payments against the keys of the log. */
export const payerKeyRule: SwapRule = {
  check: 'payer-key',
  describes:
    "All inputs of the fee and of the payments show the payer's key for that coin. A wallet of many keys may pay with another one; a key of the fee that agrees in most of its bytes is a changed one.",
  source: "KDF stored swaps: maker's validation of the dex fee",
  run: (swap, findings) => {
    for (const { seq, use, utxo } of utxoTransactions(swap)) {
      if (use.kind === 'claim' || use.kind === 'refund') continue;
      const payer = use.kind === 'fee' ? 'taker' : use.payer;
      const expected = swap.payments[payer].senderKey;
      const keys = utxo.inputs.map(inputKey);
      const other = keys.find((key) => key !== undefined && expected !== undefined && !sameBytes(key, expected));
      if (expected === undefined)
        findings.notCheckable(seq, `the log does not hold the key of the ${payer} for this coin`);
      else if (other !== undefined && use.kind === 'fee' && isAlteredCopy(expected, other)) {
        findings.violated(seq, { expected: bytesToHex(expected), found: bytesToHex(other) });
      } else if (other !== undefined) findings.notCheckable(seq, `paid with another key, ${bytesToHex(other)}`);
      else if (keys.length === 0 || keys.includes(undefined)) findings.notCheckable(seq, 'an input shows no key');
      else findings.verified(seq, bytesToHex(expected));
    }
  },
};

/** Transactions that cannot both be final. */
export const conflictRule: SwapRule = {
  check: 'conflicting-transactions',
  describes:
    'No two different transactions of the log take the same output; where two do, at most one of them can be final, and only the chain knows which.',
  source: 'Bitcoin transactions',
  run: (swap, findings) => {
    const takenBy = new Map<string, UtxoTransaction>();
    const transactions = utxoTransactions(swap);
    let conflicts = 0;
    for (const transaction of transactions) {
      for (const { txid, vout } of transaction.utxo.inputs) {
        const earlier = takenBy.get(`${txid}:${vout}`);
        if (earlier === undefined) takenBy.set(`${txid}:${vout}`, transaction);
        else if (earlier.id !== transaction.id) {
          conflicts++;
          const pair = `${useInWords(earlier.use)} at ${earlier.seq} and ${useInWords(transaction.use)}`;
          findings.notCheckable(transaction.seq, `${pair} both take ${txid}:${vout}; at most one can be final`);
          break;
        }
      }
    }
    if (conflicts === 0 && transactions.length > 1) findings.verified(null, `${takenBy.size} outputs, each taken once`);
  },
};
