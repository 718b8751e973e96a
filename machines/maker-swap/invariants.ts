import type { Invariant } from '../definition.ts';
import { type JournalContext, NO_JOURNAL } from '../journal/context.ts';
import { isEndOf, journalInvariants } from '../journal/invariants.ts';
import { sideInvariants } from '../swap/invariants.ts';
import type { MakerSwapContext } from './context.ts';
import { makerSwapDeadlines } from './deadlines.ts';
import { makerSwapVerdict } from './verdict.ts';
import { makerSwapWants } from './wants.ts';

type Journal = Readonly<JournalContext>;

const effects = (state: string, context: MakerSwapContext, journal: Journal) =>
  makerSwapWants(state, context, journal).map(({ effect }) => effect);

const shared = sideInvariants<MakerSwapContext>({
  wants: (state, context, journal) => makerSwapWants(state, context, journal),
  deadlines: makerSwapDeadlines,
  verdict: (state, context, journal) => makerSwapVerdict(state, context, journal),
  mustClaim: ({ takerPaymentSpend, takerPaymentSpendConfirmed }) =>
    takerPaymentSpend !== null && !takerPaymentSpendConfirmed,
  claim: 'spendTakerPayment',
  refund: 'refundMakerPayment',
  claiming: new Set(['spendTakerPayment', 'confirmTakerPaymentSpend']),
  open: new Set(['locked', 'uncertain']),
});

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
  shared.wantsSomething('M4'),
  {
    id: 'M5',
    text: 'the verdict never calls a refunded swap completed without a confirmed claim',
    holds: (state, context, journal = NO_JOURNAL) =>
      !context.makerPaymentRefunded ||
      context.takerPaymentSpendConfirmed ||
      isEndOf('completed', 'maker', journal) ||
      makerSwapVerdict(state, context, journal).outcome !== 'completed',
  },
  shared.endTimeKnown('M6'),
  shared.onlyClaim(
    'M7',
    'once the maker has broadcast its spend of the taker payment, the machine wants only that claim until it is confirmed, or the taker payment has gone back for good',
    ({ settled }) => settled.taker?.how === 'refunded',
  ),
  shared.raceIsDeadline('M8'),
  shared.nextIsOpen('M9'),
  ...journalInvariants<MakerSwapContext>({
    role: 'maker',
    ids: ['M10', 'M11', 'M12'],
    mayPay: ({ takerFee }) => takerFee !== null,
    verdict: makerSwapVerdict,
  }),
];
