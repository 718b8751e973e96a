import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

/** Builds the package and returns what the compiler said. Several suites may do so at once, while processes run what is there. */
function build(): string {
  const dist = join(ROOT, 'dist');
  // As deep as the folder that it fills, for the source maps name their sources by relative paths.
  const scratch = mkdtempSync(`${dist}.`);
  try {
    const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const args = [tsc, '-p', join(ROOT, 'tsconfig.json'), '--outDir', scratch];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const made = readdirSync(scratch, { recursive: true, withFileTypes: true });
    for (const entry of made) {
      if (!entry.isFile()) continue;
      const from = join(entry.parentPath, entry.name);
      const to = join(dist, relative(scratch, from));
      mkdirSync(dirname(to), { recursive: true });
      // One file takes the place of another at once, so that nobody loads half of one.
      renameSync(from, to);
    }
    return stdout;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * URL of a module of the built package, such as `src/log/files/replay-file.js`. Worker threads and child processes run
 * on it, because Node 20 cannot load the sources. Builds first when a source is newer than the module.
 */
export function builtModule(path: string): string {
  const file = join(ROOT, 'dist', path);
  const sources = Math.max(newest(join(ROOT, 'src')), newest(join(ROOT, 'machines')));
  if (!existsSync(file) || statSync(file).mtimeMs < sources) {
    const said = build();
    if (!existsSync(file)) throw new Error(`the build made no ${path}:\n${said}`);
  }
  return pathToFileURL(file).href;
}
