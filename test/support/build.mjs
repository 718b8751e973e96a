// Builds `dist`; with --if-stale where it is not newer than the sources. npm runs that after `npm ci`, and again when `npx swapfold` is first called in a
// checkout: nodes may run from `dist` by then. The stamp tells a build that came to its end from one that did not.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['src', 'machines', 'package.json', 'tsconfig.json'];
const STAMP = 'dist/.built';

/** Whether all of `dist` was built after the last change of what it is built from. */
export function isBuilt(root = ROOT) {
  if (!existsSync(join(root, STAMP)) || !existsSync(join(root, 'dist/src/cli/main.js'))) return false;
  const { mtimeMs: built } = statSync(join(root, STAMP));
  return SOURCES.flatMap((source) => filesOf(join(root, source))).every((path) => statSync(path).mtimeMs <= built);
}

/** A folder counts too: it changes with the names in it. */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, name))];
}

function build() {
  rmSync(join(ROOT, STAMP), { force: true });
  const started = new Date();
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(join(ROOT, STAMP), '');
  utimesSync(join(ROOT, STAMP), started, started);
}

const isRun = import.meta.url === pathToFileURL(process.argv[1] ?? '').href;
if (isRun && !(process.argv.includes('--if-stale') && isBuilt())) build();
