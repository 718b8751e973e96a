import type { Refusal } from '../../smartchain/chain/refusal.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** Why the node refused a transaction, in its words; the text of a refusal by policy may be empty. */
export function refusalError(refusal: Refusal): RpcError {
  if (refusal.kind === 'missing-inputs') return new RpcError(RPC_CODE.transaction, 'Missing inputs');
  if (refusal.kind === 'policy') return new RpcError(RPC_CODE.transaction, refusal.reason);
  return new RpcError(RPC_CODE.rejected, `${refusal.code}: ${refusal.reason}`);
}
