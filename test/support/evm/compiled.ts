import { execFile } from 'node:child_process';
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
];

export type Compiled = Readonly<
  Record<
    | 'SwapfoldHtlc'
    | 'PlainOtherHtlc'
    | 'WatchedOtherHtlc'
    | 'PlainToken'
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

async function compileAll(): Promise<Compiled> {
  const script = join(ROOT, 'test/support/evm/compile.mjs');
  const files = FILES.map((file) => join(ROOT, file));
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...files], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as Compiled;
}
