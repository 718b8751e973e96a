import { type Account, drawMessage, drawWeight, openAccount } from '../../peers/allowance.ts';
import { readTaken, takeMessage } from '../../peers/read-message.ts';
import type { PeerEnvelope } from '../../ports/peers.ts';
import type { DropReason } from '../host/metrics.ts';
import { deliver } from './drive.ts';
import { about, type Loop } from './loop.ts';
import type { Slot } from './slot.ts';
import { isDeaf } from './slot-state.ts';

/**
 * A message of the counterparty of a slot's swap. The cheapest look comes first: whether anybody listens, whether so many messages may
 * come, how large this one is, whether so much may come, and only then what it says. What is no message of the protocol, and what
 * comes too often, is dropped here, so that nobody can stop a runner by what it sends.
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
  if (!drawWeight(account, { ...draw, weight: taken.weight })) {
    drop(loop, slot, { why: 'tooMuch' });
    return;
  }
  const read = readTaken(taken);
  if (read.ok) deliver(loop, slot, read.message);
  else drop(loop, slot, { why: 'malformed', path: read.path });
}

/** One line for the first, the tenth, the hundredth: nobody fills the disk with what it sends. */
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
