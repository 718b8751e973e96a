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
 */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}
