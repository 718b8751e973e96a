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

/** The output script of a payment. @throws HtlcTermsError when the terms fit no script. */
export function paymentScript({ terms, scheme = 'p2sh' }: Omit<LockedPayment, 'value'>): Uint8Array {
  return payToScript(htlcRedeemScript(terms), scheme);
}

/** What the OP_RETURN of a payment carries: the secret hash as negotiated, or on Pirate the whole redeem script. */
export type CarriedData = 'secretHash' | 'redeemScript';

/**
 * The first two outputs of a payment, in their order: the locked value, and an OP_RETURN without value that lets a restored
 * wallet find the swap. Change comes behind them.
 *
 * @throws HtlcTermsError when the terms fit no script.
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
 * Why a transaction is not the payment, in the words of KDF; null when it is. Only output 0 counts, its script byte for byte and
 * its value exactly: more is refused as less is.
 *
 * @throws HtlcTermsError when the terms fit no script.
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
 * The first output that pays to the script of the terms, whatever its value and place; undefined when there is none. What does
 * not stand at output 0 is no payment for the other side, but its sender can take it back.
 *
 * @throws HtlcTermsError when the terms fit no script.
 */
export function findPaymentOutput(
  { outputs }: Pick<DecodedTransaction, 'outputs'>,
  payment: Omit<LockedPayment, 'value'>,
): (Pick<OutPoint, 'vout'> & { readonly value: bigint }) | undefined {
  const script = paymentScript(payment);
  const vout = outputs.findIndex((output) => sameBytes(output.script, script));
  return vout < 0 ? undefined : { vout, value: (outputs[vout] as TransactionOutput).value };
}

/** How a payment was taken: with the secret, which everybody knows from then on, or back by its sender. */
export type TakenPayment =
  | { readonly how: 'secret'; readonly secret: Uint8Array }
  | { readonly how: 'refund' }
  /** By an input of another form, which no rule of this protocol makes. */
  | { readonly how: 'unknown' };

/** How a transaction takes an output of a payment; undefined when it does not take it. Signatures are not verified. */
export function takenBy({ inputs }: Pick<DecodedTransaction, 'inputs'>, payment: OutPoint): TakenPayment | undefined {
  const input = inputs.find(({ txid, vout }) => txid === payment.txid && vout === payment.vout);
  if (input === undefined) return undefined;
  const taken = parseHtlcInput(input);
  if (taken?.kind === 'spend') return { how: 'secret', secret: taken.secret };
  return { how: taken?.kind === 'refund' ? 'refund' : 'unknown' };
}
