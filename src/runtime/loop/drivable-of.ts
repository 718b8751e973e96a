import type { MachineEvent } from '../../../machines/definition.ts';
import { applyJournal, type JournalContext } from '../../../machines/journal/context.ts';
import { isJournalType, type JournalEvent } from '../../events/journal.ts';
import { IMPORTED } from '../../events/jsonl.ts';
import type { SwapHold } from '../../htlc/locked-amount.ts';
import type { NewRecord, StreamLabels } from '../../ports/event-log.ts';
import type { CompiledMachine } from '../../replay/compile.ts';
import { type FoldPosition, refuse, step } from '../../replay/fold.ts';
import { copyTree } from '../copy-tree.ts';
import {
  absorb,
  applyRecords,
  type Follower,
  type Observer,
  poke,
  receive,
  recordsOf,
  sent,
  trust,
} from '../swap/runner.ts';
import { keepLate } from '../swap/signed.ts';
import type { Drivable } from './drivable.ts';

/** A runner of any machine: it follows a log and remembers what it saw. */
export type AnyRunner<C, E extends MachineEvent> = Follower<C, E> & Observer & { readonly stream: string };

/** The status of a stream, for its labels. */
export type Standing<C> = { readonly state: string; readonly context: C; readonly journal: JournalContext };

export type DrivableParts<C> = Pick<Drivable, 'coins' | 'missing' | 'decide' | 'look'> & {
  readonly listens: Drivable['listens'];
  readonly labels: (standing: Standing<C>) => StreamLabels;
  readonly watched?: NonNullable<Drivable['watched']>;
  readonly secrets?: NonNullable<Drivable['secrets']>;
  /** What the stream will still take from the wallets. @defaultValue nothing */
  readonly locks?: (standing: Standing<C>) => SwapHold;
};

/** Makes a drivable from a runner, whose functions all machines share. */
export function drivableOf<C extends object, E extends MachineEvent>(
  runner: AnyRunner<C, E>,
  parts: DrivableParts<C>,
): Drivable {
  const { locks } = parts;
  return {
    stream: runner.stream,
    coins: parts.coins,
    missing: parts.missing,
    listens: parts.listens,
    length: () => runner.length,
    decide: parts.decide,
    recordsOf: (events, now) => recordsOf(runner, events, now),
    preview: (records) => parts.labels(standingAfter(runner, records)),
    applyRecords: (records) => applyRecords(runner, records),
    absorb: (command, given) => absorb(runner, command, given),
    receive: (message) => receive(runner, message),
    poke: (leg) => poke(runner, leg),
    trust: (leg, whole) => trust(runner, leg, whole),
    sent: (given) => sent(runner, given),
    unsent: (kind) => runner.facts.sentAt.delete(kind),
    look: parts.look,
    signed: signedOf(runner),
    ...(parts.watched === undefined ? {} : { watched: parts.watched }),
    ...(parts.secrets === undefined ? {} : { secrets: parts.secrets }),
    ...(locks === undefined
      ? {}
      : { holds: (coming) => locks(coming === undefined ? standingOf(runner) : standingAfter(runner, coming)) }),
  };
}

function signedOf(runner: Pick<Observer, 'facts' | 'journal'>): NonNullable<Drivable['signed']> {
  return {
    unused: () => runner.facts.unused.splice(0),
    kept: () =>
      [...runner.facts.prepared].flatMap(([purpose, tx]) => {
        const request = runner.facts.preparedFor.get(purpose);
        return request === undefined ? [] : [{ purpose, tx, request }];
      }),
    keep: (signed) => keepLate(runner.facts, runner.journal, signed),
  };
}

function standingOf<C extends object, E extends MachineEvent>({
  kind,
  position,
  journal,
}: AnyRunner<C, E>): Standing<C> {
  return { state: kind.machine.states[position.state] as string, context: position.context, journal };
}

/** The state that the runner would reach; the runner itself stays unchanged. @throws SwapfoldError ILLEGAL_EVENT */
function standingAfter<C extends object, E extends MachineEvent>(
  { kind, position, journal, length }: AnyRunner<C, E>,
  records: readonly NewRecord[],
): Standing<C> {
  const { machine } = kind;
  const dry = { state: position.state, context: copyTree(position.context) };
  const folding = { machine, position: dry, journal: copyTree(journal) };
  records.forEach((record, index) => {
    fold(folding, record, length + index);
  });
  return { state: machine.states[dry.state] as string, context: dry.context, journal: folding.journal };
}

type Folding<C, E extends MachineEvent> = {
  readonly machine: CompiledMachine<C, E>;
  readonly position: FoldPosition<C>;
  readonly journal: JournalContext;
};

function fold<C, E extends MachineEvent>(
  { machine, position, journal }: Folding<C, E>,
  { type, at, data }: NewRecord,
  seq: number,
): void {
  if (isJournalType(type)) applyJournal(journal, { type, at, data } as JournalEvent);
  else if (type !== IMPORTED) {
    const event: MachineEvent = { type, at, data };
    step(machine, position, { event: event as E, seq, onRefused: refuse(machine) });
  }
}
