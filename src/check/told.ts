import { isJournalType } from '../events/journal.ts';
import type { Millis, UnixSeconds } from '../primitives/time.ts';
import type { NewEvent } from '../runtime/command.ts';
import { stateOf } from '../runtime/swap/runner.ts';
import { lockOf } from '../sim/world/judge/agreement.ts';
import { deadlinesProblem, foldProblem } from '../sim/world/told/fold.ts';
import { emptyStory, readOn, type Story } from '../sim/world/told/story.ts';
import { endProblem, type Reading, verdictProblem } from '../sim/world/told/verdict.ts';
import type { PartyName } from './model.ts';
import type { Found } from './rules.ts';
import type { Scene } from './scene.ts';

/** Journal events that change what is said about a swap; the others concern what is in progress. */
const TELLING: ReadonlySet<string> = new Set(['PaymentSettled', 'PaymentReorged', 'FundsRecovered']);

/**
 * Rule R14: what the log folds to, its deadlines and the verdicts over it, held against the stored events, the agreed amounts and the published
 * times. Checked after an append that may have changed them; a watcher reports to nobody.
 */
export function judgeTold(scene: Scene, events: readonly NewEvent[]): Found | null {
  const { seat } = scene;
  if (seat === 'watcher' || !events.some(({ type }) => !isJournalType(type) || TELLING.has(type))) return null;
  const story = emptyStory();
  for (const { type, data, at } of scene.log) readOn(story, { type, data, at: (at ?? 0) as Millis });
  const reading = readingOf(scene, seat, story);
  const text = reading === null ? null : problemIn(scene, reading);
  return text === null ? null : { rule: 'R14', party: seat, text };
}

function problemIn({ runner }: Scene, reading: Reading): string | null {
  const { story, terms } = reading;
  const { definition } = runner.kind;
  const { context } = runner.position;
  const state = stateOf(runner);
  const told =
    foldProblem(story, terms, context) ??
    deadlinesProblem(terms, definition.deadlines(state, context)) ??
    verdictProblem(reading, definition.verdict(state, context));
  if (told !== null) return told;
  if (state !== 'finished') return verdictProblem(reading, definition.verdict('finished', context));
  const live = definition.verdict(state, context, runner.journal);
  return verdictProblem(reading, live) ?? endProblem(reading, live);
}

/** The agreed terms, by the events in which both sides stated them; null until then. */
function readingOf({ model }: Scene, role: PartyName, story: Story): Reading | null {
  const started = story.said.get('Started') as { readonly started_at: UnixSeconds } | undefined;
  const negotiated = story.said.get('Negotiated') as Readonly<Record<string, UnixSeconds>> | undefined;
  if (started === undefined || negotiated === undefined) return null;
  const { lockDuration } = model.bounds;
  const other = role === 'maker' ? 'taker' : 'maker';
  const theirs = negotiated[`${other}_payment_locktime`];
  if (theirs === undefined) return null;
  const mine = lockOf(role, started.started_at, lockDuration);
  const [maker, taker] = role === 'maker' ? [mine, theirs] : [theirs, mine];
  const agreement = {
    maker: { terms: { lock: maker } },
    taker: { terms: { lock: taker } },
    started: { maker: started.started_at, taker: started.started_at },
  };
  const terms = { role, agreement, lockDuration, lastAt: story.lastAt ?? 0 };
  const { traits } = model;
  return {
    story,
    terms,
    named: { maker: { coin: traits.maker.coin, amount: '' }, taker: { coin: traits.taker.coin, amount: '' } },
  };
}
