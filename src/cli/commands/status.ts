import type { SwapfoldError } from '../../primitives/error.ts';
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
};

/** `swapfold status`: how the swaps of a durable log stand, what they wait for, and what comes next. */
export async function statusCommand(
  given: string | undefined,
  { io, log, json = false, unfinished, coin, outcome, event }: StatusOptions & { readonly io: CliIo },
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
    if (json) await output.write(jsonLine(plain(status)));
    else await output.write(statusText(status, style));
  }
  if (!json && found.length === 0) await output.write('no swaps\n');
  await output.flush();
  return found.some(({ outcome: ended, state }) => state === null || ended === 'funds-at-risk')
    ? EXIT.findings
    : EXIT.ok;
}

/** Without what only a running engine knows. */
function plain({ stream, uuid, role, coins, state, outcome, funds, next, error }: SwapStatus) {
  const failed = error === null ? {} : { error: errorRow(error) };
  return { stream, uuid, role, coins, state, outcome, funds, next, ...failed };
}

function statusText({ uuid, role, coins, state, outcome, next, error }: SwapStatus, { paint, columns }: Style): string {
  const head = `${uuid}  ${(role ?? '?').padEnd(5)} ${(outcome ?? 'unreadable').padEnd(22)} ${coins.maker ?? '?'}/${coins.taker ?? '?'}  ${state ?? ''}`;
  const step = next === null ? '' : `    ${wrap(next.text, { columns, indent: 4 })}\n`;
  const fault = error === null ? '' : `    ${wrap(clean(faultText(error)), { columns, indent: 4 })}\n`;
  return `${paint.bold(clean(head))}\n${fault}${step}`;
}

function faultText({ shortMessage, next, code, facts }: SwapfoldError): string {
  const why = facts['why'] === undefined ? '' : ` ${String(facts['why'])}`;
  return `${shortMessage}${why} ${next ?? ''} [${code}]`;
}
