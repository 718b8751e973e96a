import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Hex } from 'viem';

// By the package's own name, so that it is found from dist/ too.
const ROOT = dirname(createRequire(import.meta.url).resolve('swapfold/package.json'));
const FILES = [
  'src/chains/evm/contract/SwapfoldHtlc.sol',
  'test/support/evm/solidity/Tokens.sol',
  'test/support/evm/solidity/StandardToken.sol',
  'test/support/evm/solidity/Accounts.sol',
  'test/support/evm/solidity/OtherHtlc.sol',
  'test/support/evm/solidity/Hostile.sol',
];

export type Compiled = Readonly<
  Record<
    | 'SwapfoldHtlc'
    | 'PlainOtherHtlc'
    | 'WatchedOtherHtlc'
    | 'LooseOtherHtlc'
    | 'Echo'
    | 'PlainToken'
    | 'DigitsToken'
    | 'DearToken'
    | 'StandardToken'
    | 'MoodyToken'
    | 'HookToken'
    | 'Actor',
    { readonly abi: unknown; readonly bytecode: Hex; readonly deployedBytecode: Hex }
  >
>;

let made: Promise<Compiled> | undefined;

/**
 * The swap contract and the contracts of the tests, compiled from their sources once for all suites of a worker. The tests run the
 * source as it stands, not the artefact, so that they judge what somebody is writing; that both agree is a test of its own.
 */
export function compiled(): Promise<Compiled> {
  made ??= compileAll();
  return made;
}

const SCRIPT = join(ROOT, 'test/support/evm/compile.mjs');
const KEPT = join(ROOT, 'node_modules/.cache/swapfold-solidity');

async function compileAll(): Promise<Compiled> {
  const files = FILES.map((file) => join(ROOT, file));
  // A compilation takes seconds of a processor, and depends on nothing but these.
  const compiler = createRequire(import.meta.url).resolve('solc/package.json');
  const hash = createHash('sha256');
  for (const file of [...files, SCRIPT, compiler])
    hash.update(`${file.slice(ROOT.length)}\0`).update(readFileSync(file));
  const kept = join(KEPT, `${hash.digest('hex')}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Compiled;
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...files], { maxBuffer: 1 << 26 });
  keep(kept, stdout);
  return JSON.parse(stdout) as Compiled;
}

/** Whole or not at all: other workers look for it at the same time. */
function keep(file: string, text: string): void {
  mkdirSync(KEPT, { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, file);
}
