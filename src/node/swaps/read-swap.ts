import { machineOfRole, type Role } from '../../events/catalog.ts';
import type { StoredEvent } from '../../events/decode-event.ts';
import { IMPORTED } from '../../events/journal.ts';
import { eventOfLine, headOfLines } from '../../events/jsonl.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Uuid } from '../../primitives/ids.ts';
import { isDamage } from '../../runtime/errors.ts';

/** The taker's side first, where both are on one node. */
export const ROLES: readonly Role[] = ['taker', 'maker'];

export function roleOfStream(stream: string): Role | undefined {
  return ROLES.find((role) => stream.startsWith(`${machineOfRole[role]}/`));
}

export function uuidOfStream(stream: string): Uuid {
  return stream.slice(stream.indexOf('/') + 1) as Uuid;
}

/**
 * A swap of a log in the form of a saved swap, without the journal. Null where the log holds none, or only its request; a damaged one throws.
 *
 * @throws LogDamagedError, DecodeError
 */
export async function readSwap(log: EventLog, stream: string): Promise<SwapLog | null> {
  const role = roleOfStream(stream);
  if (role === undefined) return null;
  const envelopes = await log.read(stream);
  if (envelopes.length === 0) return null;
  const uuid = uuidOfStream(stream);
  const events: StoredEvent[] = [];
  for (const envelope of envelopes) {
    const event = eventOfLine({ envelope, role, uuid }, events.length, []);
    if (event !== undefined) events.push(event);
  }
  const request = envelopes.find(({ type }) => type === 'SwapRequested')?.data;
  const imported = envelopes.find(({ type }) => type === IMPORTED)?.data;
  return { role, uuid, events, ...headOfLines(imported, { role, uuid, request }), anomalies: [] };
}

/** Both sides of a swap that the log holds. */
export async function readSides(log: EventLog, uuid: string): Promise<readonly SwapLog[]> {
  const found: SwapLog[] = [];
  for (const role of ROLES) {
    const swap = await readSwap(log, `${machineOfRole[role]}/${uuid}`);
    if (swap !== null) found.push(swap);
  }
  return found;
}

/** {@link readSwap} for lists, from which one that cannot be read is omitted. */
export async function readListed(log: EventLog, stream: string): Promise<SwapLog | null> {
  try {
    return await readSwap(log, stream);
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}
