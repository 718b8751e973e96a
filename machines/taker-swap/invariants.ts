import type { Invariant } from '../definition.ts';
import { secretIsPublic, type TakerSwapContext } from './context.ts';
import { takerSwapDeadlines } from './deadlines.ts';
import { takerSwapVerdict } from './verdict.ts';
import { takerSwapWants } from './wants.ts';

const effects = (state: string, context: TakerSwapContext) =>
  takerSwapWants(state, context).map(({ effect }) => effect);

const OPEN = new Set(['locked', 'uncertain', 'none']);
const CLAIM = new Set(['findTakerPaymentSpend', 'spendMakerPayment', 'confirmMakerPaymentSpend']);

/** What holds after every event of a legal log. */
export const takerSwapInvariants: readonly Invariant<TakerSwapContext>[] = [
  {
    id: 'T1',
    text: 'the machine wants the taker payment only after the maker payment is validated and confirmed',
    holds: (state, context) => !effects(state, context).includes('sendTakerPayment') || context.makerPaymentValidated,
  },
  {
    id: 'T2',
    text: 'once the secret is public the machine wants no refund, and until the claim is confirmed it wants only the claim',
    holds: (state, context) =>
      state === 'finished' ||
      !secretIsPublic(context) ||
      context.makerPaymentSpendConfirmed ||
      effects(state, context).every((effect) => CLAIM.has(effect)),
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
    text: 'every unfinished state wants something, and the finished state wants nothing',
    holds: (state, context) => (state === 'finished') === (takerSwapWants(state, context).length === 0),
  },
  {
    id: 'T5',
    text: 'a swap counts as refunded only while the secret is not public, and as completed only with a claim',
    holds: (state, context) => {
      const { outcome } = takerSwapVerdict(state, context);
      if (outcome === 'refunded') return context.takerPaymentRefunded && !secretIsPublic(context);
      return outcome !== 'completed' || context.makerPaymentSpend !== null || context.makerPaymentSpendConfirmed;
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
    holds: (state, context) =>
      context.negotiated === null ||
      !effects(state, context).includes('spendMakerPayment') ||
      takerSwapDeadlines(state, context).some(({ kind }) => kind === 'makerRefundValid'),
  },
  {
    id: 'T8',
    text: 'if the next step claims or refunds coins, the verdict does not call their payment settled',
    holds: (state, context) => {
      const { next, funds } = takerSwapVerdict(state, context);
      if (next?.action === 'spendMakerPayment') return OPEN.has(funds.makerPayment.status);
      return next?.action !== 'refundTakerPayment' || OPEN.has(funds.takerPayment.status);
    },
  },
];
