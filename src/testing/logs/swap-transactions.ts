import { dexFee, feeOutputs } from '../../htlc/dex-fee.ts';
import { htlcInputScripts } from '../../htlc/htlc-input.ts';
import { keyInputScripts } from '../../htlc/key-input.ts';
import { paymentOutputs } from '../../htlc/payment.ts';
import { type HtlcTerms, htlcRedeemScript, p2pkhScript } from '../../htlc/script.ts';
import {
  type DecodedTransaction,
  FINAL_SEQUENCE,
  LOCKED_SEQUENCE,
  type TransactionInput,
  type TransactionOutput,
} from '../../htlc/transaction.ts';
import { encodeTransaction, transactionId } from '../../htlc/transaction-encoding.ts';
import { toBaseUnits } from '../../primitives/decimal.ts';
import { hash160 } from '../../primitives/hash.ts';
import { bytesToHex } from '../../primitives/hex.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { formOfCoin } from '../../sim/coin-forms.ts';
import { seededHex, seededInt, seededSignature } from './seeded.ts';
import type { SwapTerms } from './swap-terms.ts';

/** A transaction with its bytes, and the two texts that a stored event holds. */
export type BuiltTransaction = { readonly bytes: Uint8Array; readonly tx_hex: string; readonly tx_hash: string };

/** Every transaction that the parties or their watchers may send; each is made when it is first asked for. */
export type SwapTransactions = {
  readonly takerFee: () => BuiltTransaction;
  readonly makerPayment: () => BuiltTransaction;
  readonly takerPayment: () => BuiltTransaction;
  /** The maker's, which reveals the secret. */
  readonly takerPaymentSpend: () => BuiltTransaction;
  readonly makerPaymentSpend: () => BuiltTransaction;
  /** The taker's spend of the maker payment, signed, to which only the secret is missing. */
  readonly makerPaymentSpendPreimage: () => BuiltTransaction;
  readonly takerPaymentRefund: () => BuiltTransaction;
  readonly makerPaymentRefund: () => BuiltTransaction;
};

/** When each transaction is sent, in seconds after the taker's start, for the shortest lock duration of KDF. */
export const SENT_AFTER = { takerFee: 20, makerPayment: 60, takerPayment: 360, takerPaymentSpend: 700 } as const;

const SHORTEST_LOCK_DURATION = 7800;

/** `seconds` of a swap of KDF's shortest lock duration, shrunk where the lock duration is shorter than that. */
export function scaled(terms: SwapTerms, seconds: number): number {
  return Math.floor(seconds * Math.min(1, terms.lockDuration / SHORTEST_LOCK_DURATION));
}

const MINER_FEE = 1000n;

/**
 * The transactions of a swap on two UTXO chains. Keys and signatures have the right form and no private key behind them.
 *
 * @example
 * ```ts
 * import { swapTerms, swapTransactions } from 'swapfold/testing';
 *
 * const terms = swapTerms({ makerCoin: 'DOC', takerCoin: 'LTC', seed: 7 });
 * const { takerPayment, takerPaymentSpend } = swapTransactions(terms);
 * const secret = Buffer.from(terms.secret).toString('hex');
 * takerPaymentSpend().tx_hex.includes(secret); // → true
 * takerPayment().tx_hex.includes(secret); // → false
 * ```
 */
export function swapTransactions(terms: SwapTerms): SwapTransactions {
  const makerPayment = once(() => payment(terms, 'maker'));
  const takerPayment = once(() => payment(terms, 'taker'));
  return {
    takerFee: once(() => takerFee(terms)),
    makerPayment,
    takerPayment,
    takerPaymentSpend: once(() => fromPayment(terms, { payer: 'taker', of: takerPayment(), by: 'spend' })),
    makerPaymentSpend: once(() => fromPayment(terms, { payer: 'maker', of: makerPayment(), by: 'spend' })),
    makerPaymentSpendPreimage: once(() => fromPayment(terms, { payer: 'maker', of: makerPayment(), by: 'preimage' })),
    takerPaymentRefund: once(() => fromPayment(terms, { payer: 'taker', of: takerPayment(), by: 'refund' })),
    makerPaymentRefund: once(() => fromPayment(terms, { payer: 'maker', of: makerPayment(), by: 'refund' })),
  };
}

type Payer = 'maker' | 'taker';

/** The redeem script of the payment that `payer` makes. */
export function paymentScript(terms: SwapTerms, payer: Payer): Uint8Array {
  return htlcRedeemScript(htlcTermsOf(terms, payer));
}

function htlcTermsOf(terms: SwapTerms, payer: Payer): HtlcTerms {
  const receiver = payer === 'maker' ? 'taker' : 'maker';
  const coin = payer === 'maker' ? 'makerCoin' : 'takerCoin';
  return {
    lockTime: payer === 'maker' ? terms.makerLock : terms.takerLock,
    senderKey: terms[payer][coin],
    receiverKey: terms[receiver][coin],
    secretHash: terms.secretHash,
  };
}

function takerFee(terms: SwapTerms): BuiltTransaction {
  const { takerCoin, makerCoin, takerAmount, era } = terms;
  const parameters = { takerCoin, makerCoin, takerAmount, era: era === 'current' ? 'burn' : 'beforeBurn' } as const;
  const outputs = feeOutputs(dexFee(parameters));
  return funded(terms, { payer: 'taker', label: 'fee', outputs, after: SENT_AFTER.takerFee });
}

function payment(terms: SwapTerms, payer: Payer): BuiltTransaction {
  const value = toBaseUnits(payer === 'maker' ? terms.makerAmount : terms.takerAmount);
  const [locked, data] = paymentOutputs({ terms: htlcTermsOf(terms, payer), scheme: terms.schemes[payer], value });
  const outputs = [locked, terms.era === '2019' ? undefined : data].filter((output) => output !== undefined);
  const after = payer === 'maker' ? SENT_AFTER.makerPayment : SENT_AFTER.takerPayment;
  return funded(terms, { payer, label: 'payment', outputs, after });
}

type Funding = {
  readonly payer: Payer;
  readonly label: string;
  readonly outputs: readonly TransactionOutput[];
  readonly after: number;
};

function funded(terms: SwapTerms, { payer, label, outputs, after }: Funding): BuiltTransaction {
  const { seed } = terms;
  const name = `${payer} ${label}`;
  const key = terms[payer][payer === 'maker' ? 'makerCoin' : 'takerCoin'];
  const input = {
    txid: seededHex(seed, `${name} input`),
    vout: seededInt(seed, `${name} vout`, 3),
    ...keyInputScripts({ scheme: 'p2pkh', signature: seededSignature(seed, `${name} signature`), key }),
    sequence: FINAL_SEQUENCE,
  };
  const change = {
    value: BigInt(1_000_000 + seededInt(seed, `${name} change`, 1e9)),
    script: p2pkhScript(hash160(key)),
  };
  const lockTime = terms.takerStartedAt + scaled(terms, after);
  return build(coinOf(terms, payer), { inputs: [input], outputs: [...outputs, change], lockTime });
}

type FromPayment = {
  readonly payer: Payer;
  readonly of: BuiltTransaction;
  readonly by: 'spend' | 'preimage' | 'refund';
};

function fromPayment(terms: SwapTerms, { payer, of, by }: FromPayment): BuiltTransaction {
  const receiver = payer === 'maker' ? 'taker' : 'maker';
  const coin = payer === 'maker' ? 'makerCoin' : 'takerCoin';
  const refund = by === 'refund';
  const amount = toBaseUnits(payer === 'maker' ? terms.makerAmount : terms.takerAmount);
  const signature = seededSignature(terms.seed, `${payer} payment ${refund ? 'refund' : 'spend'}`);
  const parts = { scheme: terms.schemes[payer], signature, redeemScript: paymentScript(terms, payer) };
  const scripts =
    by === 'spend'
      ? htlcInputScripts({ ...parts, kind: 'spend', secret: terms.secret })
      : htlcInputScripts({ ...parts, kind: refund ? 'refund' : 'spendPreimage' });
  const input = { txid: of.tx_hash, vout: 0, ...scripts, sequence: refund ? LOCKED_SEQUENCE : FINAL_SEQUENCE };
  const output = {
    value: amount > MINER_FEE ? amount - MINER_FEE : 0n,
    script: p2pkhScript(hash160(terms[refund ? payer : receiver][coin])),
  };
  const lockTime = payer === 'maker' ? terms.makerLock : terms.takerLock;
  return build(coinOf(terms, payer), { inputs: [input], outputs: [output], lockTime });
}

function coinOf(terms: SwapTerms, payer: Payer): string {
  return payer === 'maker' ? terms.makerCoin : terms.takerCoin;
}

type Body = {
  readonly inputs: readonly TransactionInput[];
  readonly outputs: readonly TransactionOutput[];
  readonly lockTime: UnixSeconds | number;
};

function build(coin: string, body: Body): BuiltTransaction {
  const form = formOfCoin(coin);
  const native = body.inputs.some(({ witness }) => witness !== undefined);
  const decoded: DecodedTransaction = { ...form, ...(native ? { format: 'segwit' } : {}), ...body };
  const bytes = encodeTransaction(decoded);
  return { bytes, tx_hex: bytesToHex(bytes), tx_hash: transactionId(bytes, decoded) };
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
