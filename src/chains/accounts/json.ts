import { BackendSilent } from '../../ports/silence.ts';

// Answers of nodes, as JSON. A malformed one is not an answer.

export type JsonMembers = Readonly<Record<string, unknown>>;

export function nonsense(what: string): BackendSilent {
  return new BackendSilent(`a node sent an invalid answer: ${what}`);
}

/** @throws BackendSilent */
export function membersOf(value: unknown, what: string): JsonMembers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw nonsense(what);
  return value as JsonMembers;
}

/** @throws BackendSilent */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw nonsense(what);
  return value;
}
