import { randomBytes } from 'node:crypto';
import { rmSync, type Stats } from 'node:fs';
import { link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../file-error.ts';
import { makeFolder } from './make-folder.ts';

export type WriteOptions = {
  /** Replace a file that exists. @defaultValue false */
  readonly force?: boolean;
  /** Let only the owner read the file, also one that others could read before. @defaultValue false */
  readonly secrets?: boolean;
};

export type FileWriter = {
  readonly write: (text: string) => Promise<void>;
  /** Puts the file in its place, whole and durable. */
  readonly commit: () => Promise<void>;
  /** Leaves nothing behind. */
  readonly abort: () => Promise<void>;
};

const PRIVATE = 0o600;

const PUBLIC = 0o666;

/** Temporary files that are not yet in their place. */
const temporaries = new Set<string>();

/** Removes the temporary files of all writers at once, for a process that is about to end. Never throws. */
export function removeTemporaryFiles(): void {
  for (const temporary of temporaries) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The process ends whether it is gone or not.
    }
  }
  temporaries.clear();
}

/**
 * Writes a file atomically: to a temporary file next to it, which takes the name at the end. Missing folders are
 * created. A replaced file keeps its permissions, except those of others if it holds secrets; a symbolic link stays,
 * and the file that it points to is replaced.
 *
 * @throws FileError FILE_EXISTS unless `force` is set, or FILE_UNWRITABLE, also for what is no regular file.
 *
 * @example
 * ```ts
 * import { mkdtemp, readFile, rm } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { createFileWriter } from 'swapfold/log/files';
 *
 * const folder = await mkdtemp(`${tmpdir()}/swaps-`);
 * const writer = await createFileWriter(`${folder}/out.jsonl`);
 * await writer.write('{}\n');
 * readFile(`${folder}/out.jsonl`); // throws ENOENT
 * await writer.commit();
 * readFile(`${folder}/out.jsonl`, 'utf8'); // → '{}\n'
 * await rm(folder, { recursive: true });
 * ```
 */
export async function createFileWriter(
  path: string,
  { force = false, secrets = false }: WriteOptions = {},
): Promise<FileWriter> {
  const { file, found } = await placeOf(path);
  if (found !== undefined && !force) throw alreadyThere(path);
  const temporary = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await named(path, async () => {
    await makeFolder(dirname(file));
    temporaries.add(temporary);
    return open(temporary, 'wx', secrets || found !== undefined ? PRIVATE : PUBLIC);
  }).catch((error: unknown) => {
    temporaries.delete(temporary);
    throw error;
  });
  const abort = async (): Promise<void> => {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    temporaries.delete(temporary);
  };
  return {
    write: (text) => named(path, () => handle.writeFile(text)),
    async commit() {
      try {
        await named(path, async () => {
          if (found !== undefined) await handle.chmod(found.mode & (secrets ? PRIVATE : 0o777));
          await handle.sync();
          await handle.close();
          await (force ? rename(temporary, file) : takeName(temporary, file));
        });
        temporaries.delete(temporary);
      } catch (error) {
        await abort();
        throw error;
      }
    },
    abort,
  };
}

/**
 * Writes one text in one go, see {@link createFileWriter}.
 *
 * @example
 * ```ts
 * import { mkdtemp, readFile, rm } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { writeFileAtomically } from 'swapfold/log/files';
 *
 * const folder = await mkdtemp(`${tmpdir()}/swaps-`);
 * await writeFileAtomically(`${folder}/out.json`, '{}');
 * writeFileAtomically(`${folder}/out.json`, '[]'); // throws FILE_EXISTS
 * readFile(`${folder}/out.json`, 'utf8'); // → '{}'
 * await rm(folder, { recursive: true });
 * ```
 */
export async function writeFileAtomically(file: string, text: string, options: WriteOptions = {}): Promise<void> {
  const writer = await createFileWriter(file, options);
  try {
    await writer.write(text);
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.commit();
}

/** The file that a path stands for, behind links, and what is there already. */
async function placeOf(path: string): Promise<{ readonly file: string; readonly found?: Stats }> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined) return { file: path };
  const file = entry.isSymbolicLink() ? await realpath(path).catch(() => undefined) : path;
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || found === undefined) throw unwritable(path, 'a symbolic link that leads nowhere');
  if (!found.isFile()) throw unwritable(path, found.isDirectory() ? 'a folder' : 'not a regular file');
  return { file, found };
}

/** Like a rename, but fails if another process has taken the name meanwhile. */
async function takeName(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === 'EEXIST' || (await exists(file))) throw alreadyThere(file);
    // A file system without hard links.
    await rename(temporary, file);
    return;
  }
  await rm(temporary, { force: true });
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

function alreadyThere(file: string): FileError {
  return new FileError('FILE_EXISTS', 'The file already exists and was not changed.', {
    file,
    next: 'Choose another name, or use --force to overwrite it.',
  });
}

function unwritable(file: string, reason: string): FileError {
  return new FileError('FILE_UNWRITABLE', 'The file cannot be written.', {
    file,
    facts: { reason },
    next: 'Name a regular file or a new one; without --out the text goes to standard output.',
  });
}

async function named<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof FileError) throw error;
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== 'string') throw error;
    throw new FileError('FILE_UNWRITABLE', 'The file cannot be written.', {
      file,
      facts: { reason: code },
      next: 'Check the folder, its permissions and the space on the disk.',
      cause: error,
    });
  }
}
