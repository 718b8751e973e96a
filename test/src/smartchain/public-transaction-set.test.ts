import { expect, it } from 'vitest';
import { parseScript } from '../../../src/htlc/script.ts';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.ts';
import { scriptFault } from '../../../src/smartchain/chain/check-scripts.ts';
import { checkTransaction, isCoinbase } from '../../../src/smartchain/chain/check-transaction.ts';
import { DEFAULT_PARAMS } from '../../../src/smartchain/params.ts';
import { decodeChainTransaction, encodeChainTransaction } from '../../../src/smartchain/transaction.ts';
import { describeWith } from '../../support/optional-part.ts';
import { flagsOf, SCRIPT_SETS, scriptOfText, scriptSet } from '../../support/script-sets.ts';

type Row = readonly [
  spent: readonly (readonly [txid: string, vout: number, script: string])[],
  hex: string,
  flags: string,
];

/** What is wrong with the transaction of a row; `ok` for nothing. */
function verdictOn([spent, hex, flags]: Row): string {
  const raw = hexToBytes(hex);
  const read = decodeChainTransaction(raw);
  if (read === undefined || read.bytes.length !== raw.length) return 'unreadable';
  const { transaction, bytes } = read;
  expect(bytesToHex(encodeChainTransaction(transaction))).toBe(hex);
  const refusal = checkTransaction({ transaction, bytes }, DEFAULT_PARAMS);
  if (refusal !== undefined) return 'reason' in refusal ? refusal.reason : refusal.kind;
  if (isCoinbase(transaction)) return 'ok';
  const scripts = new Map(spent.map(([txid, vout, script]) => [`${txid}:${vout >>> 0}`, scriptOfText(script)]));
  const outputs = transaction.inputs.map(({ txid, vout }) => {
    const script = scripts.get(`${txid}:${vout}`);
    if (script === undefined) throw new Error(`the row does not tell the script of ${txid}:${vout}`);
    return { value: 0n, script };
  });
  return (
    scriptFault(transaction, {
      spent: outputs,
      evaluate: () => false,
      cryptoConditions: false,
      flags: flagsOf(flags),
    }) ?? 'ok'
  );
}

/**
 * Good transactions that are bad here, by row: an input without an output beside it signs with SIGHASH_SINGLE. Bitcoin signs the
 * number one then; the smart-chain node, as Zcash, knows no such signature.
 */
const UNSIGNABLE: ReadonlySet<number> = new Set([9, 36, 37]);

/** Why the bad transactions are bad, in the order of the set. */
const REASONS: readonly string[] = [
  'VERIFY',
  'CHECKSIGVERIFY',
  'CHECKSIGVERIFY',
  'UNBALANCED_CONDITIONAL',
  'bad-txns-vout-empty',
  'bad-txns-vout-negative',
  // These two have too much value for Bitcoin. The limit here depends on the chain's supply and is ten times as high at least;
  // the signatures are no good either.
  ...['EVAL_FALSE', 'EVAL_FALSE'],
  'bad-txns-inputs-duplicate',
  ...['bad-cb-length', 'bad-cb-length'],
  // A lone input that spends nothing makes the transaction a coinbase, which this one is not fit to be.
  'bad-cb-length',
  ...['EVAL_FALSE', 'EVAL_FALSE'],
  'INVALID_STACK_OPERATION',
  ...['SIG_NULLDUMMY', 'SIG_NULLDUMMY', 'SIG_NULLDUMMY'],
  ...['INVALID_STACK_OPERATION', 'INVALID_STACK_OPERATION'],
  ...Array<string>(4).fill('UNSATISFIED_LOCKTIME'),
  'INVALID_STACK_OPERATION',
  ...['NEGATIVE_LOCKTIME', 'NEGATIVE_LOCKTIME'],
  ...Array<string>(8).fill('UNSATISFIED_LOCKTIME'),
  'UNKNOWN_ERROR',
  ...['UNSATISFIED_LOCKTIME', 'UNSATISFIED_LOCKTIME'],
  'INVALID_STACK_OPERATION',
];

describeWith(SCRIPT_SETS, "Bitcoin's public transaction tests", () => {
  it('every good transaction is good', () => {
    const rows = scriptSet('tx_valid') as unknown as readonly Row[];
    expect(rows.length).toBe(50);
    const verdicts = rows.map((row) => verdictOn(row));
    expect(verdicts).toEqual(rows.map((_, index) => (UNSIGNABLE.has(index) ? 'EVAL_FALSE' : 'ok')));
  });

  it('the good ones that are bad here sign, with SIGHASH_SINGLE, an input that has no output beside it', () => {
    const rows = scriptSet('tx_valid') as unknown as readonly Row[];
    for (const index of UNSIGNABLE) {
      const [, hex] = rows[index] as Row;
      const transaction = decodeChainTransaction(hexToBytes(hex))?.transaction;
      const beyond = transaction?.inputs.slice(transaction.outputs.length) ?? [];
      const single = beyond
        .flatMap(({ scriptSig }) => parseScript(scriptSig) ?? [])
        .filter(({ data }) => data?.at(-1) === 3);
      expect(single.length).toBeGreaterThan(0);
    }
  });

  it('every bad transaction is bad, each for its reason', () => {
    const rows = scriptSet('tx_invalid') as unknown as readonly Row[];
    expect(rows.map((row) => verdictOn(row))).toEqual(REASONS);
  });
});
