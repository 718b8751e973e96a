import { OUTCOMES, WATCH_OUTCOMES } from '../../machines/index.ts';
import { catalog } from '../events/catalog.ts';
import { journalTypes } from '../events/journal.ts';
import { IMPORTED } from '../events/jsonl.ts';
import { watcherEventTypes } from '../events/watcher.ts';
import { UsageError } from './io.ts';

// In a file of its own, because the names come with all event schemas and the help needs none of them.

const outcomes: readonly string[] = [...OUTCOMES, ...WATCH_OUTCOMES];

const eventTypes: readonly string[] = [
  ...new Set([...catalog.maker.keys(), ...catalog.taker.keys(), ...journalTypes, ...watcherEventTypes, IMPORTED]),
];

/** @throws UsageError for an outcome or an event that no log can hold, with the names that are nearest. */
export function checkNames({ outcome, event }: { readonly outcome?: string; readonly event?: string }): void {
  if (outcome !== undefined) expectName(outcome, { option: '--outcome <name>', names: outcomes });
  if (event !== undefined) expectName(event, { option: '--event <type>', names: eventTypes });
}

function expectName(text: string, { option, names }: { readonly option: string; readonly names: readonly string[] }) {
  if (names.includes(text)) return;
  const near = nearest(text, names);
  const hint = near.length === 0 ? `Known are ${names.join(', ')}.` : `Did you mean ${near.join(' or ')}?`;
  throw new UsageError(`option '${option}' argument '${text}' is invalid. ${hint}`);
}

const MOST_NEAR = 3;

/** Names that a few slips of the hand away, or that hold the text; nearest first. */
function nearest(text: string, names: readonly string[]): readonly string[] {
  const given = text.toLowerCase();
  const most = Math.ceil(given.length * 0.3);
  return names
    .map((name) => ({ name, slips: slipsBetween(given, name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= most || (given.length > 3 && name.toLowerCase().includes(given)))
    .sort((left, right) => left.slips - right.slips)
    .slice(0, MOST_NEAR)
    .map(({ name }) => name);
}

/** Characters to add, leave out or change (Levenshtein distance). */
function slipsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let other = 1; other <= right.length; other += 1) {
      const change = (row[other - 1] ?? 0) + (left[at - 1] === right[other - 1] ? 0 : 1);
      next.push(Math.min(change, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
