import picocolors from 'picocolors';
import { type DecimalText, toPlainDecimal } from '../../primitives/decimal.ts';
import type { SwapfoldError } from '../../primitives/error.ts';
import { oneLine } from '../../primitives/foreign-text.ts';
import { formatDuration, YEAR } from '../../primitives/time.ts';
import { type CliIo, columnsOf } from '../io.ts';
import { fitted } from './fitted.ts';

export type Paint = ReturnType<typeof picocolors.createColors>;

/** How text is laid out: colours only on a terminal that wants them, and no wider than it is. */
export type Style = { readonly paint: Paint; readonly columns: number };

/** Colours need a terminal on standard output and no NO_COLOR (https://no-color.org). */
export function styleOf({ stdout, env }: Pick<CliIo, 'stdout' | 'env'>): Style {
  const colours = stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return { paint: picocolors.createColors(colours), columns: columnsOf(stdout, env) };
}

/** The same for what goes to standard error. */
export function asideOf(io: Pick<CliIo, 'stderr' | 'env'>): Style {
  return styleOf({ stdout: io.stderr, env: io.env });
}

/** Text from a log, safe to print: no line breaks, no escape sequences, no changes of direction. */
export function clean(text: string): string {
  return oneLine(text);
}

/** Like {@link clean}, but keeps the line breaks of a text that this program made. */
export function cleanLines(text: string): string {
  return text.split('\n').map(clean).join('\n');
}

/** Text on lines of at most `columns`, each after the first indented by `indent` spaces; long words stay whole. */
export function wrap(
  text: string,
  { columns, indent = 0 }: { readonly columns: number; readonly indent?: number },
): string {
  const lines: string[] = [];
  let line = '';
  for (const word of clean(text).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns - indent) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.join(`\n${' '.repeat(indent)}`);
}

/** Sentences as a list, wrapped below its dashes. */
export function bullets(sentences: readonly string[], { columns }: Pick<Style, 'columns'>): string[] {
  return sentences.map((sentence) => `  - ${wrap(sentence, { columns, indent: 4 })}`);
}

const MAX_AMOUNT = 9;

/** An amount for a table: at most some digits, an ellipsis where more were left out. */
export function shortAmount(amount: DecimalText | null): string {
  const plain = wholeAmount(amount);
  return plain.length <= MAX_AMOUNT ? plain : `${plain.slice(0, MAX_AMOUNT - 1)}…`;
}

/** An amount with every digit that says anything. */
export function wholeAmount(amount: DecimalText | null): string {
  if (amount === null) return '?';
  return toPlainDecimal(amount)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}

/** `+10 s`, `+2 h 10 min`, `-3 s`; nothing smaller than a second. */
export function offsetText(millis: number): string {
  const sign = millis < 0 ? '-' : '+';
  return `${sign}${formatDuration(Math.abs(millis) / 1000)}`;
}

/** From then on hours say nothing to people: 100 hours. */
const TOO_MANY_HOURS = 360_000;

/** `1:02:03`: hours, minutes, seconds, or `7 years 4 months` where there are many; with a minus sign where it is negative. */
export function clockText(millis: number): string {
  const seconds = Math.floor(Math.abs(millis) / 1000);
  if (seconds >= TOO_MANY_HOURS) return `${millis < 0 ? '-' : ''}${formatDuration(seconds)}`;
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${millis < 0 ? '-' : ''}${clock}`;
}

/** `11m49s`, `3h05m10s`, `4d04h`, `7y04mo`: a span in few characters. */
export function briefText(millis: number): string {
  const seconds = Math.floor(Math.abs(millis) / 1000);
  const sign = millis < 0 ? '-' : '';
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds >= YEAR)
    return `${sign}${Math.floor(seconds / YEAR)}y${two(Math.floor((seconds % YEAR) / (YEAR / 12)))}mo`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (seconds >= TOO_MANY_HOURS) return `${sign}${Math.floor(hours / 24)}d${two(hours % 24)}h`;
  const text = hours > 0 ? `${hours}h${two(minutes)}m${two(seconds % 60)}s` : `${minutes}m${two(seconds % 60)}s`;
  return `${sign}${text}`;
}

/** The text of an error, without the page of the repository that tells of its code. */
export function messageText({ message }: Error): string {
  return message.replace(/\n*^Docs: .*$/m, '');
}

/** An error on one line: where, what, at which place, its code. */
export function errorLine(
  { file, line, uuid }: { readonly file: string; readonly line?: number; readonly uuid: string | null },
  error: SwapfoldError,
): string {
  const { place, expected, found, reason, file: other } = error.facts;
  const parts = [
    `${file}${line === undefined ? '' : `:${line}`}`,
    ...(uuid === null ? [] : [uuid]),
    error.shortMessage.replace(/\.$/, ''),
    ...(other === undefined || other === file ? [] : [String(other)]),
    ...(reason === undefined ? [] : [String(reason)]),
  ];
  // At the top of a file what was expected is what every file is expected to be.
  const inside = typeof place === 'string' && place !== '/';
  const at = inside ? ` at ${place}` : '';
  const wanted = expected === undefined || (place !== undefined && !inside) ? '' : `, expected ${String(expected)}`;
  const got = found === undefined ? '' : `, found ${String(found)}`;
  return clean(`${parts.join(': ')}${at}${wanted}${got} [${error.code}]`);
}

/** An error with what to do about it on the lines below. */
export function errorText(
  unread: Parameters<typeof errorLine>[0] & { readonly error: SwapfoldError },
  { mark, columns }: { readonly mark: string; readonly columns: number },
): string {
  const { next } = unread.error;
  const advice = next === undefined ? '' : `       ${wrap(next, { columns, indent: 7 })}\n`;
  return `${fitted(`${mark}  ${errorLine(unread, unread.error)}`, columns)}\n${advice}`;
}

/** `1 swap`, `3 swaps`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `12 completed, 3 refunded`, the most frequent first. */
export function tally(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([leftName, left], [rightName, right]) => right - left || (leftName < rightName ? -1 : 1))
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

export function count(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

/** `a, b and 3 more`: at most so many are named. */
export function listed(names: readonly string[], most: number): string {
  const named = names.slice(0, most);
  return names.length > most ? `${named.join(', ')} and ${names.length - most} more` : named.join(', ');
}

/** Lines under a title; nothing without lines. */
export function section(title: string, lines: readonly string[], { paint }: Style): string[] {
  return lines.length === 0 ? [] : ['', paint.underline(title), ...lines];
}
