import type { CaptureReport } from '../../peers/libp2p/read-capture.ts';
import { UNSURE } from '../../peers/libp2p/unsure.ts';
import { fitted } from './fitted.ts';
import { clean, counted, type Style, wrap } from './text.ts';

/** Whether a rule is otherwise than it is taken, a frame could not be read, something is not in the recording, or nothing was heard at all. */
export function hasFindings({ links, frames, damaged, unsure, recordings }: CaptureReport): boolean {
  return (
    links === 0 ||
    frames.read === 0 ||
    frames.refused > 0 ||
    damaged > 0 ||
    recordings.full + recordings.cut > 0 ||
    Object.values(unsure).some(({ otherwise }) => otherwise > 0)
  );
}

export function captureText(report: CaptureReport, { paint, columns }: Style): string {
  const { links, frames, bytes, publications, damaged, unsure } = report;
  const heard = Object.entries(publications).map(([name, count]) => `  ${name}: ${count}`);
  const lines = [
    `${counted(links, 'link')}, ${counted(frames.read, 'frame')} of gossip read, ${frames.refused} refused${damaged === 0 ? '' : `, ${damaged} damaged lines`}`,
    `${bytes.in} bytes received, ${bytes.out} sent`,
    wholeText(report),
    ...(heard.length === 0 ? [] : ['Messages received:', ...heard]),
    'Inferred rules:',
  ].map(clean);
  for (const { id, taken, tolerance } of UNSURE) {
    const { asTaken, otherwise } = unsure[id];
    const seen = asTaken + otherwise === 0 ? 'not seen' : `${asTaken} times as assumed, ${otherwise} times otherwise`;
    const mark = otherwise > 0 ? paint.red : asTaken > 0 ? paint.green : paint.dim;
    lines.push(`  ${id.padEnd(20)} ${mark(seen)}`, `    ${wrap(taken, { columns, indent: 4 })}`);
    if (otherwise > 0) lines.push(`    ${wrap(`Until this is settled: ${tolerance}.`, { columns, indent: 4 })}`);
  }
  return fitted(`${lines.join('\n')}\n`, columns);
}

/** Whether the report is complete. */
function wholeText({ recordings: { complete, full, cut } }: CaptureReport): string {
  const parts = [
    ...(complete > 0 ? [`${counted(complete, 'recording')} complete`] : []),
    ...(full > 0 ? [`${full} full, so later messages are missing`] : []),
    ...(cut > 0 ? [`${cut} without an end: the process was killed, the disk was full, or it is still recording`] : []),
  ];
  return parts.length === 0 ? 'no recording' : parts.join('; ');
}
