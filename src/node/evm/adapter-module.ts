import { optionalPackage } from '../../primitives/optional-package.ts';

/** The adapter of EVM chains, which needs a package that not every node has. */
export type EvmAdapter = typeof import('../../chains/evm/index.ts');

/** Loads it at its first use. @throws PackageMissingError where viem is not installed */
export function evmAdapter(): Promise<EvmAdapter> {
  return optionalPackage('viem', () => import('../../chains/evm/index.ts'));
}
