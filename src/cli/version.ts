import { readFileSync } from 'node:fs';

/** The version of this package, or `unknown` where its package.json does not lie where it belongs. */
export function packageVersion(): string {
  // The build lies one folder deeper than the source.
  const path = import.meta.url.endsWith('.ts') ? '../../package.json' : '../../../package.json';
  try {
    const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    return 'unknown';
  }
}
