import type { Invariant } from '../definition.ts';
import type { TakerSwapContext } from './context.ts';
import { takerSwapVerdict } from './verdict.ts';
import { secretIsPublic, takerSwapWants } from './wants.ts';

const effects = (state: string, context: TakerSwapContext) =>
  takerSwapWants(state, context).map(({ effect }) => effect);

/** What holds after every event of a legal log. */
export const takerSwapInvariants: readonly Invariant<TakerSwapContext>[] = [
  {
    id: 'T1',
    text: 'the taker payment is wanted only after the maker payment was validated and confirmed',
    holds: (state, context) => !effects(state, context).includes('sendTakerPayment') || context.makerPaymentValidated,
  },
  {
    id: 'T2',
    text: 'once the secret is public no refund is wanted',
    holds: (state, context) => !secretIsPublic(context) || !effects(state, context).includes('refundTakerPayment'),
  },
  {
    id: 'T3',
    text: 'the maker payment is claimed only with a secret or by a watcher, or by a restarted node that kept the secret to itself',
    holds: (_, { makerPaymentSpend, secret, watcherPreimages }) =>
      makerPaymentSpend === null || secret !== null || watcherPreimages !== null,
  },
  {
    id: 'T4',
    text: 'every unfinished state wants something, and the finished one nothing',
    holds: (state, context) => (state === 'finished') === (takerSwapWants(state, context).length === 0),
  },
  {
    id: 'T5',
    text: 'a swap that is both claimed and refunded is never called completed without a confirmed claim',
    holds: (state, context) =>
      !(context.makerPaymentSpend !== null && context.takerPaymentRefunded && !context.makerPaymentSpendConfirmed) ||
      takerSwapVerdict(state, context).outcome !== 'completed',
  },
  {
    id: 'T6',
    text: 'the end is known if and only if the state is finished',
    holds: (state, { finishedAt }) => (state === 'finished') === (finishedAt !== null),
  },
];
