import type { Leg } from '../../runtime/command.ts';
import { type Runner, viewOf } from '../../runtime/runner.ts';
import type { Model, PartyName } from './model.ts';
import { type PaymentTruth, truthOf } from './views.ts';
import type { ChainCell } from './wallet.ts';

/** An engine in the middle of a run, for the rules. */
export type Scene = {
  readonly model: Model;
  readonly party: PartyName;
  readonly runner: Runner;
  readonly cells: Readonly<Record<Leg, ChainCell>>;
  /** Seconds since 1970. */
  readonly now: number;
  readonly restarts: number;
  readonly log: readonly { readonly type: string; readonly data: unknown }[];
};

export function truthIn({ cells, runner }: Scene, leg: Leg): PaymentTruth {
  const view = viewOf(runner);
  const terms = leg === view.own ? view.ownTerms : view.otherTerms;
  const cell = cells[leg];
  return terms === null ? { funding: null, spend: null } : truthOf(cell.parts, cell.state, terms);
}
