import type { Invariant } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { isEndOf, journalInvariants, wantsEnough } from '../journal/invariants.ts';
import type { MakerSwapContext } from './context.ts';
import { makerSwapDeadlines } from './deadlines.ts';
import { makerSwapVerdict } from './verdict.ts';
import { makerSwapWants } from './wants.ts';

type Journal = Readonly<JournalContext>;

const effects = (state: string, context: MakerSwapContext, journal: Journal) =>
  makerSwapWants(state, context, journal).map(({ effect }) => effect);

const OPEN = new Set(['locked', 'uncertain']);
const CLAIM = new Set(['spendTakerPayment', 'confirmTakerPaymentSpend']);
/** What an operator orders, and the end of what a chain has shown to be lost. */
const KEPT = new Set(['recover', 'closeLost']);

/** What holds after every event of a legal log. */
export const makerSwapInvariants: readonly Invariant<MakerSwapContext>[] = [
  {
    id: 'M1',
    text: 'the machine wants the maker payment only after the taker fee is validated',
    holds: (state, context, journal = NO_JOURNAL) =>
      !effects(state, context, journal).includes('sendMakerPayment') || context.takerFee !== null,
  },
  {
    id: 'M2',
    text: 'the machine spends the taker payment, which reveals the secret, only after that payment is validated and confirmed',
    holds: (_, { takerPaymentSpend, takerPaymentValidated }) => takerPaymentSpend === null || takerPaymentValidated,
  },
  {
    id: 'M3',
    text: 'the machine wants a refund only of a payment that was sent',
    holds: (state, context, journal = NO_JOURNAL) =>
      !effects(state, context, journal).includes('refundMakerPayment') || context.makerPayment !== null,
  },
  {
    id: 'M4',
    text: 'every unfinished state wants something unless it is paused, and the finished state nothing but that its end stays',
    holds: (state, context, journal = NO_JOURNAL) => wantsEnough(state, effects(state, context, journal), journal),
  },
  {
    id: 'M5',
    text: 'the verdict never calls a refunded swap completed without a confirmed claim',
    holds: (state, context, journal = NO_JOURNAL) =>
      !context.makerPaymentRefunded ||
      context.takerPaymentSpendConfirmed ||
      isEndOf('completed', 'maker', journal) ||
      makerSwapVerdict(state, context, journal).outcome !== 'completed',
  },
  {
    id: 'M6',
    text: 'the end time is known if and only if the state is finished',
    holds: (state, { finishedAt }) => (state === 'finished') === (finishedAt !== null),
  },
  {
    id: 'M7',
    text: 'once the maker has broadcast its spend of the taker payment, the machine wants only that claim until it is confirmed, or the taker payment has gone back for good',
    holds: (state, context, journal = NO_JOURNAL) =>
      state === 'finished' ||
      context.takerPaymentSpend === null ||
      context.takerPaymentSpendConfirmed ||
      journal.settled.taker?.how === 'refunded' ||
      effects(state, context, journal).every((effect) => CLAIM.has(effect) || KEPT.has(effect)),
  },
  {
    id: 'M8',
    text: 'while the machine wants a claim, the moment from which the taker can refund is a deadline',
    holds: (state, context, journal = NO_JOURNAL) =>
      context.negotiated === null ||
      !effects(state, context, journal).includes('spendTakerPayment') ||
      makerSwapDeadlines(state, context).some(({ kind }) => kind === 'takerRefundValid'),
  },
  {
    id: 'M9',
    text: 'if the next step claims or refunds coins, the verdict does not call their payment settled',
    holds: (state, context, journal = NO_JOURNAL) => {
      const { next, funds } = makerSwapVerdict(state, context, journal);
      if (next?.action === 'spendTakerPayment') return OPEN.has(funds.takerPayment.status);
      return next?.action !== 'refundMakerPayment' || OPEN.has(funds.makerPayment.status);
    },
  },
  ...journalInvariants<MakerSwapContext>({
    role: 'maker',
    ids: ['M10', 'M11', 'M12'],
    mayPay: ({ takerFee }) => takerFee !== null,
    verdict: makerSwapVerdict,
  }),
];
