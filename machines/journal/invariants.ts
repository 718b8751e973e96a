import { onLeg } from '../../src/primitives/pair.ts';
import type { Invariant } from '../definition.ts';
import type { Party } from '../swap-verdict.ts';
import { everAccepted, everAttempted, type JournalContext, NO_JOURNAL } from './context.ts';

/** What the rules need of a side. */
type Side<C> = {
  readonly role: Party;
  /** Numbers of the rules, in their order. */
  readonly ids: readonly [string, string, string];
  /** Whether the public events allow the own payment: the other side has done its part. */
  readonly mayPay: (context: C) => boolean;
  readonly verdict: (state: string, context: C, journal: Readonly<JournalContext>) => { readonly outcome: string };
};

/** What the engine's own records may not deny of the public events, and these not of them; of a log that no engine keeps they hold by themselves. */
export function journalInvariants<C>({ role, ids, mayPay, verdict }: Side<C>): readonly Invariant<C>[] {
  const [paid, denied, ended] = ids;
  return [
    {
      id: paid,
      text: 'nobody is given the own payment before the other side has done its part',
      holds: (_, context, journal = NO_JOURNAL) =>
        journal.request === null || !everAttempted(journal, 'payment') || mayPay(context),
    },
    {
      id: denied,
      text: 'a payment that a node took is not called unpaid, unless it was made impossible',
      holds: (state, context, journal = NO_JOURNAL) =>
        !everAccepted(journal, 'payment') ||
        onLeg(journal.settled, role)?.how === 'voided' ||
        verdict(state, context, journal).outcome !== 'failed-before-payment',
    },
    {
      id: ended,
      text: 'the end of no payment is final and undone at once',
      holds: (_, __, { settled, reorged } = NO_JOURNAL) =>
        (settled.maker === null || reorged.maker === null) && (settled.taker === null || reorged.taker === null),
    },
  ];
}

/** Whether an engine of ours wants what it may in this state: something until the end, unless it is paused, and then that the end stays. */
export function wantsEnough(
  state: string,
  effects: readonly string[],
  { kept, paused }: Pick<JournalContext, 'kept' | 'paused'>,
): boolean {
  if (state !== 'finished') return effects.length > 0 || paused;
  return kept ? effects.length === 1 && effects[0] === 'guard' : effects.length === 0;
}

/** Whether a final end, or a recovery, makes the outcome what it is called, whatever the public events say. */
export function isEndOf(outcome: 'refunded' | 'completed', role: Party, journal: Readonly<JournalContext>): boolean {
  const { settled, recovered } = journal;
  if (outcome === 'refunded') {
    return onLeg(settled, role)?.how === 'refunded' || recovered?.action === 'RefundedMyPayment';
  }
  return (
    onLeg(settled, role === 'maker' ? 'taker' : 'maker')?.how === 'claimed' || recovered?.action === 'SpentOtherPayment'
  );
}
