import type { JournalPayloads } from '../../../events/journal.ts';
import { type DecimalText, toBigNumber } from '../../../primitives/decimal.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { stateOf } from '../../../runtime/swap/runner.ts';
import { GAS_LIMIT } from '../../chains/account/transaction.ts';
import type { Scene } from '../judge/truth.ts';

/** The least and the most that is kept of a coin, in coin units. */
export type Kept = { readonly least: string; readonly most: string };

export const NONE_KEPT: Kept = { least: '0', most: '0' };

type Stored = { readonly type: string; readonly data: unknown };

/** Events that say that the own payment does not exist after all; while a party only waits for it, or asks for it back, it does. */
const IS_NONE = /^Transaction(Dropped|Reverted)$|PaymentTransactionFailed$|Recover|Void/;
const END_OF_OWN = /^PaymentSettled$|^TakerPaymentSpent$|PaymentRefunded(ByWatcher)?$|^Finished$/;

function purposeOf({ type, data }: Stored): string {
  return type === 'TransactionPrepared' ? (data as JournalPayloads['TransactionPrepared']).purpose : '';
}

/**
 * What the refund of the own payment costs, in coin units, if the account pays for it: from the signing of the payment until its end, at the price of
 * the payment, by the gas that each of the two may use.
 */
export function keptForRefund(role: 'maker' | 'taker', records: readonly Stored[]): Kept {
  const payment = records.findLast((record) => purposeOf(record) === 'payment');
  if (payment === undefined) return NONE_KEPT;
  const { fee = '0' } = (payment.data as JournalPayloads['TransactionPrepared']).tx;
  const cost = toBigNumber(fee as DecimalText)
    .times(GAS_LIMIT.refund)
    .div(GAS_LIMIT.payment)
    .toFixed();
  const hasEnded = records.some((record) => {
    const { type } = record;
    // A maker keeps the cost of its refund while its payment exists, whatever has happened to the other.
    if (role === 'maker' && type === 'TakerPaymentSpent') return false;
    return END_OF_OWN.test(type) || IS_NONE.test(type) || purposeOf(record) === 'refund';
  });
  // Between the first news of its end and the last, the amount may still be kept.
  return { least: hasEnded ? '0' : cost, most: isSettled(role, records) ? '0' : cost };
}

/** Whether the latest record about the own payment says that it ended for good. */
function isSettled(role: 'maker' | 'taker', records: readonly Stored[]): boolean {
  const last = records.findLast(({ type, data }) => {
    const isWord = type === 'PaymentSettled' || type === 'PaymentReorged';
    return isWord && (data as JournalPayloads['PaymentSettled']).payment === role;
  });
  return last?.type === 'PaymentSettled';
}

/** Why a party does not report that its account keeps exactly the cost of refunding its signed payment; null if it does. */
export function keptProblem({ world, node }: Scene): string | null {
  const { name, runner, records } = node;
  const plan = onLeg(world.scenario.chains, name);
  if (plan.kind !== 'account') return null;
  if (!records.some((record) => purposeOf(record) === 'payment')) return null;
  const { least, most } = keptForRefund(name, records);
  const { context } = runner.position;
  const { traits, network } = runner.inputs;
  const hold = runner.kind.locks(context, { state: stateOf(runner), journal: runner.journal, traits, network });
  const told = toBigNumber(hold.amounts.get(plan.coin) ?? ('0' as DecimalText));
  if (told.gte(least) && told.lte(most)) return null;
  return `${told.toFixed()} ${plan.coin} are told to be kept for its refund, which takes ${least} to ${most}`;
}
