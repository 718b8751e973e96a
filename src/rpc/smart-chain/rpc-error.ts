/** Codes of the smart-chain node's JSON-RPC. */
export const RPC_CODE = {
  misc: -1,
  type: -3,
  wallet: -4,
  addressOrKey: -5,
  walletFunds: -6,
  parameter: -8,
  walletLocked: -13,
  database: -20,
  deserialization: -22,
  transaction: -25,
  rejected: -26,
  alreadyInChain: -27,
  warmingUp: -28,
  request: -32600,
  unknownMethod: -32601,
  parse: -32700,
} as const;

/**
 * A call that is answered with an error object. It is no fault of the program and ends in the answer, so it carries what the
 * caller is told and nothing else.
 *
 * @example
 * ```ts
 * import { millisOf } from 'swapfold';
 * import { createMemoryLog } from 'swapfold/log/memory';
 * import { METHODS, methodTable, RPC_CODE, RpcError } from 'swapfold/rpc';
 * import { systemRandom } from 'swapfold/runtime';
 * import { openSmartChain, openWallet, PREFIXES } from 'swapfold/smartchain';
 * import { createVirtualClock } from 'swapfold/testing';
 *
 * const clock = createVirtualClock(millisOf(1_764_000_000_000));
 * const chain = await openSmartChain({ log: createMemoryLog(), now: clock.now });
 * const wallet = await openWallet({ prefixes: PREFIXES.main, random: systemRandom });
 * const context = { chain, wallet, compatibility: 'node', tokens: false, stop() {} } as const;
 * const run = async () => methodTable(METHODS).get('getblockhash')?.run([7], context);
 * const fault: unknown = await run().catch((error: unknown) => error);
 * fault instanceof RpcError && fault.message; // → 'Block height out of range'
 * fault instanceof RpcError && fault.code === RPC_CODE.parameter; // → true
 * ```
 */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}
