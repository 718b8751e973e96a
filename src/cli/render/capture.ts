import type { CaptureReport } from '../../peers/libp2p/read-capture.ts';
import { UNSURE } from '../../peers/libp2p/unsure.ts';
import { clean, counted, type Style, wrap } from './text.ts';

/** Whether a rule is otherwise than it is taken, a frame could not be read, or nothing was heard at all, so that nothing is shown. */
export function hasFindings({ links, frames, damaged, unsure }: CaptureReport): boolean {
  return (
    links === 0 ||
    frames.read === 0 ||
    frames.refused > 0 ||
    damaged > 0 ||
    Object.values(unsure).some(({ otherwise }) => otherwise > 0)
  );
}

export function captureText(report: CaptureReport, { paint, columns }: Style): string {
  const { links, frames, publications, damaged, unsure } = report;
  const heard = Object.entries(publications).map(([name, count]) => `  ${name}: ${count}`);
  const lines = [
    `${counted(links, 'link')}, ${counted(frames.read, 'frame')} of gossip read, ${frames.refused} refused${damaged === 0 ? '' : `, ${damaged} damaged lines`}`,
    ...(heard.length === 0 ? [] : ['Messages that came:', ...heard]),
    'Rules that are inferred:',
  ].map(clean);
  for (const { id, taken, tolerance } of UNSURE) {
    const { asTaken, otherwise } = unsure[id];
    const seen = asTaken + otherwise === 0 ? 'not seen' : `${asTaken} times so, ${otherwise} times otherwise`;
    const mark = otherwise > 0 ? paint.red : asTaken > 0 ? paint.green : paint.dim;
    lines.push(`  ${id.padEnd(20)} ${mark(seen)}`, `    ${wrap(taken, { columns, indent: 4 })}`);
    if (otherwise > 0) lines.push(`    ${wrap(`Until it is settled: ${tolerance}.`, { columns, indent: 4 })}`);
  }
  return `${lines.join('\n')}\n`;
}
