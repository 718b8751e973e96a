import type { CliStream } from './io.ts';

/** The reader went away (`| head`). Ends the command quietly. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export type Output = {
  /** Writes, and waits while the reader is slower. @throws OutputClosed once no one reads. */
  readonly write: (text: string) => Promise<void>;
  /** Writes without waiting, for callers that cannot. @throws OutputClosed once nobody reads any more. */
  readonly put: (text: string) => void;
  /** What is held back, for a process that ends at once. */
  readonly held: () => string;
  /** Hands over what is still held back, and waits until it is taken. */
  readonly flush: () => Promise<void>;
};

const BUFFER = 64 * 1024;

/**
 * Standard output with back-pressure: never more is held than {@link BUFFER} characters and what the stream itself
 * holds. A terminal gets every line at once.
 */
export function createOutput(stream: CliStream): Output {
  let held = '';
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure ??= error;
  });

  const raise = (): void => {
    if (failure === undefined) return;
    const { code } = failure as { readonly code?: unknown };
    throw code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' ? new OutputClosed('nobody reads any more') : failure;
  };

  const flush = async (): Promise<void> => {
    raise();
    if (held === '') return;
    const text = held;
    held = '';
    await new Promise<void>((resolve) => {
      stream.write(text, (error) => {
        if (error) failure ??= error;
        resolve();
      });
    });
    raise();
  };

  return {
    async write(text) {
      held += text;
      if (held.length >= BUFFER || stream.isTTY === true) await flush();
    },
    put(text) {
      raise();
      held += text;
      if (held.length < BUFFER && stream.isTTY !== true) return;
      stream.write(held);
      held = '';
    },
    held: () => held,
    flush,
  };
}
