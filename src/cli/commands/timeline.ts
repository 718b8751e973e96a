import { shownLog } from '../../events/redact.ts';
import { joinedTimeline } from '../../replay/compare/joined-timeline.ts';
import { replaySwap } from '../../replay/swaps.ts';
import { moneyTimeline } from '../../replay/timeline.ts';
import { eachSwap } from '../each-swap.ts';
import { needsLook } from '../findings.ts';
import type { CliIo, ExitCode } from '../io.ts';
import { joinedTimelineText, timelineText } from '../render/timeline.ts';
import { errorRow } from '../rows.ts';
import type { SelectionOptions } from '../selection.ts';

export type TimelineOptions = SelectionOptions & { readonly json?: boolean };

/** `swapfold timeline`: where the money was after every event. */
export function timelineCommand(
  inputs: readonly string[],
  { io, json = false, ...selection }: TimelineOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  return eachSwap(inputs, {
    io,
    json,
    selection,
    spaced: true,
    swap({ file, log }) {
      const shown = shownLog(log);
      const timeline = moneyTimeline(shown);
      const { uuid, role, rows, faults } = timeline;
      return {
        row: { file, uuid, role, rows },
        text: (style) => timelineText(file, timeline, style),
        findings: faults || needsLook(replaySwap(shown)),
      };
    },
    both({ maker, taker }) {
      const rows = joinedTimeline({ maker: maker.log, taker: taker.log });
      const files = { maker: maker.file, taker: taker.file };
      const { uuid } = maker.log;
      return {
        row: { uuid, files, rows },
        text: (style) => joinedTimelineText({ uuid, files, rows }, style),
        findings: [maker, taker].some(({ log }) => moneyTimeline(log).faults || needsLook(replaySwap(log))),
      };
    },
    unreadRow: ({ file, uuid, error, line }) => ({ file, uuid, role: null, rows: [], error: errorRow(error, line) }),
  });
}
