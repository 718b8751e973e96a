import { decodeShieldedAddress, shieldedAddressFields } from '../../../smartchain/encoding/shielded-address.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';

/** What a shielded address means. The wallet holds no such keys, so no such address is its own. */
export const zValidateaddress: RpcMethod = {
  name: 'z_validateaddress',
  usage: '"zaddr"',
  summary: 'Returns whether a shielded address is valid, and its parts.',
  arity: [1, 1],
  run(params, { chain }) {
    const text = textAt(params, 0);
    const address = decodeShieldedAddress(text, chain.params.prefixes);
    if (address === undefined) return { isvalid: false };
    return { isvalid: true, address: text, type: address.type, ...shieldedAddressFields(address), ismine: false };
  },
};
