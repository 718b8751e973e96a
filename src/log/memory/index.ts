export { LogConflictError, LogDamagedError, LogError } from '../log-error.ts';
export { createMemoryLog, type MemoryLog, type MemoryLogOptions } from './memory-log.ts';
