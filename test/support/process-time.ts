import { existsSync, readFileSync } from 'node:fs';

const TICK_MILLIS = 10;

/** Whether this system tells the CPU time of processes. */
export const TELLS_PROCESS_TIME = existsSync('/proc/self/stat');

/** Milliseconds of user and system time of all threads of a process so far, in steps of 10. */
export function cpuMillisOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLIS;
}
