import { hash, randomBytes } from 'node:crypto';

/**
 * Says which log a file or a write-ahead log belongs to, and how far it has progressed. Every transaction rewrites it,
 * so both the file and each transaction in the write-ahead log carry one.
 *
 * - I1: a write-ahead log belongs to a file when the file's mark is one of its marks, or its first mark comes right
 *   after the file's. Any other belongs to another log, to another time, or to a copy that has continued independently.
 * - I2: a file whose mark says `open` has a write-ahead log with a transaction in it; if there is none, someone removed
 *   it.
 */
export type Mark = {
  /** Permanent id of the log: 32 hex digits. */
  readonly log: string;
  /** Id of the opening that wrote the mark: 32 hex digits. */
  readonly session: string;
  /** The session before; all zero for the first. */
  readonly before: string;
  /** Transactions of the log up to this one. */
  readonly serial: number;
  /** `closed`: the file alone is the whole log. */
  readonly state: 'open' | 'closed';
};

const NOTHING = '0'.repeat(32);
const SEAL_DIGITS = 16;
const TEXT = /^([0-9a-f]{32}) ([0-9a-f]{32}) ([0-9a-f]{32}) (\d{1,15}) (open|closed) ([0-9a-f]{16})$/;

/** An id that no other log or session has. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

/** The mark of a new log. @param log its identity, if it replaces another file. */
export function firstMark(log: string = newId()): Mark {
  return { log, session: newId(), before: NOTHING, serial: 1, state: 'closed' };
}

/** The mark that the next transaction will write. */
export function markAfter(mark: Mark, state: Mark['state'] = mark.state): Mark {
  return { ...mark, serial: mark.serial + 1, state };
}

/** The first mark of a new session. */
export function markOfSession(mark: Mark): Mark {
  const { log, session, serial } = mark;
  return { log, session: newId(), before: session, serial: serial + 1, state: 'open' };
}

/** The mark as its row holds it, sealed against damage. */
export function markText({ log, session, before, serial, state }: Mark): string {
  const text = `${log} ${session} ${before} ${serial} ${state}`;
  return `${text} ${sealOfText(text)}`;
}

/** Reads a mark; undefined for anything else, and for a damaged one. */
export function parseMark(text: string): Mark | undefined {
  const found = TEXT.exec(text);
  if (found === null) return undefined;
  const [, log = '', session = '', before = '', serial = '', state = '', seal = ''] = found;
  if (sealOfText(text.slice(0, -SEAL_DIGITS - 1)) !== seal) return undefined;
  return { log, session, before, serial: Number(serial), state: state as Mark['state'] };
}

export function sameMark(left: Mark, right: Mark): boolean {
  return markText(left) === markText(right);
}

/** Whether a transaction with the second mark can directly follow one with the first. */
export function follows(earlier: Mark, later: Mark): boolean {
  const oneSession = later.session === earlier.session || later.before === earlier.session;
  return later.log === earlier.log && oneSession && later.serial === earlier.serial + 1;
}

/** A text with its seal, for a row that no other check covers. */
export function sealedText(text: string): string {
  return `${sealOfText(text)} ${text}`;
}

/** The text of a sealed row; undefined if it is damaged. */
export function openSealed(row: string): string | undefined {
  const text = row.slice(SEAL_DIGITS + 1);
  return row === sealedText(text) ? text : undefined;
}

function sealOfText(text: string): string {
  return hash('sha256', text).slice(0, SEAL_DIGITS);
}
