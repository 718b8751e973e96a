import { expandInputs } from '../../log/files/inputs.ts';
import { readInputs } from '../../log/files/read-swaps.ts';
import { isSameStory } from '../../replay/compare/copies.ts';
import { compareLogs, type LogComparison } from '../../replay/compare.ts';
import { outcomeEnd } from '../../replay/payment-ends.ts';
import { replaySwap } from '../../replay/swaps.ts';
import { moment } from '../arguments.ts';
import type { ReadableSwap, UnreadSwap } from '../each-swap.ts';
import { needsLook } from '../findings.ts';
import { type CliIo, EXIT, type ExitCode, UsageError } from '../io.ts';
import { createOutput } from '../output.ts';
import { type ComparedFiles, copiesText, sidesText } from '../render/compare.ts';
import { fitted } from '../render/fitted.ts';
import { clean, type Style, styleOf } from '../render/text.ts';
import { errorRow, jsonLine } from '../rows.ts';
import { mayBeMeant, selectionOf } from '../selection.ts';
import { complain, complainOf, detail } from '../voice.ts';

export type DiffOptions = { readonly json?: boolean };

type Pair = { readonly left: ReadableSwap; readonly right: ReadableSwap };
type Lone = { readonly place: 'a' | 'b'; readonly read: ReadableSwap };

/**
 * `swapfold diff`: two logs of one swap against each other. Where the places hold several swaps, those of one uuid belong together: logs of one side
 * first, then those of both sides.
 */
export async function diffCommand(
  inputs: readonly string[],
  { io, json = false }: DiffOptions & { readonly io: CliIo },
): Promise<ExitCode> {
  const { places, ids } = selectionOf(inputs, {});
  const [a, b, ...more] = places;
  if (a === undefined || b === undefined || more.length > 0) {
    throw new UsageError(`Name two files or folders to compare, not ${places.length}.`);
  }
  const output = createOutput(io.stdout);
  const style = styleOf(io);
  let findings = false;
  let first = true;
  const tell = async (row: unknown, text: (style: Style) => string) => {
    await output.write(json ? jsonLine(row) : `${first ? '' : '\n'}${text(style)}`);
    first = false;
  };
  const unread = async (swap: UnreadSwap) => {
    findings = true;
    const { file, uuid, error, line } = swap;
    if (json) await output.write(jsonLine({ file, uuid, error: errorRow(error, line) }));
    else complainOf(io, swap);
  };
  const held = { a: await readPlace(a, { io, ids, unread }), b: await readPlace(b, { io, ids, unread }) };
  const { pairs, lone } = pairUp(held);
  for (const { left, right } of pairs) {
    const comparison = compareLogs(left.log, right.log);
    const files = filesOf(left, right);
    const isEven = isFine(comparison) && ![left, right].some(isToLook);
    findings ||= !isEven;
    await tell({ ...files, ...comparison }, (shown) =>
      comparison.kind === 'copies' ? copiesText(files, comparison, shown) : sidesText(files, comparison, shown),
    );
  }
  for (const { place, read } of lone) {
    findings = true;
    const { uuid, role } = read.log;
    await tell({ uuid, role, only: place, file: read.file }, ({ paint, columns }) => {
      const text = `${paint.bold(clean(uuid))}\n  only in ${place}  ${role}  ${paint.dim(clean(read.file))}\n`;
      return fitted(text, columns);
    });
  }
  if (pairs.length === 0) complain(io, `swapfold: ${clean(`${a} and ${b}`)} have no swap in common.\n`);
  await output.flush();
  return findings || pairs.length === 0 ? EXIT.findings : EXIT.ok;
}

function isToLook({ log }: ReadableSwap): boolean {
  const swap = replaySwap(log);
  return needsLook({ ...swap, end: outcomeEnd(swap, { log }), now: moment('now') });
}

function filesOf(left: ReadableSwap, right: ReadableSwap): ComparedFiles {
  const file = ({ file, log: { role } }: ReadableSwap) => ({ file, role });
  return { uuid: left.log.uuid, left: file(left), right: file(right) };
}

function isFine(comparison: LogComparison): boolean {
  return comparison.kind === 'copies' ? isSameStory(comparison) : comparison.contradictions.length === 0;
}

type Reading = {
  readonly io: CliIo;
  readonly ids: readonly string[];
  readonly unread: (swap: UnreadSwap) => Promise<void>;
};

async function readPlace(place: string, { io, ids, unread }: Reading): Promise<readonly ReadableSwap[]> {
  const found: ReadableSwap[] = [];
  const wanted = { ids };
  for await (const read of readInputs(expandInputs([place]), {
    stdin: io.stdin,
    onFile: (file) => detail(io, `read ${file}`),
  })) {
    if (!mayBeMeant(wanted, read.ok ? read.log.uuid : read.uuid)) continue;
    if (read.ok) found.push(read);
    else await unread(read);
  }
  return found;
}

/** Each log with one of the other place: of the same side where there is one, else of the other side. */
function pairUp({ a, b }: { readonly a: readonly ReadableSwap[]; readonly b: readonly ReadableSwap[] }) {
  const pairs: Pair[] = [];
  const free = new Set(b);
  const alone = new Set(a);
  for (const sameRole of [true, false]) {
    for (const left of alone) {
      const right = [...free].find(
        ({ log }) => log.uuid === left.log.uuid && (log.role === left.log.role) === sameRole,
      );
      if (right === undefined) continue;
      pairs.push({ left, right });
      free.delete(right);
      alone.delete(left);
    }
  }
  const lone: Lone[] = [
    ...[...alone].map((read) => ({ place: 'a' as const, read })),
    ...[...free].map((read) => ({ place: 'b' as const, read })),
  ];
  return { pairs, lone };
}
