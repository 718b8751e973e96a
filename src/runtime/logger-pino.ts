import { type DestinationStream, pino } from 'pino';
import type { LogFields, Logger } from '../ports/logger.ts';
import { REDACTED } from '../primitives/secret.ts';

export type PinoLoggerOptions = {
  /** Least level that is written. @defaultValue 'info' */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Name of the program in each line. @defaultValue 'swapfold' */
  readonly name?: string;
  /** Where the lines go. @defaultValue standard output */
  readonly destination?: DestinationStream;
};

/** Members whose values are ids that everybody may see, although they look like a secret. */
const IDS: ReadonlySet<string> = new Set(['tx_hash', 'hash', 'counterparty', 'from']);

/** Members that no line ever holds, whatever stands in them. */
const NEVER = /secret|priv|seed|mnemonic|passphrase|password|tx_hex|preimage/i;

/** 32 bytes or more in hex: a secret, a key or a transaction, should a node have quoted one in its answer. */
const LONG_HEX = /(?:0x)?[0-9a-f]{64,}/gi;
const ADDRESS_WITH_PASSWORD = /\/\/[^/\s@]+@/g;

/** A structured log of one JSON object a line, in which no secret, key or transaction stands. */
export function pinoLogger({ level = 'info', name = 'swapfold', destination }: PinoLoggerOptions = {}): Logger {
  const options = { level, name, base: { name }, formatters: { level: (label: string) => ({ level: label }) } };
  const target = destination === undefined ? pino(options) : pino(options, destination);
  return {
    info: (message, fields) => target.info(cleaned(fields), message),
    warn: (message, fields) => target.warn(cleaned(fields), message),
    error: (message, fields) => target.error(cleaned(fields), message),
  };
}

function cleaned(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(name, value)]));
}

function clean(name: string, value: LogFields[string]): LogFields[string] {
  if (NEVER.test(name)) return REDACTED;
  if (typeof value !== 'string' || IDS.has(name)) return value;
  return value.replace(LONG_HEX, REDACTED).replace(ADDRESS_WITH_PASSWORD, `//${REDACTED}@`);
}
