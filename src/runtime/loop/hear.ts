import { type Account, drawMessage, drawWeight, openAccount } from '../../peers/allowance.ts';
import { readTaken, takeMessage } from '../../peers/read-message.ts';
import type { PeerEnvelope } from '../../ports/peers.ts';
import type { DropReason } from '../host/metrics.ts';
import { deliver } from './drive.ts';
import { about, type Loop } from './loop.ts';
import type { Slot } from './slot.ts';
import { isDeaf } from './slot-state.ts';

/**
 * A message of the counterparty of a slot's swap. The cheapest check comes first: whether anybody listens, whether the
 * rate allows another message, its size, whether the rate allows that much, and only then its content. This drops what
 * is not a message of the protocol and what comes too often, so that nobody can stop a runner by sending messages.
 */
export function hear(loop: Loop, slot: Slot, { message: sent }: PeerEnvelope): void {
  if (slot.driven === null || isDeaf(slot.state.doing)) {
    loop.metrics.dropped({ from: 'counterparty', why: 'deaf' });
    return;
  }
  const draw = { allowance: loop.policy.hearing.counterparty, now: loop.steady.now() };
  const { ears } = slot;
  ears.account ??= openAccount(draw.allowance, draw.now);
  const account: Account = ears.account;
  if (!drawMessage(account, draw)) {
    drop(loop, slot, { why: 'tooMany' });
    return;
  }
  const taken = takeMessage(sent, ears.kinds === null ? {} : { kinds: ears.kinds });
  if (!drawWeight(account, { weight: taken.weight, ...draw })) {
    drop(loop, slot, { why: 'tooMuch' });
    return;
  }
  const read = readTaken(taken);
  if (read.ok) deliver(loop, slot, read.message);
  else drop(loop, slot, { why: 'malformed', path: read.path });
}

/** One line for the first, the tenth, the hundredth: nobody can fill the disk by sending messages. */
function drop(
  { metrics, logger }: Loop,
  slot: Slot,
  { why, path }: { readonly why: DropReason; readonly path?: string },
): void {
  metrics.dropped({ from: 'counterparty', why });
  slot.ears.rejected += 1;
  const count = slot.ears.rejected;
  if (!Number.isInteger(Math.log10(count))) return;
  if (path === undefined) logger.warn('messages dropped', about(slot, { why, count }));
  else logger.warn('not a message', about(slot, { path, count }));
}
