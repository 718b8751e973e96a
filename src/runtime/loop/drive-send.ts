import type { Millis } from '../../primitives/time.ts';
import { runnerFailed, shortReason } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { fail } from './drive-fail.ts';
import { about, type Engine, momentOf, move } from './engine.ts';
import { settle } from './settle.ts';
import type { Slot } from './slot.ts';
import type { Send } from './slot-state.ts';

/** Hands a message to the network. Delivery is unknown here; messages that need an answer are repeated. */
export function send(
  engine: Engine,
  slot: Slot,
  { command, now }: { readonly command: Send; readonly now: Millis },
): void {
  const { topic, message, signer } = command;
  const until = now + engine.policy.sendTimeout * 1000;
  if (!move(engine, slot, { type: 'send', message, until })) return;
  const { doing } = slot.state;
  const ended = (failure: string | null): void => {
    if (slot.state.doing === doing) handedOver(engine, slot, { message, failure });
  };
  settle(() => engine.peers.send(topic, message, signer === undefined ? {} : { signer }), {
    done: () => ended(null),
    failed: (error) => ended(shortReason(error)),
  });
}

/** The network did not accept the message in time. It may still arrive, which does no harm. */
export function stopSending(engine: Engine, slot: Slot, message: Message): void {
  handedOver(engine, slot, { message, failure: `no answer within ${engine.policy.sendTimeout} s` });
}

type Message = Send['message'];
type HandedOver = { readonly message: Message; readonly failure: string | null };

function handedOver(engine: Engine, slot: Slot, { message, failure }: HandedOver): void {
  const now = engine.steady.now();
  try {
    slot.driven?.sent({ message, now: momentOf(engine, slot) });
  } catch (error) {
    fail(engine, slot, runnerFailed(slot.stream, error));
    return;
  }
  if (failure === null) {
    move(engine, slot, { type: 'handedOver', unsent: null });
    return;
  }
  const pause = backoffMillis(engine.policy.backoff, slot.state.counts.sendErrors + 1);
  move(engine, slot, { type: 'handedOver', unsent: { kinds: [message.kind], at: now + pause } });
  engine.logger.warn('message not handed over', about(slot, { message: message.kind, reason: failure }));
}
