import { PURPOSES } from '../../events/journal.ts';
import type { LogFields } from '../../ports/logger.ts';
import { SwapfoldError } from '../../primitives/error.ts';
import { redactCredentials, redactText } from '../../primitives/redact-text.ts';
import { REDACTED } from '../../primitives/secret.ts';
import { holdsSecret, squeezed, WINDOW, windowsOf } from '../../primitives/secret-spellings.ts';
import type { Question } from '../command.ts';
import { cleanFields } from '../host/clean-fields.ts';
import type { Drivable } from './drivable.ts';

/** What a text is about: the runner whose ids it may show, and the question that it answers. */
export type RedactAbout = { readonly driven: Drivable | null; readonly question?: Question };

/**
 * The only way for a text from elsewhere (an adapter, an exception, the log) into what a runner knows, its events, its
 * status and the lines of the process's log.
 *
 * - Z4: it knows the secrets of all running swaps, and what the host program asked to hide; it shows no text that
 *   quotes one in any spelling.
 * - Z5: ids that the swap itself knows stay, so that a fault can be followed: its transactions and what they spend, its secret hash and
 *   keys, its own id, and what the question named. A secret is never such an id.
 */
export type Redactor = {
  readonly text: (text: string, about: RedactAbout) => string;
  readonly fields: (fields: LogFields) => LogFields;
  readonly error: <E extends SwapfoldError>(error: E) => SwapfoldError;
  /** The secrets of a stream that runs from now on, in hex. */
  readonly learn: (stream: string, secrets: readonly string[]) => void;
  readonly forget: (stream: string) => void;
};

const HEX_SECRET = /^[0-9a-f]{32,}$/i;
/** A shorter text than this occurs in others by chance. */
const LEAST_HIDDEN = 4;

/** @param hide texts that must never be shown, such as passwords of nodes. */
export function createRedactor(hide: readonly string[] = []): Redactor {
  const known = createKnown();
  const hidden = hide.filter(({ length }) => length >= LEAST_HIDDEN).flatMap(spellingsOf);
  const without = (text: string): string => hidden.reduce((shown, word) => shown.replaceAll(word, REDACTED), text);
  const holds = (text: string): boolean => known.holds(text);

  return {
    text(text, { driven, question }) {
      const own = driven?.secrets?.() ?? [];
      const ids = idsOf(driven, question);
      const options = {
        isId: (digits: string) => ids.has(digits) && !own.includes(digits) && !holds(digits),
        holds: (shown: string) => holds(shown) || holdsSecret(shown, own.filter(isHexSecret)),
      };
      return redactText(without(text), options);
    },
    fields(fields) {
      const clean = Object.entries(cleanFields(fields)).map(([name, value]) => {
        if (typeof value !== 'string') return [name, value];
        const shown = without(value);
        return [name, holds(shown) ? REDACTED : shown];
      });
      return Object.fromEntries(clean) as LogFields;
    },
    error(error) {
      const clean = (text: string) => (holds(text) ? REDACTED : redactCredentials(without(text)));
      if (clean(error.message) === error.message) return error;
      const facts = Object.entries(error.facts).map(([name, value]) => [
        name,
        typeof value === 'string' ? clean(value) : value,
      ]);
      return new SwapfoldError(clean(error.shortMessage), {
        code: error.code,
        facts: Object.fromEntries(facts) as SwapfoldError['facts'],
        retry: error.retry,
        ...(error.next === undefined ? {} : { next: clean(error.next) }),
      });
    },
    learn: (stream, secrets) => known.learn(stream, secrets.filter(isHexSecret)),
    forget: known.forget,
  };
}

function isHexSecret(secret: string): boolean {
  return HEX_SECRET.test(secret) && secret.length % 2 === 0;
}

/** As it stands, in an address, and in a header. */
function spellingsOf(word: string): readonly string[] {
  const bytes = new TextEncoder().encode(word);
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');
  return [...new Set([word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1), base64])];
}

/** Secrets of the streams that run, by the parts that a text is searched for: one look at each place of it, however many there are. */
function createKnown() {
  const streams = new Map<string, readonly string[]>();
  const counts = new Map<string, number>();
  const forget = (stream: string): void => {
    for (const window of streams.get(stream) ?? []) {
      const left = (counts.get(window) ?? 1) - 1;
      if (left === 0) counts.delete(window);
      else counts.set(window, left);
    }
    streams.delete(stream);
  };
  return {
    forget,
    learn(stream: string, secrets: readonly string[]): void {
      forget(stream);
      if (secrets.length === 0) return;
      const windows = [...new Set(secrets.flatMap((secret) => windowsOf(secret.toLowerCase())))];
      streams.set(stream, windows);
      for (const window of windows) counts.set(window, (counts.get(window) ?? 0) + 1);
    },
    holds(text: string): boolean {
      if (counts.size === 0 || text.length < WINDOW) return false;
      const digits = squeezed(text);
      for (let start = 0; start + WINDOW <= digits.length; start++) {
        if (counts.has(digits.slice(start, start + WINDOW))) return true;
      }
      return false;
    },
  };
}

/** Members of a question that are bytes or secrets, not ids. */
const NO_IDS: ReadonlySet<string> = new Set(['secret', 'preimage', 'tx_hex', 'tx', 'claimed']);
const ID = /^(?:0x)?([0-9a-f]{40,130})(?::\d+)?$/i;

function idsOf(driven: Drivable | null, question: Question | undefined): ReadonlySet<string> {
  const ids = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'string') {
      const digits = ID.exec(value)?.[1];
      if (digits !== undefined) ids.add(digits.toLowerCase());
    } else if (Array.isArray(value)) for (const item of value) add(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) if (!NO_IDS.has(name)) add(member);
    }
  };
  add(question);
  if (driven === null) return ids;
  const { journal, funds } = driven.look();
  ids.add(driven.stream.slice(driven.stream.indexOf('/') + 1).replaceAll('-', ''));
  add(funds?.makerPayment.tx);
  add(funds?.takerPayment.tx);
  for (const purpose of PURPOSES) {
    for (const { tx } of journal.prepared[purpose]) add([tx.tx_hash, tx.spends]);
  }
  return ids;
}
