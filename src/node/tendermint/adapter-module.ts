import { optionalPackage } from '../../primitives/optional-package.ts';

/** The adapter of Tendermint chains, which needs packages that not every node has. */
export type TendermintAdapter = typeof import('../../chains/tendermint/index.ts');

/** Loads it at its first use. @throws PackageMissingError where one of its packages is not installed */
export function tendermintAdapter(): Promise<TendermintAdapter> {
  const load = () => import('../../chains/tendermint/index.ts');
  return optionalPackage('@cosmjs/tendermint-rpc', () => optionalPackage('cosmjs-types', load));
}
