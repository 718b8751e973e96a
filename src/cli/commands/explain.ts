import { redactLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { formatUtc, toUnixSeconds, type UnixSeconds } from '../../primitives/time.ts';
import { explainSwap } from '../../replay/explain.ts';
import { moment } from '../arguments.ts';
import { eachSwap, type ReadableSwap, type UnreadSwap } from '../each-swap.ts';
import type { CliIo, ExitCode } from '../io.ts';
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
  return eachSwap(inputs, {
    io,
    json,
    selection,
    spaced: true,
    swap(read) {
      const { file, log } = read;
      if (at !== undefined && at >= log.events.length) return beyond(read, at);
      const shown = redactLog(log);
      const now = named ?? momentOf(log, at);
      const told = explainSwap(shown, { now, ...(at === undefined ? {} : { upTo: at }) });
      const explanation = read.unsure === true ? unsureExplanation(told) : told;
      return {
        row: {
          file,
          now: formatUtc(now),
          ...explanation,
          anomalies: explanation.anomalies.map(anomalyRow),
        },
        text: (style) => explanationText({ file, now }, explanation, style),
        findings:
          explanation.waitsFor === 'person' || explanation.anomalies.some(({ severity }) => severity === 'fault'),
      };
    },
    unreadRow: ({ file, uuid, error, line }) => ({ file, uuid, error: errorRow(error, line) }),
  });
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
