import type { SignedTransaction } from '../../ports/chain.ts';
import type { NewRecord } from '../../ports/event-log.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import type { Millis } from '../../primitives/time.ts';
import type { NewEvent } from '../command.ts';
import { isConflict, isRefused, logUnavailable, runnerFailed, shortReason, transactionTaken } from '../errors.ts';
import type { Drivable } from './drivable.ts';
import { fail } from './drive-fail.ts';
import { load, loadLater } from './drive-load.ts';
import { giveBack, giveBackUntaken, noteStored, noteUncertain } from './give-back.ts';
import { putBackLetter, rejectLetters, takeLetter } from './letters.ts';
import { about, begin, end, type Loop, momentOf, move, noteStanding } from './loop.ts';
import { settle } from './settle.ts';
import type { Letter, Slot } from './slot.ts';
import { errorOf } from './slot-state.ts';

/** How often a letter is rewritten because someone else wrote first. */
const MOST_CONFLICTS = 5;

/**
 * Makes the slot's own events durable, then applies them. It first claims what they take for the swap. If the book does
 * not yet know the owner, it reads the log and the runner decides again.
 */
export function appendOwn(loop: Loop, slot: Slot, events: readonly NewEvent[]): void {
  if (!move(loop, slot, { type: 'append' })) return;
  const { claims } = loop;
  if (!claims.isComplete() && claims.takes(slot.stream, events)) {
    completeClaims(loop, slot);
    return;
  }
  const holder = claims.take(slot.stream, events);
  if (holder === null) write(loop, slot, { events, letter: null });
  else fail(loop, slot, takenError(loop, slot, { events, holder }));
}

type Refused = { readonly events: readonly NewEvent[]; readonly holder: string };

/** Two swaps may have asked for the same transaction at once: then neither was in the log when the wallet answered. */
function takenError({ claims }: Loop, { stream }: Slot, { events, holder }: Refused): SwapfoldError {
  for (const { type, data } of events) {
    const tx_hash = type === 'TransactionPrepared' ? (data as { readonly tx: SignedTransaction }).tx.tx_hash : null;
    if (tx_hash !== null && claims.of(stream).transaction(tx_hash) !== null)
      return transactionTaken(stream, { tx_hash, holder });
  }
  return runnerFailed(stream, new RangeError(`what it takes belongs to ${holder}`));
}

/** Reads what finished swaps hold, then lets the runner decide with that. */
function completeClaims(loop: Loop, slot: Slot): void {
  const { doing } = slot.state;
  begin(loop);
  const conclude = (action: () => void): void => {
    if (slot.state.doing === doing) action();
    end(loop);
  };
  settle(() => loop.claims.complete(), {
    done: () =>
      conclude(() => {
        move(loop, slot, { type: 'decideAgain' });
        writeLetter(loop, slot);
      }),
    failed: (error) =>
      conclude(() => {
        loadLater(loop, slot, error);
      }),
  });
}

/** Writes the next event that someone else wants in the stream, when nothing else is being written. */
export function writeLetter(loop: Loop, slot: Slot): void {
  const { doing, append } = slot.state;
  if (append !== 'none' || slot.letters.length === 0) return;
  if (doing.mode === 'loading' || doing.mode === 'appending') return;
  if (doing.mode === 'failed' || doing.mode === 'reloading') {
    load(loop, slot, () => writeLetter(loop, slot));
    return;
  }
  const letter = takeLetter(slot);
  if (letter !== undefined) write(loop, slot, { events: letter.events, letter });
}

type Writing = { readonly events: readonly NewEvent[]; readonly letter: Letter | null };
type Written = Writing & {
  readonly driven: Drivable;
  readonly records: readonly NewRecord[];
  readonly since: Millis;
};

/** Appends nothing that the fold would refuse: a bug in the engine must not make a log unreadable. */
function write(loop: Loop, slot: Slot, { events, letter }: Writing): void {
  const { driven } = slot;
  if (driven === null) return;
  const since = loop.steady.now();
  let records: readonly NewRecord[];
  let labels: ReturnType<Drivable['preview']>;
  try {
    records = driven.recordsOf(events, momentOf(loop, slot));
    labels = driven.preview(records);
    holdFor(loop, slot, { driven, records });
  } catch (error) {
    fail(loop, slot, runnerFailed(slot.stream, error));
    letter?.reject(errorOf(slot.state.doing) ?? runnerFailed(slot.stream, error));
    return;
  }
  if (!move(loop, slot, { type: 'write' })) return;
  const written = { events, letter, driven, records, since };
  begin(loop);
  settle(() => loop.log.append({ stream: slot.stream, expected: driven.length(), records, labels }), {
    done: () => durable(loop, slot, written),
    failed: (error) => refused(loop, slot, { ...written, error }),
  });
}

/**
 * A starting swap counts before its start is written: another swap that checks its balance meanwhile must see it (H1).
 */
function holdFor({ locks }: Loop, { stream }: Slot, { driven, records }: Pick<Written, 'driven' | 'records'>): void {
  if (driven.holds === undefined || !records.some(({ type }) => type === 'Started')) return;
  locks.atLeast(stream, driven.holds(records));
}

function durable(loop: Loop, slot: Slot, { driven, records, letter, since }: Written): void {
  const { metrics, steady, logger } = loop;
  const { doing, append } = slot.state;
  // Meanwhile the runner was rebuilt from a log that did not hold these records yet.
  const again = append === 'thenReload' || slot.driven !== driven || doing.mode === 'loading';
  move(loop, slot, { type: 'written', conflict: false });
  metrics.appended({ seconds: (steady.now() - since) / 1000, records: records.length, ok: true });
  loop.claims.settle(slot.stream);
  try {
    driven.applyRecords(records);
    noteStored(slot, Number.POSITIVE_INFINITY);
    giveBack(loop, slot);
    if (records.some(({ type }) => type === 'Finished')) giveBackUntaken(loop, slot);
    move(loop, slot, { type: 'applied' });
    const types = records.map(({ type }) => type).join(' ');
    logger.info('appended', about(slot, { types, length: driven.length() }));
    if (driven.holds !== undefined) loop.locks.set(slot.stream, driven.holds());
    noteStanding(loop, slot);
    letter?.resolve();
    goOn(loop, slot, again);
  } catch (error) {
    letter?.resolve();
    fail(loop, slot, runnerFailed(slot.stream, error));
  }
  end(loop);
}

/**
 * The stream is free for the next append. Its knowledge changed while it asks or sends; it decides again once the
 * answer arrives.
 */
function goOn(loop: Loop, slot: Slot, again: boolean): void {
  if (again) {
    load(loop, slot, () => writeLetter(loop, slot));
    return;
  }
  move(loop, slot, { type: 'goOn' });
  writeLetter(loop, slot);
}

function refused(
  loop: Loop,
  slot: Slot,
  { driven, letter, error, since, records }: Written & { readonly error: unknown },
): void {
  const { metrics, steady, logger } = loop;
  const conflict = isConflict(error);
  move(loop, slot, { type: 'written', conflict });
  metrics.appended({ seconds: (steady.now() - since) / 1000, records: records.length, ok: false });
  if (!conflict && !isRefused(error)) noteUncertain(slot, driven.length());
  if (letter !== null) {
    const tries = letter.tries + 1;
    if (conflict && tries <= MOST_CONFLICTS) putBackLetter(slot, { ...letter, tries });
    else letter.reject(error instanceof SwapfoldError && !conflict ? error : logUnavailable(slot.stream, error));
  }
  const { doing, counts } = slot.state;
  if (doing.mode === 'failed') rejectLetters(slot, logUnavailable(slot.stream, error));
  else if (conflict && counts.conflicts <= MOST_CONFLICTS) {
    logger.warn('somebody else wrote to the stream', about(slot, { reason: shortReason(error) }));
    load(loop, slot, () => writeLetter(loop, slot));
  } else if (isRefused(error)) {
    // The log would refuse the same records again.
    fail(loop, slot, runnerFailed(slot.stream, error));
  } else loadLater(loop, slot, error);
  end(loop);
}
