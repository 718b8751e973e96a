import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { cutOf, uuidOf, withOfflineRuntime } from '../offline-runtime.ts';
import { createOutput } from '../output.ts';
import { clean, styleOf, wrap } from '../render/text.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { stepOf } from '../unsure.ts';

export type RecoverOptions = { readonly log: string; readonly json?: boolean; readonly reason?: string };

/**
 * `swapfold recover`: orders the recovery of a swap's funds, from whatever state. The order is an event of the log; the node
 * that has both coins active looks at the chains and takes the one action that is legal.
 */
export async function recoverCommand(
  given: string,
  { io, log, json = false, reason }: RecoverOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const { columns } = styleOf(io);
  const status = await withOfflineRuntime({ path: log, use: 'write' }, async (runtime, opened) => {
    const uuid = await uuidOf(opened, given);
    await runtime.recoverFunds(uuid, reason);
    return { uuid, cut: cutOf(opened), ...(await runtime.status(uuid)) };
  });
  const { uuid, outcome = null, cut } = status;
  const next = stepOf(status.next ?? null, cut !== undefined);
  const failed = cut === undefined ? {} : { error: errorRow(cut) };
  if (json) await output.write(jsonLine({ uuid, ordered: true, outcome, next, ...failed }));
  else {
    const then = next === null ? '' : `\n${wrap(next.text, { columns })}`;
    const text = 'Recovery is ordered. The next node that opens this log with both coins active carries it out.';
    await output.write(`${wrap(text, { columns })}${then}\n`);
  }
  if (cut !== undefined) io.stderr.write(`swapfold: ${clean(`${cut.shortMessage} ${cut.next ?? ''} [${cut.code}]`)}\n`);
  await output.flush();
  return cut === undefined ? EXIT.ok : EXIT.findings;
}
