import { readFileSync, statSync } from 'node:fs';

// The build lies one folder deeper than the source.
const PACKAGE = new URL(
  import.meta.url.endsWith('.ts') ? '../../package.json' : '../../../package.json',
  import.meta.url,
);

/** When this copy of the package was made, by its package.json; the beginning of time where that does not lie where it belongs. */
export function packageTime(): string {
  return statSync(PACKAGE, { throwIfNoEntry: false })?.mtime.toISOString() ?? new Date(0).toISOString();
}

/** The version of this package, or `unknown` where its package.json does not lie where it belongs. */
export function packageVersion(): string {
  try {
    const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    return 'unknown';
  }
}
