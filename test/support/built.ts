import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

/**
 * URL of a module of the built package, such as `src/log/files/replay-file.js`. Worker threads and child processes run
 * on it, because Node 20 cannot load the sources. Builds first when a source is newer than the module.
 */
export function builtModule(path: string): string {
  const file = join(ROOT, 'dist', path);
  const sources = Math.max(newest(join(ROOT, 'src')), newest(join(ROOT, 'machines')));
  if (!existsSync(file) || statSync(file).mtimeMs < sources) {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.json')], { encoding: 'utf8' });
    if (!existsSync(file)) throw new Error(`the build made no ${path}:\n${stdout}`);
  }
  return pathToFileURL(file).href;
}
