import type { CliIo } from './io.ts';

export type Progress = {
  /** Another file is done. */
  readonly file: (name: string) => void;
  /** How far the current file is, from 0 to 1. */
  readonly within: (fraction: number) => void;
  /** So many of the total are done. */
  readonly at: (done: number) => void;
  /** Removes the bar, so a line can replace it. */
  readonly clear: () => void;
};

const BAR = 24;

/** Pause between two drawings, in milliseconds: more is not visible. */
const REDRAW_MS = 100;

const CLEAR_LINE = '\r\u001b[2K';

const QUIET: Progress = { file: () => {}, within: () => {}, at: () => {}, clear: () => {} };

export type ProgressOptions = {
  /** Files to come; unknown where the count is not known beforehand. */
  readonly total?: number;
  /** What is counted. @defaultValue 'files' */
  readonly unit?: string;
  /** Milliseconds of any clock that goes forward. */
  readonly now?: () => number;
};

/** A progress bar on standard error, where that is a terminal; in a pipe or a file it stays quiet. */
export function createProgress(
  { stderr, env, verbosity }: Pick<CliIo, 'stderr' | 'env' | 'verbosity'>,
  { total, unit = 'files', now = () => performance.now() }: ProgressOptions = {},
): Progress {
  if (stderr.isTTY !== true || env['TERM'] === 'dumb' || verbosity === 'quiet') return QUIET;
  let files = 0;
  let fraction = 0;
  let shown = false;
  let drawn = now();

  const draw = (): void => {
    const time = now();
    if (time - drawn < REDRAW_MS) return;
    drawn = time;
    shown = true;
    stderr.write(`${CLEAR_LINE}${barText({ files, fraction, total, unit })}`);
  };

  return {
    file() {
      files++;
      fraction = 0;
      draw();
    },
    at(done) {
      files = done;
      fraction = 0;
      draw();
    },
    within(part) {
      fraction = part;
      draw();
    },
    clear() {
      if (shown) stderr.write(CLEAR_LINE);
      shown = false;
    },
  };
}

type Drawn = {
  readonly files: number;
  readonly fraction: number;
  readonly total: number | undefined;
  readonly unit: string;
};

function barText({ files, fraction, total, unit }: Drawn): string {
  if (total === undefined || total === 0) return `${files} ${unit}`;
  const done = Math.min(1, (files + fraction) / total);
  const full = Math.round(done * BAR);
  const percent = String(Math.floor(done * 100)).padStart(3);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${percent} %  ${files} of ${total} ${unit}`;
}
