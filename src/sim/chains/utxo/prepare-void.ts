import type { Answer, PreparedTransaction, PrepareRequest } from '../../../ports/chain.ts';
import { answered, refused, tooDear } from '../faults.ts';
import { rateOf } from '../settings.ts';
import type { DraftInput } from './codec.ts';
import { reserve, within } from './purse.ts';
import { nominalSize, paymentSize } from './transaction.ts';
import { maxFeeOf, paidOut, preparedOf, type Workshop } from './workshop.ts';

type VoidRequest = Extract<PrepareRequest, { purpose: 'void' }>;

/** Takes what the target takes, back to the own wallet, for enough more than the target offers. */
export function prepareVoid(shop: Workshop, { target, urgency, ...bound }: VoidRequest): Answer<PreparedTransaction> {
  const { state, purse } = shop;
  const { settings, codec } = state;
  const voided = codec.decode(target.tx_hex);
  if (voided === null || voided.inputs.length === 0) return refused('invalid', 'the target is no transaction');
  const inputs: DraftInput[] = [];
  let value = 0n;
  for (const { txid, vout, unlock } of voided.inputs) {
    const output = state.entries.get(txid)?.tx.outputs[vout];
    const signer = purse.party.signers.get(unlock.lock);
    if (unlock.by !== 'key') return refused('unsupported', 'a spend of a hash time lock cannot be taken back');
    if (signer === undefined) return refused('invalid', 'the target takes what belongs to somebody else');
    if (output === undefined) return refused('parentsUnknown', `missing inputs: ${txid} is not known`);
    inputs.push({ by: 'key', txid, vout, final: true, signer });
    value += output.value;
  }
  const size = paymentSize(inputs.length, 1);
  const targetFee = value - paidOut(voided);
  const dearer = Number(targetFee) / nominalSize(voided) + settings.feeRate / 2;
  const wanted = BigInt(Math.ceil(Math.max(rateOf(settings, urgency), dearer) * size));
  const least = targetFee + BigInt(Math.ceil((settings.feeRate / 2) * size));
  const fee = within({ fee: wanted < least ? least : wanted, least }, maxFeeOf(settings, bound));
  if (fee === null) return tooDear(bound.maxFee, settings.amounts.format(least));
  if (value - fee < settings.minTxAmount) return refused('insufficientFunds', 'the inputs do not cover a higher fee');
  const outputs = [{ kind: 'key', value: value - fee, lock: purse.party.signer.address } as const];
  const tx = codec.encode({ lockTime: settings.now(), inputs, outputs });
  reserve(purse, tx);
  return answered(preparedOf(settings, tx, fee));
}
