import { SECRET_BYTES } from '../../../htlc/secret-hash.ts';
import type { Answer, PreparedTransaction, PrepareRequest } from '../../../ports/chain.ts';
import { isHex } from '../../../primitives/hex.ts';
import { answered, ofSomebodyElse, refused, tooDear } from '../faults.ts';
import { rateOf } from '../settings.ts';
import type { DraftInput, HtlcScript, Signer } from './codec.ts';
import { within } from './purse.ts';
import type { UtxoState } from './state.ts';
import { SPEND_SIZE } from './transaction.ts';
import { fundingProblem } from './views.ts';
import { maxFeeOf, paidOut, preparedOf, type Workshop } from './workshop.ts';

type SpendRequest = Extract<PrepareRequest, { purpose: 'claim' | 'refund' | 'claimPreimage' | 'refundPreimage' }>;
type Completion = Extract<PrepareRequest, { purpose: 'completePreimage' }>;

/** Urgency of what is signed in advance: nobody can raise its fee later. */
const PREIMAGE_URGENCY = 1;

/** A claim or a refund, or one of them for a watcher. */
export function prepareSpend(shop: Workshop, request: SpendRequest): Answer<PreparedTransaction> {
  const { state, book, purse, view } = shop;
  const { purpose } = request;
  const info = book.find(request.terms);
  const script = info.lock?.script ?? null;
  const funding = state.codec.decode(request.funding.tx_hex);
  const problem = fundingProblem(funding, info);
  if (script === null || funding === null || problem !== null) return refused('invalid', problem ?? 'no funding');
  const back = purpose === 'refund' || purpose === 'refundPreimage';
  const signer = purse.party.signers.get(back ? script.sender : script.receiver);
  if (signer === undefined) return ofSomebodyElse(back ? 'sender' : 'receiver');
  if (purpose === 'claim' && !isSecret(request.secret)) return refused('invalid', 'a secret has 32 bytes');
  const { fee, least } = spendFee(state, request, info.amount);
  if (fee === null) {
    const maxFee = 'maxFee' in request ? request.maxFee : undefined;
    if (maxFee !== undefined) return tooDear(maxFee, state.settings.amounts.format(least));
    return refused('insufficientFunds', `the payment of ${info.amount} does not cover its own fee`);
  }
  const inAdvance = purpose === 'claimPreimage' || purpose === 'refundPreimage';
  const tx = state.codec.encode({
    lockTime: inAdvance ? script.lockTime : Math.max(script.lockTime, view.median - 1),
    inputs: [inputOf(request, { script, signer, txid: funding.id })],
    outputs: [{ kind: 'key', value: info.amount - fee, lock: purse.party.signer.address }],
  });
  purse.prepared.set(tx.id, tx);
  return answered(preparedOf(state.settings, tx, fee));
}

function isSecret(text: string): boolean {
  return text.length === 2 * SECRET_BYTES && isHex(text);
}

type Branch = { readonly script: HtlcScript; readonly signer: Signer; readonly txid: string };

function inputOf(request: SpendRequest, { script, signer, txid }: Branch): DraftInput {
  if (request.purpose === 'claim') {
    return { by: 'secret', txid, vout: 0, final: true, signer, script, secret: request.secret };
  }
  if (request.purpose === 'claimPreimage') return { by: 'bare', txid, vout: 0, final: true, signer, script };
  return { by: 'refund', txid, vout: 0, final: false, signer, script };
}

type SpendFee = { readonly fee: bigint | null; readonly least: bigint };

/** By urgency, enough to replace the earlier variant, and never so much that too little is left; null if nothing would be left. */
function spendFee({ settings, codec }: UtxoState, request: SpendRequest, value: bigint): SpendFee {
  const urgency = 'urgency' in request ? request.urgency : PREIMAGE_URGENCY;
  let fee = BigInt(Math.ceil(rateOf(settings, urgency) * SPEND_SIZE));
  let least = BigInt(Math.ceil((settings.feeRate / 2) * SPEND_SIZE));
  const replaced = 'replaces' in request && request.replaces !== null ? codec.decode(request.replaces.tx_hex) : null;
  if (replaced !== null) least += value - (replaced.outputs[0]?.value ?? value);
  if (fee < least) fee = least;
  const bound = 'maxFee' in request ? maxFeeOf(settings, request) : null;
  const bounded = within({ fee, least }, bound);
  const most = value - settings.minTxAmount;
  if (bounded === null || bounded <= most) return { fee: bounded, least };
  return { fee: most >= BigInt(Math.ceil(settings.feeRate * SPEND_SIZE)) ? most : null, least };
}

/** A receiver's preimage with the secret filled in. Anyone can do this. */
export function prepareCompletion(shop: Workshop, request: Completion): Answer<PreparedTransaction> {
  const { state, purse } = shop;
  const tx = state.codec.complete(request.preimage, request.secret);
  const input = tx?.inputs[0];
  if (tx === null || input === undefined) return refused('invalid', 'the bytes are no preimage of a spend');
  if (!input.unlock.hashed) return refused('invalid', 'the secret does not have the hash that the payment asks for');
  const source = state.entries.get(input.txid)?.tx.outputs[input.vout];
  if (source === undefined) return refused('parentsUnknown', `missing inputs: ${input.txid} is not known`);
  purse.prepared.set(tx.id, tx);
  return answered(preparedOf(state.settings, tx, source.value - paidOut(tx)));
}
