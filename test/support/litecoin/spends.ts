import {
  BITCOIN_FORM,
  bytesToHex,
  completeSpendPreimage,
  type DecodedTransaction,
  decodeTransaction,
  findPaymentOutput,
  type HtlcTerms,
  hexToBytes,
  isTransactionProblem,
  parseHtlcInput,
  type ScriptScheme,
  type SpendRequest,
  sameBytes,
  secretHashMatches,
  signedSpend,
  spendSize,
  transactionId,
  unsignedSpend,
} from '../../../src/htlc/index.ts';
import type { PaymentTerms, PrepareRequest } from '../../../src/ports/chain.ts';
import { feeAt, type Made, type Signer, within } from './purse.ts';

export type Spending = Extract<PrepareRequest, { purpose: 'claim' | 'refund' | 'claimPreimage' | 'refundPreimage' }>;

/** Why nothing was made. */
export type Refused = { readonly kind: 'invalid' | 'feeTooLow' | 'insufficientFunds'; readonly message: string };

export type SpendParts = {
  readonly signer: Signer;
  readonly scheme: ScriptScheme;
  /** Output script of the own address. */
  readonly to: Uint8Array;
  /** Base units for each virtual byte. */
  readonly rate: number;
  readonly step: number;
  /** Least value of an output, in base units. */
  readonly dust: bigint;
  /** In base units; null for no bound. */
  readonly maxFee: bigint | null;
};

/** The terms of a payment as the script has them. */
export function scriptTerms({ lock, secretHash, sender, receiver }: PaymentTerms): HtlcTerms {
  return {
    lockTime: lock,
    secretHash: hexToBytes(secretHash),
    senderKey: hexToBytes(sender),
    receiverKey: hexToBytes(receiver),
  };
}

export function madeOf(hex: string): Made | null {
  if (!/^([0-9a-f]{2})+$/.test(hex)) return null;
  const bytes = hexToBytes(hex);
  const tx = decodeTransaction(bytes);
  return isTransactionProblem(tx) ? null : { txid: transactionId(bytes, tx), hex, tx };
}

/** A claim or a refund of the own side, or one of them for a watcher. */
export function makeSpend(request: Spending, parts: SpendParts): { made: Made; fee: bigint } | Refused {
  const { signer, scheme, to, rate, step, dust, maxFee } = parts;
  const invalid = (message: string): Refused => ({ kind: 'invalid', message });
  const back = request.purpose === 'refund' || request.purpose === 'refundPreimage';
  const inAdvance = request.purpose === 'claimPreimage' || request.purpose === 'refundPreimage';
  const terms = scriptTerms(request.terms);
  if (!sameBytes(signer.key, back ? terms.senderKey : terms.receiverKey)) return invalid('the key is somebody else’s');
  const funding = madeOf(request.funding.tx_hex);
  const output = funding === null ? undefined : findPaymentOutput(funding.tx, { terms, scheme });
  if (funding === null || output === undefined) return invalid('the funding does not pay these terms');
  const whole: Omit<SpendRequest, 'fee'> = {
    kind: back ? 'refund' : 'claim',
    form: BITCOIN_FORM,
    scheme,
    terms,
    funding: { txid: funding.txid, ...output },
    to,
    replaceable: !inAdvance,
  };
  const size = spendSize(whole);
  const earlier = 'replaces' in request && request.replaces !== null ? madeOf(request.replaces.tx_hex) : null;
  const paid = earlier === null ? 0n : output.value - (earlier.tx.outputs[0]?.value ?? 0n);
  const least = paid + feeAt(step, size);
  const fee = within(feeAt(rate, size), { least, maxFee });
  if (fee === null) return { kind: 'feeTooLow', message: 'no fee within the bound would do' };
  if (output.value - fee < dust)
    return { kind: 'insufficientFunds', message: 'the payment does not cover its own fee' };
  const unsigned = unsignedSpend({ ...whole, fee });
  const signature = signer.sign(unsigned.signatureHash);
  const secret = request.purpose === 'claim' ? { secret: hexToBytes(request.secret) } : {};
  const { bytes, txid, transaction } = signedSpend(unsigned, { signature, ...secret });
  return { made: { txid, hex: bytesToHex(bytes), tx: transaction }, fee };
}

/** A watcher's claim with the secret put in; null where the bytes are no preimage or the secret is another. */
export function completed(preimage: string, secret: string): Made | null {
  try {
    const bytes = completeSpendPreimage(hexToBytes(preimage), hexToBytes(secret));
    const made = isTransactionProblem(bytes) ? null : madeOf(bytesToHex(bytes));
    const [input] = made?.tx.inputs ?? [];
    const terms = input === undefined ? undefined : parseHtlcInput(input)?.terms;
    return terms !== undefined && secretHashMatches(hexToBytes(secret), terms.secretHash) ? made : null;
  } catch {
    return null;
  }
}

export function spentBy({ inputs }: DecodedTransaction): readonly string[] {
  return inputs.map(({ txid, vout }) => `${txid}:${vout}`);
}
