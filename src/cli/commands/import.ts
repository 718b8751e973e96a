import { streamOf } from '../../events/jsonl.ts';
import type { SwapLog } from '../../events/saved-swap.ts';
import { expandInputs } from '../../log/files/inputs.ts';
import type { ReadSwap } from '../../log/files/read-swap.ts';
import { readInputs } from '../../log/files/read-swaps.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import { millisOf } from '../../primitives/time.ts';
import { outcomeEnd } from '../../replay/payment-ends.ts';
import { replaySwap } from '../../replay/swaps.ts';
import type { Imported } from '../../runtime/operate/import-swap.ts';
import type { SwapKeeper } from '../../runtime/operate/keep-swaps.ts';
import { moment } from '../arguments.ts';
import type { UnreadSwap } from '../each-swap.ts';
import { needsLook } from '../findings.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import { cutOf } from '../offline-runtime.ts';
import { createOutput } from '../output.ts';
import { fitted } from '../render/fitted.ts';
import { asideOf, clean, counted, type Style, styleOf, wrap } from '../render/text.ts';
import { RepeatedErrors } from '../repeated-errors.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { withSwapKeeper } from '../swap-keeper.ts';
import { swapError } from '../unexpected.ts';
import { complainOf, detail } from '../voice.ts';

export type ImportOptions = {
  readonly log: string;
  readonly json?: boolean;
  /** Size of a log in bytes from which on it is kept how its swaps stand. @defaultValue that of some 400 swaps */
  readonly keepFrom?: number;
};

/** Where a swap differs from the one that is there, a paragraph for each event. */
function differences({ code, facts: { stream: _, ...each } }: SwapfoldError, { columns }: Style): string {
  if (code !== 'SWAP_EXISTS') return '';
  const lines = Object.entries(each).map(([name, text]) => wrap(clean(`${name}: ${text}`), { columns, indent: 9 }));
  return lines.map((line) => `       ${line}\n`).join('');
}

/** Swaps that are taken over at a time: what the log then writes together waits for the disk once. */
const AT_ONCE = 64;

type Taken = { readonly read: ReadSwap; readonly done: Promise<Imported> | null };

/** Takes over many swaps at a time, and gives them in order, each once it is known what became of it. Logs of one side of one swap take turns. */
async function* takenOver(reads: AsyncIterable<ReadSwap>, keep: SwapKeeper): AsyncGenerator<Taken> {
  const underWay: Taken[] = [];
  const latest = new Map<string, Promise<unknown>>();
  const start = (log: SwapLog): Promise<Imported> => {
    const stream = streamOf(log);
    const before = latest.get(stream) ?? Promise.resolve();
    const done = before.catch(() => {}).then(() => keep(log));
    // Whoever asks for the result hears of a failure.
    done.catch(() => {});
    latest.set(stream, done);
    return done;
  };
  for await (const read of reads) {
    underWay.push({ read, done: read.ok ? start(read.log) : null });
    if (underWay.length < AT_ONCE) continue;
    // All of them, so that the next ones go into one transaction too.
    await Promise.allSettled(underWay.map(({ done }) => done));
    latest.clear();
    yield* underWay.splice(0);
  }
  yield* underWay;
}

/** `swapfold import`: imports stored swaps into a durable log, from which a node resumes the unfinished ones. */
export async function importCommand(
  inputs: readonly string[],
  { io, log, json = false, keepFrom }: ImportOptions & { readonly io: CliIo },
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
  const reading = { stdin: io.stdin, onFile: (file: string) => detail(io, `read ${file}`) };
  let cut: SwapfoldError | undefined;
  let atRisk = false;
  await withSwapKeeper({ path: log, io, keepFrom }, async (keep, opened) => {
    cut = cutOf(opened);
    if (cut !== undefined) await tell(log, null, cut);
    const reads = readInputs(expandInputs(inputs), reading);
    for await (const { read, done } of takenOver(reads, keep)) {
      if (!read.ok) {
        await refuse(read.file, read.uuid, read.error);
        continue;
      }
      const { uuid } = read.log;
      try {
        const { known, appended } = await (done as Promise<Imported>);
        const result = appended !== undefined ? 'grown' : known ? 'known' : 'imported';
        counts[result] += 1;
        atRisk ||= isAtRisk(asOwn(read.log));
        const more = appended === undefined ? {} : { appended };
        if (json) await output.write(jsonLine({ file: read.file, uuid, role: read.log.role, result, ...more }));
        else
          await output.write(
            `${uuid}  ${read.log.role}  ${result}${appended === undefined ? '' : ` by ${counted(appended, 'event')}`}\n`,
          );
      } catch (error) {
        await refuse(read.file, uuid, swapError(error));
      }
    }
  });
  for (const each of repeated.end()) await told(each);
  if (!json && io.verbosity !== 'quiet')
    await output.write(
      fitted(
        `${counted(counts.imported, 'swap')} imported, ${counts.grown === 0 ? '' : `${counts.grown} grown, `}${counts.known} known, ${counts.refused} refused\n`,
        columns,
      ),
    );
  await output.flush();
  return counts.refused === 0 && cut === undefined && !atRisk ? EXIT.ok : EXIT.findings;
}

function isAtRisk(log: SwapLog): boolean {
  const swap = replaySwap(log);
  return needsLook({ ...swap, end: outcomeEnd(swap, { log }), now: moment('now') });
}

/** The log as the engine has it from now on; the engine continues where the real node gives up. */
function asOwn(log: SwapLog): SwapLog {
  return log.journal === undefined
    ? { ...log, journal: { importedAt: log.events[0]?.at ?? millisOf(0), records: [] } }
    : log;
}
