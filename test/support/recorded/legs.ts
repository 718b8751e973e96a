import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { UtxoCoin } from '../../../src/chains/utxo/coin.ts';
import { readUtxoEntry } from '../../../src/chains/utxo/coin-entry.ts';
import { ownScript } from '../../../src/chains/utxo/sign-coins.ts';
import { completed, makeSpend } from '../../../src/chains/utxo/spend.ts';
import { type DexFeeParameters, dexFee, feeOutputs, feeProblem } from '../../../src/htlc/dex-fee.ts';
import { parseHtlcInput } from '../../../src/htlc/htlc-input.ts';
import { inputKey, keyScriptLike } from '../../../src/htlc/key-input.ts';
import { KDF_NETWORK } from '../../../src/htlc/network-profile.ts';
import { paymentOutputs, paymentProblem, takenBy } from '../../../src/htlc/payment.ts';
import type { HtlcTerms } from '../../../src/htlc/script.ts';
import { signedSpend, unsignedSpend } from '../../../src/htlc/spend.ts';
import { type DecodedTransaction, decodeTransaction, isTransactionProblem } from '../../../src/htlc/transaction.ts';
import { identifyTransaction } from '../../../src/htlc/transaction-id.ts';
import type { PaymentTerms } from '../../../src/ports/chain.ts';
import { toBaseUnits } from '../../../src/primitives/decimal.ts';
import { bytesToHex, hexToBytes, isHex, sameBytes } from '../../../src/primitives/hex.ts';
import type { JsonObject } from '../../../src/primitives/json.ts';
import { unixSecondsOf } from '../../../src/primitives/time.ts';
import {
  decimalOf,
  paymentsOf,
  type RecordedPayment,
  type RecordedSwap,
  type StoredTransaction,
  secretHashOf,
  textOf,
  transactionOf,
} from '../../src/htlc/corpus.ts';

/** What a recorded swap may hold that a builder must be able to make again. */
export const LEGS = [
  'maker payment',
  'taker payment',
  'fee',
  'maker payment spent',
  'maker payment refunded',
  'taker payment spent',
  'taker payment refunded',
  'watcher claim',
  'watcher refund',
] as const;
export type Leg = (typeof LEGS)[number];

/** How a leg was made again from the events, or why it was not. */
export type Outcome = { readonly reproduced: string } | { readonly not: string };

const SMART: JsonObject = { overwintered: 1, txversion: 4 };

/** The members of the coins file that shape transactions, as they were when the swaps were made. */
const ENTRIES: Readonly<Record<string, JsonObject>> = {
  BEER: SMART,
  PIZZA: SMART,
  ETOMIC: SMART,
  KMD: SMART,
  DEX: SMART,
  RICK: SMART,
  MORTY: SMART,
  DOC: SMART,
  MARTY: SMART,
  MYCOIN: SMART,
  MYCOIN1: SMART,
  VRSC: SMART,
  // The branch of Blossom, in force in January 2020.
  ZEC: { ...SMART, consensus_branch_id: '0x2bb40e60' },
  DOGE: { txversion: 1 },
  RVN: { txversion: 1 },
  DGB: { txversion: 1 },
  ECA: { txversion: 7 },
};

/** The coin as the adapter would be told of it; undefined where its transactions are not those of a chain of outputs. */
function coinOf(ticker: string): UtxoCoin | undefined {
  const entry = ENTRIES[ticker];
  if (entry === undefined) return undefined;
  return readUtxoEntry({ coin: ticker, ...entry }, { finality: 2, scheme: 'p2sh' }).coin;
}

/** A recorded transaction that must be there in bytes of a chain of outputs; else why it is not compared. */
function readStored(stored: StoredTransaction): DecodedTransaction | string {
  const identity = identifyTransaction(stored.tx_hex, stored.tx_hash);
  if (identity.status === 'notCheckable') return `no bytes are stored (${identity.reason})`;
  if (identity.family !== 'utxo') return `the coin is on another family of chains (${identity.family})`;
  const decoded = decodeTransaction(hexToBytes(stored.tx_hex));
  if (isTransactionProblem(decoded)) throw new Error(`${stored.event}: ${decoded.problem}`);
  return decoded;
}

/** What the events say of a payment, in the form in which the engine asks an adapter. */
function termsOf(payment: RecordedPayment, hash: Uint8Array): PaymentTerms | undefined {
  const { senderKey, receiverKey, lockTime, amount } = payment;
  if (senderKey === undefined || receiverKey === undefined) return undefined;
  return {
    lock: lockTime,
    amount,
    secretHash: bytesToHex(hash),
    sender: bytesToHex(senderKey),
    receiver: bytesToHex(receiverKey),
  } as PaymentTerms;
}

const scriptTermsOf = ({ lock, secretHash, sender, receiver }: PaymentTerms): HtlcTerms => ({
  lockTime: lock,
  secretHash: hexToBytes(secretHash),
  senderKey: hexToBytes(sender),
  receiverKey: hexToBytes(receiver),
});

/** From when on payments carry their secret hash; between both dates nothing is recorded. */
const BARE_UNTIL = Date.UTC(2020, 4, 1) / 1000;
const CARRIED_FROM = Date.UTC(2020, 11, 13) / 1000;

type Recorded = {
  readonly swap: RecordedSwap;
  readonly payment: RecordedPayment;
  readonly coin: string;
};

function paymentOutcome({ swap, payment }: Recorded): Outcome | undefined {
  const { transaction } = payment;
  if (transaction === undefined) return undefined;
  const tx = readStored(transaction);
  if (typeof tx === 'string') return { not: tx };
  const hash = hashOf(swap);
  const terms = hash === undefined ? undefined : termsOf(payment, hash);
  if (hash === undefined || terms === undefined) throw new Error(`${swap.row.file}: terms are missing`);
  const locked = { terms: scriptTermsOf(terms), value: toBaseUnits(terms.amount) };
  const at = swap.row.startedAt;
  if (at >= BARE_UNTIL && at < CARRIED_FROM) throw new Error(`${swap.row.file}: of a time between both rules`);
  const carries = at >= CARRIED_FROM;
  const expected = paymentOutputs(locked).slice(0, carries ? 2 : 1);
  const change = tx.outputs.slice(expected.length);
  const isSame = expected.every(({ value, script }, place) => {
    const found = tx.outputs[place];
    return found !== undefined && found.value === value && sameBytes(found.script, script);
  });
  const isBack = change.every(({ script }) => sameBytes(keyScriptLike(script, locked.terms.senderKey) ?? NONE, script));
  if (!isSame || !isBack || change.length > 1 || paymentProblem(tx, locked) !== null) {
    return { not: 'its outputs are others' };
  }
  const from = isHashless(swap) ? ', with the hash that its refund shows' : '';
  return {
    reproduced: `${carries ? 'script, value and OP_RETURN' : 'script and value, of before the OP_RETURN'}${from}`,
  };
}

const NONE = new Uint8Array(0);

/** The hash that the events hold. One log has a wiped secret and no hash: there the refund shows it. */
function hashOf(swap: RecordedSwap): Uint8Array | undefined {
  if (!isHashless(swap)) return secretHashOf(swap);
  const refund = decodeTransaction(hexToBytes(transactionOf(swap, 'MakerPaymentRefunded')?.tx_hex ?? ''));
  const [input] = isTransactionProblem(refund) ? [] : refund.inputs;
  return input === undefined ? undefined : parseHtlcInput(input)?.terms.secretHash;
}

function isHashless(swap: RecordedSwap): boolean {
  const stored = textOf(swap.negotiated, 'secret_hash') ?? textOf(swap.started, 'secret_hash');
  return stored === undefined && isWiped(swap);
}

/** KDF replaces secrets by zeros in what it hands to others. */
function isWiped({ started }: RecordedSwap): boolean {
  return /^0{64}$/.test(textOf(started, 'secret') ?? '');
}

/** Rules by which fees were ever paid: today's, and those of releases before a part of the fee of KMD was burned. */
const FEE_RULES: readonly (readonly [string, Pick<DexFeeParameters, 'era' | 'minTxAmount'>])[] = [
  ["today's rule", {}],
  ['the rule before the burn', { era: 'beforeBurn' }],
  [
    'the rule before the burn, with its threshold',
    { era: 'beforeBurn', minTxAmount: KDF_NETWORK.tradingFee?.thresholdBeforeBurn ?? 0n },
  ],
];

function feeOutcome(swap: RecordedSwap, payer: Uint8Array | undefined): Outcome | undefined {
  const stored = transactionOf(swap, 'TakerFeeSent', 'TakerFeeValidated');
  if (stored === undefined) return undefined;
  const tx = readStored(stored);
  if (typeof tx === 'string') return { not: tx };
  const takerAmount = decimalOf(swap.started, 'taker_amount');
  const { takerCoin, makerCoin } = swap.row;
  const isPayers = tx.inputs.every((input) => payer !== undefined && sameBytes(inputKey(input) ?? NONE, payer));
  if (!isPayers) return { not: 'somebody else paid it' };
  for (const [name, rule] of FEE_RULES) {
    const fee = dexFee({ takerCoin, makerCoin, takerAmount, ...rule });
    const expected = feeOutputs(fee);
    const isSame = expected.every(({ value, script }, place) => {
      const found = tx.outputs[place];
      return found !== undefined && found.value === value && sameBytes(found.script, script);
    });
    if (isSame && feeProblem({ txid: stored.tx_hash, outputs: tx.outputs }, fee) === null) return { reproduced: name };
  }
  return { not: 'it follows no rule' };
}

const REFUNDS = new Set<Leg>(['maker payment refunded', 'taker payment refunded', 'watcher refund']);

type Spend = Recorded & { readonly leg: Leg; readonly hex: string; readonly tx: DecodedTransaction };

/**
 * Makes a spend of a payment again, from the events and from what its owner was free to choose: the miner's fee and, in older releases, the
 * lock time. The recorded signature must be that of the key in the events over the hash that is to be signed.
 */
async function spendOutcome({ swap, payment, coin: ticker, leg, hex, tx }: Spend): Promise<Outcome> {
  const coin = coinOf(ticker);
  const shown = tx.inputs[0] === undefined ? undefined : parseHtlcInput(tx.inputs[0]);
  if (shown === undefined) return { not: 'the log, made up for a test of KDF, has another transaction there' };
  const hash = hashOf(swap);
  const terms = hash === undefined ? undefined : termsOf(payment, hash);
  const funding = payment.transaction;
  if (coin === undefined || hash === undefined || terms === undefined || funding === undefined) {
    throw new Error(`${swap.row.file}: ${leg} lacks its terms`);
  }
  const isRefund = REFUNDS.has(leg);
  const key = hexToBytes(isRefund ? terms.sender : terms.receiver);
  const recorded = shown.signature.subarray(0, -1);
  let signatures = 0;
  const signer = {
    key,
    sign: (digest: Uint8Array) => {
      const isOurs = secp256k1.verify(recorded, digest, key, { prehash: false, format: 'der', lowS: false });
      if (isOurs) signatures++;
      return recorded;
    },
  };
  const to = ownScript(coin, key);
  const value = toBaseUnits(terms.amount);
  const fee = value - (tx.outputs[0]?.value ?? 0n);
  const made = { terms, funding, isRefund, coin, signer, to, fee, value, lockTime: tx.lockTime };
  const unfinished = tx.lockTime === terms.lock ? await byAdapter(made) : byRules(made);
  const isClaim = !isRefund && leg !== 'watcher claim';
  const told = isClaim ? secretOf(swap) : null;
  const seen = isClaim && isWiped(swap) && shown.kind === 'spend' ? bytesToHex(shown.secret) : null;
  const secret = told ?? seen;
  if (isClaim && secret === null) return { not: 'the log tells no secret' };
  const whole = secret === null ? unfinished : (completed(unfinished, secret)?.hex ?? 'not completed');
  if (signatures !== 1) return { not: 'the signature is over something else' };
  if (whole !== hex.toLowerCase()) return { not: 'the bytes are others' };
  if (secret !== null) {
    const taken = takenBy(tx, { txid: funding.tx_hash, vout: 0 });
    if (taken?.how !== 'secret' || bytesToHex(taken.secret) !== secret) return { not: 'it shows another secret' };
  }
  const how =
    secret === null ? '' : told === null ? 'preimage and the secret that it shows: ' : 'preimage and secret: ';
  return { reproduced: `${how}${tx.lockTime === terms.lock ? 'by the adapter' : 'with the lock time of its day'}` };
}

type Making = {
  readonly terms: PaymentTerms;
  readonly funding: StoredTransaction;
  readonly isRefund: boolean;
  readonly coin: UtxoCoin;
  readonly signer: { readonly key: Uint8Array; readonly sign: (digest: Uint8Array) => Uint8Array };
  readonly to: Uint8Array;
  readonly fee: bigint;
  readonly value: bigint;
  readonly lockTime: number;
};

/** What the adapter signs in advance: the whole refund, or the claim without its secret. */
async function byAdapter({ terms, funding, isRefund, coin, signer, to, fee }: Making): Promise<string> {
  const purpose = isRefund ? 'refundPreimage' : 'claimPreimage';
  const rate = coin.fees.ceiling;
  const made = await makeSpend({ purpose, terms, funding }, { coin, signer, to, rate, maxFee: fee, clock: terms.lock });
  return 'made' in made ? made.made.hex : made.message;
}

/** The same by the rules of `swapfold/htlc`, which take any lock time. */
function byRules({ terms, funding, isRefund, coin, signer, to, fee, value, lockTime }: Making): string {
  const unsigned = unsignedSpend({
    kind: isRefund ? 'refund' : 'claim',
    form: coin.form,
    terms: scriptTermsOf(terms),
    funding: { txid: funding.tx_hash, vout: 0, value },
    to,
    fee,
    lockTime: unixSecondsOf(lockTime),
    hashType: coin.hashType,
    ...(coin.branchId === undefined ? {} : { branchId: coin.branchId }),
  });
  return bytesToHex(signedSpend(unsigned, { signature: signer.sign(unsigned.signatureHash) }).bytes);
}

/** The secret that the events tell: a maker's own, or the one that the taker read from the maker's spend. */
function secretOf(swap: RecordedSwap): string | null {
  const spent = swap.events.get('TakerPaymentSpent') as { readonly secret?: unknown } | undefined;
  const secret = swap.row.role === 'Maker' ? textOf(swap.started, 'secret') : spent?.secret;
  return typeof secret === 'string' && isHex(secret) && !isWiped(swap) ? secret : null;
}

const SPENDS = [
  ['maker payment spent', 'MakerPaymentSpent'],
  ['maker payment refunded', 'MakerPaymentRefunded'],
  ['taker payment spent', 'TakerPaymentSpent'],
  ['taker payment refunded', 'TakerPaymentRefunded'],
] as const;

/** What becomes of each leg that a recorded swap holds. Legs that its log never came to are left out. */
export async function legsOf(swap: RecordedSwap): Promise<ReadonlyMap<Leg, Outcome>> {
  const { makerPayment, takerPayment } = paymentsOf(swap);
  const { makerCoin, takerCoin } = swap.row;
  const sides = {
    maker: { swap, payment: makerPayment, coin: makerCoin },
    taker: { swap, payment: takerPayment, coin: takerCoin },
  };
  const found = new Map<Leg, Outcome>();
  const put = (leg: Leg, outcome: Outcome | undefined) => {
    if (outcome !== undefined) found.set(leg, outcome);
  };
  put('maker payment', paymentOutcome(sides.maker));
  put('taker payment', paymentOutcome(sides.taker));
  put('fee', feeOutcome(swap, takerPayment.senderKey));
  for (const [leg, event] of SPENDS) {
    const stored = transactionOf(swap, event);
    if (stored === undefined) continue;
    const tx = readStored(stored);
    const side = leg.startsWith('maker') ? sides.maker : sides.taker;
    put(leg, typeof tx === 'string' ? { not: tx } : await spendOutcome({ ...side, leg, hex: stored.tx_hex, tx }));
  }
  for (const [leg, bytes] of watcherPreimages(swap)) {
    const tx = decodeTransaction(bytes);
    if (isTransactionProblem(tx)) throw new Error(`${swap.row.file}: ${tx.problem}`);
    const side = leg === 'watcher claim' ? sides.maker : sides.taker;
    put(leg, await spendOutcome({ ...side, leg, hex: bytesToHex(bytes), tx }));
  }
  return found;
}

/** What the taker signed in advance; two nulls where it handed over nothing. */
function watcherPreimages(swap: RecordedSwap): readonly (readonly [Leg, Uint8Array])[] {
  const sent = swap.events.get('WatcherMessageSent') as readonly (readonly number[] | null)[] | undefined;
  const legs = ['watcher claim', 'watcher refund'] as const;
  return legs.flatMap((leg, place) => {
    const bytes = sent?.[place];
    return bytes === undefined || bytes === null ? [] : [[leg, Uint8Array.from(bytes)] as const];
  });
}
