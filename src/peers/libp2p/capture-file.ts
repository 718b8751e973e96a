import { closeSync, openSync, writeSync } from 'node:fs';
import type { Capture } from './capture.ts';
import { PeerNetworkError } from './error.ts';

export type CaptureFileOptions = {
  /** Bytes after which nothing more is recorded. @defaultValue 268,435,456 */
  readonly mostBytes?: number;
};

export type CaptureFile = { readonly tell: Capture; readonly close: () => void };

const MOST_BYTES = 256 * 1024 * 1024;
/** For the owner alone. */
const MODE = 0o600;

/**
 * Opens a file for a recording, behind what it holds already. Each line is written when it happens, so that a process that is killed leaves
 * what it saw. A full disk ends the recording, and nothing else.
 *
 * @throws PeerNetworkError PEER_CAPTURE_FILE
 */
export function openCaptureFile(path: string, { mostBytes = MOST_BYTES }: CaptureFileOptions = {}): CaptureFile {
  let file: number | null = opened(path);
  let written = 0;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  return {
    tell(entry) {
      if (file === null) return;
      const line = `${JSON.stringify(entry)}\n`;
      written += line.length;
      if (written > mostBytes) {
        close();
        return;
      }
      try {
        writeSync(file, line);
      } catch {
        close();
      }
    },
    close,
  };
}

function opened(path: string): number {
  try {
    return openSync(path, 'a', MODE);
  } catch (cause) {
    const { code } = (cause ?? {}) as { readonly code?: unknown };
    throw new PeerNetworkError('The file for the recording of the network cannot be written.', {
      code: 'PEER_CAPTURE_FILE',
      facts: { file: path, reason: String(code) },
      next: 'Name a file in a folder that this process may write to; nothing was opened.',
      retry: 'operator',
    });
  }
}
