import type { Millis } from '../../primitives/time.ts';
import { runnerFailed, shortReason } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { fail } from './drive-fail.ts';
import { about, type Loop, momentOf, move } from './loop.ts';
import { settle } from './settle.ts';
import type { Slot } from './slot.ts';
import type { Send } from './slot-state.ts';

/** Hands a message to the network. Delivery is unknown here; messages that need an answer are repeated. */
export function send(loop: Loop, slot: Slot, { command, now }: { readonly command: Send; readonly now: Millis }): void {
  const { topic, message, signer } = command;
  const until = now + loop.policy.sendTimeout * 1000;
  if (!move(loop, slot, { type: 'send', message, until })) return;
  const { doing } = slot.state;
  const ended = (failure: string | null): void => {
    if (slot.state.doing === doing) handedOver(loop, slot, { message, failure });
  };
  settle(() => loop.peers.send(topic, message, signer === undefined ? {} : { signer }), {
    done: () => ended(null),
    failed: (error) => ended(shortReason(error)),
  });
}

/** The network did not accept the message in time. It may still arrive, which does no harm. */
export function stopSending(loop: Loop, slot: Slot, message: Message): void {
  handedOver(loop, slot, { message, failure: `no answer within ${loop.policy.sendTimeout} s` });
}

type Message = Send['message'];
type HandedOver = { readonly message: Message; readonly failure: string | null };

function handedOver(loop: Loop, slot: Slot, { message, failure }: HandedOver): void {
  const now = loop.steady.now();
  try {
    slot.driven?.sent({ message, now: momentOf(loop, slot) });
  } catch (error) {
    fail(loop, slot, runnerFailed(slot.stream, error));
    return;
  }
  if (failure === null) {
    move(loop, slot, { type: 'handedOver', unsent: null });
    return;
  }
  const pause = backoffMillis(loop.policy.backoff, slot.state.counts.sendErrors + 1);
  move(loop, slot, { type: 'handedOver', unsent: { kinds: [message.kind], at: now + pause } });
  loop.logger.warn('message not handed over', about(slot, { message: message.kind, reason: failure }));
}
