import { currentPrepared } from '../../../machines/journal/context.ts';
import type { Proposal } from '../swap/turn.ts';
import { helperTopic } from '../watch-topics.ts';
import { plain, type WatcherTurn } from './turn.ts';

/**
 * Hands what this watcher has broadcast to other nodes of the coin, which may also broadcast it (KDF's tx helpers). Once per process; nothing waits
 * for it.
 */
export function tellHelpers(turn: WatcherTurn, purpose: 'claim' | 'refund'): Proposal {
  const { journal, facts, watch, inputs } = turn;
  const record = currentPrepared(journal, purpose);
  if (!inputs.helpers || record === null || facts.sentAt.has('transaction')) return null;
  const coin = purpose === 'claim' ? watch.maker_coin : watch.taker_coin;
  return { kind: 'send', topic: helperTopic(coin), message: { kind: 'transaction', tx: plain(record.tx) } };
}
