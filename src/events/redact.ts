import { isHex } from '../primitives/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../primitives/json.ts';
import { REDACTED } from '../primitives/secret.ts';
import { catalog } from './catalog.ts';
import type { StoredEvent } from './decode-event.ts';
import type { SwapLog } from './saved-swap.ts';

const ZERO_SECRET = '0'.repeat(64);

/** Member names that hold keys or passwords, in whatever log they appear (older releases stored HTLC private keys). */
const SECRET_NAME =
  /priv[_-]?key|private|mnemonic|pass(?:phrase|word|wd)|userpass|rpc_?pass|^(?:pwd|seed|pin|wif|xprv|token|secret[_-]?key)$|seed_?phrase|api_?key/i;

/** A member that holds a swap's secret, under whatever spelling; its hash is public. */
const SWAP_SECRET_NAME = /^(?:maker_?|taker_?)?secret$/i;

/**
 * A copy of the log without secrets and without the engine's own records, like the real node's `my_swap_status`: a maker's `secret` becomes zeros,
 * `p2p_privkey` becomes null. Members that look like secrets, keys or passwords are replaced wherever they stand, and so
 * is the text of such a secret inside of any other text. `secret_hash` and the secret that a taker learnt from the chain
 * (in TakerPaymentSpent) stay: both are public.
 *
 * @example
 * ```ts
 * import { redactLog } from 'swapfold';
 * import { buildSwap, successPath } from 'swapfold/testing';
 *
 * const log = buildSwap({ role: 'maker', path: successPath('maker') });
 * const [started] = redactLog(log).events;
 * JSON.stringify(started).includes(`"secret":"${'0'.repeat(64)}"`); // → true
 * ```
 */
export function redactLog(log: SwapLog): SwapLog {
  const hidden = hiddenTexts(log);
  // The journal is for the engine that wrote it; its request alone would give a maker's secret away.
  const { journal: _, ...shown } = log;
  return {
    ...shown,
    head: redact(log.head as JsonObject, hidden) as SwapLog['head'],
    events: log.events.map((event) => redactEvent(event, { role: log.role, hidden })),
  };
}

/** {@link redactLog}, but with the engine's own records, without their secrets: for showing a swap, not for handing it on. */
export function shownLog(log: SwapLog): SwapLog {
  const { journal } = log;
  if (journal === undefined) return redactLog(log);
  const hidden = hiddenTexts(log);
  const records = journal.records.map((record) => ({ ...record, data: redact(record.data as JsonValue, hidden) }));
  return { ...redactLog(log), journal: { ...journal, records } };
}

/** Secret texts that may be repeated elsewhere, such as in an error; only ones long enough not to hit by chance. */
function hiddenTexts(log: SwapLog): readonly string[] {
  const found = new Set<string>();
  const collect = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, name);
    else if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) collect(member, key);
    else if (typeof value === 'string' && value.length >= 16 && isSecretName(name)) found.add(value);
  };
  collect(log.head, '');
  for (const event of log.events) {
    collect(event.extra, '');
    if (!isPublicSecret(event, log.role)) collect(event.data, '');
  }
  // What the engine asked for stands in its records before any event.
  for (const { type, data } of log.journal?.records ?? []) if (type === 'SwapRequested') collect(data, '');
  return [...found].filter((text) => !/^0+$/.test(text));
}

function isSecretName(name: string): boolean {
  return SWAP_SECRET_NAME.test(name) || SECRET_NAME.test(name);
}

/** The one place where a secret is public: the maker showed it to the chain. */
function isPublicSecret({ type, known }: StoredEvent, role: SwapLog['role']): boolean {
  return role === 'taker' && known && type === 'TakerPaymentSpent';
}

type Scope = { readonly role: SwapLog['role']; readonly hidden: readonly string[] };

function redactEvent(event: StoredEvent, { role, hidden }: Scope): StoredEvent {
  const shown = { ...event, data: redactData(event, { role, hidden }) };
  return event.extra === undefined
    ? shown
    : { ...shown, extra: redact(event.extra as JsonObject, hidden) as NonNullable<StoredEvent['extra']> };
}

function redactData(event: StoredEvent, { role, hidden }: Scope): unknown {
  const data = redact(event.data as JsonValue, hidden);
  if (!isJsonObject(data) || !isJsonObject(event.data)) return data;
  if (isPublicSecret(event, role)) return { ...data, secret: event.data['secret'] };
  const isStarted = role === 'maker' && event.known && catalog.maker.get(event.type)?.type === 'Started';
  return isStarted && Object.hasOwn(data, 'secret') ? { ...data, secret: ZERO_SECRET } : data;
}

function redact(value: JsonValue | undefined, hidden: readonly string[]): JsonValue | undefined {
  if (typeof value === 'string') return scrub(value, hidden);
  if (Array.isArray(value)) return value.map((item) => redact(item, hidden) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (!isSecretName(key) || member === null || member === undefined) return [key, redact(member, hidden)];
      if (member === '' || member === ZERO_SECRET) return [key, member];
      return [key, key === 'p2p_privkey' ? null : REDACTED];
    }),
  );
}

/** Pure hex is a transaction or a hash: what stands in it is as public as the chain, and a gap would make it useless. */
function scrub(text: string, hidden: readonly string[]): string {
  if (hidden.length === 0 || text.length < 16 || isHex(text)) return text;
  return hidden.reduce((shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, REDACTED) : shown), text);
}
