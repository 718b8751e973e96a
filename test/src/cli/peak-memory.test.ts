import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { peakMemory } from '../../../src/cli/peak-memory.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-peak-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function statusFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the peak of memory of a process', () => {
  it("is the kernel's count if it has one", () => {
    const path = statusFile('told', 'Name:\tnode\nVmPeak:\t 9999999 kB\nVmHWM:\t   61440 kB\nVmRSS:\t   51200 kB\n');
    expect(peakMemory(path)).toBe(61_440 * 1024);
  });

  it.each([
    ['there is no such file', join(folder, 'none')],
    ['the file tells none', statusFile('silent', 'Name:\tnode\n')],
  ])('is that of getrusage if %s', (_, path) => {
    const before = process.resourceUsage().maxRSS;
    const told = peakMemory(path) / 1024;
    expect(told).toBeGreaterThanOrEqual(before);
    expect(told).toBeLessThanOrEqual(process.resourceUsage().maxRSS);
  });

  it.skipIf(!existsSync('/proc/self/status'))(
    'lies between what the process holds now and all that getrusage counts',
    () => {
      const { rss } = process.memoryUsage();
      const told = peakMemory();
      expect(told).toBeGreaterThan(rss / 2);
      expect(told).toBeLessThanOrEqual(process.resourceUsage().maxRSS * 1024 * 1.01);
    },
  );
});
