// Compiles Solidity with the pinned compiler: node test/support/evm/compile.mjs <file>… prints {contract: {abi, bytecode, deployedBytecode}}.
// In a process of its own, because the compiler keeps hundreds of megabytes and catches what nobody else has caught.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Runs on every chain since 2022, and the same source gives the same bytes wherever it lies and whatever its comments say. */
export const SETTINGS = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 10_000 },
  viaIR: false,
  metadata: { bytecodeHash: 'none', appendCBOR: false },
};

/** Every contract of the files by its name. Throws what the compiler complains of, warnings too. */
export async function compile(files) {
  const { default: solc } = await import('solc');
  const sources = Object.fromEntries(files.map((file) => [basename(file), { content: readFileSync(file, 'utf8') }]));
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } };
  const settings = { ...SETTINGS, outputSelection };
  const { errors = [], contracts } = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
  );
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const named = Object.values(contracts).flatMap((one) => Object.entries(one));
  return { compiler: solc.version(), contracts: Object.fromEntries(named.map(([name, made]) => [name, parts(made)])) };
}

function parts({ abi, evm }) {
  return { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` };
}

if (process.argv[1] === join(import.meta.dirname, 'compile.mjs')) {
  const { contracts } = await compile(process.argv.slice(2));
  process.stdout.write(JSON.stringify(contracts));
}
