import { stateOf } from '../../../runtime/swap/runner.ts';
import type { Report } from '../judge/rules.ts';
import type { Scene } from '../judge/truth.ts';
import { SOUND } from '../node.ts';
import { deadlinesProblem, foldProblem } from './fold.ts';
import { keptProblem } from './kept-for-refund.ts';
import { missedProblem } from './missed.ts';
import type { Terms } from './moments.ts';
import { checkRecovery } from './recovery.ts';
import { readOn, type Stored, type Story } from './story.ts';
import { endProblem, type Reading, verdictProblem } from './verdict.ts';

/** What one append added to a story. */
export type Added = { readonly story: Story; readonly records: readonly Stored[] };

/** Recovery costs more than all other checks: one seed in this many checks it. */
const RECOVERY_SEEDS = 4;

/**
 * Reads what one append added, and checks everything that is said about the swap from then on against it (R14): what the log folds to, its deadlines,
 * its verdict, and the verdict on the same log if it ended here, as it does on a node that gives up.
 */
export function readAppend(scene: Scene, { story, records }: Added, report: Report): void {
  const { node } = scene;
  const said = (text: string | null) => {
    if (text !== null) report('R14', text);
  };
  said(missedProblem(termsOf(scene, story), records));
  for (const record of records) readOn(story, record);
  said(keptProblem(scene));
  if (scene.world.scenario.seed % RECOVERY_SEEDS === 0) checkRecovery(scene, story, report);
  const { runner } = node;
  const { definition } = runner.kind;
  const { context } = runner.position;
  const state = stateOf(runner);
  // Everything except the verdict of a finished swap follows from public events alone, and most appends hold none.
  if (story.held === runner.position && state !== 'finished') return;
  // A tester's engine may change what was folded.
  if (node.behaviour === SOUND) story.held = runner.position;
  const terms = termsOf(scene, story);
  const reading = readingOf(scene, story, terms);
  said(foldProblem(story, terms, context));
  said(deadlinesProblem(terms, definition.deadlines(state, context)));
  said(verdictProblem(reading, definition.verdict(state, context)));
  if (state !== 'finished') {
    said(verdictProblem(reading, definition.verdict('finished', context)));
    return;
  }
  const live = definition.verdict(state, context, runner.journal);
  said(verdictProblem(reading, live) ?? endProblem(reading, live));
}

function termsOf({ node, agreement, world }: Scene, { lastAt }: Story): Terms {
  const { lockDuration } = world.scenario;
  return { role: node.name, agreement, lockDuration, lastAt: lastAt ?? 0 };
}

function readingOf({ world: { scenario } }: Scene, story: Story, terms: Terms): Reading {
  const named = {
    maker: { coin: scenario.chains.maker.coin, amount: scenario.makerAmount },
    taker: { coin: scenario.chains.taker.coin, amount: scenario.takerAmount },
  };
  return { story, terms, named };
}
