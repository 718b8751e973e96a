import type { LogFields } from '../ports/logger.ts';
import { REDACTED } from '../primitives/secret.ts';

/** Members whose values are ids that everybody may see, although they look like a secret. */
const IDS: ReadonlySet<string> = new Set(['tx_hash', 'hash', 'counterparty', 'from']);

/** Members that no line ever holds, whatever stands in them. */
const NEVER = /secret|priv|seed|mnemonic|passphrase|password|tx_hex|preimage/i;

/** 32 bytes or more in hex: a secret, a key or a transaction, should a node have quoted one in its answer. */
const LONG_HEX = /(?:0x)?[0-9a-f]{64,}/gi;

/** Names and passwords before a host, and all that follows it, where providers of nodes put their keys. */
const USER_OF_ADDRESS = /\/\/[^/\s]+@/g;
const PATH_OF_ADDRESS = /(\b(?:https?|wss?):\/\/[^\s/?#"']+)[/?#][^\s"']+/gi;

/** The fields of a log line without what must not be seen: secrets, keys, transactions, and what opens a node. */
export function cleanFields(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(name, value)]));
}

function clean(name: string, value: LogFields[string]): LogFields[string] {
  if (NEVER.test(name)) return REDACTED;
  if (typeof value !== 'string' || IDS.has(name)) return value;
  return cleanAddresses(value.replace(LONG_HEX, REDACTED));
}

/** A text of a node without what opens it: the host stays, its user and its path do not. */
export function cleanAddresses(text: string): string {
  return text.replace(USER_OF_ADDRESS, `//${REDACTED}@`).replace(PATH_OF_ADDRESS, `$1/${REDACTED}`);
}
