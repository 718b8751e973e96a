import type { Invariant } from '../definition.ts';
import type { MakerSwapContext } from './context.ts';
import { makerSwapDeadlines } from './deadlines.ts';
import { makerSwapVerdict } from './verdict.ts';
import { makerSwapWants } from './wants.ts';

const effects = (state: string, context: MakerSwapContext) =>
  makerSwapWants(state, context).map(({ effect }) => effect);

const OPEN = new Set(['locked', 'uncertain']);
const CLAIM = new Set(['spendTakerPayment', 'confirmTakerPaymentSpend']);

/** What holds after every event of a legal log. */
export const makerSwapInvariants: readonly Invariant<MakerSwapContext>[] = [
  {
    id: 'M1',
    text: 'the maker payment is wanted only after the taker fee was validated',
    holds: (state, context) => !effects(state, context).includes('sendMakerPayment') || context.takerFee !== null,
  },
  {
    id: 'M2',
    text: 'the taker payment is spent, which reveals the secret, only after it was validated and confirmed',
    holds: (_, { takerPaymentSpend, takerPaymentValidated }) => takerPaymentSpend === null || takerPaymentValidated,
  },
  {
    id: 'M3',
    text: 'a refund is wanted only of a payment that was sent',
    holds: (state, context) => !effects(state, context).includes('refundMakerPayment') || context.makerPayment !== null,
  },
  {
    id: 'M4',
    text: 'every unfinished state wants something, and the finished one nothing',
    holds: (state, context) => (state === 'finished') === (makerSwapWants(state, context).length === 0),
  },
  {
    id: 'M5',
    text: 'a swap that is refunded is never called completed without a confirmed claim',
    holds: (state, context) =>
      !context.makerPaymentRefunded ||
      context.takerPaymentSpendConfirmed ||
      makerSwapVerdict(state, context).outcome !== 'completed',
  },
  {
    id: 'M6',
    text: 'the end is known if and only if the state is finished',
    holds: (state, { finishedAt }) => (state === 'finished') === (finishedAt !== null),
  },
  {
    id: 'M7',
    text: 'once the maker has broadcast its spend of the taker payment, nothing but that claim is wanted until it is confirmed',
    holds: (state, context) =>
      state === 'finished' ||
      context.takerPaymentSpend === null ||
      context.takerPaymentSpendConfirmed ||
      effects(state, context).every((effect) => CLAIM.has(effect)),
  },
  {
    id: 'M8',
    text: 'while a claim is wanted, the moment from which the taker can refund is a deadline',
    holds: (state, context) =>
      context.negotiated === null ||
      !effects(state, context).includes('spendTakerPayment') ||
      makerSwapDeadlines(state, context).some(({ kind }) => kind === 'takerRefundValid'),
  },
  {
    id: 'M9',
    text: 'where coins are to be claimed or refunded next, their payment is not called settled',
    holds: (state, context) => {
      const { next, funds } = makerSwapVerdict(state, context);
      if (next?.action === 'spendTakerPayment') return OPEN.has(funds.takerPayment.status);
      return next?.action !== 'refundMakerPayment' || OPEN.has(funds.makerPayment.status);
    },
  },
];
