import type { UtxoRefusal } from '../../chains/utxo/reader.ts';
import type { JsonObject } from '../../primitives/json.ts';

/** Codes of JSON-RPC 2.0, and the two of the Electrum protocol itself. */
export const ELECTRUM_CODE = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  /** The request makes no sense for this chain, or is refused. */
  bad: 1,
  /** The daemon refuses, or does not answer. */
  daemon: 2,
} as const;

/** What a call is refused with. It ends in an answer and is no fault of the program. */
export class ElectrumRpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ElectrumRpcError';
    this.code = code;
  }

  toJson(): JsonObject {
    return { code: this.code, message: this.message };
  }
}

/** An error of the daemon in the words in which servers of this protocol pass one on. */
export function daemonRefusal({ code, message }: UtxoRefusal): ElectrumRpcError {
  return new ElectrumRpcError(
    ELECTRUM_CODE.daemon,
    `daemon error: DaemonError({'code': ${code}, 'message': ${JSON.stringify(message)}})`,
  );
}

export function bad(message: string): ElectrumRpcError {
  return new ElectrumRpcError(ELECTRUM_CODE.bad, message);
}
