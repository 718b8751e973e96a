import { concatBytes } from '../../../htlc/byte-writer.ts';
import { OP_RETURN, pushData } from '../../../htlc/script.ts';
import { LOCK_TIME_THRESHOLD, type TransactionInput, type TransactionOutput } from '../../../htlc/transaction.ts';
import { isOverwintered } from '../../../htlc/transaction-encoding.ts';
import { bytesToHex, hexToBytes } from '../../../primitives/hex.ts';
import { isJsonObject, type JsonValue, numberText } from '../../../primitives/json.ts';
import { maxMoney } from '../../../smartchain/chain/check-transaction.ts';
import { addressScript } from '../../../smartchain/encoding/address.ts';
import { isStrictHex } from '../../../smartchain/encoding/lenient.ts';
import type { ChainParams } from '../../../smartchain/params.ts';
import { encodeChainTransaction } from '../../../smartchain/transaction.ts';
import { inTurns, type Steps } from '../../../smartchain/turns.ts';
import { draftTransaction } from '../../../smartchain/wallet/token-transactions.ts';
import { requireAddress } from '../address-params.ts';
import { satoshisOf } from '../amount-params.ts';
import type { Params, RpcMethod } from '../method.ts';
import { requireType, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { coinAt } from '../transaction-param.ts';

const MOST_U32 = 0xffff_ffff;

/** An unsigned transaction, in the form for the next block. Sends and keeps nothing. */
export const createrawtransaction: RpcMethod = {
  name: 'createrawtransaction',
  usage: '[{"txid":"id","vout":n},...] {"address":amount,"data":"hex",...} ( locktime expiryheight )',
  summary: 'Returns the hex of an unsigned transaction that spends the given coins.',
  arity: [2, 4],
  async run(params, { chain }) {
    requireType(params, 0, 'array');
    requireType(params, 1, 'object');
    const lockTime = boundedAt(params, 2, { most: MOST_U32, text: 'Invalid parameter, locktime out of range' }) ?? 0;
    const expiryHeight = boundedAt(params, 3, {
      most: LOCK_TIME_THRESHOLD - 1,
      text: `Invalid parameter, expiryheight must be nonnegative and less than ${LOCK_TIME_THRESHOLD}.`,
    });
    const inputs = inputsAt(params, lockTime);
    const draft = draftTransaction(chain, { inputs, outputs: await inTurns(outputsAt(params, chain.params)) });
    if (expiryHeight !== undefined && !isOverwintered(draft)) {
      const text = 'expiryheight can only be used if Overwinter is active when the transaction is mined';
      throw new RpcError(RPC_CODE.parameter, `Invalid parameter, ${text}`);
    }
    const expiry = expiryHeight === undefined ? {} : { expiryHeight };
    return bytesToHex(encodeChainTransaction({ ...draft, inputs, lockTime, ...expiry }));
  },
};

/** A whole number where it is given. @throws RpcError -3 for another type, -8 with the text for one that is out of bounds */
function boundedAt(
  params: Params,
  index: number,
  { most, text }: { readonly most: number; readonly text: string },
): number | undefined {
  const value = params[index];
  if (value === undefined || value === null) return undefined;
  requireType(params, index, 'number');
  const number = Number(numberText(value));
  if (Number.isInteger(number) && number >= 0 && number <= most) return number;
  throw new RpcError(RPC_CODE.parameter, text);
}

function inputsAt([list]: Params, lockTime: number): TransactionInput[] {
  return (Array.isArray(list) ? list : []).map((value: JsonValue) => {
    const coin = coinAt(value, RPC_CODE.parameter);
    const sequence = isJsonObject(value) ? numberText(value['sequence']) : undefined;
    // If all inputs were final, the lock time would have no effect.
    const usual = lockTime === 0 ? MOST_U32 : MOST_U32 - 1;
    return { ...coin, scriptSig: new Uint8Array(0), sequence: sequence === undefined ? usual : Number(sequence) >>> 0 };
  });
}

function* outputsAt(params: Params, chainParams: ChainParams): Steps<TransactionOutput[]> {
  const [, amounts] = params;
  const seen = new Set<string>();
  const outputs: TransactionOutput[] = [];
  const { prefixes } = chainParams;
  for (const [name, value] of Object.entries(isJsonObject(amounts) ? amounts : {})) {
    yield;
    if (name === 'data') {
      outputs.push({ value: 0n, script: dataScript(value ?? null) });
      continue;
    }
    const quoted = name.slice(0, 100);
    const script = addressScript(
      requireAddress(name, { prefixes, text: `Invalid Komodo address or script: ${quoted}` }),
    );
    const paid = bytesToHex(script);
    if (seen.has(paid)) {
      throw new RpcError(RPC_CODE.parameter, `Invalid parameter, duplicated destination: ${quoted}`);
    }
    seen.add(paid);
    outputs.push({ value: satoshisOf(value, maxMoney(chainParams)), script });
  }
  return outputs;
}

function dataScript(value: JsonValue): Uint8Array {
  const hex = textAt([value], 0);
  if (hex !== '' && !isStrictHex(hex)) {
    throw new RpcError(RPC_CODE.parameter, `Data must be hexadecimal string (not '${hex.slice(0, 80)}')`);
  }
  return concatBytes([Uint8Array.of(OP_RETURN), pushData(hexToBytes(hex))]);
}
