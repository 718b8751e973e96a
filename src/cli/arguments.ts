import { type AddHelpTextContext, type Help, InvalidArgumentError } from 'commander';
import { type UnixSeconds, unixSecondsOf } from '../primitives/time.ts';
import { fitted } from './render/fitted.ts';
import { wrap } from './render/text.ts';

type HelpText = (context: AddHelpTextContext) => string;

/** A command line to imitate, for the end of a help text. Where it does not fit, it is cut as a shell takes it. */
export function example(line: string): HelpText {
  return (context) => `\nExample:\n  $ ${fitted(line, widthOf(context) - 6).replaceAll(/\n */g, ' \\\n      ')}`;
}

/** A paragraph for the end of a help text. */
export function note(text: string): HelpText {
  return (context) => `\n${wrap(text, { columns: widthOf(context) })}`;
}

function widthOf({ command, error }: AddHelpTextContext): number {
  const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput();
  return (error ? getErrHelpWidth?.() : getOutHelpWidth?.()) ?? 80;
}

/** The line that says how a command is called, as part of its help. */
export function fittedUsage(this: Help, usage: string): string {
  return wrap(usage, { columns: (this.helpWidth ?? 80) - 'Usage: '.length, indent: 0 }).replaceAll('\n', '\n       ');
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
