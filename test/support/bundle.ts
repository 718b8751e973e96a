import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Makes one file, of its own name in the folder, of a built module and all that it loads; returns its path. To load the thousand files that it stands for
 * takes a second of a processor at every start.
 */
export function bundled(module: string, folder: string): string {
  const rolldown = join(ROOT, 'node_modules/rolldown/bin/cli.mjs');
  const options = ['--platform', 'node', '--format', 'esm', '--external', 'libsql', '--dir', folder];
  const { status, stderr } = spawnSync(process.execPath, [rolldown, module, ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${module} was not bundled: ${stderr}`);
  return join(folder, module.slice(module.lastIndexOf('/') + 1));
}
