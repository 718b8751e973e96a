import type { MachineEvent } from '../../../machines/definition.ts';
import type { JournalContext } from '../../../machines/journal/context.ts';
import type { SwapHold } from '../../htlc/locked-amount.ts';
import type { NewRecord, StreamLabels } from '../../ports/event-log.ts';
import { copyTree } from '../../primitives/copy-tree.ts';
import { foldRecord, type StreamFold } from '../../replay/fold.ts';
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
  const dry: StreamFold<C> = {
    position: { state: position.state, context: copyTree(position.context) },
    journal: copyTree(journal),
  };
  records.forEach(({ type, at, data }, index) => {
    foldRecord(machine, dry, { event: { type, at, data }, seq: length + index });
  });
  return { state: machine.states[dry.position.state] as string, context: dry.position.context, journal: dry.journal };
}
