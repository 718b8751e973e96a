import { fundedBy, looked, SAID, TAKEN } from './effect-turns.ts';
import { type TurnChanges, turnOf } from './turns.ts';

/** Timings that no default has, in seconds. */
export const PAYING_POLICY = { freshness: 7, confirmationPoll: 40 };

/** The maker payment as it must be. */
export const READY = looked({ funding: fundedBy({ tx: TAKEN }) });

/** A taker before its payment, with a maker payment that is ready. */
export const takerTurn = ({ facts, ...rest }: TurnChanges = {}) =>
  turnOf({
    policy: PAYING_POLICY,
    events: SAID,
    ...rest,
    facts: { ...facts, payments: { taker: looked(), maker: READY, ...facts?.payments } },
  });
