import { hexToBytes } from '../../primitives/hex.ts';
import type { IdentifiedTransaction } from '../../smartchain/chain/block.ts';
import { isStrictHex } from '../../smartchain/encoding/lenient.ts';
import { decodeTransaction } from '../../smartchain/transaction/decode.ts';
import { transactionIdOf } from '../../smartchain/transaction/encode.ts';
import type { Params } from './method.ts';
import { requireType, textAt } from './params.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** A transaction in hex; bytes behind it are ignored. @throws RpcError -3 for no text, -22 for no transaction */
export function transactionAt(params: Params, index: number): IdentifiedTransaction {
  requireType(params, index, 'string');
  const text = textAt(params, index);
  const read = isStrictHex(text) ? decodeTransaction(hexToBytes(text)) : undefined;
  if (read === undefined) throw new RpcError(RPC_CODE.deserialization, 'TX decode failed');
  return { ...read, txid: transactionIdOf(read.bytes) };
}

const TRANSACTION_ID = /^[0-9a-fA-F]{64}$/;

/** A transaction id. @throws RpcError -1 for no text, -8 for another one */
export function transactionIdAt(params: Params, index: number): string {
  const text = textAt(params, index);
  if (TRANSACTION_ID.test(text)) return text.toLowerCase();
  throw new RpcError(
    RPC_CODE.parameter,
    `parameter ${index + 1} must be hexadecimal string (not '${text.slice(0, 80)}')`,
  );
}
