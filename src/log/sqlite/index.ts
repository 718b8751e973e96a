export { type LogCode, LogConflictError, LogDamagedError, LogError } from '../log-error.ts';
export type { CopyReport } from './copy.ts';
export { type OpenSqliteLogOptions, openSqliteLog } from './open.ts';
export type { LogRecovery, OpeningReport } from './opening.ts';
export type { LabelsOf } from './reindex.ts';
export { type SalvageReport, salvageSqliteLog } from './salvage/salvage.ts';
export type { SqliteLog } from './sqlite-log.ts';
