import { OUTCOMES, WATCH_OUTCOMES } from '../../machines/index.ts';
import { catalog } from '../events/catalog.ts';
import { IMPORTED, journalTypes } from '../events/journal.ts';
import { watcherEventTypes } from '../events/watcher.ts';
import { nearest } from '../primitives/nearest.ts';
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
