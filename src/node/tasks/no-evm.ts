import type { EvmActivator } from '../../ports/evm-activator.ts';

/** For a node that was made without a way to EVM chains: it says so. */
export const noEvm: EvmActivator = {
  activate: async () => ({
    ok: false,
    fault: { type: 'Internal', data: 'This node was made without a way to EVM chains' },
  }),
};
