import { closeSync, openSync, writeSync } from 'node:fs';
import type { Capture, Captured } from './capture.ts';
import { PeerNetworkError } from './error.ts';

/** Why a recording ended before its session: it reached its size limit, or the system wrote no more, with the system’s error code. */
export type CaptureStop = { readonly why: 'full' | 'failed'; readonly reason: string; readonly bytes: number };

export type CaptureFileOptions = {
  /** Size limit of this recording in bytes. @defaultValue 268,435,456 */
  readonly mostBytes?: number;
  /** Called once if the recording ends before its session. @defaultValue not called; a full recording says so itself */
  readonly onStop?: (stop: CaptureStop) => void;
};

export type CaptureFile = { readonly tell: Capture; readonly close: () => void };

const MOST_BYTES = 256 * 1024 * 1024;
/** Readable for the owner alone. */
const MODE = 0o600;

/**
 * Opens a file for a recording, after what it already holds. Writes each line when it happens, so that a killed process leaves what it
 * saw. A full recording says so in its last line. A full disk ends only the recording.
 *
 * @throws PeerNetworkError PEER_CAPTURE_FILE
 */
export function openCaptureFile(path: string, options: CaptureFileOptions = {}): CaptureFile {
  const { mostBytes = MOST_BYTES, onStop = () => {} } = options;
  let file: number | null = opened(path);
  let bytes = 0;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const write = (line: Buffer): boolean => {
    if (file === null) return false;
    try {
      if (writeSync(file, line) === line.length) return true;
      stop({ why: 'failed', reason: 'a line was not written whole', bytes });
    } catch (error) {
      stop({ why: 'failed', reason: codeOf(error), bytes });
    }
    return false;
  };
  const stop = (told: CaptureStop): void => {
    close();
    onStop(told);
  };
  return {
    tell(entry) {
      const line = lineOf(entry);
      if (file === null) return;
      if (bytes + line.length <= mostBytes || entry.is === 'stop') {
        if (write(line)) bytes += line.length;
      } else if (write(lineOf({ is: 'stop', at: entry.at, why: 'full' }))) {
        stop({ why: 'full', reason: `it may have ${mostBytes} bytes`, bytes });
      }
    },
    close,
  };
}

function lineOf(entry: Captured): Buffer {
  return Buffer.from(`${JSON.stringify(entry)}\n`);
}

function codeOf(cause: unknown): string {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return String(code);
}

function opened(path: string): number {
  try {
    return openSync(path, 'a', MODE);
  } catch (cause) {
    throw new PeerNetworkError('The file for the recording of the network cannot be written.', {
      code: 'PEER_CAPTURE_FILE',
      facts: { file: path, reason: codeOf(cause) },
      next: 'Name a file in a folder that this process may write to; nothing was opened.',
      retry: 'operator',
    });
  }
}

/** The same as a line for the log of a node. */
export function captureStopLine(file: string, { why, reason, bytes }: CaptureStop) {
  const message = why === 'full' ? 'the recording of the network is full' : 'the recording of the network cannot go on';
  return { message, fields: { file, bytes, reason } };
}
