import type { Prefixes } from '../../../src/smartchain/params.ts';

// Bitcoin has no shielded addresses: those two prefixes fit nothing.
const NO_SHIELDED = { sprout: [-1, -1], sapling: 'none' } as const;

/** Prefixes of Bitcoin's main network, for its published vectors. */
export const BITCOIN_MAIN: Prefixes = { key: 0, script: 5, secret: 128, ...NO_SHIELDED };

/** Prefixes of Bitcoin's test networks. */
export const BITCOIN_TEST: Prefixes = { key: 111, script: 196, secret: 239, ...NO_SHIELDED };
