import type { JournalPayloads } from '../../../events/journal.ts';
import { type DecimalText, toBigNumber } from '../../../primitives/decimal.ts';
import { onLeg } from '../../../primitives/pair.ts';
import { stateOf } from '../../../runtime/swap/runner.ts';
import { GAS_LIMIT } from '../../chains/account/transaction.ts';
import type { Scene } from '../judge/truth.ts';

/** What is kept of a coin, at the least and at the most, in coin units. */
export type Kept = { readonly least: string; readonly most: string };

export const NONE_KEPT: Kept = { least: '0', most: '0' };

type Stored = { readonly type: string; readonly data: unknown };

/** What says that the own payment is none after all; while it is only waited for, or asked back, it is one. */
const IS_NONE = /^Transaction(Dropped|Reverted)$|PaymentTransactionFailed$|Recover|Void/;
const END_OF_OWN = /^PaymentSettled$|^TakerPaymentSpent$|PaymentRefunded(ByWatcher)?$|^Finished$/;

function purposeOf({ type, data }: Stored): string {
  return type === 'TransactionPrepared' ? (data as JournalPayloads['TransactionPrepared']).purpose : '';
}

/**
 * What it takes to take the own payment back, in coin units, where the account pays for that: from its signing until it has ended, at the price of the payment,
 * by the gas that each of the two may use.
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
    // A maker's refund is held while its payment is there, whatever has become of the other one.
    if (role === 'maker' && type === 'TakerPaymentSpent') return false;
    return END_OF_OWN.test(type) || IS_NONE.test(type) || purposeOf(record) === 'refund';
  });
  // Between the first word of its end and the last one it may be kept still.
  return { least: hasEnded ? '0' : cost, most: isSettled(role, records) ? '0' : cost };
}

/** Whether the last word on the own payment is that it ended for good. */
function isSettled(role: 'maker' | 'taker', records: readonly Stored[]): boolean {
  const last = records.findLast(({ type, data }) => {
    const isWord = type === 'PaymentSettled' || type === 'PaymentReorged';
    return isWord && (data as JournalPayloads['PaymentSettled']).payment === role;
  });
  return last?.type === 'PaymentSettled';
}

/** Why a party is not told that its account keeps what it takes to take its signed payment back, and no more; null where it is. */
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
