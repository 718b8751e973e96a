import { formatUtc, millisOf, toUnixSeconds } from '../../primitives/time.ts';
import type {
  CopyComparison,
  DifferentEvent,
  DifferentMember,
  JournalComparison,
  LoneEvent,
} from '../../replay/compare/copies.ts';
import { isSameStory } from '../../replay/compare/copies.ts';
import type { OneJournal, ToldRecord } from '../../replay/compare/one-journal.ts';
import type { SideComparison } from '../../replay/compare/sides.ts';
import { fitted } from './fitted.ts';
import { bullets, clean, counted, type Style, section, wrap } from './text.ts';

export type ComparedFile = { readonly file: string; readonly role: 'maker' | 'taker' };

/** Two logs as they were given, in their order. */
export type ComparedFiles = { readonly uuid: string; readonly left: ComparedFile; readonly right: ComparedFile };

type WithJournal = { readonly onlyJournal: OneJournal | null };

/** Where two logs of one side differ; `a` and `b` are the two places in the order in which they were given. */
export function copiesText(files: ComparedFiles, comparison: CopyComparison & WithJournal, style: Style): string {
  const { equal, different, onlyLeft, onlyRight, head, journal, onlyJournal } = comparison;
  const verdict = isSameStory(comparison)
    ? `Both logs hold the same ${counted(equal, 'event')}${journal === null ? '' : ` and ${counted(journal.equal, 'record')} of the engine`}.`
    : 'Both logs hold ' +
      `${counted(equal, 'event')}${journal === null ? '' : ` and ${counted(journal.equal, 'record')} of the engine`} ` +
      'in common.';
  return [
    ...headLines(files, style),
    wrap(verdict, style),
    ...section(
      'Different in both',
      different.flatMap((event) => differentLines('event', event, style)),
      style,
    ),
    ...section('Only in a', onlyLeft.map(loneLine), style),
    ...section('Only in b', onlyRight.map(loneLine), style),
    ...(journal === null ? [] : journalSections(journal, style)),
    ...onlyJournalSection(onlyJournal, style),
    ...section(
      'Outside the events',
      head.flatMap((member) => memberLines(member, style)),
      style,
    ),
    '',
  ].join('\n');
}

/** Where the engine's own records differ: what it signed, sent and saw. */
function journalSections({ different, onlyLeft, onlyRight }: JournalComparison, style: Style): string[] {
  return [
    ...section(
      "Different in the engine's own records",
      different.flatMap((record) => differentLines('record', record, style)),
      style,
    ),
    ...section("The engine's own records only in a", onlyLeft.map(loneLine), style),
    ...section("The engine's own records only in b", onlyRight.map(loneLine), style),
  ];
}

/** What the engine of one log wrote for itself, where the other log has no such records. */
function onlyJournalSection(journal: OneJournal | null, style: Style): string[] {
  if (journal === null) return [];
  const [has, lacks] = journal.only === 'left' ? ['a', 'b'] : ['b', 'a'];
  const title = `The engine's own records, which ${has} holds and ${lacks} does not`;
  return section(
    title,
    journal.records.map((record) => recordLine(record, style)),
    style,
  );
}

function recordLine(record: ToldRecord, { columns }: Style): string {
  const about = record.about === null ? '' : ` ${clean(record.about)}`;
  return fitted(`${loneLine(record)}${about}`, columns);
}

function differentLines(what: string, { left, right, type, members }: DifferentEvent, style: Style): string[] {
  return [
    `  ${what} ${left}${left === right ? '' : ` in a, ${right} in b`}: ${clean(type)}`,
    ...members.flatMap((member) => memberLines(member, style)),
  ];
}

/** What the logs of both sides say together, and where they do not agree. */
export function sidesText(files: ComparedFiles, comparison: SideComparison & WithJournal, style: Style): string {
  const { onlyJournal } = comparison;
  return [
    ...headLines(files, style),
    ...sideSections(comparison, style),
    ...onlyJournalSection(onlyJournal, style),
    '',
  ].join('\n');
}

/** The sections of a comparison of both sides, without a head. */
export function sideSections(comparison: SideComparison, style: Style): string[] {
  const { together, contradictions, differences, shownByOne, facts } = comparison;
  const agreed = facts.filter(({ verdict }) => verdict === 'agrees').map(({ fact }) => fact);
  const found = contradictions.length === 0 ? ['None.'] : contradictions;
  return [
    ...section('Where the coins are, from both logs', bullets(together, style), style),
    ...section('Where the logs contradict each other', bullets(found, style), style),
    ...section('Other differences', bullets(differences, style), style),
    ...section('What only one log shows', bullets(shownByOne, style), style),
    ...section('Where both logs agree', [`  ${wrap(`${agreed.join(', ')}.`, { ...style, indent: 2 })}`], style),
  ];
}

function headLines({ uuid, left, right }: ComparedFiles, { paint, columns }: Style): string[] {
  const line = (name: string, { file, role }: ComparedFile) =>
    fitted(`  ${name}  ${role}  ${paint.dim(clean(file))}`, columns);
  return [paint.bold(clean(uuid)), line('a', left), line('b', right)];
}

function memberLines({ name, left, right }: DifferentMember, { columns }: Style): string[] {
  const value = (side: string, text: string | null) =>
    `      ${side}  ${wrap(text === null ? '(nothing)' : short(text, columns - 10), { columns, indent: 9 })}`;
  return [`    ${clean(name)}`, value('a', left), value('b', right)];
}

/** A long value is told by both its ends, and by its length. */
function short(text: string, columns: number): string {
  if (text.length <= columns) return text;
  const note = ` (${text.length} characters)`;
  const room = Math.max(8, columns - note.length - 1);
  const head = Math.ceil(room / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (room - head))}${note}`;
}

function loneLine({ seq, type, at }: LoneEvent): string {
  return `  ${String(seq).padStart(3)}  ${formatUtc(toUnixSeconds(millisOf(at)))}  ${clean(type)}`;
}
