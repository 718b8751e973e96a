/** What a person can make of the system's reasons why a file cannot be read. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};

/** Why a file cannot be read as JSON, and in which line if known. It quotes nothing of the text, which may hold a passphrase. */
export function fileFault(error: unknown, text: string | null): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (text === null) return `${REASONS[String(code)] ?? 'it cannot be read'} (${String(code)})`;
  const [, position] = (typeof message === 'string' ? / at position (\d+)/.exec(message) : null) ?? [];
  return position === undefined ? 'it is no JSON' : `it is not JSON: line ${lineOf(text, Number(position))}`;
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
