import { bytesToHex } from '../../../primitives/hex.ts';
import { ownerKey } from '../../../smartchain/chain/script-owner.ts';
import { addressScript, decodeAddress, encodeAddress, segid } from '../../../smartchain/encoding/address.ts';
import { keyOfHash } from '../../../smartchain/wallet/keyring.ts';
import type { RpcMethod } from '../method.ts';
import { textAt } from '../params.ts';

/** What an address means, and what the wallet knows about it. */
export const validateaddress: RpcMethod = {
  name: 'validateaddress',
  usage: '"address"',
  summary: 'Returns whether an address is valid, and what is known about it.',
  arity: [1, 1],
  run(params, { chain, wallet }) {
    const text = textAt(params, 0);
    const { prefixes } = chain.params;
    const address = decodeAddress(text, prefixes);
    if (address === undefined) return { isvalid: false };
    const key = address.kind === 'key' ? keyOfHash(wallet.ring, address.hash) : undefined;
    const watched = key === undefined && wallet.ring.watched.has(ownerKey(address));
    return {
      isvalid: true,
      address: encodeAddress(address, prefixes),
      scriptPubKey: bytesToHex(addressScript(address)),
      segid: segid(text),
      ismine: key !== undefined,
      iswatchonly: watched,
      isscript: address.kind === 'script',
      ...(key === undefined ? {} : { pubkey: bytesToHex(key.publicKey), iscompressed: key.compressed }),
      // Everything that the wallet holds or watches is in the default account.
      ...(key === undefined && !watched ? {} : { account: '' }),
    };
  },
};
