import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatBytes } from '../../src/htlc/byte-writer.ts';
import { OP_1, pushData } from '../../src/htlc/script.ts';
import { hexToBytes } from '../../src/primitives/hex.ts';
import type { ScriptFlags } from '../../src/smartchain/script/flags.ts';
import { opcodeName } from '../../src/smartchain/script/opcodes.ts';
import type { OptionalPart } from './optional-part.ts';

const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/swapfold/script-sets');

/** Bitcoin's public script and transaction tests. */
export const SCRIPT_SETS: OptionalPart = {
  present: existsSync(join(FOLDER, 'tx_invalid.json')),
  absence: "Bitcoin's public script tests are not there (node test/support/fetch-script-sets.mjs fetches them)",
};

/** The rows of one set, without those that are comments. */
export function scriptSet(name: 'script_tests' | 'tx_valid' | 'tx_invalid'): readonly (readonly unknown[])[] {
  const rows = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as unknown[][];
  return rows.filter(({ length }) => length > 1);
}

const FLAGS: Readonly<Record<string, keyof ScriptFlags>> = {
  P2SH: 'p2sh',
  STRICTENC: 'strictEncoding',
  DERSIG: 'strictDer',
  LOW_S: 'lowS',
  NULLDUMMY: 'nullDummy',
  SIGPUSHONLY: 'signaturePushOnly',
  MINIMALDATA: 'minimalData',
  DISCOURAGE_UPGRADABLE_NOPS: 'discourageUpgradableNops',
  CLEANSTACK: 'cleanStack',
  CHECKLOCKTIMEVERIFY: 'checkLockTimeVerify',
  CHECKSEQUENCEVERIFY: 'checkSequenceVerify',
  NULLFAIL: 'nullFail',
};

/** Rules that speak of segregated witnesses alone: they say nothing of other spends. */
const WITNESS_FLAGS: ReadonlySet<string> = new Set([
  'WITNESS',
  'DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM',
  'WITNESS_PUBKEYTYPE',
  'MINIMALIF',
]);

/** The flags of a row; throws for one that nobody knows. */
export function flagsOf(text: string): ScriptFlags {
  const flags: Partial<Record<keyof ScriptFlags, boolean>> = { bitcoinScriptCode: true };
  for (const word of text.split(',')) {
    const flag = FLAGS[word];
    if (flag !== undefined) flags[flag] = true;
    else if (word !== '' && word !== 'NONE' && !WITNESS_FLAGS.has(word)) throw new Error(`unknown flag ${word}`);
  }
  return flags;
}

const CODES: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 256 }, (_, code) => [opcodeName(code), code] as const),
  ...Array.from({ length: 256 }, (_, code) => [opcodeName(code).replace(/^OP_/, ''), code] as const),
  ['RESERVED', 0x50],
  ['1NEGATE', 0x4f],
  ['NOP2', 0xb1],
  ['CHECKLOCKTIMEVERIFY', 0xb1],
  ['NOP3', 0xb2],
  ['CHECKSEQUENCEVERIFY', 0xb2],
]);

/** A script in the notation of the sets: numbers as pushes, `0x` as bytes, quoted text as a push, operations by name. */
export function scriptOfText(text: string): Uint8Array {
  return concatBytes(
    text
      .split(' ')
      .filter((word) => word !== '')
      .map(bytesOfWord),
  );
}

function bytesOfWord(word: string): Uint8Array {
  if (word.startsWith('0x')) return hexToBytes(word.slice(2));
  if (word.startsWith("'")) return pushData(new TextEncoder().encode(word.slice(1, -1)));
  if (/^-?\d+$/.test(word)) {
    const value = Number(word);
    if (value === 0) return Uint8Array.of(0);
    return value === -1 || (value >= 1 && value <= 16) ? Uint8Array.of(OP_1 - 1 + value) : pushNumber(word);
  }
  const code = CODES.get(word);
  if (code === undefined) throw new Error(`no operation is called ${word}`);
  return Uint8Array.of(code);
}

/** Some numbers of the sets are beyond those that arithmetic of scripts knows, and beyond safe ones. */
function pushNumber(text: string): Uint8Array {
  const value = BigInt(text);
  const bytes: number[] = [];
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn));
  const top = bytes.at(-1) as number;
  if (top & 0x80) bytes.push(0);
  if (value < 0n) bytes[bytes.length - 1] = (bytes.at(-1) as number) | 0x80;
  return pushData(Uint8Array.from(bytes));
}
