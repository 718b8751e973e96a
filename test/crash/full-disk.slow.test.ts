import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { builtModule } from '../support/built.ts';

const main = fileURLToPath(builtModule('src/cli/main.js'));

// A shell's limit on the size of files stands for the disk that is full.
it.skipIf(process.platform === 'win32')(
  'a demonstration with a full disk says so and ends, and continues later',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-full-'));
    const run = (limit: string) =>
      spawnSync('sh', ['-c', `ulimit -f ${limit}; exec node "${main}" swap --dir "${folder}/d"`], { encoding: 'utf8' });
    try {
      // Units of 512 bytes, as POSIX has them: enough for an empty log.
      const full = run('130');
      expect(full.status).toBe(1);
      expect(full.stderr).toMatch(/\[LOG_WRITE_FAILED\]/);
      expect(full.stderr).toMatch(/Free disk space/);
      const later = run('unlimited');
      expect({ status: later.status, stderr: later.stderr }).toEqual({ status: 0, stderr: '' });
      expect(later.stdout).toMatch(/^Resumes/m);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
