import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Undefined if nothing is there, as far as this user may see. */
async function isFolder(path: string): Promise<boolean | undefined> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => undefined,
  );
}

/**
 * Makes a folder, and those above it that are not there, each by a step of its own: Node's `recursive` goes round for ever where a file
 * system says of a folder that is there that a new one in it cannot be found, as `/proc` does.
 *
 * @param mode of the folders that are made. @defaultValue `0o777`, less the umask
 * @throws Error of the file system, such as EACCES, ENOENT or ENOTDIR, for the first one that cannot be made.
 */
export async function makeFolder(path: string, { mode = 0o777 }: { readonly mode?: number } = {}): Promise<void> {
  const missing: string[] = [];
  let at = resolve(path);
  if ((await isFolder(at)) === false) missing.push(at);
  else for (; (await isFolder(at)) === undefined && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed()) {
    await mkdir(folder, { mode }).catch(async (error: unknown) => {
      // Another process may have made it meanwhile.
      if (!(await isFolder(folder))) throw error;
    });
  }
}
