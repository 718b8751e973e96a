import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Secret } from '../../primitives/secret.ts';
import { SmartChainError } from '../error.ts';
import type { WalletContent, WalletStore } from './wallet.ts';

const schema = z.strictObject({
  version: z.literal(1),
  keys: z.array(z.string()),
  watched: z.array(z.string()),
});

const OWNER_ONLY = 0o600;

/**
 * A wallet in a JSON file that only its owner can read; its keys are not encrypted. The file is replaced atomically: after a crash it holds the
 * previous or the new content.
 *
 * Loading throws SmartChainError SMARTCHAIN_WALLET_UNREADABLE if the file is not a wallet, and saving SMARTCHAIN_WALLET_UNWRITABLE; the file is then
 * unchanged.
 */
export function walletFile(path: string): WalletStore {
  return { load: () => load(path), save: (content) => save(path, content) };
}

async function load(path: string): Promise<WalletContent | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    throw unreadable(path, code ?? 'not read');
  });
  if (text === undefined) return undefined;
  const read = schema.safeParse(parsed(text));
  // Does not say what is wrong, because that may quote a key.
  if (!read.success) throw unreadable(path, 'the file is not a wallet of this release');
  return { keys: read.data.keys.map((key) => new Secret(key)), watched: read.data.watched };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function save(path: string, { keys, watched }: WalletContent): Promise<void> {
  const text = `${JSON.stringify({ version: 1, keys: keys.map((key) => key.reveal()), watched }, null, 2)}\n`;
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(temporary, text);
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw unwritable(path, codeOf(error) ?? 'not written');
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the rename durable, if the system can: Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function unreadable(file: string, reason: string): SmartChainError {
  return new SmartChainError('SMARTCHAIN_WALLET_UNREADABLE', 'The wallet file cannot be read.', {
    facts: { file, reason },
    next: 'Restore it from a backup. A wallet file that cannot be read is never changed.',
    retry: 'operator',
  });
}

function unwritable(file: string, reason: string): SmartChainError {
  return new SmartChainError('SMARTCHAIN_WALLET_UNWRITABLE', 'The wallet file cannot be written.', {
    facts: { file, reason },
    next: 'Check the folder, its permissions and the space on the disk. The previous content of the file is still there.',
    retry: 'operator',
  });
}
