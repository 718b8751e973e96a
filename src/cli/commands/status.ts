import type { SwapfoldError } from '../../primitives/error.ts';
import type { UnixSeconds } from '../../primitives/time.ts';
import { timingText } from '../../replay/explain/facts.ts';
import type { SwapStatus } from '../../runtime/status.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { uuidOf, withOfflineRuntime } from '../offline-runtime.ts';
import { createOutput } from '../output.ts';
import { clean, type Style, styleOf, wrap } from '../render/text.ts';
import { errorRow, jsonLine } from '../rows.ts';

export type StatusOptions = {
  readonly log: string;
  readonly json?: boolean;
  readonly unfinished?: boolean;
  readonly coin?: string;
  readonly outcome?: string;
  readonly event?: string;
  /** To tell how far away the next step is. */
  readonly now?: UnixSeconds;
};

/** `swapfold status`: how the swaps of a durable log stand, what they wait for, and what comes next. */
export async function statusCommand(
  given: string | undefined,
  { io, log, json = false, unfinished, coin, outcome, event, now }: StatusOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const style = styleOf(io);
  const found = await withOfflineRuntime({ path: log, use: 'read' }, async (runtime, opened) => {
    if (given === undefined) {
      return runtime.list({
        limit: 10_000,
        ...(unfinished === true ? { finished: false } : {}),
        ...(coin === undefined ? {} : { coin }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(event === undefined ? {} : { eventType: event }),
      });
    }
    const uuid = await uuidOf(opened, given);
    const status = await runtime.status(uuid);
    if (status === null) throw new UsageError(`The log holds no swap ${uuid}.`);
    return [status];
  });
  for (const status of found) {
    if (json) await output.write(jsonLine(plain(status, now)));
    else await output.write(statusText(status, { style, now }));
  }
  if (!json && found.length === 0) await output.write('no swaps\n');
  await output.flush();
  return found.some(({ outcome: ended, state }) => state === null || ended === 'funds-at-risk')
    ? EXIT.findings
    : EXIT.ok;
}

/** Without what only a running engine knows. */
function plain(
  { stream, uuid, role, coins, state, outcome, funds, next, error }: SwapStatus,
  now: UnixSeconds | undefined,
) {
  const failed = error === null ? {} : { error: errorRow(error) };
  const overdue = now === undefined || next === null || next.until === null ? {} : { overdue: now > next.until };
  return { stream, uuid, role, coins, state, outcome, funds, next, ...overdue, ...failed };
}

function statusText(
  { uuid, role, coins, state, outcome, next, error }: SwapStatus,
  { style: { paint, columns }, now }: { readonly style: Style; readonly now: UnixSeconds | undefined },
): string {
  const head = `${uuid}  ${(role ?? '?').padEnd(5)} ${(outcome ?? 'unreadable').padEnd(22)} ${coins.maker ?? '?'}/${coins.taker ?? '?'}  ${state ?? ''}`;
  const step = next === null ? '' : `    ${wrap(`${next.text}${timingText(next, now)}`, { columns, indent: 4 })}\n`;
  const fault = error === null ? '' : `    ${wrap(clean(faultText(error)), { columns, indent: 4 })}\n`;
  return `${paint.bold(clean(head))}\n${fault}${step}`;
}

function faultText({ shortMessage, next, code, facts }: SwapfoldError): string {
  const why = facts['why'] === undefined ? '' : ` ${String(facts['why'])}`;
  return `${shortMessage}${why} ${next ?? ''} [${code}]`;
}
