import type { Role } from '../../events/catalog.ts';
import { shownLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { formatUtc, toUnixSeconds, type UnixSeconds } from '../../primitives/time.ts';
import { compareSides } from '../../replay/compare/sides.ts';
import { lacksSecret } from '../../replay/explain/evidence.ts';
import { type ExplainedViolation, violationsOf } from '../../replay/explain/violations.ts';
import { type Explanation, explainSwap } from '../../replay/explain.ts';
import { replaySwap } from '../../replay/swaps.ts';
import { moment } from '../arguments.ts';
import { eachSwap, type ReadableSwap, type SwapResult, type UnreadSwap } from '../each-swap.ts';
import { isOverdue } from '../findings.ts';
import type { CliIo, ExitCode } from '../io.ts';
import { bothSidesText } from '../render/both-sides.ts';
import { explanationText } from '../render/explain.ts';
import { anomalyRow, errorRow } from '../rows.ts';
import type { SelectionOptions } from '../selection.ts';
import { unsureExplanation } from '../unsure.ts';

export type ExplainCommandOptions = SelectionOptions & {
  readonly json?: boolean;
  readonly at?: number;
  readonly now?: UnixSeconds;
};

/** `swapfold explain`: what a log says, in sentences. */
export function explainCommand(
  inputs: readonly string[],
  { io, json = false, at, now: named, ...selection }: ExplainCommandOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const told = (read: ReadableSwap) => {
    const now = named ?? momentOf(read.log, at);
    const cut = at === undefined ? read.log : upTo(read.log, at);
    const shown = shownLog(read.log);
    const secretMissing = lacksSecret(cut);
    const explained = explainSwap(shown, { now, secretMissing, ...(at === undefined ? {} : { upTo: at }) });
    const explanation = read.unsure === true ? unsureExplanation(explained) : explained;
    const overdue = isOverdue(replaySwap(cut), now);
    // As audit does: whether a secret is the one of its hash, only the log with its secrets can tell. No check quotes one.
    return { now, overdue, explanation, violations: violationsOf(cut) };
  };
  return eachSwap(inputs, {
    io,
    json,
    selection,
    spaced: true,
    swap(read) {
      const { file, log } = read;
      if (at !== undefined && at >= log.events.length) return beyond(read, at);
      const found = told(read);
      const { now, explanation, violations } = found;
      const anomalies = explanation.anomalies.map(anomalyRow);
      return {
        row: { file, now: formatUtc(now), ...explanation, anomalies, violations },
        text: (style) => explanationText({ file, now, violations }, explanation, style),
        findings: isFinding(found),
      };
    },
    // A position counts the events of one log.
    ...(at === undefined ? { both: (sides) => bothOf(sides, told) } : {}),
    unreadRow: ({ file, uuid, error, line }) => ({ file, uuid, error: errorRow(error, line) }),
  });
}

type Told = {
  readonly now: UnixSeconds;
  /** Whether a node should have moved coins by now, and did not. */
  readonly overdue: boolean;
  readonly explanation: Explanation;
  readonly violations: readonly ExplainedViolation[];
};

function upTo(log: SwapLog, at: number): SwapLog {
  return { ...log, events: log.events.slice(0, at + 1) };
}

/** Both sides of a swap as one story. */
function bothOf(
  { maker, taker }: Readonly<Record<Role, ReadableSwap>>,
  told: (read: ReadableSwap) => Told,
): SwapResult {
  const [ofMaker, ofTaker] = [told(maker), told(taker)];
  const comparison = compareSides({ maker: maker.log, taker: taker.log });
  const sides = {
    maker: { file: maker.file, ...ofMaker },
    taker: { file: taker.file, ...ofTaker },
    comparison,
    now: ofMaker.now,
  };
  return {
    row: { uuid: maker.log.uuid, files: { maker: maker.file, taker: taker.file }, ...comparison },
    text: (style) => bothSidesText(sides, style),
    findings: comparison.contradictions.length > 0 || isFinding(ofMaker) || isFinding(ofTaker),
  };
}

/** What the audit violates is one, unless nothing about the coins follows from it. */
function isFinding({ overdue, explanation: { waitsFor, anomalies }, violations }: Told): boolean {
  const isFault = anomalies.some(({ severity }) => severity === 'fault');
  return waitsFor === 'person' || overdue || isFault || violations.some(({ cosmetic }) => !cosmetic);
}

/** A swap as it stood after one of its events is told for the moment of that event, any other for now. */
function momentOf({ events }: SwapLog, at: number | undefined): UnixSeconds {
  const event = at === undefined ? undefined : events[at];
  return event === undefined ? moment('now') : toUnixSeconds(event.at);
}

function beyond({ file, log }: ReadableSwap, at: number): UnreadSwap {
  const error = new SwapfoldError('The log has no event at this position.', {
    code: 'NO_SUCH_EVENT',
    facts: { found: at, expected: `at most ${log.events.length - 1}` },
    next: 'Events are counted from 0; without --at all of them are told.',
  });
  return { file, ok: false, uuid: log.uuid, error };
}
