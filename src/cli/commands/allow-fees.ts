import type { DecimalText } from '../../primitives/decimal.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { cutOf, uuidOf, withOfflineRuntime } from '../offline-runtime.ts';
import { createOutput } from '../output.ts';
import { clean, styleOf, wrap } from '../render/text.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { complain } from '../voice.ts';

export type AllowFeesOptions = {
  readonly log: string;
  readonly coin: string;
  /** In units of the coin that pays the fees there; null for no bound. */
  readonly most: DecimalText | null;
  readonly json?: boolean;
  readonly reason?: string;
};

/**
 * `swapfold allow-fees`: lets each fee of one swap on one chain be higher than the policy of the node permits. The order is an event
 * of the log, and the node that opens it next goes by it.
 */
export async function allowFeesCommand(
  given: string,
  { io, log, coin, most, json = false, reason }: AllowFeesOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const { columns } = styleOf(io);
  const { uuid, cut } = await withOfflineRuntime({ path: log, use: 'write', io }, async (runtime, opened) => {
    const uuid = await uuidOf(opened, given);
    await runtime.allowFees(uuid, { coin, most, ...(reason === undefined ? {} : { reason }) });
    return { uuid, cut: cutOf(opened) };
  });
  const failed = cut === undefined ? {} : { error: errorRow(cut) };
  if (json) await output.write(jsonLine({ uuid, coin, most, ordered: true, ...failed }));
  else await output.write(`${wrap(orderedText(coin, most), { columns })}\n`);
  if (cut !== undefined) complain(io, `swapfold: ${clean(`${cut.shortMessage} ${cut.next ?? ''} [${cut.code}]`)}\n`);
  await output.flush();
  return cut === undefined ? EXIT.ok : EXIT.findings;
}

function orderedText(coin: string, most: DecimalText | null): string {
  const then = 'The next node that opens this log goes by it.';
  if (most === null) return `Fees of this swap on the chain of ${clean(coin)} have no bound from now on. ${then}`;
  const bound = /[1-9]/.test(most)
    ? `may be up to ${most} each, where the policy permits less`
    : 'keep to the policy again';
  return `Fees of this swap on the chain of ${clean(coin)} ${bound}. ${then}`;
}
