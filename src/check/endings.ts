import type { PaymentTerms } from '../ports/chain.ts';
import type { Leg } from '../runtime/command.ts';
import { stateOf, viewOf } from '../runtime/swap/runner.ts';
import { otherOf, PARTIES } from './model.ts';
import type { PartyEngine } from './party-engine.ts';
import type { CheckedRule, Found } from './rules.ts';
import { paidTerms } from './scene.ts';
import { placeIn, type Space, type World } from './space.ts';
import { type PaymentTruth, truthOf } from './views.ts';

/** What the chains say became of an engine's money. */
export type Money = 'untouched' | 'swapped' | 'refunded' | 'gained' | 'locked' | 'lost';

type Stand = { readonly own: PaymentTruth; readonly other: PaymentTruth };

function standOf(space: Space, world: World, engine: PartyEngine): Stand | null {
  const view = viewOf(engine.runnerOf(placeIn(world, engine.seat)));
  const { own, other, ownTerms, otherTerms } = view;
  if (ownTerms === null || otherTerms === null) return null;
  const cell = (leg: Leg) => ({ parts: space.model.chains[leg], state: space.chains[leg].get(world.chains[leg]) });
  const truth = (leg: Leg, terms: PaymentTerms) => truthOf(cell(leg).parts, cell(leg).state, terms);
  const agreed = truth(other, otherTerms);
  const instead = agreed.funding === null ? paidTerms(cell(other), other) : null;
  const isEnough = instead?.amount === otherTerms.amount;
  return {
    own: truth(own, paidTerms(cell(own), own) ?? ownTerms),
    other: instead !== null && isEnough ? truth(other, instead) : agreed,
  };
}

function moneyOf(stand: Stand | null): Money {
  if (stand === null) return 'untouched';
  const { own, other } = stand;
  const claimed = other.spend?.how === 'secret';
  if (own.spend?.how === 'secret') return claimed ? 'swapped' : 'lost';
  // Money that the other side can take counts as paid to it, whether it takes it or not.
  if (own.funding !== null && own.spend === null) return claimed ? 'swapped' : 'locked';
  if (claimed) return 'gained';
  return own.spend?.how === 'refund' ? 'refunded' : 'untouched';
}

/** What became of each engine's money in such a state, as `taker/swapped`. */
export function moneyAt(space: Space, world: World): readonly string[] {
  return PARTIES.flatMap((party) => {
    const engine = space.engines[party];
    return engine === null ? [] : [`${party}/${moneyOf(standOf(space, world, engine))}`];
  });
}

/** What is wrong in a state after which nothing more happens automatically. */
export function judgeEnd(space: Space, world: World): readonly Found[] {
  const found: Found[] = [];
  const watch = space.engines.watcher;
  const watching = watch === null ? null : watch.get(world.watcher);
  if (watching !== null && watching.log.length > 0 && watching.status !== 'done') {
    found.push({ rule: 'R10', party: 'watcher', text: 'nothing more happens and the watch is unfinished' });
  }
  for (const party of PARTIES) {
    const engine = space.engines[party];
    if (engine === null) continue;
    const id = world.parties[party];
    const runner = engine.runnerOf(id);
    const state = stateOf(runner);
    const money = moneyOf(standOf(space, world, engine));
    const report = (rule: CheckedRule, text: string) => found.push({ rule, party, text: `${text}, in state ${state}` });
    const { status } = engine.get(id);
    if (status !== 'done') report('R10', 'nothing more happens and the swap is unfinished');
    if (!space.model.bounds.timely) continue;
    if (money === 'lost') report('R7', 'the own payment was taken and the other one is gone');
    if (money === 'locked') report('R3', 'the own payment is locked for good');
    const { outcome } = runner.kind.definition.verdict(state, runner.position.context, runner.journal);
    if (outcome === 'completed' && money !== 'swapped' && money !== 'gained') {
      report('R6', `the log says completed, the chains say ${money}`);
    }
    if (outcome === 'refunded' && money !== 'refunded' && money !== 'gained' && money !== 'untouched') {
      report('R6', `the log says refunded, the chains say ${money}`);
    }
    if (outcome === 'lost' && money !== 'lost') report('R6', `the log says lost, the chains say ${money}`);
  }
  return found;
}

/** Money that is gone for good, whatever happens next. */
export function judgeLoss(space: Space, world: World): readonly Found[] {
  if (!space.model.bounds.timely) return [];
  const { finality } = space.model.bounds;
  const found: Found[] = [];
  for (const party of PARTIES) {
    const engine = space.engines[party];
    const stand = engine === null ? null : standOf(space, world, engine);
    const own = stand?.own.spend;
    const other = stand?.other.spend;
    const taken = own?.how === 'secret' && own.depth >= finality[party];
    const lost = taken && other?.how === 'refund' && other.depth >= finality[otherOf(party)];
    if (lost) found.push({ rule: 'R7', party, text: 'the own payment was taken and the other one went back' });
  }
  return found;
}
