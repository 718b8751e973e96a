import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, normalize } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { asFileError, brokenLink, FileError } from '../file-error.ts';
import { isOwnLog } from './own-log.ts';

/** The name that stands for standard input. */
export const STDIN = '-';

/** One file to read, or why an input gives none. */
export type InputFile =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly file: string; readonly error: FileError };

/** Inside folders, only these endings are read: everything else there belongs to others. */
const SWAP_FILE = /\.(?:jsonl?(?:\.gz)?|db)$/i;
const LOG_FILE = /\.db$/i;

/**
 * Finds the files that a list of inputs stands for: files of any ending, folders (searched through, only `.json`,
 * `.jsonl`, these with `.gz`, and `.db` where it is an event log), globs, and `-` for standard input.
 *
 * The order is that of the inputs, inside a folder that of the names (by UTF-16 code units). A file that two inputs
 * name comes once. Names that start with a dot are passed over inside folders; links are followed, loops are not. What
 * cannot be read is reported in its place and never stops the rest.
 *
 * @example
 * ```ts
 * import { expandInputs } from 'swapfold/log/files';
 *
 * const found: string[] = [];
 * for await (const input of expandInputs(['docs/samples/no-such.json', '-'])) {
 *   found.push(input.ok ? input.file : input.error.code);
 * }
 * found; // → ['FILE_NOT_FOUND', '-']
 * ```
 */
export async function* expandInputs(inputs: Iterable<string>): AsyncGenerator<InputFile> {
  const seen = new Set<string>();
  for (const input of inputs) {
    for await (const found of expandInput(input)) {
      const key = found.file === STDIN ? STDIN : normalize(found.file);
      if (seen.has(key)) continue;
      seen.add(key);
      yield found;
    }
  }
}

async function* expandInput(input: string): AsyncGenerator<InputFile> {
  if (input === STDIN) {
    yield { ok: true, file: STDIN };
    return;
  }
  const found = await look(input);
  if (found.kind === 'folder') yield* expandFolder(input);
  else if (found.kind !== 'none') yield { ok: true, file: input };
  else if (found.error.code === 'FILE_NOT_FOUND' && isDynamicPattern(input)) yield* expandGlob(input);
  else yield { ok: false, file: input, error: found.error };
}

type Found = { readonly kind: 'folder' | 'file' | 'pipe' } | { readonly kind: 'none'; readonly error: FileError };

async function look(path: string): Promise<Found> {
  try {
    const found = await stat(path);
    return { kind: found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'pipe' };
  } catch (error) {
    const link = await lstat(path).catch(() => undefined);
    return { kind: 'none', error: link?.isSymbolicLink() === true ? brokenLink(path) : asFileError(error, path) };
  }
}

async function* expandFolder(folder: string): AsyncGenerator<InputFile> {
  let count = 0;
  for await (const found of walk(folder, new Set())) {
    count++;
    yield found;
  }
  if (count > 0) return;
  const error = new FileError('FOLDER_WITHOUT_SWAPS', 'The folder holds no file that could be a stored swap.', {
    file: folder,
    next: 'Name a folder with .json, .jsonl, .json.gz or .jsonl.gz files or event logs (.db); name other files one by one.',
  });
  yield { ok: false, file: folder, error };
}

async function* walk(folder: string, trail: ReadonlySet<string>): AsyncGenerator<InputFile> {
  let entries: Dirent[];
  let here: string;
  try {
    here = await realpath(folder);
    entries = await sortedEntries(folder);
  } catch (error) {
    yield { ok: false, file: folder, error: asFileError(error, folder) };
    return;
  }
  if (trail.has(here)) return;
  const inner = new Set([...trail, here]);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // The listing knows plain files already; a look at each would cost as much again as reading it.
    const found: Found = entry.isFile() ? { kind: 'file' } : await look(path);
    if (found.kind === 'folder') yield* walk(path, inner);
    else if (!SWAP_FILE.test(entry.name)) continue;
    else if (found.kind === 'file' && LOG_FILE.test(entry.name) && !(await isOwnLog(path))) continue;
    else if (found.kind === 'file') yield { ok: true, file: path };
    else if (found.kind === 'none') yield { ok: false, file: path, error: found.error };
  }
}

async function sortedEntries(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter(({ name }) => !name.startsWith('.')).sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** A glob takes whatever it matches; one that ends in a bare `*` means a folder, so only swap files. */
async function* expandGlob(pattern: string): AsyncGenerator<InputFile> {
  const matches = await glob(pattern, { onlyFiles: false, expandDirectories: false });
  const bare = /^\*+$/.test(basename(pattern));
  let count = 0;
  for (const match of matches.sort()) {
    // Folders come with a stroke at their end.
    if (match.endsWith('/') || (await look(match)).kind === 'folder') {
      for await (const found of bare ? walk(match, new Set()) : expandFolder(match.replace(/\/$/, ''))) {
        count += 1;
        yield found;
      }
      continue;
    }
    const isMeant = !bare || (SWAP_FILE.test(match) && (!LOG_FILE.test(match) || (await isOwnLog(match))));
    if (!isMeant) continue;
    count += 1;
    yield { ok: true, file: match };
  }
  if (count > 0) return;
  const error = new FileError('GLOB_WITHOUT_MATCH', 'The pattern matches no file.', {
    file: pattern,
    next: 'Check the pattern, and quote it so the shell does not expand it.',
  });
  yield { ok: false, file: pattern, error };
}
