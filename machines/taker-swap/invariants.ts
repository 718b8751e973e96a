import type { Invariant } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { isEndOf, journalInvariants, wantsEnough } from '../journal/invariants.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';
import { takerSwapDeadlines } from './deadlines.ts';
import { takerSwapVerdict } from './verdict.ts';
import { takerSwapWants } from './wants.ts';

type Journal = Readonly<JournalContext>;

const effects = (state: string, context: TakerSwapContext, journal: Journal) =>
  takerSwapWants(state, context, journal).map(({ effect }) => effect);

const OPEN = new Set(['locked', 'uncertain', 'none']);
const CLAIM = new Set(['findTakerPaymentSpend', 'spendMakerPayment', 'confirmMakerPaymentSpend']);
/** What an operator orders, and the end of what a chain has shown to be lost. */
const KEPT = new Set(['recover', 'closeLost']);

/** What holds after every event of a legal log. */
export const takerSwapInvariants: readonly Invariant<TakerSwapContext>[] = [
  {
    id: 'T1',
    text: 'the machine wants the taker payment only after the maker payment is validated and confirmed',
    holds: (state, context, journal = NO_JOURNAL) =>
      !effects(state, context, journal).includes('sendTakerPayment') || context.makerPaymentValidated,
  },
  {
    id: 'T2',
    text: 'once the secret is public the machine wants no refund, and until the claim is confirmed it wants only the claim',
    holds: (state, context, journal = NO_JOURNAL) =>
      state === 'finished' ||
      !secretIsPublic(context) ||
      context.makerPaymentSpendConfirmed ||
      effects(state, context, journal).every((effect) => CLAIM.has(effect) || KEPT.has(effect)),
  },
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
  {
    id: 'T4',
    text: 'every unfinished state wants something unless it is paused, and the finished state nothing but that its end stays',
    holds: (state, context, journal = NO_JOURNAL) => wantsEnough(state, effects(state, context, journal), journal),
  },
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
  {
    id: 'T6',
    text: 'the end time is known if and only if the state is finished',
    holds: (state, { finishedAt }) => (state === 'finished') === (finishedAt !== null),
  },
  {
    id: 'T7',
    text: 'while the machine wants a claim, the moment from which the maker can refund is a deadline',
    holds: (state, context, journal = NO_JOURNAL) =>
      context.negotiated === null ||
      !effects(state, context, journal).includes('spendMakerPayment') ||
      takerSwapDeadlines(state, context, journal).some(({ kind }) => kind === 'makerRefundValid'),
  },
  {
    id: 'T8',
    text: 'if the next step claims or refunds coins, the verdict does not call their payment settled',
    holds: (state, context, journal = NO_JOURNAL) => {
      const { next, funds } = takerSwapVerdict(state, context, journal);
      if (next?.action === 'spendMakerPayment') return OPEN.has(funds.makerPayment.status);
      return next?.action !== 'refundTakerPayment' || OPEN.has(funds.takerPayment.status);
    },
  },
  ...journalInvariants<TakerSwapContext>({
    role: 'taker',
    ids: ['T9', 'T10', 'T11'],
    mayPay: ({ makerPaymentValidated }) => makerPaymentValidated,
    verdict: takerSwapVerdict,
  }),
];
