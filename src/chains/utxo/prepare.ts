import { feeOutputs } from '../../htlc/dex-fee.ts';
import { paymentOutputs } from '../../htlc/payment.ts';
import { OP_RETURN } from '../../htlc/script.ts';
import type { TransactionOutput } from '../../htlc/transaction.ts';
import type { Answer, PreparedTransaction, PrepareRequest } from '../../ports/chain.ts';
import { decimalOf, toBaseUnits } from '../../primitives/decimal.ts';
import { bytesToHex, sameBytes } from '../../primitives/hex.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { fault, ok } from './answers.ts';
import { planChild } from './child.ts';
import { type FeeRate, feeAt, rateAt, USUAL_QUESTION } from './coin.ts';
import { nameOutput } from './fee-check.ts';
import { type Made, madeOf, spentBy } from './made.ts';
import { coinsText, type Parts, scriptTerms } from './parts.ts';
import type { Plan } from './purse.ts';
import { sizeWith } from './sign-coins.ts';
import { completed, makeSpend, type Spending } from './spend.ts';

export type Preparing<R = PrepareRequest> = {
  readonly request: R;
  readonly swap: string;
  /** The chain's. */
  readonly clock: UnixSeconds;
};

/** Somebody else sends it later, when the day's price may be another. */
const PREIMAGE_URGENCY = 1;

const SIGNED_IN_ADVANCE = Promise.resolve(
  fault('unsupported', 'on this chain only a transaction that a party signed can spend its payment'),
);

/** Makes and signs a transaction for a swap. One at a time for each wallet: what one takes, the next one must not. */
export function prepare(parts: Parts, asked: Preparing): Promise<Answer<PreparedTransaction>> {
  const { request } = asked;
  switch (request.purpose) {
    case 'fee':
      return payFee(parts, { ...asked, request });
    case 'payment':
      return payTerms(parts, { ...asked, request });
    case 'void':
      return makeVoid(parts, request);
    case 'completePreimage':
      return complete(parts, request);
    case 'child':
      return child(parts, { ...asked, request });
    case 'claimFor':
    case 'refundFor':
      return SIGNED_IN_ADVANCE;
    default:
      return spend(parts, { ...asked, request });
  }
}

/** A rate without any urgency: what the coin configures, or what the node thinks. */
export async function dayRate({ coin, reader }: Pick<Parts, 'coin' | 'reader'>): Promise<FeeRate> {
  const { rate, floor, estimate = USUAL_QUESTION, relayFloor = false } = coin.fees;
  const usual = rate ?? (await reader.estimate(estimate)) ?? floor;
  const relayed = relayFloor ? ((await reader.relayFee?.()) ?? 0n) : 0n;
  return usual > relayed ? usual : relayed;
}

type FeeRequest = Extract<PrepareRequest, { purpose: 'fee' }>;

function payFee(parts: Parts, { request, ...asked }: Preparing<FeeRequest>): Promise<Answer<PreparedTransaction>> {
  const { network, signer } = parts;
  const { feeSat, burnSat } = request;
  const outputs = feeOutputs({ kind: burnSat > 0n ? 'withBurn' : 'standard', feeSat, burnSat }, network);
  // With keys of its own for each swap nobody sees by the key whose fee it is.
  const isNamed = !sameBytes(signer.ofSwap(asked.swap).key, signer.coins.key);
  // Nodes relay one output of data and no more.
  if (isNamed && outputs.some(({ script }) => script[0] === OP_RETURN)) return Promise.resolve(NO_NAMED_BURN);
  return pay(parts, { request, ...asked, outputs: isNamed ? [...outputs, nameOutput(asked.swap)] : outputs });
}

const NO_NAMED_BURN = fault(
  'unsupported',
  'a dex fee with an OP_RETURN burn cannot name its swap, which it must if each swap has its own key: use a wallet with one key',
);

function payTerms(
  parts: Parts,
  { request, ...asked }: Preparing<Extract<PrepareRequest, { purpose: 'payment' }>>,
): Promise<Answer<PreparedTransaction>> {
  const { coin, signer } = parts;
  if (request.terms.sender !== bytesToHex(signer.ofSwap(asked.swap).key)) {
    return Promise.resolve(fault('invalid', 'the terms name another sender'));
  }
  const value = toBaseUnits(request.terms.amount, coin.decimals);
  const outputs = paymentOutputs({ terms: scriptTerms(request.terms), scheme: coin.scheme, value });
  return pay(parts, { request, ...asked, outputs });
}

async function complete(
  { reader, purse, birth, ...parts }: Parts,
  { preimage, secret }: Extract<PrepareRequest, { purpose: 'completePreimage' }>,
): Promise<Answer<PreparedTransaction>> {
  const made = completed(preimage, secret);
  const [input] = made?.tx.inputs ?? [];
  if (made === null || input === undefined)
    return fault('invalid', 'the bytes are not a signed preimage, or the secret differs');
  await reader.find(input.txid, birth);
  const value = reader.index.get(input.txid)?.tx.outputs[input.vout]?.value;
  if (value === undefined) return fault('parentsUnknown', `${input.txid} is not known`);
  purse.prepared.set(made.txid, made);
  const fee = made.tx.outputs.reduce((left, output) => left - output.value, value);
  return ok(preparedOf(parts, { made, fee }));
}

async function child(
  parts: Parts,
  { request, swap }: Preparing<Extract<PrepareRequest, { purpose: 'child' }>>,
): Promise<Answer<PreparedTransaction>> {
  const { coin, purse } = parts;
  const rate = rateAt(coin.fees, { rate: await dayRate(parts), urgency: request.urgency });
  const plan = await planChild(parts, { ...request, rate, maxFee: boundOf(parts, request) });
  if ('message' in plan) return fault(plan.kind, plan.message);
  // Change counts as the wallet's before it is confirmed; the output of a claim does not.
  const isCounted = purse.free().some(({ txid, vout }) => plan.coins[0]?.txid === txid && plan.coins[0].vout === vout);
  if (isCounted && purse.spendable() + purse.coming() - plan.fee < purse.heldByOthers(swap)) {
    return fault('coinsPromised', 'the fee of a child is held for other swaps');
  }
  return ok(preparedOf(parts, { made: await take(parts, plan), fee: plan.fee }));
}

async function spend(
  parts: Parts,
  { request, swap, clock }: Preparing<Spending>,
): Promise<Answer<PreparedTransaction>> {
  const { coin, purse, signer } = parts;
  const urgency = 'urgency' in request ? request.urgency : PREIMAGE_URGENCY;
  const rate = rateAt(coin.fees, { rate: await dayRate(parts), urgency });
  const maxFee = 'maxFee' in request ? boundOf(parts, request) : null;
  const own = { coin, signer: signer.ofSwap(swap), to: purse.script };
  const spent = await makeSpend(request, { ...own, rate, maxFee, clock });
  if ('message' in spent) return fault(spent.kind, spent.message);
  purse.prepared.set(spent.made.txid, spent.made);
  return ok(preparedOf(parts, spent));
}

/** A coin that was mined to the bare key shows nobody whose fee it pays. */
const ONLY_BARE = 'except block rewards paid to the bare key: withdraw them to the own address first';

type Paying = Preparing<Extract<PrepareRequest, { purpose: 'fee' | 'payment' }>> & {
  readonly outputs: readonly TransactionOutput[];
};

async function pay(parts: Parts, { request, swap, outputs }: Paying): Promise<Answer<PreparedTransaction>> {
  const { purse, coin } = parts;
  const value = outputs.reduce((total, output) => total + output.value, 0n);
  if ((outputs[0]?.value ?? 0n) < coin.dust) return fault('invalid', `less than ${coin.dust} base units`);
  const replaced = purse.replacedOf(request.replaces === null ? null : madeOf(request.replaces.tx_hex));
  const rate = rateAt(coin.fees, { rate: await dayRate(parts), urgency: request.urgency });
  const plan = purse.plan({
    outputs,
    rate,
    replaced,
    maxFee: boundOf(parts, request),
    showsKey: request.purpose === 'fee',
  });
  if (plan === 'tooDear') return fault('feeTooLow', 'no fee within the bound suffices');
  const all = purse.spendable() + purse.coming();
  if (plan === 'tooFew') {
    const least = value + feeAt(rate, sizeWith(1, outputs, coin));
    if (request.purpose === 'fee' && all >= least && all - purse.bare() < least) {
      return fault('insufficientFunds', `no coins for ${coinsText(parts, value)} and its fee, ${ONLY_BARE}`);
    }
    const kind = all >= least ? 'coinsPromised' : 'insufficientFunds';
    return fault(kind, `not enough for ${coinsText(parts, value)} and its fee`);
  }
  const cost = value + plan.fee;
  if (replaced === null && all - cost < purse.heldByOthers(swap)) {
    return fault('coinsPromised', 'the rest is held for other swaps');
  }
  const made = await take(parts, plan);
  const own = purse.held.get(swap);
  if (replaced === null && own !== undefined) purse.held.set(swap, own > cost ? own - cost : 0n);
  return ok(preparedOf(parts, { made, fee: plan.fee }));
}

async function makeVoid(
  parts: Parts,
  request: Extract<PrepareRequest, { purpose: 'void' }>,
): Promise<Answer<PreparedTransaction>> {
  const { purse, coin } = parts;
  const target = madeOf(request.target.tx_hex);
  const replaced = purse.replacedOf(target);
  if (target === null || replaced === null)
    return fault('invalid', 'the target is not a transaction of this wallet, or is settled');
  const rate = rateAt(coin.fees, { rate: await dayRate(parts), urgency: request.urgency });
  const plan = purse.planWith(replaced.coins, {
    outputs: [],
    rate,
    replaced,
    maxFee: boundOf(parts, request),
    showsKey: false,
  });
  if (plan === 'tooDear') return fault('feeTooLow', 'no fee within the bound suffices');
  if (plan === null) return fault('insufficientFunds', 'the inputs do not cover a higher fee');
  return ok(preparedOf(parts, { made: await take(parts, plan), fee: plan.fee }));
}

async function take({ purse }: Parts, plan: Plan): Promise<Made> {
  const made = await purse.sign(plan);
  purse.take(made);
  return made;
}

function boundOf({ coin }: Parts, { maxFee }: { readonly maxFee?: string }): bigint | null {
  return maxFee === undefined ? null : toBaseUnits(decimalOf(maxFee), coin.decimals);
}

type Signed = { readonly made: Made; readonly fee: bigint };

function preparedOf(parts: Pick<Parts, 'coin'>, { made: { txid, hex, tx }, fee }: Signed): PreparedTransaction {
  return { tx_hex: hex, tx_hash: txid, spends: spentBy(tx), fee: coinsText(parts, fee) };
}
