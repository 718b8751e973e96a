import type { Answer, PreparedTransaction, PrepareRequest } from '../../../ports/chain.ts';
import { answered, ofSomebodyElse, refused, tooDear } from '../faults.ts';
import type { DraftInput, DraftOutput } from './codec.ts';
import { prepareCompletion, prepareSpend } from './prepare-spend.ts';
import { prepareVoid } from './prepare-void.ts';
import { coming, heldByOthers, leastFee, replacedOf, reserve, select, spendable, takeFromHeld } from './purse.ts';
import { maxFeeOf, preparedOf, type Workshop } from './workshop.ts';

/** Makes and signs what the request asks for; nothing leaves the wallet. */
export function prepareUtxo(shop: Workshop, request: PrepareRequest): Answer<PreparedTransaction> {
  switch (request.purpose) {
    case 'fee': {
      const outputs: DraftOutput[] = [{ kind: 'dexFee', value: request.feeSat, lock: '' }];
      if (request.burnSat > 0n) outputs.push({ kind: 'burn', value: request.burnSat, lock: '' });
      if (shop.feeName !== null) outputs.push({ kind: 'data', value: 0n, lock: shop.feeName });
      return preparePaying(shop, request, { outputs });
    }
    case 'payment': {
      const { amount, lock, terms } = shop.book.find(request.terms);
      if (lock?.script == null) return refused('invalid', 'these terms cannot be written as a redeem script');
      if (!shop.purse.party.signers.has(lock.script.sender)) return ofSomebodyElse('sender');
      const outputs: DraftOutput[] = [{ kind: 'htlc', value: amount, lock: lock.id }];
      return preparePaying(shop, request, { outputs, data: terms.secretHash });
    }
    case 'void':
      return prepareVoid(shop, request);
    case 'completePreimage':
      return prepareCompletion(shop, request);
    case 'child':
      return refused('unsupported', 'miners of this chain look at each transaction by itself');
    case 'claimFor':
    case 'refundFor':
      return refused('unsupported', 'only what a party signed spends its payment here');
    default:
      return prepareSpend(shop, request);
  }
}

type PayRequest = Extract<PrepareRequest, { purpose: 'fee' | 'payment' }>;
type Paid = { readonly outputs: DraftOutput[]; readonly data?: string };

function preparePaying(
  shop: Workshop,
  { urgency, replaces, ...bound }: PayRequest,
  { outputs, data }: Paid,
): Answer<PreparedTransaction> {
  const { state, purse, view, swap } = shop;
  const { settings } = state;
  let value = 0n;
  for (const output of outputs) value += output.value;
  if ((outputs[0]?.value ?? 0n) < settings.minTxAmount) {
    return refused('invalid', `less than the least amount of ${settings.minTxAmount}`);
  }
  const replaced = replacedOf(state, purse, { hex: replaces?.tx_hex, view });
  const maxFee = maxFeeOf(settings, bound);
  const counted = outputs.filter(({ kind }) => kind !== 'data').length;
  const selection = select(state, purse, { value, outputs: counted, urgency, view, replaced, maxFee });
  if (selection !== 'tooFew' && 'least' in selection)
    return tooDear(bound.maxFee, settings.amounts.format(selection.least));
  // What is already there, with the change to come; both variants of a transaction take the same.
  const purseful = spendable(state, purse, view) + coming(state, purse);
  if (selection === 'tooFew') {
    const kind = purseful >= value + leastFee(state, counted) ? 'coinsPromised' : 'insufficientFunds';
    return refused(kind, `not enough ${settings.coin} for ${value} and its fee`);
  }
  const cost = value + selection.fee;
  if (replaced === null && purseful - cost < heldByOthers(purse, swap)) {
    return refused('coinsPromised', `${settings.coin} is held for other swaps`);
  }
  if (selection.change > 0n) {
    outputs.push({ kind: 'key', value: selection.change, lock: purse.party.signer.address });
  }
  const inputs = selection.coins.map(
    ({ entry, vout, signer }): DraftInput => ({ by: 'key', txid: entry.tx.id, vout, final: true, signer }),
  );
  const lockTime = settings.now();
  const draft = data === undefined ? { lockTime, inputs, outputs } : { lockTime, inputs, outputs, data };
  const tx = state.codec.encode(draft);
  reserve(purse, tx);
  if (replaced === null) takeFromHeld(purse, swap, cost);
  return answered(preparedOf(settings, tx, selection.fee));
}
