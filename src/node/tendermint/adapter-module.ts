import { optionalPackage } from '../../primitives/optional-package.ts';

/** The adapter of Tendermint chains, which needs a package that not every node has. */
export type TendermintAdapter = typeof import('../../chains/tendermint/index.ts');

/** Loads it at its first use. @throws PackageMissingError where it is not installed */
export function tendermintAdapter(): Promise<TendermintAdapter> {
  return optionalPackage('cosmjs-types', () => import('../../chains/tendermint/index.ts'));
}
