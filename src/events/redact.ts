import { isJsonObject, type JsonObject, type JsonValue } from '../primitives/json.ts';
import { REDACTED } from '../primitives/secret.ts';
import type { StoredEvent } from './decode-event.ts';
import type { SwapLog } from './saved-swap.ts';

const ZERO_SECRET = '0'.repeat(64);

/** Member names that hold keys or passwords, in whatever log they appear (older releases stored HTLC private keys). */
const SECRET_NAME = /priv_?key|private|mnemonic|passphrase|password|userpass|seed_phrase|^seed$|^pin$/i;

/**
 * A copy of the log without secrets, in the way of the real node's `my_swap_status`: a maker's `secret` becomes zeros,
 * `p2p_privkey` becomes null. Members that look like keys or passwords are replaced wherever they stand.
 * `secret_hash` and a secret that a taker learnt from the chain stay: both are public.
 */
export function redactLog(log: SwapLog): SwapLog {
  return {
    ...log,
    head: redactMembers(log.head as JsonObject) as SwapLog['head'],
    events: log.events.map((event) => redactEvent(event, log.role)),
  };
}

function redactEvent(event: StoredEvent, role: SwapLog['role']): StoredEvent {
  const data = redactMembers(event.data as JsonValue);
  const hidesSecret =
    role === 'maker' && event.type === 'Started' && isJsonObject(data) && Object.hasOwn(data, 'secret');
  const shown = hidesSecret ? { ...data, secret: ZERO_SECRET } : data;
  const extra =
    event.extra === undefined ? {} : { extra: redactMembers(event.extra as JsonObject) as StoredEvent['extra'] & {} };
  return { ...event, data: shown, ...extra };
}

function redactMembers(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => redactMembers(item) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (!SECRET_NAME.test(key) || member === null || member === undefined) return [key, redactMembers(member)];
      return [key, key === 'p2p_privkey' ? null : REDACTED];
    }),
  );
}
