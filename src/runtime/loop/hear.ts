import { type Account, drawMessage, drawWeight, openAccount } from '../../peers/allowance.ts';
import { readTaken, takeMessage } from '../../peers/read-message.ts';
import type { PeerEnvelope } from '../../ports/peers.ts';
import type { DropReason } from '../host/metrics.ts';
import { deliver, isDeaf } from './drive.ts';
import { about, type Engine } from './engine.ts';
import type { Slot } from './slot.ts';

/**
 * A message of the counterparty of a slot's swap. The cheapest look comes first: whether anybody listens, whether so many messages may
 * come, how large this one is, whether so much may come, and only then what it says. What is no message of the protocol, and what
 * comes too often, is dropped here, so that nobody can stop a runner by what it sends.
 */
export function hear(engine: Engine, slot: Slot, { message: sent }: PeerEnvelope): void {
  if (isDeaf(slot)) {
    engine.metrics.dropped({ from: 'counterparty', why: 'deaf' });
    return;
  }
  const draw = { allowance: engine.policy.hearing.counterparty, now: engine.steady.now() };
  slot.account ??= openAccount(draw.allowance, draw.now);
  const account: Account = slot.account;
  if (!drawMessage(account, draw)) {
    drop(engine, slot, { why: 'tooMany' });
    return;
  }
  const taken = takeMessage(sent, slot.kinds === null ? {} : { kinds: slot.kinds });
  if (!drawWeight(account, { ...draw, weight: taken.weight })) {
    drop(engine, slot, { why: 'tooMuch' });
    return;
  }
  const read = readTaken(taken);
  if (read.ok) deliver(engine, slot, read.message);
  else drop(engine, slot, { why: 'malformed', path: read.path });
}

/** One line for the first, the tenth, the hundredth: nobody fills the disk with what it sends. */
function drop(
  { metrics, logger }: Engine,
  slot: Slot,
  { why, path }: { readonly why: DropReason; readonly path?: string },
): void {
  metrics.dropped({ from: 'counterparty', why });
  slot.rejected += 1;
  if (!Number.isInteger(Math.log10(slot.rejected))) return;
  const count = slot.rejected;
  if (path === undefined) logger.warn('messages dropped', about(slot, { why, count }));
  else logger.warn('not a message', about(slot, { path, count }));
}
