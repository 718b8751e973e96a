import type { PaymentTerms } from '../ports/chain.ts';
import type { Leg } from '../runtime/command.ts';
import { type SwapRunner, viewOf } from '../runtime/swap/runner.ts';
import { bodyOf } from './chain-state.ts';
import type { Model, Seat } from './model.ts';
import { type PaymentTruth, truthOf } from './views.ts';
import type { ChainCell } from './wallet.ts';

/** An engine in the middle of a run, for the rules. */
export type Scene = {
  readonly model: Model;
  readonly seat: Seat;
  readonly runner: SwapRunner;
  readonly cells: Readonly<Record<Leg, ChainCell>>;
  /** Seconds since 1970. */
  readonly now: number;
  /** Records that the log held when the run began. */
  readonly before: number;
  readonly log: readonly { readonly type: string; readonly data: unknown; readonly at?: number }[];
};

/** What a chain holds of one of the two payments, by the terms that the engine has agreed to. */
export function truthIn({ cells, runner, seat }: Scene, leg: Leg): PaymentTruth {
  const cell = cells[leg];
  if (seat === 'watcher') return truthOf(cell.parts, cell.state, paidTerms(cell, leg));
  const view = viewOf(runner);
  const terms = leg === view.own ? view.ownTerms : view.otherTerms;
  return truthOf(cell.parts, cell.state, terms);
}

/** The terms of what a party has really paid, whatever was agreed; null when it has paid nothing. */
export function paidTerms({ parts, state }: ChainCell, owner: Leg): PaymentTerms | null {
  for (const tx of state.txs) {
    const body = bodyOf(parts, tx);
    if (body.owner === owner && body.terms !== null && tx.reverted !== true) return body.terms;
  }
  return null;
}
