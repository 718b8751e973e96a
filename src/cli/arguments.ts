import { InvalidArgumentError } from 'commander';

/** A command line to imitate, for the end of a help text. */
export function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}

/** Reads a whole number within bounds, both included. @throws InvalidArgumentError for anything else. */
export function wholeNumber({ from, to = Number.MAX_SAFE_INTEGER }: { readonly from: number; readonly to?: number }) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    const bounds = to === Number.MAX_SAFE_INTEGER ? `from ${from}` : `from ${from} to ${to}`;
    throw new InvalidArgumentError(`It must be a whole number ${bounds}.`);
  };
}
