import type { OutPoint } from '../../htlc/transaction-encoding.ts';
import { hexToBytes } from '../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../primitives/json.ts';
import type { IdentifiedTransaction } from '../../smartchain/chain/block.ts';
import { isStrictHex } from '../../smartchain/encoding/lenient.ts';
import { decodeChainTransaction, transactionIdOf } from '../../smartchain/transaction.ts';
import type { Params } from './method.ts';
import { integerAt, requireType, textAt } from './params.ts';
import { RPC_CODE, RpcError } from './rpc-error.ts';

/** A transaction in hex; ignores trailing bytes. @throws RpcError -3 for a value that is no text, -22 for an invalid transaction */
export function transactionAt(params: Params, index: number): IdentifiedTransaction {
  requireType(params, index, 'string');
  const text = textAt(params, index);
  const read = isStrictHex(text) ? decodeChainTransaction(hexToBytes(text)) : undefined;
  if (read === undefined) throw new RpcError(RPC_CODE.deserialization, 'TX decode failed');
  return { ...read, txid: transactionIdOf(read.bytes) };
}

const TRANSACTION_ID = /^[0-9a-fA-F]{64}$/;

/**
 * The coin that an object with `txid` and `vout` names. @throws RpcError -1 for no object, -8 for no id, the given code for no
 * index
 */
export function coinAt(value: JsonValue | undefined, code: number): OutPoint {
  if (!isJsonObject(value)) throw new RpcError(RPC_CODE.misc, 'JSON value is not an object as expected');
  const { txid, vout } = value;
  const text = typeof txid === 'string' ? txid : '';
  if (!TRANSACTION_ID.test(text)) {
    throw new RpcError(RPC_CODE.parameter, `txid must be hexadecimal string (not '${text.slice(0, 80)}')`);
  }
  if (numberText(vout) === undefined) throw new RpcError(RPC_CODE.parameter, 'Invalid parameter, missing vout key');
  const index = integerAt([vout ?? null], 0);
  if (index >= 0) return { txid: text.toLowerCase(), vout: index };
  throw new RpcError(
    code,
    code === RPC_CODE.parameter ? 'Invalid parameter, vout must be positive' : 'vout must be positive',
  );
}

/** A transaction id. @throws RpcError -1 for no text, -8 for another one */
export function transactionIdAt(params: Params, index: number): string {
  const text = textAt(params, index);
  if (TRANSACTION_ID.test(text)) return text.toLowerCase();
  throw new RpcError(
    RPC_CODE.parameter,
    `parameter ${index + 1} must be hexadecimal string (not '${text.slice(0, 80)}')`,
  );
}
