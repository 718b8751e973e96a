import { bytesToHex } from '../../../primitives/hex.ts';
import { isJsonObject } from '../../../primitives/json.ts';
import { askedAddresses } from '../address-query.ts';
import { whole } from '../amount.ts';
import { tipNode } from '../chain-view.ts';
import type { RpcMethod } from '../method.ts';
import { unspentOf } from '../wallet-view.ts';

/** Confirmed unspent outputs of any addresses. */
export const getaddressutxos: RpcMethod = {
  name: 'getaddressutxos',
  usage: '{"addresses":["address",...],"chainInfo":false} ( CCvout )',
  summary: 'Returns all unspent outputs of addresses, the oldest first.',
  arity: [1, 2],
  async run(params, { chain }) {
    const utxos = (await askedAddresses(chain, params))
      .flatMap(({ address, owner }) => unspentOf(chain, [owner]).map((entry) => ({ address, entry })))
      .sort((left, right) => left.entry.record.height - right.entry.record.height)
      .map(({ address, entry: { txid, vout, output, record } }) => ({
        address,
        txid,
        outputIndex: vout,
        script: bytesToHex(output.script),
        satoshis: whole(output.value),
        height: record.height,
      }));
    const [query] = params;
    if (!isJsonObject(query) || query['chainInfo'] !== true) return utxos;
    const tip = tipNode(chain);
    return { utxos, hash: tip.block.hash, height: tip.height };
  },
};
