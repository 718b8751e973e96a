import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { StreamSummary } from '../../ports/event-log.ts';
import type { Envelope } from '../../primitives/envelope.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import { formatUtc, type Millis, toUnixSeconds, type UnixSeconds } from '../../primitives/time.ts';
import {
  createSharing,
  type NamedThing,
  namedThings,
  type SharedThing,
  sharedText,
} from '../../replay/audit/sharing.ts';
import { moment as momentOf } from '../arguments.ts';
import { worldPath } from '../demo/world-file.ts';
import { isAlarming, isOverdue, LOST } from '../findings.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { stepAt, stepText } from '../late-step.ts';
import { type LogSelection, queryOf, selectedStatuses } from '../log-selection.ts';
import { exactText } from '../looked.ts';
import { createOutput } from '../output.ts';
import { flowed } from '../render/fitted.ts';
import { outcomeText } from '../render/outcome.ts';
import { clean, type Style, styleOf, wrap } from '../render/text.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { keptOf, type Rows, type Told } from '../summary/listed.ts';
import { LOOK_FIRST, stepOf } from '../unsure.ts';

export type StatusOptions = LogSelection & {
  readonly log: string;
  readonly json?: boolean;
  readonly unfinished?: boolean;
  readonly event?: string;
  /** To tell how far away the next step is. */
  readonly now?: UnixSeconds;
  /** Size of a log in bytes from which on what was read of it is kept. @defaultValue that of some 400 swaps */
  readonly keepFrom?: number;
};

/** `swapfold status`: how the swaps of a durable log stand, what they wait for, and what comes next. */
export async function statusCommand(
  given: string | undefined,
  { io, log, json = false, unfinished, event, now, keepFrom, ...selection }: StatusOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const style = styleOf(io);
  const { found, cut, shared } =
    given === undefined
      ? await allOf({ io, log, unfinished, event, keepFrom, selection })
      : await oneOf(given, { io, log, role: selection.role });
  const unsure = cut !== undefined;
  if (unsure) await output.write(json ? jsonLine(cutRow(cut)) : cutText(cut, style));
  for (const status of found) {
    const given = { now, unsure, shared: shared.get(status.stream) ?? [] };
    if (json) await output.write(jsonLine(plain(status, given)));
    else await output.write(statusText(status, { style, ...given }));
  }
  if (!json && !unsure && found.length === 0) await output.write('no swaps\n');
  await output.flush();
  const moment = now ?? (await nowOf(log));
  const isDenied = found.some(({ looked }) => looked.end?.shown === 'denied');
  return unsure ||
    isDenied ||
    shared.size > 0 ||
    found.some((status) => status.state === null || isAlarming(status) || isOverdue(status, moment))
    ? EXIT.findings
    : EXIT.ok;
}

/** Now, or the moment of the simulated world next to a log; only there is the engine needed to tell it. */
async function nowOf(log: string): Promise<UnixSeconds> {
  if (!existsSync(worldPath(dirname(resolve(log))))) return momentOf('now');
  return (await import('../offline-runtime.ts')).momentOfLog(log);
}

type Listed = {
  readonly found: readonly Told[];
  readonly cut: SwapfoldError | undefined;
  readonly shared: typeof NOTHING_SHARED;
};

type All = {
  readonly io: CliIo;
  readonly log: string;
  readonly unfinished: boolean | undefined;
  readonly event: string | undefined;
  readonly keepFrom: number | undefined;
  readonly selection: LogSelection;
};

/** The swaps of a log that are asked for. What was kept of it since it was read last answers all but questions about single events. */
async function allOf({ io, log: path, unfinished, event, keepFrom, selection }: All): Promise<Listed> {
  const query = {
    ...queryOf(selection),
    ...(unfinished === true ? { finished: false } : {}),
    ...(event === undefined ? {} : { eventType: event }),
  };
  const isWhole = Object.keys(query).length === 0;
  const kept =
    event === undefined && selection.anomaly === undefined ? keptOf(path, { io, least: keepFrom }) : undefined;
  if (kept?.log !== undefined) {
    const found = await selectedStatuses(kept.log.list(query), selection, { path, log: kept.log });
    return { found, cut: undefined, shared: sharedIn(found, kept.log.things) };
  }
  // The engine takes as long to load as all of what was kept.
  const { cutOf, withOfflineRuntime } = await import('../offline-runtime.ts');
  const { lookAt, roleOfStream, tellingRecords } = await import('../stream-log.ts');
  const things = new Map<string, readonly NamedThing[]>();
  const telling = new Map<string, readonly Envelope[]>();
  // Records are read once: what swaps have in common is told from those that tell how each stands.
  const onRead = (stream: string, events: readonly Envelope[]): void => {
    const role = roleOfStream(stream);
    if (role === null) return;
    things.set(stream, namedThings({ role, events }));
    telling.set(stream, tellingRecords(events));
  };
  let known: Rows = new Map();
  const options = { path, use: 'read', io, onRead, isKnown: (stream: string) => known.has(stream) } as const;
  return withOfflineRuntime(options, async (runtime, opened) => {
    known = (await kept?.rows(opened)) ?? known;
    const listed = await runtime.list({ ...query, limit: Number.MAX_SAFE_INTEGER });
    const read = listed.map((status) => ({ ...status, looked: lookAt(status, telling.get(status.stream)) }));
    const statuses = inOrder(read, known, await opened.find(query));
    for (const [stream, row] of known) things.set(stream, row.things);
    if (isWhole) await kept?.keep({ log: opened, statuses, things });
    const found = await selectedStatuses(statuses, selection, { path, log: opened });
    return { found, cut: cutOf(opened), shared: sharedIn(found, things) };
  });
}

/** What was read and what is known, in the order of the log; what cannot be read comes last. */
function inOrder(read: readonly Told[], known: Rows, found: readonly StreamSummary[]): readonly Told[] {
  if (known.size === 0) return read;
  const rest = new Map(read.map((status) => [status.stream, status]));
  const statuses: Told[] = [];
  for (const { stream } of found) {
    const row = known.get(stream);
    const status = row === undefined ? rest.get(stream) : { ...row.standing, error: null };
    rest.delete(stream);
    if (status !== undefined) statuses.push(status);
  }
  return [...statuses, ...rest.values()];
}

type One = { readonly io: CliIo; readonly log: string; readonly role: LogSelection['role'] };

/** The sides of one swap. */
async function oneOf(given: string, { io, log: path, role }: One): Promise<Listed> {
  const { cutOf, sidesOf, uuidOf, withOfflineRuntime } = await import('../offline-runtime.ts');
  const { lookAt, tellingRecords } = await import('../stream-log.ts');
  const telling = new Map<string, readonly Envelope[]>();
  const onRead = (stream: string, events: readonly Envelope[]): void => {
    telling.set(stream, tellingRecords(events));
  };
  return withOfflineRuntime({ path, use: 'read', io, onRead }, async (runtime, opened) => {
    const cut = cutOf(opened);
    try {
      const uuid = await uuidOf(opened, given);
      const sides = sidesOf(await runtime.sides(uuid), { uuid, role });
      const found = sides.map((status) => ({ ...status, looked: lookAt(status, telling.get(status.stream)) }));
      return { found, cut, shared: NOTHING_SHARED };
    } catch (error) {
      // A swap that is not there may be among what is missing.
      if (cut === undefined || !(error instanceof UsageError)) throw error;
      return { found: [], cut, shared: NOTHING_SHARED };
    }
  });
}

/** A row for the log as a whole, with the members of those of its swaps. */
function cutRow(cut: SwapfoldError) {
  const unknown = { stream: null, uuid: null, role: null, coins: { maker: null, taker: null } };
  return { ...unknown, state: null, outcome: null, end: null, funds: null, next: null, error: errorRow(cut) };
}

function cutText(cut: SwapfoldError, { paint, columns }: Style): string {
  return `${paint.red(wrap(faultText(cut), { columns }))}\n`;
}

type Shown = {
  readonly now: UnixSeconds | undefined;
  readonly unsure: boolean;
  readonly shared: readonly SharedThing[];
};

const NOTHING_SHARED: ReadonlyMap<string, readonly SharedThing[]> = new Map();

/** By stream, what a swap has in common with one before it, which it may not. */
function sharedIn(found: readonly Told[], things: ReadonlyMap<string, readonly NamedThing[]>): typeof NOTHING_SHARED {
  const sharing = createSharing();
  const streams = new Map<string, readonly SharedThing[]>();
  for (const { stream, uuid, role } of found) {
    if (role !== 'maker' && role !== 'taker') continue;
    const shared = sharing({ uuid, things: things.get(stream) ?? [] });
    if (shared.length > 0) streams.set(stream, shared);
  }
  return streams;
}

/** Without what only a running engine knows. */
function plain(status: Told, { now, unsure, shared }: Shown) {
  const { stream, uuid, role, coins, state, outcome, funds, looked, recoverSince, error } = status;
  const { end } = looked;
  const sure = stepOf(status.next, unsure);
  const step = sure === null ? null : stepAt(sure, { role, funds, now });
  const next = step === null ? null : { ...step, text: exactText(step.text, funds, looked) };
  const failed = error === null ? {} : { error: errorRow(error) };
  const overdue = now === undefined || next === null || next.until === null ? {} : { overdue: now > next.until };
  const both =
    shared.length === 0 ? {} : { shared: shared.map(({ kind, id, with: uuid }) => ({ kind, id, with: uuid })) };
  const ordered = recoverSince === null ? {} : { recoverSince };
  return { stream, uuid, role, coins, state, outcome, end, funds, next, ...overdue, ...ordered, ...both, ...failed };
}

function statusText(
  status: Told,
  { style: { paint, columns }, now, unsure, shared }: Shown & { readonly style: Style },
): string {
  const { uuid, role, coins, state, outcome, funds, looked, recoverSince, error } = status;
  const next = stepOf(status.next, unsure);
  const cells = [
    `${uuid} `,
    (role ?? '?').padEnd(5),
    (outcome === null ? 'unreadable' : outcomeText(outcome, looked.end)).padEnd(22),
  ];
  const head = flowed([...cells, `${coins.maker ?? '?'}/${coins.taker ?? '?'} `, state ?? ''].map(clean), {
    columns,
    indent: 4,
  });
  const hidden = next === null && status.next !== null;
  const closed = outcome === 'lost' ? `Nothing is left to do: ${LOST}` : '';
  const told = next === null ? (hidden ? LOOK_FIRST : closed) : stepText(next, { role, funds, now });
  const text = exactText(told, funds, looked);
  const odd = looked.impossible.map((told) => `    ${paint.yellow(wrap(told, { columns, indent: 4 }))}\n`);
  const step = text === '' ? '' : `    ${wrap(text, { columns, indent: 4 })}\n`;
  const order = recoverSince === null ? '' : `    ${wrap(orderText(recoverSince), { columns, indent: 4 })}\n`;
  const fault = error === null ? '' : `    ${wrap(clean(faultText(error)), { columns, indent: 4 })}\n`;
  const both = shared.map((thing) => {
    const told = `The ${sharedText(thing)} is that of swap ${thing.with} too, and serves one of them.`;
    return `    ${paint.red(wrap(told, { columns, indent: 4 }))}\n`;
  });
  return `${paint.bold(head)}\n${fault}${both.join('')}${odd.join('')}${order}${step}`;
}

function orderText(since: Millis): string {
  const at = formatUtc(toUnixSeconds(since));
  return `Recovery was ordered at ${at}; the next node that opens this log with both coins active carries it out.`;
}

function faultText({ shortMessage, next, code, facts }: SwapfoldError): string {
  const why = facts['why'] === undefined ? '' : ` ${String(facts['why'])}`;
  return `${shortMessage}${why} ${next ?? ''} [${code}]`;
}
