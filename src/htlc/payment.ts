import { bytesToHex, sameBytes } from '../primitives/hex.ts';
import { paymentScriptWrong, paymentValueWrong, paymentWithoutOutputs } from './error-texts.ts';
import { parseHtlcInput } from './htlc-input.ts';
import { type HtlcTerms, htlcRedeemScript, opReturnScript, payToScript, type ScriptScheme } from './script.ts';
import type { DecodedTransaction, TransactionOutput } from './transaction.ts';
import type { OutPoint } from './transaction-encoding.ts';

/** What a payment on a UTXO chain locks. */
export type LockedPayment = {
  readonly terms: HtlcTerms;
  /** @defaultValue 'p2sh' */
  readonly scheme?: ScriptScheme;
  /** In base units. */
  readonly value: bigint;
};

/**
 * The output script of a payment. @throws HtlcTermsError if no script can express the terms.
 *
 * @example
 * ```ts
 * import { bytesToHex, hexToBytes, paymentScript, unixSecondsOf } from 'swapfold/htlc';
 *
 * const terms = {
 *   lockTime: unixSecondsOf(0x5d39a2a7),
 *   senderKey: hexToBytes('0326846707a52a233cfc49a61ef51b1698bbe6aa78fa8b8d411c02743c09688f0a'),
 *   receiverKey: hexToBytes('031bb83b58ec130e28e0a6d5d2acf2eb01b0d3f1670e021d47d31db8a858219da8'),
 *   secretHash: hexToBytes('3669eb83a007a3c507448d79f45a9f06ec2f36a8'),
 * };
 * bytesToHex(paymentScript({ terms })); // → 'a914f2fa08ae416b576779ae5da975e5442663215fce87'
 * const script = bytesToHex(paymentScript({ terms, scheme: 'p2wsh' }));
 * script; // → '0020318ee770a97db6a43527010a1ca6bd5056e7f74972ed0146b631ad0d6f1dd6fe'
 * ```
 */
export function paymentScript({ terms, scheme = 'p2sh' }: Omit<LockedPayment, 'value'>): Uint8Array {
  return payToScript(htlcRedeemScript(terms), scheme);
}

/** What the OP_RETURN of a payment carries: the secret hash as negotiated, or on Pirate the whole redeem script. */
export type CarriedData = 'secretHash' | 'redeemScript';

/**
 * The first two outputs of a payment, in order: the locked value, and an OP_RETURN without value that lets a restored wallet find the swap. Change
 * follows.
 *
 * @throws HtlcTermsError if no script can express the terms.
 *
 * @example
 * ```ts
 * import { opReturnData, paymentOutputs, unixSecondsOf } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(32).fill(9)];
 * const terms = { lockTime, secretHash, ...keys };
 * const outputs = paymentOutputs({ terms, value: 240_000_001n });
 * outputs.map(({ value }) => value); // → [240_000_001n, 0n]
 * outputs.map(({ script }) => opReturnData(script)); // → [undefined, secretHash]
 * ```
 */
export function paymentOutputs(
  payment: LockedPayment,
  options: { readonly carries?: CarriedData } = {},
): readonly TransactionOutput[] {
  const { terms, value } = payment;
  const data = options.carries === 'redeemScript' ? htlcRedeemScript(terms) : terms.secretHash;
  return [
    { value, script: paymentScript(payment) },
    { value: 0n, script: opReturnScript(data) },
  ];
}

/**
 * Why a transaction is not the payment, in the words of KDF; null if it is. Only output 0 counts, its script byte for byte and its value exactly: too
 * much is refused as too little is.
 *
 * @throws HtlcTermsError if no script can express the terms.
 *
 * @example
 * ```ts
 * import { paymentOutputs, paymentProblem, unixSecondsOf } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(20).fill(9)];
 * const terms = { lockTime, secretHash, ...keys };
 * const outputs = paymentOutputs({ terms, value: 1001n });
 * paymentProblem({ outputs }, { terms, value: 1001n }); // → null
 * const problem = paymentProblem({ outputs }, { terms, value: 1000n });
 * problem; // → "Provided payment tx output value doesn't match expected 1001 1000"
 * ```
 */
export function paymentProblem(
  { outputs }: Pick<DecodedTransaction, 'outputs'>,
  payment: LockedPayment,
): string | null {
  const [first] = outputs;
  if (first === undefined) return paymentWithoutOutputs();
  const expected = paymentScript(payment);
  if (!sameBytes(first.script, expected)) {
    return paymentScriptWrong(bytesToHex(first.script), bytesToHex(expected));
  }
  return first.value === payment.value ? null : paymentValueWrong(first.value, payment.value);
}

/**
 * The first output that pays to the script of the terms, whatever its value and index; undefined if there is none. For the other side only output 0
 * is a payment, but its sender can refund any.
 *
 * @throws HtlcTermsError if no script can express the terms.
 *
 * @example
 * ```ts
 * import { findPaymentOutput, opReturnScript, paymentScript, unixSecondsOf } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(20).fill(9)];
 * const terms = { lockTime, secretHash, ...keys };
 * const script = paymentScript({ terms });
 * const outputs = [{ value: 0n, script: opReturnScript() }, { value: 1001n, script }];
 * findPaymentOutput({ outputs }, { terms }); // → { vout: 1, value: 1001n }
 * findPaymentOutput({ outputs }, { terms, scheme: 'p2wsh' }); // → undefined
 * ```
 */
export function findPaymentOutput(
  { outputs }: Pick<DecodedTransaction, 'outputs'>,
  payment: Omit<LockedPayment, 'value'>,
): (Pick<OutPoint, 'vout'> & { readonly value: bigint }) | undefined {
  const script = paymentScript(payment);
  const vout = outputs.findIndex((output) => sameBytes(output.script, script));
  return vout < 0 ? undefined : { vout, value: (outputs[vout] as TransactionOutput).value };
}

/** How a payment was spent: claimed with the secret, which is public from then on, or refunded by its sender. */
export type TakenPayment =
  | { readonly how: 'secret'; readonly secret: Uint8Array }
  | { readonly how: 'refund' }
  /** By an input of another form, which no rule of this protocol produces. */
  | { readonly how: 'unknown' };

/**
 * How a transaction spends an output of a payment; undefined if it does not. Does not verify signatures.
 *
 * @example
 * ```ts
 * import {
 *   FINAL_SEQUENCE, htlcInputScripts, htlcRedeemScript, takenBy, unixSecondsOf,
 * } from 'swapfold/htlc';
 *
 * const keys = { senderKey: new Uint8Array(33).fill(2), receiverKey: new Uint8Array(33).fill(3) };
 * const [lockTime, secretHash] = [unixSecondsOf(1_734_579_600), new Uint8Array(20).fill(9)];
 * const redeemScript = htlcRedeemScript({ lockTime, secretHash, ...keys });
 * const [secret, signature] = [new Uint8Array(32).fill(0x5e), new Uint8Array(71)];
 * const shown = { signature, secret, redeemScript };
 * const scripts = htlcInputScripts({ scheme: 'p2sh', kind: 'spend', ...shown });
 * const payment = { txid: 'ab'.repeat(32), vout: 0 };
 * const inputs = [{ ...payment, ...scripts, sequence: FINAL_SEQUENCE }];
 * takenBy({ inputs }, payment); // → { how: 'secret', secret }
 * takenBy({ inputs }, { ...payment, vout: 1 }); // → undefined
 * ```
 */
export function takenBy({ inputs }: Pick<DecodedTransaction, 'inputs'>, payment: OutPoint): TakenPayment | undefined {
  const input = inputs.find(({ txid, vout }) => txid === payment.txid && vout === payment.vout);
  if (input === undefined) return undefined;
  const taken = parseHtlcInput(input);
  if (taken?.kind === 'spend') return { how: 'secret', secret: taken.secret };
  return { how: taken?.kind === 'refund' ? 'refund' : 'unknown' };
}
