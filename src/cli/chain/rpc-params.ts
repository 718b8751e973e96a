import type { JsonValue } from '../../primitives/json.ts';
import { parseJson } from '../../primitives/json.ts';
import { UsageError } from '../io.ts';

/** Which parameters of which methods are JSON and no texts, as the node's own client has it. */
const JSON_PARAMS: Readonly<Record<string, readonly number[]>> = {
  createmultisig: [0, 1],
  createrawtransaction: [0, 1],
  estimatefee: [0],
  estimatepriority: [0],
  generate: [0],
  generatetoaddress: [0],
  getaddressbalance: [0],
  getaddressdeltas: [0],
  getaddressmempool: [0],
  getaddresstxids: [0],
  getaddressutxos: [0],
  getbalance: [1],
  getblock: [1],
  getblockhash: [0],
  getblockheader: [1],
  getrawmempool: [0],
  getrawtransaction: [1],
  gettxout: [1, 2],
  importaddress: [2],
  importprivkey: [2],
  listunspent: [0, 1, 2],
  sendmany: [1, 2, 4],
  sendrawtransaction: [1],
  sendtoaddress: [1, 4],
  signrawtransaction: [1, 2],
};

/** Parameters of a command line as the node takes them. @throws UsageError for one that must be JSON and is none */
export function rpcParams(method: string, params: readonly string[]): JsonValue[] {
  const converted = Object.hasOwn(JSON_PARAMS, method) ? JSON_PARAMS[method] : undefined;
  return params.map((text, index) => {
    if (converted?.includes(index) !== true) return text;
    try {
      return parseJson(text);
    } catch {
      throw new UsageError(`Parameter ${index + 1} of ${method} must be JSON, such as 1, true or ["a","b"].`);
    }
  });
}
