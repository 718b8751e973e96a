import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../process-alive.ts';

/** Where a chain says what address it listens on while it runs, so that callers find it on any port. */
function urlPath(folder: string, name: string): string {
  return join(folder, `${name}.url`);
}

/** Says where a chain listens. The returned function takes that back. */
export async function announceUrl(folder: string, name: string, url: string): Promise<() => Promise<void>> {
  const path = urlPath(folder, name);
  await writeFile(path, `${url}\n${process.pid}\n`, { mode: 0o600 });
  return () => rm(path, { force: true });
}

/**
 * Where a chain that runs listens; undefined when none says so. What a process said that is gone does not count: somebody else may
 * listen there now, and would be sent the password.
 */
export async function announcedUrl(folder: string, name: string): Promise<string | undefined> {
  const text = await readFile(urlPath(folder, name), 'utf8').catch(() => '');
  const [, url, pid] = /^(http:\/\/[^\s/@]+\/)\n(\d{1,10})\n$/.exec(text) ?? [];
  return url !== undefined && isAlive(Number(pid)) ? url : undefined;
}
