/** The end of a command that runs until it is stopped. */
export type Ending = { readonly ended: Promise<void>; readonly end: () => void; readonly release: () => void };

/** The end that a signal or a caller asks for. */
export function endOfProcess(): Ending {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, end);
  return {
    ended,
    end,
    release() {
      for (const signal of signals) process.off(signal, end);
    },
  };
}
