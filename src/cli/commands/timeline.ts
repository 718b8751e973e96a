import { shownLog } from '../../events/redact.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { joinedTimeline } from '../../replay/compare/joined-timeline.ts';
import { outcomeEnd } from '../../replay/payment-ends.ts';
import { replaySwap } from '../../replay/swaps.ts';
import { moneyTimeline, type TimelineRow } from '../../replay/timeline.ts';
import { toldFunds } from '../../replay/told-funds.ts';
import { moment } from '../arguments.ts';
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
        text: (style) => timelineText(file, { ...timeline, ...withExact(rows, [shown]) }, style),
        findings: faults || isToLook(shown),
      };
    },
    both({ maker, taker }) {
      const rows = joinedTimeline({ maker: maker.log, taker: taker.log });
      const files = { maker: maker.file, taker: taker.file };
      const { uuid } = maker.log;
      return {
        row: { uuid, files, rows },
        text: (style) => joinedTimelineText({ uuid, files, ...withExact(rows, [maker.log, taker.log]) }, style),
        findings: [maker, taker].some(({ log }) => moneyTimeline(log).faults || isToLook(log)),
      };
    },
    unreadRow: ({ file, uuid, error, line }) => ({ file, uuid, role: null, rows: [], error: errorRow(error, line) }),
  });
}

function isToLook(log: SwapLog): boolean {
  const swap = replaySwap(log);
  return needsLook({ ...swap, end: outcomeEnd(swap, { log }), now: moment('now') });
}

/** The rows with the digits that the chains have, and what of the amounts no chain can hold. */
function withExact<R extends TimelineRow>(rows: readonly R[], logs: readonly SwapLog[]) {
  const told = logs.map((log) => toldFunds(replaySwap(log).funds, log));
  const amountIn = (name: 'makerPayment' | 'takerPayment') =>
    told.map(({ funds }) => funds[name].amount).find((amount) => amount !== null) ?? null;
  const [maker, taker] = [amountIn('makerPayment'), amountIn('takerPayment')];
  return {
    rows: rows.map((row) => ({
      ...row,
      makerPayment: { ...row.makerPayment, amount: maker ?? row.makerPayment.amount },
      takerPayment: { ...row.takerPayment, amount: taker ?? row.takerPayment.amount },
    })),
    impossible: [...new Set(told.flatMap(({ impossible }) => impossible))],
  };
}
