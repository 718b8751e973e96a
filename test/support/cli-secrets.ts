import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonValue } from '../../src/primitives/json.ts';
import { SHARED_DIR } from './shared.ts';

const FOLDERS = [join(import.meta.dirname, '../../docs/samples/sound'), join(SHARED_DIR, 'swaps')];

/** Phrases and passwords of the fixtures, which no command has a reason to print. */
const PHRASES = ['bob passphrase', 'a phrase that nobody else knows', 'RPC_UserP@SSW0RD'];

let known: readonly string[] | undefined;

/** What no command may print unless it is told to: makers' secrets that their swaps never showed, and keys that stand in stored swaps. */
export function cliSecrets(): readonly string[] {
  known ??= [...PHRASES, ...new Set(FOLDERS.flatMap(storedIn))];
  return known;
}

function storedIn(folder: string): readonly string[] {
  const swaps = filesOf(folder).map((file) => parsed(readFileSync(join(folder, file), 'utf8')));
  const shown = new Set(swaps.flatMap((swap) => textsNamed(swap, /^secret$/, 'TakerPaymentSpent')));
  const secrets = swaps.flatMap((swap) => textsNamed(swap, /^secret$/, 'Started'));
  const keys = swaps.flatMap((swap) => textsNamed(swap, /priv_?key$/, null));
  return [...secrets, ...keys].filter((text) => text.length >= 16 && !/^0+$/.test(text) && !shown.has(text));
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** Texts under members of this name, within events of this type where one is given. */
function textsNamed(value: JsonValue | undefined, name: RegExp, type: string | null): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => textsNamed(item, name, type));
  if (!isJsonObject(value)) return [];
  const isEvent = type === null || value['type'] === type;
  return Object.entries(value).flatMap(([key, member]) => {
    if (typeof member === 'string') return type === null && name.test(key) ? [member] : [];
    const inside = isEvent && type !== null && isJsonObject(member) ? ownTexts(member, name) : [];
    return [...inside, ...textsNamed(member, name, type)];
  });
}

function ownTexts(data: Readonly<Record<string, JsonValue | undefined>>, name: RegExp): readonly string[] {
  return Object.entries(data).flatMap(([key, member]) =>
    typeof member === 'string' && name.test(key) ? [member] : [],
  );
}

/** @throws where a command printed what it should not */
export function requireNoSecrets(argv: readonly string[], printed: string): void {
  if (argv.includes('--secrets')) return;
  const found = cliSecrets().filter((secret) => printed.includes(secret) || printed.includes(secret.toUpperCase()));
  if (found.length > 0) throw new Error(`swapfold ${argv.join(' ')} printed ${found.length} secrets of the fixtures`);
}
