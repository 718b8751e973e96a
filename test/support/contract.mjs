// Compiles the swap contract and writes the artefact beside its source, or, with --check, says whether it is out of date.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { compile, SETTINGS } from './evm/compile.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'src/chains/evm/contract');
const file = join(folder, 'artefact.ts');

const { compiler, contracts } = await compile([join(folder, 'SwapfoldHtlc.sol')]);
const text = formatted(source(contracts['SwapfoldHtlc']));
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log('wrote src/chains/evm/contract/artefact.ts');
} else if (readFileSync(file, 'utf8') === text) {
  console.log('the artefact is what its source compiles to');
} else {
  console.error('src/chains/evm/contract/artefact.ts is out of date: run node test/support/contract.mjs');
  process.exit(1);
}

function source({ abi, bytecode, deployedBytecode }) {
  const hash = Buffer.from(keccak_256(Buffer.from(deployedBytecode.slice(2), 'hex'))).toString('hex');
  return `// Written by test/support/contract.mjs from SwapfoldHtlc.sol, and checked against it by a test: do not edit.

/** The compiler of the contract, so that anyone can reproduce it. */
export const swapContractCompiler = ${JSON.stringify({ version: compiler, settings: SETTINGS })} as const;

/** The contract's functions, events and errors. */
export const swapContractAbi = [
${abi.map((item) => `  ${JSON.stringify(withoutInternals(item))},`).join('\n')}
] as const;

/** Keccak-256 of the deployed code, which an auditor compares with that of the chain. */
export const swapContractDeployedBytecodeHash: \`0x\${string}\` =
  '0x${hash}';

/** The code that deploys the contract; it takes no arguments. */
export const swapContractBytecode: \`0x\${string}\` =
  '${bytecode}';
`;
}

/** Names of types in the source, such as that of the enumeration, are no part of the interface. */
function withoutInternals({ inputs = [], outputs = [], ...item }) {
  const plain = (parameters) => parameters.map(({ internalType: _, ...rest }) => rest);
  const callable = item.type === 'function';
  return { ...item, inputs: plain(inputs), ...(callable ? { outputs: plain(outputs) } : {}) };
}

function formatted(code) {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', `--stdin-file-path=${file}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, input: code, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
