import type { Invariant } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { isEndOf, journalInvariants } from '../journal/invariants.ts';
import { sideInvariants } from '../swap/invariants.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';
import { takerSwapDeadlines } from './deadlines.ts';
import { takerSwapVerdict } from './verdict.ts';
import { takerSwapWants } from './wants.ts';

type Journal = Readonly<JournalContext>;

const effects = (state: string, context: TakerSwapContext, journal: Journal) =>
  takerSwapWants(state, context, journal).map(({ effect }) => effect);

const shared = sideInvariants<TakerSwapContext>({
  wants: (state, context, journal) => takerSwapWants(state, context, journal),
  deadlines: takerSwapDeadlines,
  verdict: (state, context, journal) => takerSwapVerdict(state, context, journal),
  mustClaim: (context) => secretIsPublic(context) && !context.makerPaymentSpendConfirmed,
  claim: 'spendMakerPayment',
  refund: 'refundTakerPayment',
  claiming: new Set(['findTakerPaymentSpend', 'spendMakerPayment', 'confirmMakerPaymentSpend']),
  open: new Set(['locked', 'uncertain', 'none']),
});

/** What holds after every event of a legal log. */
export const takerSwapInvariants: readonly Invariant<TakerSwapContext>[] = [
  {
    id: 'T1',
    text: 'the machine wants the taker payment only after the maker payment is validated and confirmed',
    holds: (state, context, journal = NO_JOURNAL) =>
      !effects(state, context, journal).includes('sendTakerPayment') || context.makerPaymentValidated,
  },
  shared.onlyClaim(
    'T2',
    'once the secret is public the machine wants no refund, and until the claim is confirmed it wants only the claim',
  ),
  {
    id: 'T3',
    text: 'a claim of the maker payment needs a secret, a watcher, an earlier claim that revealed the secret, or a restarted node that did not record the secret',
    holds: (_, { makerPaymentSpend, makerPaymentSpentBy, secret, watcherPreimages, failures }) =>
      makerPaymentSpend === null ||
      makerPaymentSpentBy === 'watcher' ||
      secret !== null ||
      watcherPreimages !== null ||
      failures.some(({ event }) => event === 'MakerPaymentSpendConfirmFailed'),
  },
  shared.wantsSomething('T4'),
  {
    id: 'T5',
    text: 'a swap counts as refunded only while the secret is not public, and as completed only with a claim, unless a chain has shown that end for good',
    holds: (state, context, journal = NO_JOURNAL) => {
      const { outcome } = takerSwapVerdict(state, context, journal);
      if (outcome !== 'refunded' && outcome !== 'completed') return true;
      if (isEndOf(outcome, 'taker', journal)) return true;
      if (outcome === 'refunded') return context.takerPaymentRefunded && !secretIsPublic(context);
      return context.makerPaymentSpend !== null || context.makerPaymentSpendConfirmed;
    },
  },
  shared.endTimeKnown('T6'),
  shared.raceIsDeadline('T7'),
  shared.nextIsOpen('T8'),
  ...journalInvariants<TakerSwapContext>({
    role: 'taker',
    ids: ['T9', 'T10', 'T11'],
    mayPay: ({ makerPaymentValidated }) => makerPaymentValidated,
    verdict: takerSwapVerdict,
  }),
];
