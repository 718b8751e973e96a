import { readFileSync } from 'node:fs';

/** Where Linux tells what it knows of this process. */
const OWN_STATUS = '/proc/self/status';

/**
 * The most memory that this process has held at once, in bytes: the peak of its resident set.
 *
 * `getrusage` counts from before the process loaded its program, so on Linux a child of a large process tells the peak
 * of its parent. The kernel's own count (`VmHWM`) begins with the program; where there is none, `getrusage` answers.
 *
 * @param status file in which the kernel tells it
 */
export function peakMemory(status: string = OWN_STATUS): number {
  const kilobytes = ownPeak(status) ?? process.resourceUsage().maxRSS;
  return kilobytes * 1024;
}

function ownPeak(status: string): number | null {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}
