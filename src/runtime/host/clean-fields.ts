import type { LogFields } from '../../ports/logger.ts';
import { redactText } from '../../primitives/redact-text.ts';
import { REDACTED } from '../../primitives/secret.ts';

/** Members whose values are ids and names that everybody may see, although some look like a secret. */
const IDS: ReadonlySet<string> = new Set([
  ...['tx_hash', 'hash', 'counterparty', 'from', 'stream', 'uuid', 'topic', 'types'],
  ...['coin', 'op', 'kind', 'code', 'path', 'command', 'method'],
]);

/** Members that no line ever holds, whatever stands in them. */
const NEVER = /secret|priv|seed|mnemonic|passphrase|password|tx_hex|preimage/i;

/** The fields of a log line without what must not be seen: secrets, keys, transactions, and what opens a node. */
export function cleanFields(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(name, value)]));
}

function clean(name: string, value: LogFields[string]): LogFields[string] {
  if (NEVER.test(name)) return REDACTED;
  return typeof value !== 'string' || IDS.has(name) ? value : redactText(value);
}
