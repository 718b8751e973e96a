import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../version.ts';

/** Beside the source, or beside the build. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Rooms whose code decides how a swap stands. */
const ROOMS = [
  'machines',
  'src/events',
  'src/htlc',
  'src/log',
  'src/primitives',
  'src/replay',
  'src/runtime',
  'src/cli/summary',
];

let known: string | undefined;

/**
 * Tells this build from every other, also from one of the same version: a digest of the version and of the name, size and time of each file
 * of code that has a part in how a swap stands.
 */
export function buildStamp(): string {
  known ??= stampOf();
  return known;
}

function stampOf(): string {
  const digest = createHash('sha256').update(packageVersion());
  for (const room of ROOMS) {
    const files = readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true });
    const paths = files.filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name)).map(pathOf);
    for (const path of paths.sort()) {
      const { size, mtimeMs } = statSync(path);
      digest.update(`\n${path.slice(ROOT.length)} ${size} ${mtimeMs}`);
    }
  }
  return digest.digest('hex');
}

function pathOf({ parentPath, name }: { readonly parentPath: string; readonly name: string }): string {
  return join(parentPath, name);
}
