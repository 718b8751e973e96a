/** Values of a log line. Never a secret, a key or a transaction's bytes. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Structured log. It returns nothing, so it cannot influence the core. */
export interface Logger {
  info(message: string, fields: LogFields): void;
  warn(message: string, fields: LogFields): void;
  error(message: string, fields: LogFields): void;
}
