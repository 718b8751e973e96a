import { isJournalType } from '../../events/journal.ts';
import type { Millis } from '../../primitives/time.ts';
import type { NewEvent } from '../../runtime/command.ts';
import { judgeLive } from '../../runtime/live-verdict.ts';
import { stateOf } from '../../runtime/runner.ts';
import { deadlinesProblem, foldProblem } from '../world/told/fold.ts';
import type { Terms } from '../world/told/moments.ts';
import { emptyStory, readOn, type Story } from '../world/told/story.ts';
import { endProblem, type Reading, verdictProblem } from '../world/told/verdict.ts';
import type { PartyName } from './model.ts';
import type { Found } from './rules.ts';
import type { Scene } from './scene.ts';

/** Journal events by which what is told of a swap changes; the others are about what is under way. */
const TELLING: ReadonlySet<string> = new Set(['PaymentSettled', 'PaymentReorged', 'FundsRecovered']);

/**
 * Rule R14: what the log folds to, its deadlines and the verdicts over it, held against the stored events, the agreed amounts and the published
 * times. Asked after an append that may have changed them; a watcher tells nobody anything.
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
  const live = judgeLive(definition, { state, context, journal: runner.journal });
  return verdictProblem(reading, live) ?? endProblem(reading, live);
}

/** What was agreed on, by the events in which both sides said so; null until then. */
function readingOf({ model }: Scene, role: PartyName, story: Story): Reading | null {
  const started = story.said.get('Started') as { readonly started_at: number } | undefined;
  const negotiated = story.said.get('Negotiated') as Readonly<Record<string, unknown>> | undefined;
  if (started === undefined || negotiated === undefined) return null;
  const { lockDuration } = model.bounds;
  const own = { terms: { lock: started.started_at + lockDuration * (role === 'maker' ? 2 : 1) } };
  const other = role === 'maker' ? 'taker' : 'maker';
  const theirs = { terms: { lock: negotiated[`${other}_payment_locktime`] } };
  const startedAt = { maker: started.started_at, taker: started.started_at };
  const agreement = { [role]: own, [other]: theirs, started: startedAt } as unknown as Terms['agreement'];
  const terms = { role, agreement, lockDuration, lastAt: story.lastAt ?? 0 };
  const { maker, taker } = model.traits;
  return {
    story,
    terms,
    named: { maker: { coin: maker.coin, amount: '' }, taker: { coin: taker.coin, amount: '' } },
  };
}
