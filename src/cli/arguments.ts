import { InvalidArgumentError } from 'commander';
import { type UnixSeconds, unixSecondsOf } from '../primitives/time.ts';

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

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads a moment: ISO 8601, seconds since 1970, or `now`. @throws InvalidArgumentError for anything else. */
export function moment(text: string): UnixSeconds {
  if (text === 'now') return unixSecondsOf(Math.floor(Date.now() / 1000));
  if (/^\d{1,11}$/.test(text)) return unixSecondsOf(Number(text));
  const [, day, time, zone = 'Z'] = MOMENT.exec(text) ?? [];
  // Without a zone a time counts as UTC, like every time that is printed.
  const parsed =
    day === undefined
      ? Number.NaN
      : Date.parse(time === undefined ? day : `${day}T${time}${/^utc$/i.test(zone) ? 'Z' : zone}`);
  if (parsed >= 0) return unixSecondsOf(Math.floor(parsed / 1000));
  throw new InvalidArgumentError('It must be a moment such as 2024-12-19T12:00:00Z, seconds since 1970, or now.');
}
