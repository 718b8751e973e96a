import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heldBytes(): number {
  // What a first collection frees may hold what a second one frees.
  for (let times = 0; times < 2; times++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const WINDOWS = 5;

/**
 * Bytes that are kept of so many calls, garbage apart. Code and tables that grow, and garbage that is freed late, come now and
 * then, but a leak always: so the middle one of five windows counts, after as many calls that are not looked at.
 */
export function keptBytes(act: () => void, times: number): number {
  const grown: number[] = [];
  let held = 0;
  for (let window = 0; window <= WINDOWS; window++) {
    for (let count = 0; count < times; count++) act();
    const now = heldBytes();
    if (window > 0) grown.push(now - held);
    held = now;
  }
  return grown.toSorted((left, right) => left - right)[(WINDOWS - 1) / 2] as number;
}
