import type { WatcherMessage } from '../../ports/peers.ts';
import { accept } from './accept.ts';
import { nameOf } from './bodies.ts';
import { type Model, secretOf } from './model.ts';
import { broadcasting, IGNORANT, type Move, type Outsider, type Sight } from './outsider.ts';

/**
 * Whoever got the taker's message for watchers: it may complete the claim that the taker has signed once the secret is public,
 * broadcast the refund once the chain takes it, or do nothing. Every real watcher does less.
 */
export function createFreeWatcher(model: Model): Outsider {
  return {
    party: 'watcher',
    initial: IGNORANT,
    moves: (sight) => {
      const message = sight.state.heard.find(({ kind }) => kind === 'watcher');
      if (message?.kind !== 'watcher') return [];
      return [...claiming(model, sight, message.watch), ...refunding(model, sight, message.watch)];
    },
  };
}

function claiming(model: Model, sight: Sight, watch: WatcherMessage): readonly Move[] {
  if (!sight.state.knowsSecret) return [];
  const preimage = watch.maker_payment_spend_preimage;
  const request = { purpose: 'completePreimage', preimage, secret: secretOf() } as const;
  return broadcasting(model, sight, { leg: 'maker', request, party: 'watcher' });
}

function refunding(model: Model, sight: Sight, watch: WatcherMessage): readonly Move[] {
  const body = model.bodies.get(watch.taker_payment_refund_preimage);
  if (body === undefined) return [];
  const { state, answer } = accept(model.chains.taker, sight.chains.taker, body);
  if (!answer.ok || answer.value !== 'sent') return [];
  return [
    {
      text: `broadcasts the ${nameOf(body)}`,
      state: sight.state,
      chains: { ...sight.chains, taker: state },
      sent: [],
    },
  ];
}

