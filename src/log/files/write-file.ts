import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from './file-error.ts';

export type WriteOptions = {
  /** Replace a file that exists. @defaultValue false */
  readonly force?: boolean;
};

export type FileWriter = {
  readonly write: (text: string) => Promise<void>;
  /** Puts the file in its place, whole and durable. */
  readonly commit: () => Promise<void>;
  /** Leaves nothing behind. */
  readonly abort: () => Promise<void>;
};

/**
 * Writes a file so that its name never stands for half of it: to a temporary file beside it, which takes the name at the end.
 * Folders on the way are made.
 *
 * @throws FileError FILE_EXISTS unless `force` is set, or FILE_UNWRITABLE.
 */
export async function createFileWriter(file: string, { force = false }: WriteOptions = {}): Promise<FileWriter> {
  if (!force && (await exists(file))) throw alreadyThere(file);
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await named(file, async () => {
    await mkdir(dirname(file), { recursive: true });
    return open(temporary, 'wx');
  });
  const abort = async (): Promise<void> => {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
  };
  return {
    write: (text) => named(file, () => handle.writeFile(text)),
    async commit() {
      try {
        await named(file, async () => {
          await handle.sync();
          await handle.close();
          await (force ? rename(temporary, file) : takeName(temporary, file));
        });
      } catch (error) {
        await abort();
        throw error;
      }
    },
    abort,
  };
}

/** Writes one text in one go, see {@link createFileWriter}. */
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

/** Like a rename, but fails where somebody else took the name meanwhile. */
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
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function alreadyThere(file: string): FileError {
  return new FileError('FILE_EXISTS', 'The file exists already and was left as it is.', {
    file,
    next: 'Choose another name, or use --force to replace it.',
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
