import type { WatcherMessage } from '../ports/peers.ts';
import type { Leg } from '../runtime/command.ts';
import { accept } from './accept.ts';
import { nameOf } from './bodies.ts';
import { type Model, secretOf } from './model.ts';
import { IGNORANT, type Move, type Outsider, type Sight } from './outsider.ts';
import { prepare } from './prepare.ts';

/**
 * Anyone who got the taker's message for watchers. It may complete the claim that the taker signed once the secret is public, broadcast the refund
 * once the chain accepts it, or do nothing. Every real watcher does less.
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
  const signer = { party: 'watcher', reserved: NOTHING } as const;
  const made = prepare(model.chains.maker, sight.chains.maker, { request, signer });
  return made.ok ? handing(model, sight, { leg: 'maker', id: made.value.tx_hash }) : [];
}

function refunding(model: Model, sight: Sight, watch: WatcherMessage): readonly Move[] {
  return handing(model, sight, { leg: 'taker', id: watch.taker_payment_refund_preimage });
}

const NOTHING: ReadonlySet<string> = new Set();

/** What was signed in advance has a fee that nobody can raise. */
function handing(model: Model, sight: Sight, { leg, id }: { readonly leg: Leg; readonly id: string }): readonly Move[] {
  const body = model.bodies.get(id);
  if (body === undefined) return [];
  const { state, answer } = accept(model.chains[leg], sight.chains[leg], { body });
  if (!answer.ok || answer.value !== 'sent') return [];
  const chains = { ...sight.chains, [leg]: state };
  return [{ text: `broadcasts the ${nameOf(body)}`, state: sight.state, chains, sent: [] }];
}
