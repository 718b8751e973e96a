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
    text: 'the machine wants the maker payment only after the taker fee is validated',
    holds: (state, context) => !effects(state, context).includes('sendMakerPayment') || context.takerFee !== null,
  },
  {
    id: 'M2',
    text: 'the machine spends the taker payment, which reveals the secret, only after that payment is validated and confirmed',
    holds: (_, { takerPaymentSpend, takerPaymentValidated }) => takerPaymentSpend === null || takerPaymentValidated,
  },
  {
    id: 'M3',
    text: 'the machine wants a refund only of a payment that was sent',
    holds: (state, context) => !effects(state, context).includes('refundMakerPayment') || context.makerPayment !== null,
  },
  {
    id: 'M4',
    text: 'every unfinished state wants something, and the finished state wants nothing',
    holds: (state, context) => (state === 'finished') === (makerSwapWants(state, context).length === 0),
  },
  {
    id: 'M5',
    text: 'the verdict never calls a refunded swap completed without a confirmed claim',
    holds: (state, context) =>
      !context.makerPaymentRefunded ||
      context.takerPaymentSpendConfirmed ||
      makerSwapVerdict(state, context).outcome !== 'completed',
  },
  {
    id: 'M6',
    text: 'the end time is known if and only if the state is finished',
    holds: (state, { finishedAt }) => (state === 'finished') === (finishedAt !== null),
  },
  {
    id: 'M7',
    text: 'once the maker has broadcast its spend of the taker payment, the machine wants only that claim until it is confirmed',
    holds: (state, context) =>
      state === 'finished' ||
      context.takerPaymentSpend === null ||
      context.takerPaymentSpendConfirmed ||
      effects(state, context).every((effect) => CLAIM.has(effect)),
  },
  {
    id: 'M8',
    text: 'while the machine wants a claim, the moment from which the taker can refund is a deadline',
    holds: (state, context) =>
      context.negotiated === null ||
      !effects(state, context).includes('spendTakerPayment') ||
      makerSwapDeadlines(state, context).some(({ kind }) => kind === 'takerRefundValid'),
  },
  {
    id: 'M9',
    text: 'if the next step claims or refunds coins, the verdict does not call their payment settled',
    holds: (state, context) => {
      const { next, funds } = makerSwapVerdict(state, context);
      if (next?.action === 'spendTakerPayment') return OPEN.has(funds.takerPayment.status);
      return next?.action !== 'refundMakerPayment' || OPEN.has(funds.makerPayment.status);
    },
  },
];
