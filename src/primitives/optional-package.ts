import { SwapfoldError } from './error.ts';

/** What an optional package is needed for, and the accepted versions: those of `peerDependencies` in package.json. */
export const OPTIONAL_PACKAGES = {
  '@hpcc-js/wasm-graphviz': { range: '^1.29.0', use: 'to draw machines as SVG' },
  '@libp2p/crypto': { range: '^5.1.0', use: 'swapfold/peers/libp2p' },
  '@libp2p/noise': { range: '^17.0.0', use: 'swapfold/peers/libp2p' },
  '@libp2p/tcp': { range: '^11.0.0', use: 'swapfold/peers/libp2p' },
  '@libp2p/yamux': { range: '^8.0.0', use: 'swapfold/peers/libp2p' },
  '@multiformats/multiaddr': { range: '^13.0.0', use: 'swapfold/peers/libp2p' },
  commander: { range: '^14.0.0', use: 'the command line' },
  'cosmjs-types': { range: '^0.11.0', use: 'swapfold/chains/tendermint' },
  'fast-check': { range: '^4.0.0', use: 'the arbitraries of swapfold/testing' },
  libp2p: { range: '^3.3.0', use: 'swapfold/peers/libp2p' },
  picocolors: { range: '^1.1.0', use: 'the command line' },
  pino: { range: '^10.0.0', use: 'swapfold/runtime/pino and the log lines of swapfold serve, chain and electrum' },
  'prom-client': { range: '^15.1.0', use: 'swapfold/runtime/prometheus' },
  secp256k1: { range: '^5.0.0', use: 'signatures at the speed of libsecp256k1' },
  viem: { range: '^2.57.0', use: 'swapfold/chains/evm' },
  ws: { range: '^8.18.0', use: 'Electrum servers over WSS' },
} as const;

export type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/** Packages that this part needs and that are not installed. */
export class PackageMissingError extends SwapfoldError {
  constructor(...names: readonly [OptionalPackage, ...OptionalPackage[]]) {
    const wanted = names.map((name) => `${name}@${OPTIONAL_PACKAGES[name].range}`).join(' ');
    const [first] = names;
    super(`${names.length === 1 ? `The package ${first} is` : `The packages ${names.join(', ')} are`} not installed.`, {
      code: 'PACKAGE_MISSING',
      facts: { needed: OPTIONAL_PACKAGES[first].use },
      next: `Install it next to swapfold: npm install ${wanted}`,
      retry: 'operator',
    });
  }
}

/** The module of an optional package. @throws PackageMissingError if it is not installed; other faults unchanged. */
export async function optionalPackage<Module>(name: OptionalPackage, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw isMissing(error, name) ? new PackageMissingError(name) : error;
  }
}

/** Whether an import failed because this very package is missing, and not another that it imports. */
export function isMissing(error: unknown, name: OptionalPackage): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${name}'`);
}
