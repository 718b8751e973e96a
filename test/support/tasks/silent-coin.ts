import type { ChainFault } from '../../../src/ports/chain.ts';
import type { ActiveCoin, Balances } from '../../../src/ports/coin-wallet.ts';

export type SilentCoin = {
  readonly ticker: string;
  readonly address: string;
  readonly platform: string | null;
  readonly balances: Balances;
  readonly close?: () => void;
};

const fault: ChainFault = { kind: 'unavailable', message: 'nobody is asked' };
const silent = async () => ({ ok: false, fault }) as const;

/** A coin of an account whose chain answers nothing but its balance. */
export function silentCoin({ ticker, address, platform, balances, close = () => {} }: SilentCoin): ActiveCoin {
  return {
    ...{ ticker, address, platform, close },
    chain: {
      traits: {
        ...{ coin: ticker, decimals: 18, minTxAmount: 1n, refund: 'transaction', watchers: false },
        ...{ finality: 3, contract: '24'.repeat(20), secretHashBytes: 20, scheme: null, blockTime: 12 },
      },
      htlcKey: () => `02${'ab'.repeat(32)}`,
      quote: silent,
      payment: silent,
      transaction: silent,
      checkFee: silent,
      prepare: silent,
      broadcast: silent,
      subscribe: () => ({ close() {} }),
      reserve() {},
      release() {},
    },
    requiredConfirmations: 3,
    requiresNotarization: false,
    walletOnly: false,
    matureConfirmations: null,
    tellsHeld: true,
    protocolInfo: '',
    supports: () => true,
    wallet: {
      withdraw: async () => ({ ok: false, refusal: { type: 'Transport', text: 'nobody is asked' } }),
      send: async () => ({ ok: false, refusal: { type: 'Transport', text: 'nobody is asked' } }),
    },
    balances: async () => ({ ok: true, value: balances }),
  };
}
