import type { Role } from '../../events/catalog.ts';
import { isPaying, lastingTypes, type Thing, thingsOf } from '../../events/things.ts';
import type { Awaitable, EventLog, ScannedRecord } from '../../ports/event-log.ts';
import { type Claims, claimsBy } from '../claims.ts';
import { isDamage, logUnavailable } from '../errors.ts';

type Event = { readonly type: string; readonly data: unknown };
type Stored = Event & { readonly at: number };

/**
 * Which thing belongs to which swap of a log: secret hashes in either role, fees, payments, own transactions.
 *
 * - U1: one thing serves one swap. Both sides of a swap in one log are one swap.
 * - U2: a thing is claimed in memory before the event that claims it is written, so if two swaps reach for it at the
 *   same moment, the second sees the first; a restart finds it in the log.
 * - U3: if a log holds two claims of one thing, as older or foreign logs may, it belongs to the swap whose own payment
 *   may be out, otherwise to the one that started first: the other one has nothing to lose.
 *
 * Running streams are known once loaded. Finished ones are read only when something new is claimed for the first time.
 */
export type ClaimBook = {
  /** Whether these events take anything. */
  readonly takes: (stream: string, events: readonly Event[]) => boolean;
  /**
   * Claims for a stream what these events take, all or nothing. Null on success, otherwise the stream of another swap
   * that owns part of it.
   */
  readonly take: (stream: string, events: readonly Event[]) => string | null;
  /** The last events of a stream are durable. */
  readonly settle: (stream: string) => void;
  /** Notes what a stream holds by its records, and releases what it claimed but the log does not hold. */
  readonly restore: (stream: string, records: readonly Stored[]) => void;
  /** What was noted about a stream is not in the log after all. */
  readonly release: (stream: string, records: readonly Event[]) => void;
  /** The stream is no longer driven. Its claims remain. */
  readonly forget: (stream: string) => void;
  /**
   * The same for a finished stream that is durable and was never driven: while the log has not been read its claims go
   * too, since reading finds them. So a log of any length is taken over in constant memory.
   */
  readonly putAway: (stream: string, records: readonly Stored[]) => void;
  /** Whether {@link ClaimBook.complete} has done its work. */
  readonly isComplete: () => boolean;
  /** Reads what no running stream can tell. @throws RuntimeError LOG_UNAVAILABLE */
  readonly complete: () => Awaitable<void>;
  /** The view of a runner of the stream. */
  readonly of: (stream: string) => Claims;
};

/** Who holds things. `paid`: its own payment may be out. `contested`: something of it was claimed by another swap too. */
type Owner = {
  readonly stream: string;
  readonly uuid: string;
  readonly since: number;
  paid: boolean;
  contested: boolean;
};

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['taker-swap', 'taker'],
  ['maker-swap', 'maker'],
]);

export function createClaimBook(log: EventLog): ClaimBook {
  const held = createHoldings();
  let reading: Promise<void> | null = null;
  let isComplete = false;

  const readAll = async (): Promise<void> => {
    const streams = log.scan === undefined ? await allStreams(log) : await scanned(log.scan.bind(log), held);
    for (const stream of streams) {
      const role = roleOf(stream);
      if (role === undefined || held.owners.has(stream)) continue;
      held.note(stream, { records: (await recordsOf(log, stream)).filter(isLasting), role });
    }
    isComplete = true;
  };
  /** Does it for a stream of swaps. */
  const ofSwaps = <T>(stream: string, action: (role: Role) => T): T | null => {
    const role = roleOf(stream);
    return role === undefined ? null : action(role);
  };

  return {
    takes: (stream, events) =>
      ofSwaps(stream, (role) => events.some((event) => thingsOf(role, event).length > 0)) ?? false,
    take: (stream, events) => ofSwaps(stream, (role) => held.take(stream, { events, role })),
    settle: (stream) => void held.open.delete(stream),
    restore(stream, records) {
      ofSwaps(stream, (role) => {
        held.letGo(stream, held.open.get(stream) ?? []);
        held.owners.set(stream, held.note(stream, { records, role }));
      });
    },
    release(stream, records) {
      ofSwaps(stream, (role) => held.letGo(stream, keysOf(role, records)));
      held.owners.delete(stream);
    },
    forget: (stream) => void held.owners.delete(stream),
    putAway(stream, records) {
      const isUnread = reading === null && !isComplete;
      if (isUnread) ofSwaps(stream, (role) => held.putAway(stream, { records, role }));
      held.owners.delete(stream);
    },
    isComplete: () => isComplete,
    complete() {
      if (isComplete) return;
      reading ??= readAll().catch((error: unknown) => {
        reading = null;
        throw error;
      });
      return reading;
    },
    of(stream) {
      const uuid = uuidOf(stream);
      return claimsBy((key) => {
        const holder = held.holders.get(key);
        return holder === undefined || holder.uuid === uuid ? null : holder.uuid;
      });
    },
  };
}

type Taking = { readonly events: readonly Event[]; readonly role: Role };
type Noting = { readonly records: readonly Stored[]; readonly role: Role };

type Holdings = ReturnType<typeof createHoldings>;

/** Who holds what, as far as it is known. */
function createHoldings() {
  const holders = new Map<string, Owner>();
  const owners = new Map<string, Owner>();
  /** By stream, what was claimed and may not be in the log yet. */
  const open = new Map<string, string[]>();

  const ownerOf = (stream: string): Owner => {
    let owner = owners.get(stream);
    if (owner === undefined) {
      owner = { stream, uuid: uuidOf(stream), since: Number.POSITIVE_INFINITY, paid: false, contested: false };
      owners.set(stream, owner);
    }
    return owner;
  };
  return {
    holders,
    owners,
    open,
    note(stream: string, { records, role }: Noting): Owner {
      const paid = records.some((record) => isPaying(role, record));
      const owner = { stream, uuid: uuidOf(stream), since: records[0]?.at ?? 0, paid, contested: false };
      for (const key of keysOf(role, records)) {
        const holder = holders.get(key);
        if (holder !== undefined && holder.uuid !== owner.uuid) {
          owner.contested = true;
          holder.contested = true;
        }
        if (holder === undefined || holder.stream === stream || isBefore(owner, holder)) holders.set(key, owner);
      }
      return owner;
    },
    letGo(stream: string, keys: readonly string[]): void {
      open.delete(stream);
      for (const key of keys) if (holders.get(key)?.stream === stream) holders.delete(key);
    },
    putAway(stream: string, { records, role }: Noting): void {
      // What another swap claims as well was decided between the two, which a scan after only one of them would not do.
      if (owners.get(stream)?.contested !== false) return;
      const keys = keysOf(role, records).filter((key) => holders.get(key)?.stream === stream);
      for (const key of keys) holders.delete(key);
    },
    take(stream: string, { events, role }: Taking): string | null {
      const keys = keysOf(role, events);
      const uuid = uuidOf(stream);
      for (const key of keys) {
        const holder = holders.get(key);
        if (holder !== undefined && holder.uuid !== uuid) return holder.stream;
      }
      const owner = ownerOf(stream);
      const taken = keys.filter((key) => !holders.has(key));
      for (const key of taken) holders.set(key, owner);
      if (taken.length > 0) open.set(stream, [...(open.get(stream) ?? []), ...taken]);
      if (!owner.paid && events.some((event) => isPaying(role, event))) owner.paid = true;
      return null;
    },
  };
}

/** U3: which claim takes precedence. */
function isBefore(left: Owner, right: Owner): boolean {
  if (left.uuid === right.uuid) return false;
  if (left.paid !== right.paid) return left.paid;
  return left.since === right.since ? left.uuid < right.uuid : left.since < right.since;
}

function keysOf(role: Role, events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => thingsOf(role, event).map(({ key }: Thing) => key));
}

/**
 * What may be claimed again after the swap is over; its own transactions are final by then, and would fill most of the
 * book.
 */
function isLasting({ type }: Event): boolean {
  return type !== 'TransactionPrepared';
}

function roleOf(stream: string): Role | undefined {
  return ROLES.get(stream.slice(0, stream.indexOf('/')));
}

function uuidOf(stream: string): string {
  return stream.slice(stream.indexOf('/') + 1);
}

async function allStreams(log: EventLog): Promise<readonly string[]> {
  try {
    const damaged = new Set(log.quarantined().map(({ stream }) => stream));
    const found: string[] = [];
    for (const machine of ROLES.keys())
      for (const { stream } of await log.find({ machine })) if (!damaged.has(stream)) found.push(stream);
    return found;
  } catch (error) {
    throw logUnavailable('all streams', error);
  }
}

/**
 * Notes the records that claim something, which are far fewer than all. Returns the streams that share something: to
 * decide whose it is, all their holdings are needed.
 */
async function scanned(scan: NonNullable<EventLog['scan']>, held: Holdings): Promise<readonly string[]> {
  const owners = new Map<string, Owner>();
  const doubtful = new Set<string>();
  const take = ({ stream, at, ...event }: ScannedRecord): void => {
    const role = roleOf(stream);
    if (role === undefined || held.owners.has(stream)) return;
    for (const { key } of thingsOf(role, event)) {
      const holder = held.holders.get(key);
      if (holder === undefined) held.holders.set(key, ownerIn(owners, stream, at));
      else if (holder.uuid !== uuidOf(stream)) doubtful.add(stream).add(holder.stream);
    }
  };
  try {
    await scan(lastingTypes, take);
  } catch (error) {
    throw logUnavailable('all streams', error);
  }
  return [...doubtful];
}

function ownerIn(owners: Map<string, Owner>, stream: string, since: number): Owner {
  const known = owners.get(stream);
  if (known !== undefined) return known;
  const owner = { stream, uuid: uuidOf(stream), since, paid: false, contested: false };
  owners.set(stream, owner);
  return owner;
}

async function recordsOf(log: EventLog, stream: string): Promise<readonly Stored[]> {
  try {
    return await log.read(stream);
  } catch (error) {
    // What an unreadable stream held is unknown.
    if (isDamage(error)) return [];
    throw logUnavailable(stream, error);
  }
}
