import { SwapfoldError } from '../primitives/error.ts';

/** Codes of faults of a file as such, before any swap in it is read. */
export type FileCode =
  | 'FILE_NOT_FOUND'
  | 'FILE_BROKEN_LINK'
  | 'FILE_UNREADABLE'
  | 'FILE_TOO_LARGE'
  | 'FILE_DAMAGED'
  | 'FILE_EXISTS'
  | 'FILE_UNWRITABLE'
  | 'UNEXPECTED'
  | 'FOLDER_WITHOUT_SWAPS'
  | 'GLOB_WITHOUT_MATCH';

export type FileErrorOptions = {
  /** The path as the caller named it, or as it was found in a folder. */
  readonly file: string;
  readonly next: string;
  readonly facts?: Readonly<Record<string, string | number | undefined>>;
  readonly cause?: unknown;
};

/**
 * A file or folder that cannot be read or written, with its path.
 *
 * @example
 * ```ts
 * import { FileError, replayJsonlFile } from 'swapfold/log/files';
 *
 * const nobody = { onSwap: () => undefined, onError: () => undefined };
 * const error = await replayJsonlFile('/no/such.jsonl', nobody).catch((thrown: unknown) => thrown);
 * error instanceof FileError && error.file; // → '/no/such.jsonl'
 * error instanceof FileError && error.code; // → 'FILE_NOT_FOUND'
 * ```
 */
export class FileError extends SwapfoldError {
  declare readonly code: FileCode;
  readonly file: string;

  constructor(code: FileCode, message: string, { file, next, facts, cause }: FileErrorOptions) {
    super(message, { code, facts: { file, ...facts }, next, ...(cause === undefined ? {} : { cause }) });
    this.file = file;
  }
}

/** Turns what the file system, zlib or a decoder throws into a typed error that names the file. */
export function asFileError(error: unknown, file: string): FileError {
  if (error instanceof FileError) return error;
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new FileError('FILE_NOT_FOUND', 'There is no such file or folder.', {
      file,
      next: 'Check the path, and quote it if it contains spaces or wildcards.',
    });
  }
  if (code === 'ELOOP') return brokenLink(file);
  if (code.startsWith('Z_') || code === 'ERR_ENCODING_INVALID_ENCODED_DATA' || code === 'ERR_PADDING_IN_GZIP') {
    return damaged(file, code);
  }
  if (code === '') return unexpected(error, file);
  const reason = code === 'EACCES' || code === 'EPERM' ? 'no permission' : code;
  return new FileError('FILE_UNREADABLE', 'The file or folder cannot be read.', {
    file,
    facts: { reason },
    next: 'Check its permissions, and that its disk or share is mounted.',
    cause: error,
  });
}

/** Reports only its kind, because the text of an unforeseen error may quote the file. */
function unexpected(error: unknown, file: string): FileError {
  return new FileError('UNEXPECTED', 'Something went wrong here that should never go wrong.', {
    file,
    facts: { kind: error instanceof Error ? error.name : typeof error },
    next: 'This is a bug in swapfold, not a fault of the file: please report it with the version (swapfold --version).',
  });
}

/** A symbolic link whose target does not exist, or that leads back to itself. */
export function brokenLink(file: string): FileError {
  return new FileError('FILE_BROKEN_LINK', 'The symbolic link leads nowhere.', {
    file,
    next: 'Restore the file that it points to, or remove the link.',
  });
}

function damaged(file: string, code: string): FileError {
  const reason =
    code === 'Z_BUF_ERROR'
      ? 'the compressed data ends too early'
      : code.startsWith('Z_')
        ? 'the compressed data is corrupt'
        : 'the text is not valid UTF-8';
  return new FileError('FILE_DAMAGED', 'The file is damaged.', {
    file,
    facts: { reason },
    next: 'Fetch it again, or take it from a backup: an interrupted download or copy leaves such a file.',
  });
}

function systemCode(error: unknown): string {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
