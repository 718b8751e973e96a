import { expect, it } from 'vitest';
import { signatureHasher } from '../../../../src/htlc/signature-hash.ts';
import { BITCOIN_FORM } from '../../../../src/htlc/spend.ts';
import type { DecodedTransaction } from '../../../../src/htlc/transaction.ts';
import { verifyDer } from '../../../../src/smartchain/keys/secp256k1.ts';
import { verifyScript } from '../../../../src/smartchain/script/interpreter.ts';
import { encodeChainTransaction, transactionIdOf } from '../../../../src/smartchain/transaction.ts';
import { describeWith } from '../../../support/optional-part.ts';
import { flagsOf, SCRIPT_SETS, scriptOfText, scriptSet } from '../../../support/script-sets.ts';
import { checkerWith } from './assemble.ts';

type Row = readonly [scriptSig: string, scriptPubKey: string, flags: string, verdict: string, comment?: string];

/** A transaction as the set wants it: one input, one output, nothing else. */
function simple(input: Pick<DecodedTransaction['inputs'][number], 'txid' | 'vout' | 'scriptSig'>, script: Uint8Array) {
  return {
    ...BITCOIN_FORM,
    inputs: [{ ...input, sequence: 0xffff_ffff }],
    outputs: [{ value: 0n, script }],
    lockTime: 0,
  } satisfies DecodedTransaction;
}

/** The verdict on a row in the words of the set: `OK`, or why the script fails. */
function verdictOn([scriptSigText, scriptPubKeyText, flags]: Row): string {
  const scriptSig = scriptOfText(scriptSigText);
  const scriptPubKey = scriptOfText(scriptPubKeyText);
  const nothing = { txid: '00'.repeat(32), vout: 0xffff_ffff, scriptSig: Uint8Array.of(0, 0) };
  const txid = transactionIdOf(encodeChainTransaction(simple(nothing, scriptPubKey)));
  const hashOf = signatureHasher(simple({ txid, vout: 0, scriptSig }, new Uint8Array(0)));
  const checker = checkerWith({
    checkSignature({ signature, publicKey, scriptCode }) {
      const hash = hashOf({ input: 0, scriptCode, amount: 0n, hashType: signature.at(-1) as number });
      return hash !== undefined && verifyDer({ hash, signature: signature.subarray(0, -1), publicKey });
    },
  });
  return verifyScript({ scriptSig, scriptPubKey, flags: flagsOf(flags), checker }) ?? 'OK';
}

type Exception = { readonly scriptPubKey: string; readonly published: string; readonly here: string };

/** Rows that get another verdict here. */
const EXCEPTIONS: readonly Exception[] = [
  // The row tests segregated witnesses though it carries none. The smart-chain node has no such outputs: the script is two pushes.
  {
    scriptPubKey: '0 0x20 0xb95237b48faaa69eb078e1170be3b5cbb3fddf16d0a991e14ad274f7b33a4f64',
    published: 'WITNESS_PROGRAM_WITNESS_EMPTY',
    here: 'OK',
  },
];

describeWith(SCRIPT_SETS, "Bitcoin's public script tests", () => {
  const all = scriptSet('script_tests');
  // A row that starts with a witness spends a segregated output.
  const rows = all.filter(([first]) => typeof first === 'string') as unknown as readonly Row[];

  it('every row outside segregated witnesses has the published verdict, down to the reason', () => {
    expect([all.length - rows.length, rows.length]).toEqual([99, 1090]);
    const differing = rows.flatMap((row): Exception[] => {
      const here = verdictOn(row);
      return here === row[3] ? [] : [{ scriptPubKey: row[1], published: row[3], here }];
    });
    expect(differing).toEqual(EXCEPTIONS);
  });
});
