import { watchedRace } from '../../../machines/watcher/deadlines.ts';
import { type WatcherEffect, type WatcherWant, watcherWants } from '../../../machines/watcher/wants.ts';
import type { Millis } from '../../primitives/time.ts';
import { type Command, NEVER } from '../command.ts';
import { decideSparing, isTold } from '../swap/sparing.ts';
import { append, type Proposal } from '../swap/turn.ts';
import { confirmMakerPaymentSpend, spendMakerPayment } from './claim.ts';
import { giveUp, stop } from './give-up.ts';
import { type WatcherRunner, watcherStateOf } from './runner.ts';
import { confirmTakerPaymentRefund, refundTakerPayment, waitForTakerPaymentSpend } from './taker-payment.ts';
import { watchOf } from './terms.ts';
import { type WatcherTurn, watcherTurn } from './turn.ts';
import { validateTakerFee, validateTakerPayment } from './validate.ts';

type Effect = (turn: WatcherTurn, want: WatcherWant<string>) => Proposal;

/** How each want of a requested watch is fulfilled. */
const effects: Readonly<Record<Exclude<WatcherEffect, 'requestWatch'>, Effect>> = {
  validateTakerFee,
  validateTakerPayment,
  waitForTakerPaymentSpend,
  refundTakerPayment,
  confirmTakerPaymentRefund,
  spendMakerPayment,
  confirmMakerPaymentSpend,
  giveUp,
  stop,
};

/**
 * What a watcher does next: one command, from the log, the observations and the time. Asked again after every command, as for a swap. A watch that an
 * operator has paused waits; nobody's coins depend on a watcher alone.
 */
export function decideWatcher(runner: WatcherRunner, now: Millis): Command {
  const state = watcherStateOf(runner);
  if (state === 'stopped') return { kind: 'done' };
  const turn = watcherTurn(runner, now);
  if (turn === null) return requested(runner);
  if (turn.journal.paused) return { kind: 'wait', until: NEVER };
  if (!isTold(turn.facts)) return decideTurn(turn);
  const { policy, journal, watch, inputs } = turn;
  const race = watchedRace(watch);
  const spared = {
    policy,
    journal,
    role: 'taker',
    race,
    margin: race.margin,
    claimed: true,
    traits: inputs.traits,
  } as const;
  return decideSparing(turn, spared, () => decideTurn(turn));
}

function decideTurn(turn: WatcherTurn): Command {
  for (const want of watcherWants(turn.state, turn.context)) {
    const proposal = want.effect === 'requestWatch' ? null : effects[want.effect](turn, want);
    if (proposal !== null) return proposal;
  }
  return { kind: 'wait', until: turn.wakeAt };
}

/** The taker's message, which the caller has found acceptable, becomes the first record. */
function requested({ facts, inputs }: WatcherRunner): Command {
  const message = facts.inbox.get('watcher');
  const watch = message?.kind === 'watcher' ? watchOf(message.watch) : null;
  if (watch === null) return { kind: 'wait', until: NEVER };
  return append({ type: 'WatchRequested', data: { watch, timing: inputs.timing } });
}
