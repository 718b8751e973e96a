import type { Millis } from '../../primitives/time.ts';
import { runnerFailed, shortReason } from '../errors.ts';
import { backoffMillis } from '../policy.ts';
import { fail } from './drive-fail.ts';
import { about, begin, type Engine, end, momentOf, setMode, setModeUntil } from './engine.ts';
import { settle } from './settle.ts';
import type { Send, Slot } from './slot.ts';

/** Hands a message to the network. Whether it arrives is not known here: what needs an answer is repeated. */
export function send(
  engine: Engine,
  slot: Slot,
  { command, now }: { readonly command: Send; readonly now: Millis },
): void {
  slot.token += 1;
  slot.outgoing = command;
  const { token } = slot;
  setModeUntil(engine, slot, { mode: 'sending', until: now + engine.policy.sendTimeout * 1000 });
  begin(engine);
  const ended = (failure: string | null): void => {
    if (slot.token === token) handedOver(engine, slot, failure);
  };
  const { topic, message, signer } = command;
  settle(() => engine.peers.send(topic, message, signer === undefined ? {} : { signer }), {
    done: () => ended(null),
    failed: (error) => ended(shortReason(error)),
  });
}

/** The network did not take the message in time. It may arrive all the same, which does no harm. */
export function stopSending(engine: Engine, slot: Slot): void {
  handedOver(engine, slot, `no answer within ${engine.policy.sendTimeout} s`);
}

function handedOver(engine: Engine, slot: Slot, failure: string | null): void {
  const { outgoing } = slot;
  const now = engine.steady.now();
  slot.token += 1;
  slot.outgoing = null;
  setMode(engine, slot, 'ready');
  end(engine);
  if (outgoing === null) return;
  const { message } = outgoing;
  try {
    slot.driven?.sent({ message, now: momentOf(engine, slot) });
  } catch (error) {
    fail(engine, slot, runnerFailed(slot.stream, error));
    return;
  }
  if (failure === null) {
    slot.sendErrors = 0;
    return;
  }
  slot.sendErrors += 1;
  const at = (now + backoffMillis(engine.policy.backoff, slot.sendErrors)) as Millis;
  slot.unsent = { kinds: [...(slot.unsent?.kinds ?? []), message.kind], at };
  engine.logger.warn('message not handed over', about(slot, { message: message.kind, reason: failure }));
}
