import { removeTemporaryFiles } from '../log/files/write-file.ts';

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

type Signal = keyof typeof SIGNALS;

/** Runs what writes files; a signal that ends the process meanwhile takes the half-written ones away first. */
export async function cleanedUp<T>(action: () => Promise<T>): Promise<T> {
  const end = (signal: Signal): void => {
    removeTemporaryFiles();
    process.exit(128 + SIGNALS[signal]);
  };
  const signals = Object.keys(SIGNALS) as Signal[];
  for (const signal of signals) process.on(signal, end);
  try {
    return await action();
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
