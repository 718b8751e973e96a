import type { LogFields } from '../../ports/logger.ts';
import { redactText } from '../../primitives/redact-text.ts';
import { REDACTED } from '../../primitives/secret.ts';

/** Members whose values are public ids and names, although some look like a secret. */
const IDS: ReadonlySet<string> = new Set([
  ...['tx_hash', 'hash', 'counterparty', 'from', 'stream', 'uuid', 'topic', 'types'],
  ...['coin', 'op', 'kind', 'code', 'path', 'command', 'method'],
]);

/** Members that no line ever contains, whatever their value. */
const NEVER = /secret|priv|seed|mnemonic|passphrase|password|tx_hex|preimage/i;

/** The fields of a log line without anything confidential: secrets, keys, transactions, and credentials of nodes. */
export function cleanFields(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(name, value)]));
}

function clean(name: string, value: LogFields[string]): LogFields[string] {
  if (NEVER.test(name)) return REDACTED;
  return typeof value !== 'string' || IDS.has(name) ? value : redactText(value);
}
