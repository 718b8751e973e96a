import { expandInputs } from '../../log/files/inputs.ts';
import { readInputs } from '../../log/files/read-swaps.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import type { UnreadSwap } from '../each-swap.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { cutOf, withOfflineRuntime } from '../offline-runtime.ts';
import { createOutput } from '../output.ts';
import { fitted } from '../render/fitted.ts';
import { asideOf, clean, counted, type Style, styleOf, wrap } from '../render/text.ts';
import { RepeatedErrors } from '../repeated-errors.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { swapError } from '../unexpected.ts';
import { complainOf } from '../voice.ts';

export type ImportOptions = { readonly log: string; readonly json?: boolean };

/** Where a swap differs from the one that is there, a paragraph for each event. */
function differences({ code, facts: { stream: _, ...each } }: SwapfoldError, { columns }: Style): string {
  if (code !== 'SWAP_EXISTS') return '';
  const lines = Object.entries(each).map(([name, text]) => wrap(clean(`${name}: ${text}`), { columns, indent: 9 }));
  return lines.map((line) => `       ${line}\n`).join('');
}

/** `swapfold import`: takes stored swaps into a durable log, from which a node goes on with those that are unfinished. */
export async function importCommand(
  inputs: readonly string[],
  { io, log, json = false }: ImportOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const output = createOutput(io.stdout);
  const { columns } = styleOf(io);
  const counts = { imported: 0, grown: 0, known: 0, refused: 0 };
  const repeated = new RepeatedErrors();
  const told = async ({ file, uuid, error }: UnreadSwap): Promise<void> => {
    if (json) await output.write(jsonLine({ file, uuid, result: 'refused', error: errorRow(error) }));
    else complainOf(io, { file, uuid, error }, differences(error, asideOf(io)));
  };
  const tell = async (file: string, uuid: string | null, error: SwapfoldError): Promise<void> => {
    for (const each of repeated.next({ file, ok: false, uuid, error })) await told(each);
  };
  const refuse = async (file: string, uuid: string | null, error: SwapfoldError): Promise<void> => {
    counts.refused += 1;
    await tell(file, uuid, error);
  };
  let cut: SwapfoldError | undefined;
  await withOfflineRuntime({ path: log, use: 'make' }, async (runtime, opened) => {
    cut = cutOf(opened);
    if (cut !== undefined) await tell(log, null, cut);
    for await (const read of readInputs(expandInputs(inputs), { stdin: io.stdin })) {
      if (!read.ok) {
        await refuse(read.file, read.uuid, read.error);
        continue;
      }
      const { uuid } = read.log;
      try {
        const { known, appended } = await runtime.importSwap(read.log);
        const result = appended !== undefined ? 'grown' : known ? 'known' : 'imported';
        counts[result] += 1;
        const more = appended === undefined ? {} : { appended };
        if (json) await output.write(jsonLine({ file: read.file, uuid, result, ...more }));
        else
          await output.write(
            `${uuid}  ${result}${appended === undefined ? '' : ` by ${counted(appended, 'event')}`}\n`,
          );
      } catch (error) {
        await refuse(read.file, uuid, swapError(error));
      }
    }
  });
  for (const each of repeated.end()) await told(each);
  if (!json)
    await output.write(
      fitted(
        `${counted(counts.imported, 'swap')} imported, ${counts.grown === 0 ? '' : `${counts.grown} grown, `}${counts.known} known, ${counts.refused} refused\n`,
        columns,
      ),
    );
  await output.flush();
  return counts.refused === 0 && cut === undefined ? EXIT.ok : EXIT.findings;
}
