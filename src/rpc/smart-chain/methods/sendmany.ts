import type { TransactionOutput } from '../../../htlc/transaction.ts';
import { bytesToHex } from '../../../primitives/hex.ts';
import { isJsonObject } from '../../../primitives/json.ts';
import { maxMoney } from '../../../smartchain/chain/check-transaction.ts';
import { addressScript } from '../../../smartchain/encoding/address.ts';
import type { ChainParams } from '../../../smartchain/params.ts';
import { inTurns, type Steps } from '../../../smartchain/turns.ts';
import { requireAddress } from '../address-params.ts';
import { satoshisOf } from '../amount-params.ts';
import type { Params, RpcMethod } from '../method.ts';
import { listAt, requireType, textAt } from '../params.ts';
import { RPC_CODE, RpcError } from '../rpc-error.ts';
import { sendPayment } from '../send-payment.ts';

/** Pays several addresses at once. There is one account, the default one; minconf and comment are accepted and ignored. */
export const sendmany: RpcMethod = {
  name: 'sendmany',
  usage: '"fromaccount" {"address":amount,...} ( minconf "comment" ["address",...] )',
  summary: 'Sends amounts to several addresses in one transaction; returns its id.',
  arity: [2, 5],
  async run(params, context) {
    if (textAt(params, 0) !== '') throw new RpcError(RPC_CODE.parameter, 'Accounts are not supported; give ""');
    requireType(params, 1, 'object');
    const chainParams = context.chain.params;
    const outputs = await inTurns(outputsAt(params, chainParams));
    return sendPayment(context, { outputs, feeFrom: await inTurns(feePayers(params, { outputs, chainParams })) });
  },
};

function* outputsAt(params: Params, chainParams: ChainParams): Steps<TransactionOutput[]> {
  const [, amounts] = params;
  const seen = new Set<string>();
  const outputs: TransactionOutput[] = [];
  for (const [text, amount] of isJsonObject(amounts) ? Object.entries(amounts) : []) {
    const script = scriptOf(text, chainParams);
    const name = bytesToHex(script);
    if (seen.has(name))
      throw new RpcError(RPC_CODE.parameter, `Invalid parameter, duplicated address: ${quoted(text)}`);
    seen.add(name);
    const value = satoshisOf(amount, maxMoney(chainParams));
    if (value <= 0n) throw new RpcError(RPC_CODE.type, 'Invalid amount for send');
    outputs.push({ value, script });
    yield;
  }
  if (outputs.length === 0) throw new RpcError(RPC_CODE.parameter, 'Invalid parameter, no addresses');
  return outputs;
}

type Recipients = { readonly outputs: readonly TransactionOutput[]; readonly chainParams: ChainParams };

function* feePayers(params: Params, { outputs, chainParams }: Recipients): Steps<number[]> {
  if (params[4] === undefined) return [];
  const list = listAt(params, 4);
  const places = new Map(outputs.map(({ script }, place) => [bytesToHex(script), place]));
  const payers: number[] = [];
  for (const index of list.keys()) {
    payers.push(places.get(bytesToHex(scriptOf(textAt(list, index), chainParams))) ?? -1);
    yield;
  }
  const known = new Set(payers);
  if (!known.has(-1) && known.size === payers.length) return payers;
  throw new RpcError(RPC_CODE.parameter, 'Invalid parameter, the fee can be taken once from each address that is paid');
}

function scriptOf(text: string, { prefixes }: ChainParams): Uint8Array {
  return addressScript(requireAddress(text, { prefixes, text: `Invalid Komodo address: ${quoted(text)}` }));
}

function quoted(text: string): string {
  return text.slice(0, 100);
}
